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

Rungs memplan::rungsWithCopies(const GraphIndex &index,
                               llvm::ArrayRef<TensorId> hosted) {
  Rungs rungs;
  rungs.lowestBytes = boundByWorkingSet(index, hosted).bytes;
  rungs.highestBytes =
      std::max(rungs.lowestBytes, measureUnplanned(index).peakBytes);
  rungs.count =
      std::clamp<int64_t>(int64_t(index.graph().nodes.size()) / 2, 2, 8);
  rungs.finer = 15;
  return rungs;
}

CopyFamily::CopyFamily(const StepContext &context, PlanCopiesWithin plan,
                       const std::optional<Rungs> &given)
    : context(context), plan(std::move(plan)),
      rungs(given ? *given : rungsWithCopies(context.index)) {
  setEfforts();
  lowestRung = rungs.count;
  failsBytes = rungs.lowestBytes - 1;
}

void CopyFamily::setEfforts() {
  const auto nodes = int64_t(context.index.graph().nodes.size());
  const int64_t asked = context.options.limits.effort;
  const int64_t all =
      asked > 0 ? asked : std::clamp<int64_t>(600 * nodes, 20'000, 400'000);
  rungs.effort = std::max<int64_t>(1, all / 2);
  rungs.effortFromStart = std::max<int64_t>(1, all / 12);
  // On small graphs, many moves a node take a fraction of a second.
  effortAlone = rungs.effort;
  if (asked <= 0)
    effortAlone = std::max(effortAlone, std::min<int64_t>(60'000, 800 * nodes));
}

/// Every node runs once, and nothing waits for copies.
bool CopyFamily::isFastest(const PackedActions &packed) const {
  return packed.plan.makespan() <=
         *reportRunOnce(context.index.graph()).bound * (1 + 1e-9);
}

/// Whether the search found a plan. One faster than `leastTime` is left alone.
llvm::Expected<bool> CopyFamily::tryFor(const CopySearch &search,
                                        double leastTime) {
  llvm::Expected<std::optional<PackedActions>> made = plan(search);
  if (!made)
    return made.takeError();
  if (!*made)
    return false;
  if ((*made)->plan.makespan() >= leastTime)
    front.add(std::move(**made));
  return true;
}

llvm::Error CopyFamily::descend() {
  // A search that finds nothing twice running is unlikely to find anything
  // further down.
  int failures = 0;
  for (int64_t rung = rungs.count; rung >= 0 && failures < 2; --rung) {
    if (context.isStopped())
      break;
    const int64_t bytes = rungs.bytesAt(rung);
    if (front.cheapestWithin(bytes))
      continue;
    const PackedActions *smallest = front.smallest();
    llvm::Expected<bool> found = tryFor(
        {bytes, smallest ? &smallest->plan : nullptr, rungs.effortFromStart},
        0);
    // From a plan of many more bytes, few moves may not be enough.
    if (found && !*found && smallest)
      found = tryFor({bytes, nullptr, effortAlone}, 0);
    if (!found)
      return found.takeError();
    if (!*found && failures == 0)
      failsBytes = std::max(failsBytes, bytes);
    failures = *found ? 0 : failures + 1;
  }
  lowestRung = 0;
  while (lowestRung < rungs.count &&
         !front.cheapestWithin(rungs.bytesAt(lowestRung)))
    ++lowestRung;
  return llvm::Error::success();
}

/// A search of its own and one that goes on from the rung below.
llvm::Error CopyFamily::climbOnto(int64_t rung, double leastTime) {
  const int64_t bytes = rungs.bytesAt(rung);
  const PackedActions *known = front.cheapestWithin(bytes);
  if (!known || isFastest(*known) || context.isStopped())
    return llvm::Error::success();
  if (auto found = tryFor({bytes, nullptr, rungs.effort, !isBelow}, leastTime);
      !found)
    return found.takeError();
  known = front.cheapestWithin(bytes);
  if (isFastest(*known))
    return llvm::Error::success();
  return tryFor({bytes, &known->plan, rungs.effortFromStart}, leastTime)
      .takeError();
}

/// Between what fails and the smallest plan.
llvm::Error CopyFamily::bisect(int64_t fails) {
  constexpr int rounds = 7;
  for (int round = 0; round < rounds && !context.isStopped(); ++round) {
    const PackedActions *smallest = front.smallest();
    const int64_t works =
        smallest ? smallest->deviceBytes : rungs.highestBytes + 1;
    fails = std::min(fails, works - 1);
    const int64_t target = fails + (works - fails) / 2;
    if (target <= fails || target >= works || works - fails < works / 200)
      break;
    if (auto found =
            tryFor({target, smallest ? &smallest->plan : nullptr, rungs.effort},
                   leastTimeBelow);
        !found)
      return found.takeError();
    if (!front.smallest() || front.smallest()->deviceBytes >= works)
      fails = target;
  }
  return llvm::Error::success();
}

llvm::Error CopyFamily::reachLeastBudget() {
  const int64_t lowest = rungs.bytesAt(lowestRung);
  isBelow = true;
  if (front.cheapestWithin(lowest)) {
    if (llvm::Error error = climbOnto(lowestRung, 0))
      return error;
    leastTimeBelow = front.cheapestWithin(lowest)->plan.makespan();
  }
  return bisect(failsBytes);
}

llvm::Error CopyFamily::climbTo(int64_t budget) {
  const bool isLow = budget < rungs.bytesAt(lowestRung);
  if (isLow)
    if (llvm::Error error = reachLeastBudget())
      return error;
  if (!front.cheapestWithin(budget))
    return llvm::Error::success();
  const int64_t end = isLow ? lowestRung : rungs.count + 1;
  const double leastTime = isLow ? leastTimeBelow : 0;
  int64_t rung = isLow ? 0 : lowestRung;
  for (; rung < end && rungs.bytesAt(rung) <= budget; ++rung)
    if (llvm::Error error = climbOnto(rung, leastTime))
      return error;
  if (rung < end)
    if (llvm::Error error = climbOnto(rung, leastTime))
      return error;
  return climbBetween(rung - 1, budget);
}

/// Finer rungs above `rung`, up to the budget.
llvm::Error CopyFamily::climbBetween(int64_t rung, int64_t budget) {
  if (rung >= rungs.count)
    return llvm::Error::success();
  const int64_t below = rung < 0 ? rungs.lowestBytes : rungs.bytesAt(rung);
  const int64_t above = rungs.bytesAt(rung + 1);
  const double leastTime = front.cheapestWithin(above)->plan.makespan();
  for (int64_t i = 1; i <= rungs.finer && !context.isStopped(); ++i) {
    const int64_t bytes = Rungs::between(below, above, i, rungs.finer + 1);
    if (bytes > budget)
      break;
    const PackedActions *start = front.cheapestWithin(bytes);
    if (!start || start->plan.makespan() <= leastTime)
      continue;
    if (auto found =
            tryFor({bytes, &start->plan, rungs.effortFromStart}, leastTime);
        !found)
      return found.takeError();
  }
  return llvm::Error::success();
}

llvm::Error CopyFamily::climbAll() {
  for (int64_t rung = lowestRung; rung <= rungs.count; ++rung)
    if (llvm::Error error = climbOnto(rung, 0))
      return error;
  return bisect(failsBytes);
}

llvm::Error CopyFamily::climbThrough(llvm::ArrayRef<int64_t> budgets) {
  for (int64_t budget : budgets) {
    const PackedActions *start = front.cheapestWithin(budget);
    if (!start || isFastest(*start) || context.isStopped())
      continue;
    if (auto found = tryFor({budget, &start->plan, rungs.effortFromStart}, 0);
        !found)
      return found.takeError();
  }
  return llvm::Error::success();
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
