//===- StreamPlanner.cpp - One plan on several streams --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamPlanner.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

ScheduleOptions StreamPlanner::schedule() const {
  ScheduleOptions schedule;
  schedule.streams = int32_t(context.options.streams);
  schedule.keepOrder = keepsOrder();
  return schedule;
}

llvm::Expected<PackedPlan> StreamPlanner::pack(const StreamList &list) const {
  return packInListOrder(context.index, list, *context.solvers.arena,
                         context.options.alignmentBytes,
                         context.limitsOfPacking(tuning::packingOfStreams));
}

static llvm::Error add(llvm::Expected<PackedPlan> packed, const Plan &source,
                       StreamPlanner::Plans &plans) {
  if (!packed)
    return packed.takeError();
  packed->plan.note = source.note;
  plans.push_back({std::move(*packed), nullptr, {}});
  return llvm::Error::success();
}

llvm::Error StreamPlanner::asItStands(const Plan &source, Plans &plans) const {
  const GraphIndex &index = context.index;
  const ReuseDependencies reuse =
      findReuseDependencies(index, source.steps, source.arenas);
  const int64_t live = source.arenas.front().liveBytes.value_or(0);
  const StreamList list = assignStreams(index, source.steps, reuse,
                                        int32_t(context.options.streams));
  if (llvm::Error error =
          add(waitForBytes(index, list, source.arenas, live), source, plans))
    return error;
  const StreamList other =
      scheduleStreams(index, source.steps, schedule(), reuse);
  return add(
      waitForBytes(index, other,
                   moveArenas(index, other.actions, other.from, source.arenas),
                   live),
      source, plans);
}

llvm::Error StreamPlanner::byTime(const Plan &source, StreamTries::ByTime way,
                                  Plans &plans) const {
  ScheduleOptions limited = schedule();
  limited.liveBytes = way.liveBytes;
  limited.keepOrder |= way.keepsOrder;
  return add(pack(scheduleStreams(context.index, source.steps, limited)),
             source, plans);
}

llvm::Error StreamPlanner::withPrefetch(const Plan &source, int64_t deviceBytes,
                                        Plans &plans) const {
  if (keepsOrder())
    return llvm::Error::success();
  const GraphIndex &index = context.index;
  for (int64_t thousandths : tuning::prefetchInThousandths) {
    const int64_t bytes =
        deviceBytes / 1000 * thousandths - index.graph().fixedBytes;
    StreamList list =
        assignStreams(index, prefetchCommunication(index, source.steps, bytes),
                      {}, int32_t(context.options.streams));
    if (llvm::Error error = add(pack(list), source, plans))
      return error;
    if (plans.back().deviceBytes <= deviceBytes || context.isStopped())
      break;
  }
  return llvm::Error::success();
}

llvm::Error StreamPlanner::withoutWaitsForBytes(const Plan &source,
                                                Plans &plans) const {
  const StreamList list =
      scheduleStreams(context.index, source.steps, schedule());
  // Of the caller's bytes alone, where a fetch has to return to them.
  const ReuseDependencies returns =
      findReuseDependencies(context.index, list.actions, {});
  return add(packActions(context.index,
                         addWaits(context.index, list.actions, returns),
                         *context.solvers.arena, context.options.alignmentBytes,
                         context.limitsOfPacking(tuning::packingOfStreams)),
             source, plans);
}

int64_t StreamPlanner::movesFor(const Plan &source) const {
  const auto jobs = int64_t(source.steps.size() / 2 + 1);
  const int64_t most =
      std::min({tuning::mostOrderMoves, tuning::orderMovesOfJob * jobs,
                tuning::orderMovesTimesJobs / jobs});
  const int64_t asked = context.options.limits.effort;
  return asked > 0 ? std::min(most, asked / tuning::partOfEffort + 1) : most;
}

llvm::Error StreamPlanner::bySearch(std::shared_ptr<const Plan> source,
                                    llvm::ArrayRef<int32_t> order,
                                    int64_t deviceBytes, int64_t moves,
                                    Plans &plans) const {
  if (keepsOrder())
    return llvm::Error::success();
  const Graph &graph = context.index.graph();
  for (int64_t thousandths : tuning::searchedInThousandths) {
    const int64_t bytes = deviceBytes / 1000 * thousandths;
    if (bytes < source->peakBytes || context.isStopped())
      break;
    ScheduleOptions limited = schedule();
    limited.liveBytes = bytes - graph.fixedBytes;
    StreamList list = searchOrder(context.index, source->steps, limited, order,
                                  moves, context.limitsWith(moves));
    llvm::Expected<PackedPlan> packed = pack(list);
    if (!packed)
      return packed.takeError();
    llvm::erase(list.from, -1);
    packed->plan.note = source->note;
    const bool fits = packed->deviceBytes <= deviceBytes;
    plans.push_back({std::move(*packed), source, std::move(list.from)});
    if (fits)
      break;
  }
  return llvm::Error::success();
}

llvm::Error StreamPlanner::tryAll(std::shared_ptr<const Plan> source,
                                  const StreamTries &tries,
                                  Plans &plans) const {
  if (llvm::Error error = asItStands(*source, plans))
    return error;
  for (const StreamTries::ByTime &way : tries.byTime) {
    if (context.isStopped())
      break;
    if (llvm::Error error = byTime(*source, way, plans))
      return error;
  }
  if (context.index.graph().communicates())
    for (int64_t bytes : tries.prefetchBytes)
      if (llvm::Error error = withPrefetch(*source, bytes, plans))
        return error;
  for (int64_t bytes : tries.searchBytes)
    if (llvm::Error error = bySearch(source, {}, bytes, tries.moves, plans))
      return error;
  return llvm::Error::success();
}
