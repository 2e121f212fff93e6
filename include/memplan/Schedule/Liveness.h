//===- Liveness.h - Live ranges of a schedule -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How memory follows from a schedule:
// - The latest run serves: a base tensor made by a run lives until its last use
// before the next run of its producer,
//   and is then freed. A use is a read of the tensor or of any view of it, a
//   write of it, or making a view of it.
// - Making a base again invalidates its views: each is readable only after its
// own node ran again. A view made while it
//   is still readable is discarded; the one that is there serves.
// - Storage of the caller, donated inputs included, stays for the whole step;
// only an output in place over a donated
//   input takes it, and gives it back when it dies.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SCHEDULE_LIVENESS_H
#define MEMPLAN_SCHEDULE_LIVENESS_H

#include "memplan/Schedule/Schedule.h"

namespace memplan {

/// One allocation of a base tensor (with its views) in memory, in positions of
/// `Schedule::runs`: made by run `begin`, last read by run `last` (== begin if
/// nobody reads it; == runs.size() if it must survive the step).
struct LiveRange {
  TensorId tensor;
  int32_t begin = 0;
  int32_t last = 0;
  bool discarded =
      false; ///< Output of a rerun that nobody reads: scratch of that run.
};

/// Live ranges of all tensors that the step makes, ordered by (begin, tensor).
/// Assumes that the schedule is valid for the graph (every read finds its
/// value); O(runs * arity).
std::vector<LiveRange> computeLiveRanges(const GraphIndex &index,
                                         const Schedule &schedule);

/// Peak and cost of a schedule: bytes = fixed + caller's tensors + live
/// storages + new outputs (0 if in place) + workspace, sampled while each run
/// executes. Equals what replayPlan() finds for the steps of buildActions(). To
/// measure many schedules use ScheduleEvaluator.
struct ScheduleMetrics {
  int64_t peakBytes = 0;
  int32_t peakRun = 0;
  double cost = 0;
};
ScheduleMetrics measureSchedule(const GraphIndex &index,
                                const Schedule &schedule,
                                const InPlaceChoice &inPlace);

/// Constraints of a schedule:
/// - schedule_c1: every node runs at least once; a node that runsOnce() exactly
///   once
/// - schedule_c2: every use finds a value: an earlier run made it (or the
///   caller owns it), and no run made the base of a view again since
/// - schedule_c3: a use of a written tensor finds the version that source order
///   gives the node
/// - schedule_c4: collectives keep their source order
/// - schedule_c5: at the end, outputs and the caller's tensors are readable in
///   their last version
llvm::Error verifySchedule(const GraphIndex &index, const Schedule &schedule);

} // namespace memplan

#endif // MEMPLAN_SCHEDULE_LIVENESS_H
