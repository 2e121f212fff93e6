//===- Streams.h - One list of actions on several streams -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list for one stream becomes one for several in three steps:
//
//   StreamList list = scheduleStreams(index, actions, options); // or assign...
//   ReuseDependencies order = findReuseDependencies(index, list.actions,
//   arenas); std::vector<PlanAction> issued = addWaits(index, list.actions,
//   order);
//
// In between, a list is one that a single stream could issue, with the streams
// of its runs and copies filled in. Its waits say where copies give bytes back.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STREAMS_STREAMS_H
#define MEMPLAN_PLANNER_STREAMS_STREAMS_H

#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Problem.h"
#include "llvm/ADT/SmallVector.h"

namespace memplan {

/// By action: earlier runs and copies after which it has to begin, because it
/// takes bytes that they have used. May be shorter than the list.
using ReuseDependencies = std::vector<llvm::SmallVector<int32_t, 2>>;

struct StreamList {
  std::vector<PlanAction> actions;
  double time = 0; ///< When the last queue is done, before waits for bytes.
  /// By action, of runs: the place in the list of the first that starts after
  /// it has ended. Of scheduleStreams() only.
  std::vector<int32_t> doneBy;
  /// By action, of runs and copies: the place in the list that was given.
  std::vector<int32_t> from;
};

/// Which of the runs that may start is the next.
enum class RunPriority : uint8_t {
  LongestPath,     ///< The one on the longest path to the end.
  FewestLiveBytes, ///< The one after which least is live; one at a time.
};

struct ScheduleOptions {
  int32_t streams =
      1; ///< Streams for what computes; communication has its own.
  /// Runs that are not next in the given list start only where no more than
  /// that many of the program's bytes are live. Unset: no limit.
  std::optional<int64_t> liveBytes;
  /// Runs start in the order of the given list.
  bool keepOrder = false;
  RunPriority priority = RunPriority::LongestPath;
};

/// Lets every run start as soon as a stream is idle and its data is made, those
/// of the priority first. Lists the actions by when they start. What is given
/// back by then in time is given back in the list. Hence two storages that do
/// not meet in the list can share bytes, by a wait that delays nothing. With
/// the reuse dependencies of the list that is given, its bytes can stay where
/// they are. O(actions * (arity + log actions)).
StreamList scheduleStreams(const GraphIndex &index,
                           const std::vector<PlanAction> &actions,
                           const ScheduleOptions &options,
                           const ReuseDependencies &reuse = {});

/// Searches for the order in which runs and copies start, with so many moves.
/// The step should end early and no more than the limit be live. Begins with
/// the order of the given list, or with that of a list made of it, by its
/// `from`. No slower than that but for nodes that keep their place, and within
/// the limit where that is.
StreamList searchOrder(const GraphIndex &index,
                       const std::vector<PlanAction> &actions,
                       const ScheduleOptions &options,
                       llvm::ArrayRef<int32_t> start, int64_t moves,
                       const SolveLimits &limits);

/// The list with runs that communicate as early as their users need them, in
/// front of what computes meanwhile. No more than that many of the program's
/// bytes are live there. What only makes views of their results is put off
/// until these are used. First runs may leave their order.
std::vector<PlanAction>
prefetchCommunication(const GraphIndex &index,
                      const std::vector<PlanAction> &actions,
                      int64_t liveBytes);

/// Leaves the list as it is, with the reuse dependencies of its bytes, and
/// chooses streams for its runs and copies: where each starts first.
StreamList assignStreams(const GraphIndex &index,
                         std::vector<PlanAction> actions,
                         const ReuseDependencies &reuse, int32_t streams);

/// Storages of a list that reuse the bytes of others in its arenas.
ReuseDependencies findReuseDependencies(const GraphIndex &index,
                                        const std::vector<PlanAction> &actions,
                                        const std::vector<PlanArena> &arenas);

/// The list with its events and waits: those that data and reuse need,
/// where neither the order of a queue nor another wait covers them.
std::vector<PlanAction> addWaits(const GraphIndex &index,
                                 const std::vector<PlanAction> &actions,
                                 const ReuseDependencies &reuse);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STREAMS_STREAMS_H
