//===- FewTurns.cpp - Many equal turns, planned as one --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guarantee: a plan that is written out has passed verifySchedule(), and its
//   offsets ArenaProblem::verify().
// Cost: O(tensors + edges), and O(n log n) a plan for its buffers.
//
//===----------------------------------------------------------------------===//

#include "FewTurns.h"
#include "memplan/Planner/Model/ContractedStep.h"
#include "memplan/Planner/Search/Repeats.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace memplan;

/// What a view shows, beside the tensor that it lies in.
static bool isSamePart(const Tensor &one, const Tensor &other) {
  return one.bytes == other.bytes && one.kind == other.kind &&
         one.donated == other.donated && one.partOf == other.partOf &&
         one.viewOf.has_value() == other.viewOf.has_value();
}

bool FewTurns::isLikeView(TensorId tensor, TensorId other) const {
  const Tensor &one = whole.graph()[tensor], &two = whole.graph()[other];
  return isSamePart(one, two) &&
         (!one.viewOf || isLikeTensor(*one.viewOf, *two.viewOf));
}

/// The same tensor, made before the turns; what producers in two turns make at
/// the same place; or two inputs that are read and no more.
bool FewTurns::isLikeTensor(TensorId tensor, TensorId other) const {
  const std::optional<NodeId> producer = whole.producer(tensor);
  if (tensor == other)
    return !producer || producer->index < begin;
  const std::optional<NodeId> its = whole.producer(other);
  if (!producer && !its)
    return !whole.graph()[tensor].donated && whole.writersOf(tensor).empty() &&
           whole.writersOf(other).empty() && isLikeView(tensor, other);
  if (!producer || !its || its->index < begin ||
      producer->index + period != its->index)
    return false;
  const std::vector<TensorId> &outputs = whole.graph()[*producer].outputs,
                              &others = whole.graph()[*its].outputs;
  const auto place = llvm::find(outputs, tensor) - outputs.begin();
  return size_t(place) < others.size() && others[size_t(place)] == other;
}

/// Whether a node and the one in the next turn are alike.
bool FewTurns::isLike(int32_t node) const {
  const Graph &graph = whole.graph();
  if (node + period >= int32_t(graph.nodes.size()))
    return false;
  const Node &one = graph.nodes[node], &other = graph.nodes[node + period];
  auto isSame = [&](TensorId a, TensorId b) { return isLikeTensor(a, b); };
  auto isSamePair = [&](const InPlacePair &a, const InPlacePair &b) {
    return isSame(a.output, b.output) && isSame(a.input, b.input);
  };
  auto isSameVariant = [](const NodeVariant &a, const NodeVariant &b) {
    return a.cost == b.cost && a.workspaceBytes == b.workspaceBytes;
  };
  return one.cost == other.cost && one.workspaceBytes == other.workspaceBytes &&
         one.recompute == other.recompute &&
         one.collective == other.collective && one.opaque == other.opaque &&
         one.backward == other.backward &&
         llvm::equal(one.variants, other.variants, isSameVariant) &&
         llvm::equal(one.inputs, other.inputs, isSame) &&
         llvm::equal(
             one.outputs, other.outputs,
             [&](TensorId a, TensorId b) { return isLikeView(a, b); }) &&
         llvm::equal(one.inPlace, other.inPlace, isSamePair) &&
         llvm::equal(one.writes, other.writes, isSame);
}

/// From the ops that repeat to nodes, of which some only make views.
bool FewTurns::findTurns(bool inPlace) {
  const ContractedStep step(whole, inPlace);
  const std::optional<StepRepeat> repeat = findRepeat(step);
  if (!repeat)
    return false;
  auto nodeOf = [&](int32_t op) { return step.ops()[op].node.index; };
  // The last op before the turns runs for the first time where it stands, which
  // nodes that only make views need not do.
  int32_t first = repeat->begin;
  while (first == 0 || nodeOf(first) != nodeOf(first - 1) + 1)
    if (++first >= repeat->begin + repeat->period)
      return false;
  begin = nodeOf(first);
  period = nodeOf(first + repeat->period) - begin;
  int32_t alike = 0;
  while (isLike(begin + alike))
    ++alike;
  numTurns = alike / period + 1;
  return numTurns > 2;
}

/// Whether turns read what was made before them and could be made again in each
/// of them: that would cost as often as there are turns, which no plan of one
/// turn says. Views cost nothing.
bool FewTurns::sharesRecomputable() const {
  const Graph &graph = whole.graph();
  for (int32_t node = begin; node < begin + period; ++node)
    for (size_t i = 0; i < graph.nodes[node].inputs.size(); ++i) {
      const TensorId input = graph.nodes[node].inputs[i];
      const auto producer = whole.producer(input);
      if (producer && producer->index < begin &&
          graph.nodes[node + period].inputs[i] == input &&
          !graph[*producer].runsOnce() &&
          !(graph[input].viewOf && graph[*producer].leastCost() == 0))
        return true;
    }
  return false;
}

/// Whether what turns make is read in them and in the turn behind them only,
/// and none of it stays to the end.
bool FewTurns::isKeptInTurns() const {
  const Graph &graph = whole.graph();
  for (int32_t node = begin; node < end(); ++node)
    for (TensorId output : graph.nodes[node].outputs) {
      const TensorId base = whole.base(output);
      const bool isLast = turnOf(node) == numTurns - 1;
      if (whole.staysToTheEnd(output) || (whole.isKept(base) && !isLast))
        return false;
      const int32_t last = isLast ? int32_t(graph.nodes.size())
                                  : begin + (turnOf(node) + 2) * period;
      if (llvm::any_of(whole.users(output),
                       [&](NodeId user) { return user.index >= last; }))
        return false;
    }
  return true;
}

int32_t FewTurns::partNode(int32_t node) const {
  if (node < begin)
    return node;
  return node < end() ? begin + (node - begin) % period
                      : node - (numTurns - 1) * period;
}

void FewTurns::makePart() {
  const Graph &from = whole.graph();
  graph.name = from.name;
  graph.fixedBytes = from.fixedBytes;
  graph.hostBudgetBytes = from.hostBudgetBytes;
  graph.bandwidth = from.bandwidth;
  partOf.resize(from.tensors.size());
  for (size_t tensor = 0; tensor < from.tensors.size(); ++tensor)
    if (const auto producer = whole.producer(TensorId(tensor));
        !producer || turnOf(producer->index) <= 0) {
      partOf[tensor] = TensorId(original.size());
      original.push_back(TensorId(tensor));
    }
  // Of the turns that are left out, what the one that is kept has in its place.
  for (int32_t node = begin + period; node < end(); ++node) {
    const std::vector<TensorId> &outputs = from.nodes[node].outputs;
    for (size_t place = 0; place < outputs.size(); ++place)
      partOf[outputs[place].index] =
          partTensor(from.nodes[partNode(node)].outputs[place]);
  }
  for (TensorId tensor : original) {
    Tensor &its = graph.tensors.emplace_back(from[tensor]);
    if (its.viewOf)
      its.viewOf = partTensor(*its.viewOf);
  }
  auto rename = [&](std::vector<TensorId> &tensors) {
    for (TensorId &tensor : tensors)
      tensor = partTensor(tensor);
  };
  for (int32_t node = 0; node < int32_t(from.nodes.size()); ++node) {
    if (turnOf(node) > 0)
      continue;
    Node &its = graph.nodes.emplace_back(from.nodes[node]);
    for (std::vector<TensorId> *list : {&its.inputs, &its.outputs, &its.writes})
      rename(*list);
    for (InPlacePair &pair : its.inPlace)
      pair = {partTensor(pair.output), partTensor(pair.input)};
    if (turnOf(node) < 0)
      continue;
    its.cost *= numTurns;
    for (NodeVariant &variant : its.variants)
      variant.cost *= numTurns;
  }
  // What a turn passes on to the next one, turns that follow each other have to
  // make at the same time. It is what accumulates, and hardly worth running
  // again.
  for (int32_t node = begin; node < begin + period; ++node)
    for (size_t i = 0; i < from.nodes[node].inputs.size(); ++i) {
      const TensorId next = from.nodes[node + period].inputs[i];
      const auto producer = whole.producer(next);
      if (!producer || turnOf(producer->index) != 0)
        continue;
      const TensorId first = from.nodes[node].inputs[i];
      for (TensorId tensor : {first, next})
        graph.nodes[whole.producer(tensor)->index].recompute = false;
    }
}

std::unique_ptr<FewTurns> FewTurns::find(const GraphIndex &whole,
                                         bool inPlace) {
  std::unique_ptr<FewTurns> found(new FewTurns(whole));
  if (whole.graph().communicates() || !found->findTurns(inPlace) ||
      !found->isKeptInTurns() || found->sharesRecomputable())
    return nullptr;
  found->makePart();
  if (llvm::Error error = found->graph.check()) {
    llvm::consumeError(std::move(error));
    return nullptr;
  }
  found->part = std::make_unique<const GraphIndex>(found->graph);
  const ContractedStep step(*found->part, inPlace);
  for (size_t node = 0; node < found->graph.nodes.size(); ++node)
    found->isView.push_back(step.vanishes(NodeId(node)));
  return found;
}

NodeId FewTurns::wholeNode(NodeId node, int32_t turn) const {
  if (node.index < begin)
    return node;
  return NodeId(node.index +
                (node.index < begin + period ? turn : numTurns - 1) * period);
}

/// In-place pairs of a node of the part: those that stand at the same places.
std::vector<InPlacePair>
FewTurns::wholePairs(NodeId node, const std::vector<InPlacePair> &pairs,
                     int32_t turn) const {
  const std::vector<InPlacePair> &offered = graph[node].inPlace;
  std::vector<InPlacePair> made;
  for (const InPlacePair &pair : pairs)
    made.push_back(
        whole.graph()[wholeNode(node, turn)]
            .inPlace[size_t(llvm::find(offered, pair) - offered.begin())]);
  return made;
}

FewTurns::Segments FewTurns::segmentsOf(llvm::ArrayRef<NodeId> runs) const {
  std::vector<bool> hasRun(graph.nodes.size(), false);
  Segments found{0, 0};
  for (size_t run = 0; run < runs.size(); ++run) {
    const int32_t node = runs[run].index;
    if (hasRun[node] || node >= begin + period || isView[node])
      continue;
    hasRun[node] = true;
    (node < begin ? found.begin : found.end) = int32_t(run) + 1;
  }
  return found;
}

/// Empty where the step does not run so.
std::optional<RematPlan> FewTurns::writeRuns(const RematPlan &from,
                                             Segments segments) const {
  const Schedule &schedule = from.schedule;
  RematPlan made;
  made.report = from.report;
  auto add = [&](int32_t first, int32_t last, int32_t turn) {
    for (int32_t run = first; run < last; ++run) {
      made.schedule.runs.push_back(wholeNode(schedule.runs[run], turn));
      if (!schedule.variants.empty())
        made.schedule.variants.push_back(schedule.variants[run]);
      made.inPlace.push_back(
          wholePairs(schedule.runs[run], from.inPlace[run], turn));
    }
  };
  add(0, segments.begin, 0);
  for (int32_t turn = 0; turn < numTurns; ++turn)
    add(segments.begin, segments.end, turn);
  add(segments.end, int32_t(schedule.runs.size()), numTurns - 1);
  if (llvm::Error error = verifySchedule(whole, made.schedule)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  const ScheduleMetrics metrics =
      measureSchedule(whole, made.schedule, made.inPlace);
  made.cost = metrics.cost;
  made.peakBytes = metrics.peakBytes;
  return made;
}

/// By action: the run that it is, or that comes before it.
static std::vector<int32_t> runsOf(llvm::ArrayRef<PlanAction> actions) {
  std::vector<int32_t> runs;
  int32_t run = -1;
  for (const PlanAction &action : actions)
    runs.push_back(run += action.action == ActionKind::Compute);
  return runs;
}

/// By buffer, as the placements of the part have them; empty where one has none
/// there, or where two of its placements have not the same.
std::vector<int64_t> FewTurns::offsetsOf(const PackedPlan &plan,
                                         Segments segments,
                                         llvm::ArrayRef<PlanAction> actions,
                                         const StepBuffers &buffers) const {
  // What it is of, and its first run; what the caller gives begins only once.
  using Key = std::tuple<PlacementKind, int32_t, int32_t>;
  auto keyOf = [&](const Placement &placement, int32_t run) {
    if (placement.kind == PlacementKind::Workspace)
      return Key(placement.kind, -1, run);
    return Key(placement.kind, placement.tensor.index,
               part->producer(placement.tensor) ? run : -1);
  };
  const std::vector<int32_t> runs = runsOf(plan.plan.steps);
  std::vector<std::pair<Key, int64_t>> known;
  for (const Placement &placement : plan.plan.arenas.front().placements)
    known.emplace_back(keyOf(placement, runs[placement.stepBegin]),
                       placement.offset);
  llvm::sort(known);
  const std::vector<int32_t> wholeRuns = runsOf(actions);
  std::vector<int64_t> offsets(buffers.problem.buffers.size(), -1);
  for (size_t i = 0; i < buffers.placements.size(); ++i) {
    Placement placement = buffers.placements[i];
    if (placement.kind != PlacementKind::Workspace)
      placement.tensor = partTensor(placement.tensor);
    const Key key = keyOf(
        placement, segments.partRun(wholeRuns[placement.stepBegin], numTurns));
    const auto at = llvm::lower_bound(known, std::pair(key, int64_t(0)));
    int64_t &offset = offsets[buffers.bufferOf[i]];
    if (at == known.end() || at->first != key ||
        (offset >= 0 && offset != at->second))
      return {};
    offset = at->second;
  }
  return offsets;
}

llvm::Expected<std::optional<PackedPlan>>
FewTurns::writeOut(const StepContext &context, const PackedPlan &plan,
                   int64_t budgetBytes) const {
  const RematPlan from = rematPlanOf(plan.plan);
  const Segments segments = segmentsOf(from.schedule.runs);
  std::optional<RematPlan> made = writeRuns(from, segments);
  if (!made)
    return std::nullopt;
  if (hasArena(*context.solvers.arena)) {
    llvm::Expected<std::optional<PackedPlan>> packed = packStepAt(
        whole, *made, context.solvers, context.options,
        context.limitsOfPacking(0),
        [&](llvm::ArrayRef<PlanAction> actions, const StepBuffers &buffers) {
          return offsetsOf(plan, segments, actions, buffers);
        });
    if (!packed || *packed)
      return packed;
  }
  llvm::Expected<PackedPlan> packed =
      context.pack(std::move(*made), std::max(budgetBytes, plan.deviceBytes));
  if (!packed)
    return packed.takeError();
  if (packed->deviceBytes > std::max(budgetBytes, plan.deviceBytes))
    return std::nullopt;
  return std::optional<PackedPlan>(std::move(*packed));
}

llvm::Expected<bool> FewTurns::addTo(ParetoFront &front,
                                     const StepContext &context,
                                     const PackedPlan &plan,
                                     int64_t budgetBytes) const {
  llvm::Expected<std::optional<PackedPlan>> written =
      writeOut(context, plan, budgetBytes);
  if (!written)
    return written.takeError();
  if (*written)
    front.add(std::move(**written));
  return written->has_value();
}
