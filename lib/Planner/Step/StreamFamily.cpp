//===- StreamFamily.cpp - Plans on streams for a ladder of budgets --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamFamily.h"
#include "ActionCurve.h"
#include "Family.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

StreamFamily::StreamFamily(const StepContext &context,
                           const ClimbedRungs &climbed)
    : context(context), climbed(climbed), planner(context) {
  for (const RungPlan &source : climbed.rungs)
    rungs.push_back(&source);
  // Of one array, so that addresses are in the order of climbing.
  llvm::sort(rungs, [](const RungPlan *a, const RungPlan *b) {
    return std::pair(a->budgetBytes, a) < std::pair(b->budgetBytes, b);
  });
}

static PackedActions onOneStream(const GraphIndex &index, const Plan &single) {
  PackedActions packed;
  packed.plan = single;
  packed.plan.time = single.makespan();
  packed.deviceBytes = deviceBytesOf(index.graph(), single);
  return packed;
}

bool StreamFamily::isFastest(const State &state, const Limit &limit) const {
  const double least = std::max(
      limit.leastTime,
      leastTimeOn(context.index, context.options.streams) * (1 + 1e-9));
  return state.best && *state.best->packed.plan.time <= least;
}

void StreamFamily::take(StreamPlanner::Plans plans, const Limit &limit,
                        State &state) const {
  auto key = [](const StreamPlan &plan) {
    return std::pair(*plan.packed.plan.time, plan.packed.deviceBytes);
  };
  for (StreamPlan &plan : plans) {
    if (plan.packed.deviceBytes > limit.bytes ||
        *plan.packed.plan.time < limit.leastTime)
      continue;
    if (plan.source && (!state.found || key(plan) < key(*state.found)))
      state.found = plan;
    if (!state.best || key(plan) < key(*state.best))
      state.best = std::move(plan);
  }
}

/// With its own bytes, whatever it is worth.
llvm::Error StreamFamily::trySource(const Plan &source, const Limit &limit,
                                    State &state) const {
  StreamPlanner::Plans plans;
  if (llvm::Error error = planner.asItStands(source, plans))
    return error;
  if (context.options.parallelism == "prefer")
    if (llvm::Error error = planner.withoutWaitsForBytes(source, plans))
      return error;
  take(std::move(plans), limit, state);
  return llvm::Error::success();
}

/// Those for one stream that leave room and were not searched.
llvm::Error StreamFamily::searchSources(const Limit &limit, int64_t share,
                                        State &state) const {
  constexpr size_t latest = 2;
  const size_t count = state.tried.size();
  for (size_t i = count > latest ? count - latest : 0; i < count; ++i) {
    const Plan &source = *state.tried[i].plan;
    if (state.tried[i].isSearched || isFastest(state, limit) ||
        context.isStopped())
      continue;
    StreamPlanner::Plans plans;
    if (llvm::Error error =
            planner.bySearch(source, {}, limit.bytes,
                             planner.movesFor(source) / share + 1, plans))
      return error;
    state.tried[i].isSearched = !plans.empty();
    take(std::move(plans), limit, state);
  }
  return llvm::Error::success();
}

/// With a plan for one stream that fits, unless null, and from what the rungs
/// below have found. A share of the moves of a search.
llvm::Error StreamFamily::climb(State &state, const Plan *source,
                                const Limit &limit, int64_t share) const {
  constexpr int64_t shareFromStart = 2;
  if (isFastest(state, limit) || context.isStopped())
    return llvm::Error::success();
  const std::optional<StreamPlan> before = state.found;
  if (source && llvm::none_of(state.tried, [&](const Tried &known) {
        return known.plan->cost == source->cost &&
               known.plan->steps.size() == source->steps.size();
      })) {
    if (llvm::Error error = trySource(*source, limit, state))
      return error;
    state.tried.push_back({source});
  }
  if (llvm::Error error = searchSources(limit, share, state))
    return error;
  if (!before || isFastest(state, limit))
    return llvm::Error::success();
  const int64_t moves =
      planner.movesFor(*before->source) / share / shareFromStart + 1;
  StreamPlanner::Plans plans;
  if (llvm::Error error = planner.bySearch(*before->source, before->order,
                                           limit.bytes, moves, plans))
    return error;
  take(std::move(plans), limit, state);
  return llvm::Error::success();
}

/// With all bytes that one stream may want, and more: runs side by side may
/// need them.
llvm::Error StreamFamily::climbTop(State &state, int64_t budget) const {
  const int64_t most = climbed.top.back().budgetBytes;
  StreamPlanner::Plans plans;
  if (llvm::Error error =
          planner.byTime(climbed.top.back().plan, std::nullopt, false, plans))
    return error;
  take(std::move(plans), {budget, 0}, state);
  for (int64_t eighths : {8, 9, 10, 12, 16}) {
    const int64_t bytes = most / 8 * eighths + most % 8;
    if (bytes > budget)
      break;
    for (const RungPlan &source : climbed.top)
      if (llvm::Error error = climb(state, &source.plan, {bytes, 0}, 1))
        return error;
  }
  return llvm::Error::success();
}

/// From one rung to the next, by equal steps up to the budget.
llvm::Error StreamFamily::climbFiner(State &state, int64_t below,
                                     int64_t budget, const Limit &next) const {
  constexpr int64_t steps = 16, share = 3;
  if (!state.best)
    return llvm::Error::success();
  auto finer = climbed.finer.begin();
  for (int64_t step = 1; step < steps && !context.isStopped(); ++step) {
    const int64_t bytes = Rungs::between(below, next.bytes, step, steps);
    if (bytes > budget)
      break;
    const Plan *source = nullptr;
    for (; finer != climbed.finer.end() && finer->budgetBytes <= bytes; ++finer)
      source = &finer->plan;
    if (llvm::Error error =
            climb(state, source, {bytes, next.leastTime}, share))
      return error;
  }
  return llvm::Error::success();
}

/// The rungs on one side of the lowest that the way down came to, up to the
/// budget, and the bytes that the next one has.
llvm::Error StreamFamily::climbRungs(State &state, int64_t budget,
                                     Limit &next) const {
  const bool isLow = budget < climbed.lowestBytes;
  const double leastTime = next.leastTime;
  int64_t below = 0;
  for (const RungPlan *rung : rungs) {
    const int64_t bytes = rung->budgetBytes;
    if (isLow ? bytes >= climbed.lowestBytes : bytes < climbed.lowestBytes)
      continue;
    if (bytes > budget) {
      // Larger budgets have what this one has.
      State above = state;
      next.bytes = bytes;
      if (llvm::Error error = climb(above, &rung->plan, {bytes, leastTime}, 1))
        return error;
      if (above.best)
        next.leastTime = *above.best->packed.plan.time;
      break;
    }
    below = bytes;
    if (llvm::Error error = climb(state, &rung->plan, {bytes, leastTime}, 1))
      return error;
  }
  return climbFiner(state, below, budget, next);
}

/// The least time of plans below the lowest rung: what that one has by itself.
llvm::Error StreamFamily::climbLowest(Limit &next) const {
  State state;
  next.bytes = climbed.lowestBytes;
  for (const RungPlan *rung : rungs)
    if (rung->budgetBytes == climbed.lowestBytes)
      if (llvm::Error error = climb(state, &rung->plan, next, 1))
        return error;
  if (state.best)
    next.leastTime = *state.best->packed.plan.time;
  return llvm::Error::success();
}

llvm::Expected<StreamPlan> StreamFamily::planWithin(int64_t budget,
                                                    const Plan &single) {
  State state;
  Limit next{climbed.top.back().budgetBytes, 0};
  if (budget >= next.bytes) {
    if (llvm::Error error = climbTop(state, budget))
      return std::move(error);
  } else {
    State top;
    if (llvm::Error error = climbTop(top, next.bytes))
      return std::move(error);
    if (top.best)
      next.leastTime = *top.best->packed.plan.time;
    if (budget < climbed.lowestBytes)
      if (llvm::Error error = climbLowest(next))
        return std::move(error);
    if (llvm::Error error = climbRungs(state, budget, next))
      return std::move(error);
  }
  StreamPlanner::Plans plans;
  if (!state.best)
    if (llvm::Error error = planner.asItStands(single, plans))
      return std::move(error);
  // On one stream nothing gets slower with more budget either.
  plans.push_back({onOneStream(context.index, single), nullptr, {}});
  take(std::move(plans), {budget, next.leastTime}, state);
  if (!state.best)
    return llvm::createStringError(
        "a plan for one stream of %.9g is faster than one of more bytes on "
        "several, which is a bug",
        single.makespan());
  return std::move(*state.best);
}

bool memplan::hasStreamFamily(const StepContext &context,
                              const ClimbedRungs &climbed) {
  return !climbed.top.empty() && choosesFromFamily(context) &&
         context.solvers.remat->traits.family == SolverFamily::Search &&
         !sharesStorages(context.solvers);
}
