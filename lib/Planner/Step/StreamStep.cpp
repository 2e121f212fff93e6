//===- StreamStep.cpp - A planned step on several streams -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step is put on streams in several ways: as it stands, with its bytes and
// the waits that they take; and ordered by when its runs start, under falling
// limits on what is live. The option chooses among those that keep the budget.
//
//===----------------------------------------------------------------------===//

#include "StreamStep.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Step/PackActions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace memplan;

namespace {
class Spreader {
public:
  Spreader(const StepContext &context, const Plan &single)
      : context(context), index(context.index), options(context.options),
        single(single) {}

  llvm::Expected<PackedActions> spread();
  llvm::Error tryRoom(const Replan &replan);
  llvm::Error add(llvm::Expected<PackedActions> packed);

  std::optional<PackedActions> best; ///< Of those that keep the budget.

private:
  llvm::Error tryAsItStands();
  llvm::Error tryWithoutWaitsForBytes();
  llvm::Error tryByTime(std::optional<int64_t> liveBytes, bool keepOrder);
  llvm::Error trySearch(int64_t deviceBytes);
  bool fits(const PackedActions &packed) const {
    return packed.fitsHost(index.graph()) &&
           packed.deviceBytes <=
               options.budgetBytes.value_or(packed.deviceBytes);
  }
  bool isBetter(const PackedActions &a, const PackedActions &b) const;
  SolveLimits limits() const;
  /// First runs have to stay in the order of the list.
  bool keepsOrder() const {
    return context.solvers.order->traits.family == SolverFamily::Baseline;
  }

  const StepContext &context;
  const GraphIndex &index;
  const PlanOptions &options;
  const Plan &single;
};
} // namespace

SolveLimits Spreader::limits() const {
  constexpr int64_t effortOfPacking = 2000;
  SolveLimits limits = context.limitsWith(effortOfPacking);
  limits.progress = nullptr;
  return limits;
}

/// By what the option asks for first, then by the other.
bool Spreader::isBetter(const PackedActions &a, const PackedActions &b) const {
  auto key = [&](const PackedActions &packed) {
    const double time = *packed.plan.time;
    const auto bytes = double(packed.deviceBytes);
    if (options.parallelism == "memory")
      return std::pair(bytes, time);
    if (options.parallelism == "prefer")
      return std::pair(time, bytes);
    return std::pair(time * bytes, time);
  };
  return key(a) < key(b);
}

llvm::Error Spreader::add(llvm::Expected<PackedActions> packed) {
  if (!packed)
    return packed.takeError();
  if (fits(*packed) && (!best || isBetter(*packed, *best)))
    best = std::move(*packed);
  return llvm::Error::success();
}

/// Takes the bytes of one stream, so that it keeps every budget.
llvm::Error Spreader::tryAsItStands() {
  const HandOvers handOvers = findHandOvers(index, single.steps, single.arenas);
  const int64_t live = single.arenas.front().liveBytes.value_or(0);
  const StreamList list =
      assignStreams(index, single.steps, handOvers, int32_t(options.streams));
  if (llvm::Error error = add(waitForBytes(index, list, single.arenas, live)))
    return error;
  // In another order, too.
  ScheduleOptions schedule;
  schedule.streams = int32_t(options.streams);
  schedule.keepOrder = keepsOrder();
  const StreamList other =
      scheduleStreams(index, single.steps, schedule, handOvers);
  return add(waitForBytes(
      index, other, moveArenas(index, other.actions, other.from, single.arenas),
      live));
}

llvm::Error Spreader::tryByTime(std::optional<int64_t> liveBytes,
                                bool keepOrder) {
  ScheduleOptions schedule;
  schedule.streams = int32_t(options.streams);
  schedule.liveBytes = liveBytes;
  schedule.keepOrder = keepOrder || keepsOrder();
  return add(packInListOrder(
      index, scheduleStreams(index, single.steps, schedule),
      *context.solvers.arena, options.alignmentBytes, limits()));
}

/// About so many passes over a large step take half a second.
static int64_t movesOf(const StepContext &context, size_t actions) {
  const auto jobs = int64_t(actions / 2 + 1);
  const int64_t most =
      std::min<int64_t>({20'000, 200 * jobs, 20'000'000 / jobs});
  const int64_t asked = context.options.limits.effort;
  return asked > 0 ? std::min(most, asked / 5 + 1) : most;
}

/// Searches for an order within so many bytes, and within fewer where packing
/// takes more than what is live.
llvm::Error Spreader::trySearch(int64_t deviceBytes) {
  constexpr int rounds = 4;
  ScheduleOptions schedule;
  schedule.streams = int32_t(options.streams);
  schedule.liveBytes = deviceBytes - index.graph().fixedBytes;
  int64_t moves = movesOf(context, single.steps.size());
  std::vector<int32_t> start;
  for (int round = 0; round < rounds && !context.isStopped(); ++round) {
    const StreamList list = searchOrder(index, single.steps, schedule, start,
                                        moves, context.limitsWith(moves));
    llvm::Expected<PackedActions> packed = packInListOrder(
        index, list, *context.solvers.arena, options.alignmentBytes, limits());
    if (!packed)
      return packed.takeError();
    const int64_t excess = packed->deviceBytes - deviceBytes;
    if (llvm::Error error = add(std::move(packed)))
      return error;
    if (excess <= 0)
      break;
    *schedule.liveBytes -= excess;
    start = list.from;
    moves = moves / 4 + 1;
  }
  return llvm::Error::success();
}

/// Whatever the runs take in truth, none of them waits for another's bytes.
llvm::Error Spreader::tryWithoutWaitsForBytes() {
  ScheduleOptions schedule;
  schedule.streams = int32_t(options.streams);
  schedule.keepOrder = keepsOrder();
  const StreamList list = scheduleStreams(index, single.steps, schedule);
  // Of the caller's bytes alone, where a fetch has to return to them.
  const HandOvers returns = findHandOvers(index, list.actions, {});
  return add(packActions(index, addWaits(index, list.actions, returns),
                         *context.solvers.arena, options.alignmentBytes,
                         limits()));
}

llvm::Expected<PackedActions> Spreader::spread() {
  // A sharing solver has settled what shares bytes.
  const bool isShared = sharesStorages(context.solvers);
  if (options.parallelism == "prefer" && !isShared) {
    if (llvm::Error error = tryWithoutWaitsForBytes())
      return std::move(error);
    if (best)
      return std::move(*std::exchange(best, std::nullopt));
  }
  if (llvm::Error error = tryAsItStands())
    return std::move(error);
  if (isShared)
    return std::move(*std::exchange(best, std::nullopt));
  const int64_t live = single.peakBytes - index.graph().fixedBytes;
  std::vector<std::optional<int64_t>> limits = {std::nullopt};
  for (int64_t sixteenths : {32, 24, 20, 18, 16, 15, 14, 12})
    limits.push_back(live / 16 * sixteenths);
  if (options.budgetBytes)
    for (int64_t percent : {100, 98, 95, 92})
      limits.push_back(*options.budgetBytes / 100 * percent);
  for (std::optional<int64_t> limit : limits)
    for (bool keepOrder : {false, true}) {
      if (context.isStopped() || (keepOrder && (keepsOrder() || limit)))
        continue;
      if (llvm::Error error = tryByTime(limit, keepOrder))
        return std::move(error);
    }
  if (!keepsOrder())
    for (int64_t bytes :
         {options.budgetBytes.value_or(single.peakBytes), single.peakBytes})
      if (llvm::Error error = trySearch(bytes))
        return std::move(error);
  return std::move(*std::exchange(best, std::nullopt));
}

/// Side by side, runs need more bytes than one after the other. Where these
/// have to come out of the budget, a plan for a little less may be faster.
llvm::Error Spreader::tryRoom(const Replan &replan) {
  if (!replan || !options.budgetBytes || options.parallelism == "memory")
    return llvm::Error::success();
  for (int64_t percent : {98, 94}) {
    if (context.isStopped())
      break;
    llvm::Expected<Plan> plan = replan(*options.budgetBytes / 100 * percent);
    if (!plan)
      return plan.takeError();
    if (plan->steps.empty())
      break;
    llvm::Expected<PackedActions> packed = Spreader(context, *plan).spread();
    if (llvm::Error error = add(std::move(packed)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<Plan> memplan::spreadOverStreams(const StepContext &context,
                                                Plan plan,
                                                const Replan &replan) {
  if (context.options.streams == 1 || plan.steps.empty())
    return plan;
  const Graph &graph = context.index.graph();
  Spreader spreader(context, plan);
  llvm::Expected<PackedActions> packed = spreader.spread();
  if (llvm::Error error = spreader.add(std::move(packed)))
    return std::move(error);
  if (llvm::Error error = spreader.tryRoom(replan))
    return std::move(error);
  PackedActions &best = *spreader.best;
  std::string note = llvm::formatv(
      "{0} streams: {1} bytes and makespan {2:f3}, on one {3} bytes and {4:f3}",
      context.options.streams, best.deviceBytes, *best.plan.time,
      deviceBytesOf(graph, plan), plan.makespan());
  plan.note = plan.note.empty() ? note : plan.note + "; " + note;
  plan.steps = std::move(best.plan.steps);
  plan.arenas = std::move(best.plan.arenas);
  plan.time = best.plan.time;
  plan.cost = best.plan.cost;
  plan.peakBytes = best.plan.peakBytes;
  // That on the time is of one stream, this for the whole budget, whichever
  // plan is taken.
  plan.timeBound.reset();
  plan.timeBoundSpace.clear();
  if (plan.status == SolveStatus::Optimal && plan.bound &&
      !isOptimalBound(*plan.bound, plan.cost))
    plan.status = SolveStatus::Feasible;
  return plan;
}
