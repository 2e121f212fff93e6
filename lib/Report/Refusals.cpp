//===- Refusals.cpp - What was not done, and why --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collect.h"
#include "memplan/Support/SortByKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace memplan;

namespace {
class RefusalFinder {
public:
  RefusalFinder(const GraphIndex &index, const Plan &plan,
                const ReportData &data)
      : index(index), graph(index.graph()), plan(plan), data(data) {}
  std::vector<Refusal> take();

private:
  void findKept();
  std::string reasonToKeep(NodeId producer) const;
  void findSeparate(int32_t step);
  std::string reasonAgainst(int32_t step, const InPlacePair &pair) const;
  bool isUsedAt(const ReportRange &range, int32_t step) const;
  /// What a run at `step` finds of the tensor.
  const ReportRange *rangeAt(TensorId base, int32_t step) const;

  const GraphIndex &index;
  const Graph &graph;
  const Plan &plan;
  const ReportData &data;
  std::vector<std::vector<int32_t>> rangesOf; ///< By tensor, on the device.
  std::vector<Refusal> refusals;
};
} // namespace

bool RefusalFinder::isUsedAt(const ReportRange &range, int32_t step) const {
  if (step >= static_cast<int32_t>(plan.steps.size()))
    return false;
  const PlanAction &action = plan.steps[step];
  if (action.action != ActionKind::Compute)
    return llvm::is_contained(action.tensors, range.tensor);
  const Node &node = graph[action.node];
  auto isIt = [&](TensorId id) { return index.base(id) == range.tensor; };
  return llvm::any_of(node.inputs, isIt) || llvm::any_of(node.outputs, isIt) ||
         llvm::any_of(node.writes, isIt);
}

std::string RefusalFinder::reasonToKeep(NodeId producer) const {
  const Node &node = graph[producer];
  if (!node.writes.empty())
    return "its node runs once: it updates " +
           describe(graph, node.writes.front());
  if (node.collective)
    return "its node runs once: it is a collective";
  if (node.opaque)
    return "its node runs once: what it does is not known";
  if (!node.recompute)
    return "its node runs once: the program marks it so";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "recomputing it costs at least "
     << llvm::format("%.6g", node.leastCost());
  if (data.unplannedCost > 0)
    os << llvm::format(" (%.3g %% of the step)",
                       100 * node.leastCost() / data.unplannedCost);
  return text;
}

/// Kept over the peak: there before it and after it, unused at it.
void RefusalFinder::findKept() {
  const int32_t peak = data.replay.peakStep;
  for (int32_t place : data.peak) {
    const ReportRange &range = data.ranges[place];
    if (range.kind != PlacementKind::Tensor || isUsedAt(range, peak) ||
        index.isKept(range.tensor))
      continue;
    const std::optional<NodeId> producer = index.producer(range.tensor);
    if (producer && range.lastUse > peak)
      refusals.push_back({Refusal::Kind::Recompute, range.tensor, *producer,
                          range.bytes, reasonToKeep(*producer)});
  }
}

const ReportRange *RefusalFinder::rangeAt(TensorId base, int32_t step) const {
  for (int32_t place : rangesOf[base.index]) {
    const ReportRange &range = data.ranges[place];
    const bool isThere =
        range.begin < step || range.origin == RangeOrigin::Caller;
    if (isThere && step <= range.end)
      return &range;
  }
  return nullptr;
}

std::string RefusalFinder::reasonAgainst(int32_t step,
                                         const InPlacePair &pair) const {
  const PlanAction &action = plan.steps[step];
  const Node &node = graph[action.node];
  const TensorId source = index.base(pair.input);
  const std::string input = describe(graph, pair.input);
  const Tensor &owner = graph[source];
  if (isCallerOwned(owner.kind) && !owner.donated)
    return input + " is the caller's";
  if (index.isKept(source))
    return input + " must be live after the step";
  for (const InPlacePair &taken : action.inPlace)
    if (index.base(taken.input) == source)
      return describe(graph, taken.output) + " took the bytes of " + input;
  for (TensorId other : node.inputs)
    if (other != pair.input && index.base(other) == source)
      return "the node reads the bytes of " + input + " as " +
             describe(graph, other) + " too";
  const ReportRange *range = rangeAt(source, step);
  if (range && range->lastUse > step)
    return input + " is used later, at step " + std::to_string(range->lastUse) +
           (plan.steps[range->lastUse].action == ActionKind::Compute
                ? " by " + describe(graph, plan.steps[range->lastUse].node)
                : std::string());
  if (range && range->bytes < graph[pair.output].bytes)
    return input + " has only " + std::to_string(range->bytes) + " bytes";
  return "nothing stands against it; it would not have lowered what the plan "
         "needs";
}

/// Outputs of a first run with bytes of their own that the node may put over an
/// input.
void RefusalFinder::findSeparate(int32_t step) {
  const PlanAction &action = plan.steps[step];
  const Node &node = graph[action.node];
  for (TensorId output : node.outputs) {
    auto isOf = [&](const InPlacePair &pair) { return pair.output == output; };
    const auto pair = llvm::find_if(node.inPlace, isOf);
    if (pair == node.inPlace.end() || llvm::any_of(action.inPlace, isOf) ||
        llvm::is_contained(action.discard, output))
      continue;
    refusals.push_back({Refusal::Kind::InPlace, output, action.node,
                        graph[output].bytes, reasonAgainst(step, *pair)});
  }
}

std::vector<Refusal> RefusalFinder::take() {
  rangesOf.resize(graph.tensors.size());
  for (size_t i = 0; i < data.ranges.size(); ++i)
    if (data.ranges[i].kind == PlacementKind::Tensor &&
        data.ranges[i].space == MemorySpace::Device)
      rangesOf[data.ranges[i].tensor.index].push_back(static_cast<int32_t>(i));
  findKept();
  for (size_t step = 0; step < plan.steps.size(); ++step)
    if (plan.steps[step].action == ActionKind::Compute &&
        !data.steps[step].isRecomputation)
      findSeparate(static_cast<int32_t>(step));
  sortByKey(refusals, [](const Refusal &refusal) { return -refusal.bytes; });
  return std::move(refusals);
}

std::vector<Refusal> memplan::findRefusals(const GraphIndex &index,
                                           const Plan &plan,
                                           const ReportData &data) {
  return RefusalFinder(index, plan, data).take();
}
