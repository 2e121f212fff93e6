//===- CopySpaces.cpp - Plans that copy, for any budget -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopySpaces.h"
#include "Tuning.h"
#include "memplan/Graph/CopyTime.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/SearchProblem.h"
#include "memplan/Planner/Search/Tuning.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Thresholds.h"
#include "memplan/Schedule/UsefulRuns.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
/// Searches for one budget.
class CopyPlanner {
public:
  /// `hosted`: what lives on the host between steps.
  CopyPlanner(const StepContext &context, bool mayRecompute,
              std::vector<TensorId> hosted = {},
              std::shared_ptr<CutCheckpoints> cuts = {}, double copiedBytes = 0)
      : context(context), graph(context.index.graph()),
        mayRecompute(mayRecompute), hosted(std::move(hosted)),
        cuts(std::move(cuts)), copiedBytes(copiedBytes) {}

  /// The packed plan if a search finds one: for as many live bytes as leave
  /// room for packing, else, where that finds none, for the budget.
  llvm::Expected<std::vector<PackedPlan>>
  plan(const BudgetSearch &search) const;

private:
  llvm::Expected<std::vector<PackedPlan>> planWithin(const BudgetSearch &search,
                                                     int64_t liveBytes) const;
  llvm::Expected<PackedPlan> pack(std::vector<PlanAction> useful,
                                  int64_t budget) const;
  int64_t excessOf(std::vector<PlanAction> useful, int64_t budget) const;
  int64_t repackedExcessOf(std::vector<PlanAction> useful, int64_t budget,
                           int64_t placements) const;

  /// No lower arenas than the budget are looked for then. That took two thirds
  /// of the time (a transformer of 5,580 nodes), and fewer live bytes cost less
  /// than .1 %. On a GPT-2 of 1,740 nodes, and one of 2,521, starts by least
  /// cuts alone are better and faster.
  bool isLarge() const { return graph.nodes.size() > largeStep; }
  int64_t firstLiveBytes(const BudgetSearch &search) const;
  std::vector<const Schedule *> cutStarts(int64_t liveBytes) const;

  const StepContext &context;
  const Graph &graph;
  bool mayRecompute;
  std::vector<TensorId> hosted;
  /// Starts on a large step; null: none.
  std::shared_ptr<CutCheckpoints> cuts;
  double copiedBytes; ///< As copiedBefore() has it; with `cuts` only.
  /// The last that took more work, or that a search has packed: packed anew, it
  /// might exceed.
  mutable std::optional<PackedPlan> lastKept;
};
} // namespace

/// Packs to the lowest arena that is found: a walk goes on from it within fewer
/// bytes. For the largest steps, which have no cuts, that takes more time than
/// the search.
llvm::Expected<PackedPlan> CopyPlanner::pack(std::vector<PlanAction> useful,
                                             int64_t budget) const {
  if (lastKept && lastKept->plan.steps == useful)
    return *lastKept;
  const SolveLimits limits =
      context.limitsOfPacking(isLarge() ? searchTuning::placementsOfLarge
                                        : searchTuning::placementsOfOneOfMany);
  llvm::Expected<PackedPlan> packed = packActions(
      context.index, std::move(useful), *context.solvers.arena,
      context.options.alignmentBytes, limits,
      isLarge() && !cuts ? std::optional<int64_t>(budget) : std::nullopt);
  if (isLarge() && packed && packed->deviceBytes <= budget)
    lastKept = *packed;
  return packed;
}

/// What does not pack at all is as bad as it gets; it is reported where it is
/// the plan that is returned.
int64_t CopyPlanner::excessOf(std::vector<PlanAction> useful,
                              int64_t budget) const {
  llvm::Expected<PackedPlan> packed = pack(std::move(useful), budget);
  if (!packed) {
    llvm::consumeError(packed.takeError());
    return budget;
  }
  const int64_t over = packed->deviceBytes - budget;
  return packed->fitsHost(graph)
             ? over
             : std::max(over, packed->hostBytes - *graph.hostBudgetBytes);
}

int64_t CopyPlanner::repackedExcessOf(std::vector<PlanAction> useful,
                                      int64_t budget,
                                      int64_t placements) const {
  llvm::Expected<std::optional<PackedPlan>> packed = packActionsWithin(
      context.index, useful, budget, *context.solvers.arena,
      context.options.alignmentBytes, context.limitsOfPacking(placements));
  if (packed && *packed)
    lastKept = std::move(*packed);
  else
    llvm::consumeError(packed.takeError());
  return excessOf(std::move(useful), budget);
}

/// As much below the budget as packing plans for others has taken.
int64_t CopyPlanner::firstLiveBytes(const BudgetSearch &search) const {
  int64_t most = 0;
  for (const PackedPlan *plan : {search.below, search.above})
    if (plan)
      most = std::max(most, plan->deviceBytes - plan->boundBytes);
  return search.budgetBytes - most;
}

/// Bytes of the forward pass that copies can have moved to the host before the
/// node at which most bytes are live, if nothing waits for them.
static double copiedBefore(const StepContext &context, size_t peak) {
  const Graph &graph = context.index.graph();
  std::vector<bool> isNeeded(graph.tensors.size());
  for (size_t node = peak; node < graph.nodes.size(); ++node)
    for (TensorId base : context.index.usedBases(NodeId(node)))
      isNeeded[size_t(base.index)] = true;
  const Bandwidth bandwidth = graph.bandwidth.value_or(Bandwidth());
  double timeToPeak = 0, now = 0, end = 0, copied = 0;
  for (size_t node = 0; node < peak; ++node)
    timeToPeak += graph.nodes[node].variant(0).cost;
  for (size_t node = 0; node < peak; ++node) {
    now += graph.nodes[node].variant(0).cost;
    if (graph.nodes[node].backward)
      continue;
    for (TensorId made : context.index.madeBases(NodeId(node))) {
      if (!isNeeded[size_t(made.index)])
        continue;
      end = std::max(now, end) +
            copyTime(bandwidth, CopyDirection::DeviceToHost, graph[made].bytes);
      if (end <= timeToPeak)
        copied += double(graph[made].bytes);
    }
  }
  return graph.hostBudgetBytes
             ? std::min(copied, double(*graph.hostBudgetBytes))
             : copied;
}

/// Schedules that leave to copies shares of what these can move. They recompute
/// the rest, whole layers of it.
std::vector<const Schedule *> CopyPlanner::cutStarts(int64_t liveBytes) const {
  std::vector<const Schedule *> starts;
  const llvm::ArrayRef<double> shares = searchTuning::sharesOfCopies;
  // Beside other starts, which need moves too.
  for (double share :
       isLarge() ? shares : shares.take_front(searchTuning::cutStartsBeside)) {
    const double most = double(liveBytes) + share * copiedBytes;
    const Schedule *start =
        &cuts->at(cuts->leastThat([&](const RematPlan &plan) {
               return double(plan.peakBytes) <= most;
             }))
             .schedule;
    if (!llvm::is_contained(starts, start))
      starts.push_back(start);
  }
  return starts;
}

/// The actions of a plan from which a search goes on: with the first runs that
/// were left out as they were in vain, since it keeps the order.
static std::vector<PlanAction> startOf(const Graph &graph,
                                       const PackedPlan &plan) {
  std::vector<PlanAction> start = plan.plan.steps;
  std::vector<size_t> places; // Of the runs.
  for (size_t at = 0; at < start.size(); ++at)
    if (start[at].action == ActionKind::Compute)
      places.push_back(at);
  const auto leftOut = findFirstRunsLeftOut(graph, scheduleOf(start).runs);
  for (const auto &[run, node] : llvm::reverse(leftOut))
    start.insert(start.begin() + ptrdiff_t(places[run]),
                 PlanAction::compute(node));
  return start;
}

llvm::Expected<std::vector<PackedPlan>>
CopyPlanner::plan(const BudgetSearch &search) const {
  const int64_t first = isLarge() ? firstLiveBytes(search) : search.budgetBytes;
  llvm::Expected<std::vector<PackedPlan>> plans = planWithin(search, first);
  if (!plans || !plans->empty() || search.below || first == search.budgetBytes)
    return plans;
  return planWithin(search, search.budgetBytes);
}

llvm::Expected<std::vector<PackedPlan>>
CopyPlanner::planWithin(const BudgetSearch &search, int64_t liveBytes) const {
  const int64_t budget = search.budgetBytes;
  SearchProblem problem;
  problem.index = &context.index;
  problem.budgetBytes = budget;
  problem.inPlace = context.options.inPlace;
  problem.bandwidth = graph.bandwidth.value_or(Bandwidth());
  problem.hostBudgetBytes = graph.hostBudgetBytes;
  problem.rules.mayRecompute = mayRecompute;
  problem.hosted = hosted;
  std::vector<std::vector<PlanAction>> starts;
  for (const PackedPlan *start : {search.below, search.above})
    if (start)
      starts.push_back(startOf(graph, *start));
  for (const std::vector<PlanAction> &start : starts)
    problem.goOnFrom.push_back(&start);
  if (cuts)
    problem.starts = cutStarts(liveBytes);
  problem.onlyGoesOn = (cuts && isLarge()) || !search.isByItself;
  problem.leastTime = search.leastTime;
  // Of what the plan will be: with less in it, other offsets are found, which
  // may take more bytes.
  problem.excessBytes = [this, budget](const std::vector<PlanAction> &actions) {
    return excessOf(usefulInOneVariant(context, actions), budget);
  };
  if (isLarge())
    problem.firstLiveBytes = liveBytes;
  else if (context.solvers.arena->traits.obeysEffort)
    problem.repackedExcessBytes =
        [this, budget](const std::vector<PlanAction> &actions,
                       int64_t placements) {
          return repackedExcessOf(usefulInOneVariant(context, actions), budget,
                                  placements);
        };
  FoundPlan found =
      searchPlan(problem, search.limitsFor(context, search.effort));
  std::vector<PackedPlan> plans;
  if (found.actions.empty())
    return plans;
  llvm::Expected<PackedPlan> packed =
      pack(usefulInOneVariant(context, std::move(found.actions)), budget);
  if (!packed)
    return packed.takeError();
  if (packed->deviceBytes <= budget && packed->fitsHost(graph))
    plans.push_back(std::move(*packed));
  return plans;
}

PlanSpace memplan::spaceOfCopies(const StepContext &context, bool mayRecompute,
                                 std::vector<TensorId> hosted) {
  PlanSpace space;
  const auto nodes = int64_t(context.index.graph().nodes.size());
  const int64_t asked = context.options.limits.effort;
  const bool isLarge = nodes > largeStep;
  const bool hasCuts =
      nodes > searchTuning::fewestNodesOfCuts && mayRecompute &&
      hosted.empty() && nodes <= largestStep &&
      llvm::any_of(context.index.graph().nodes,
                   [](const Node &node) { return node.backward; });
  // Of the large ones, those whose walk leads from starts by cuts.
  const bool isFromCuts = isLarge && hasCuts;
  const int64_t all =
      asked > 0
          ? asked
          : std::clamp<int64_t>(searchTuning::copyMovesOfOp * nodes,
                                searchTuning::fewestCopyMoves,
                                isFromCuts ? searchTuning::copyMovesFromCuts
                                : isLarge  ? searchTuning::copyMovesOfLarge
                                           : searchTuning::mostCopyMoves);
  space.leastBytes = boundByWorkingSet(context.index, hosted).bytes;
  const ScheduleMetrics unplanned = measureUnplanned(context.index);
  space.mostBytes = std::max(space.leastBytes, unplanned.peakBytes);
  space.leastTime = *reportRunOnce(context.index.graph()).bound;
  space.effortByItself =
      std::max<int64_t>(1, int64_t(double(all) * searchTuning::shareByItself));
  space.effortToGoOn =
      std::max<int64_t>(1, int64_t(double(all) * searchTuning::shareToGoOn));
  if (asked <= 0)
    space.effortByItself = std::max(
        space.effortByItself, std::min(searchTuning::mostMovesOfSmall,
                                       searchTuning::movesOfSmallOp * nodes));
  // A move an op makes a plan of a start, whatever effort is asked for.
  const int64_t fewest = hasCuts ? nodes : 1;
  auto effortOf = [&](double share) {
    return std::max(fewest, int64_t(double(all) * share));
  };
  if (isFromCuts) {
    for (double share : searchTuning::sharesFromCuts)
      space.effortsByDepth.push_back(effortOf(share));
    space.effortOfLast = effortOf(searchTuning::shareOfLastPlace);
  } else {
    if (isLarge)
      for (double share : searchTuning::sharesByDepth)
        space.effortsByDepth.push_back(effortOf(share));
    space.tries = searchTuning::triesOfBudget;
  }
  space.shareMoves(nodes, 0);
  const auto cuts = hasCuts ? std::make_shared<CutCheckpoints>(
                                  context.problemWithin(std::nullopt))
                            : nullptr;
  const PlanSpace::Search byRamps = [&context, mayRecompute,
                                     hosted](const BudgetSearch &search) {
    return CopyPlanner(context, mayRecompute, hosted).plan(search);
  };
  space.search = byRamps;
  if (hasCuts) {
    const double copied = copiedBefore(context, size_t(unplanned.peakRun));
    space.search = [&context, mayRecompute, hosted, cuts,
                    copied](const BudgetSearch &search) {
      return CopyPlanner(context, mayRecompute, hosted, cuts, copied)
          .plan(search);
    };
    space.addFallback(context, byRamps);
  }
  return space;
}

std::vector<std::vector<TensorId>>
memplan::hostedSets(const StepContext &context) {
  const Graph &graph = context.index.graph();
  std::vector<std::vector<TensorId>> sets;
  if (context.options.hostState == "none")
    return sets;
  std::vector<TensorId> states, all;
  int64_t room =
      graph.hostBudgetBytes.value_or(std::numeric_limits<int64_t>::max());
  for (TensorId id : hostableTensors(context.index)) {
    if (graph[id].bytes > room)
      continue;
    room -= graph[id].bytes;
    all.push_back(id);
    if (graph[id].kind == TensorKind::State)
      states.push_back(id);
  }
  if (!states.empty())
    sets.push_back(states);
  if (context.options.hostState == "all" && all.size() > states.size())
    sets.push_back(std::move(all));
  return sets;
}

std::vector<TensorId> memplan::mostHosted(const StepContext &context) {
  const std::vector<std::vector<TensorId>> sets = hostedSets(context);
  return sets.empty() ? std::vector<TensorId>() : sets.back();
}

double memplan::leastTimeOfCopies(const StepContext &context, int64_t budget) {
  const Graph &graph = context.index.graph();
  const Bandwidth bandwidth = graph.bandwidth.value_or(Bandwidth());
  const Schedule source = sourceSchedule(graph);
  InPlaceChoice inPlace;
  if (context.options.inPlace)
    inPlace = chooseInPlace({&context.index, &source});
  const ScheduleMetrics metrics =
      measureSchedule(context.index, source, inPlace);
  const double all = *reportRunOnce(graph).bound;
  auto timeOf = [&](CopyDirection direction, int64_t bytes) {
    return bytes > 0 ? copyTime(bandwidth, direction, bytes) : 0;
  };
  double before = 0, least = all;
  for (size_t run = 0; run < source.runs.size(); ++run) {
    const Node &node = graph[source.runs[run]];
    const double cost = node.leastCost();
    const int64_t excess = std::max<int64_t>(
        0, metrics.bytesAtRun[run] - budget - node.variant(0).workspaceBytes);
    least = std::max(
        least, std::max(before, timeOf(CopyDirection::DeviceToHost, excess)) +
                   cost +
                   std::max(all - before - cost,
                            timeOf(CopyDirection::HostToDevice, excess)));
    before += cost;
  }
  return least;
}
