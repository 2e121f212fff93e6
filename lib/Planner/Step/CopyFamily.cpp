//===- CopyFamily.cpp - Plans with copies for a ladder of budgets ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyFamily.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include <algorithm>

using namespace memplan;

/// A budget is met to within a thousandth of what lies between the ends.
static constexpr int depth = 10;
/// Down to an eighth, plans differ too much to go on from one another.
static constexpr int depthByItself = 3;

/// Of a place where more bytes bring nothing although a few more do: all that
/// lies below would be held up by it.
static constexpr int mostTries = 3;

/// Likewise where a little less takes much longer.
static bool isFarApart(const BudgetWalk<PackedActions>::Place &place) {
  return !place.below ||
         (place.above &&
          place.below->plan.makespan() > 1.03 * place.above->plan.makespan());
}

CopyFamily::CopyFamily(const StepContext &context, PlanCopiesWithin plan,
                       llvm::ArrayRef<TensorId> hosted)
    : context(context), plan(std::move(plan)),
      lowest(boundByWorkingSet(context.index, hosted).bytes),
      highest(std::max(lowest, measureUnplanned(context.index).peakBytes)),
      walk(lowest, highest, depth,
           [this](const Walk::Place &place) { return search(place); }) {
  const auto nodes = int64_t(context.index.graph().nodes.size());
  const int64_t asked = context.options.limits.effort;
  const int64_t all =
      asked > 0 ? asked : std::clamp<int64_t>(600 * nodes, 20'000, 400'000);
  effortByItself = std::max<int64_t>(1, all / 2);
  effortToGoOn = std::max<int64_t>(1, all / 4);
  // On small graphs, many moves a node take a fraction of a second.
  if (asked <= 0)
    effortByItself =
        std::max(effortByItself, std::min<int64_t>(60'000, 800 * nodes));
}

/// Every node runs once, and nothing waits for copies.
bool CopyFamily::isFastest(const PackedActions &packed) const {
  return packed.plan.makespan() <=
         *reportRunOnce(context.index.graph()).bound * (1 + 1e-9);
}

llvm::Expected<std::vector<PackedActions>>
CopyFamily::search(const Walk::Place &place) {
  std::vector<PackedActions> found;
  if (context.isStopped() || (place.below && isFastest(*place.below)))
    return found;
  CopySearch search;
  search.budgetBytes = place.bytes;
  search.leastTime = place.leastTime;
  search.isByItself = place.depth <= depthByItself || isFarApart(place);
  if (place.below)
    search.starts.push_back(&place.below->plan);
  if (place.above && place.above != place.below)
    search.starts.push_back(&place.above->plan);
  // At the top, nearly everything is a plan.
  search.effort =
      search.isByItself && place.depth > 0 ? effortByItself : effortToGoOn;
  for (int tries = 0; tries < mostTries; ++tries) {
    llvm::Expected<std::optional<PackedActions>> made = plan(search);
    if (!made)
      return made.takeError();
    const double known = place.below ? place.below->plan.makespan()
                                     : std::numeric_limits<double>::infinity();
    if (*made)
      found.push_back(std::move(**made));
    const bool isBetter =
        !found.empty() && found.back().plan.makespan() < known;
    if (isBetter || known < 1.003 * place.leastTime)
      break;
    search.isByItself = true;
    search.effort = effortByItself << tries;
  }
  return found;
}

double memplan::leastTimeOfCopies(const StepContext &context, int64_t budget) {
  const Graph &graph = context.index.graph();
  const Bandwidth bandwidth = graph.bandwidth.value_or(Bandwidth());
  Schedule source;
  for (size_t node = 0; node < graph.nodes.size(); ++node)
    source.runs.push_back(NodeId(node));
  InPlaceChoice inPlace;
  if (context.options.inPlace)
    inPlace = chooseInPlace({&context.index, &source});
  const ScheduleMetrics metrics =
      measureSchedule(context.index, source, inPlace);
  const double all = *reportRunOnce(graph).bound;
  auto copyTime = [](int64_t bytes, std::optional<double> rate) {
    return rate ? double(bytes) / *rate : 0;
  };
  double before = 0, least = all;
  for (size_t run = 0; run < source.runs.size(); ++run) {
    const Node &node = graph[source.runs[run]];
    double cost = node.variant(0).cost;
    for (int32_t v = 1; v < node.numVariants(); ++v)
      cost = std::min(cost, node.variant(v).cost);
    const int64_t excess = std::max<int64_t>(
        0, metrics.bytesAtRun[run] - budget - node.variant(0).workspaceBytes);
    least = std::max(
        least, std::max(before, copyTime(excess, bandwidth.deviceToHost)) +
                   cost +
                   std::max(all - before - cost,
                            copyTime(excess, bandwidth.hostToDevice)));
    before += cost;
  }
  return least;
}
