//===- Liveness.h - Live ranges of a schedule -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How memory follows from a schedule:
// - The latest run serves. A base tensor made by a run lives until its last use
//   before the next run of its producer, and is then freed. A use is a read of
//   the tensor or of any view of it, a write of it, or making a view of it.
// - Making a base again invalidates its views: each is readable only after its
//   own node ran again. A view made while it is still readable is discarded;
//   the live one serves.
// - Storage of the caller stays for the whole step, but for donated inputs.
//   Such a one is live from the start and is freed after its last use. Where an
//   output in place takes it over, it is freed with that output.
//
// This is what a schedule says: peak, actions, sharing, in-place choices and
// the verifiers of these problems read its list. A list of actions, which may
// have copies, has findStorages() (lib/Plan), which all packing reads. The
// replay of a plan and the symbolic execution of planned IR (lib/Bridge) find
// what is live by other derivations, and must agree with both.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SCHEDULE_LIVENESS_H
#define MEMPLAN_SCHEDULE_LIVENESS_H

#include "memplan/Schedule/Schedule.h"

namespace memplan {

/// Where bytes lie.
enum class MemorySpace : uint8_t { Device, Host };
/// "device", "host": as in plan files.
const char *spaceName(MemorySpace space);

/// The time and the bytes that one value of a base tensor, with its views,
/// occupies. Time is positions of `Schedule::runs`, half open: the value is
/// there during runs [begin, end).
struct LiveRange {
  TensorId tensor;
  /// Bytes of the storage that the value lies in. They are the tensor's own
  /// bytes or, in place, those of what it lies over, which may be more.
  int64_t bytes = 0;
  int32_t begin = 0; ///< The run that makes it; -1 for a donated input.
  /// One past the last run that needs it, 0 for a donated input that none
  /// needs; runs.size() + 1 if it must survive the step.
  int32_t end = 0;
  MemorySpace space = MemorySpace::Device;
  bool discarded = false; ///< Output of a recomputation that nothing reads.
  bool takenOver = false; ///< An output lies over it: nothing is freed at end.
  /// In place: the live range that it lies over, by place in the same list;
  /// else -1.
  int32_t over = -1;
  /// The tensor that took the storage: itself or, in place, where the chain
  /// begins. Storage allocated by a donated input is live from the start.
  TensorId allocatedBy;

  bool isAt(int32_t run) const { return begin <= run && run < end; }
  bool isInPlace() const { return over >= 0; }
  friend bool operator==(const LiveRange &, const LiveRange &) = default;
};

/// Live ranges of all base tensors that the step makes, and of the donated
/// inputs that it may overwrite. They are ordered by (begin, tensor), so that
/// `over` always points back. Assumes that the schedule passes
/// verifySchedule(). `inPlace` may be shorter than the runs. Pairs that their
/// node does not list or whose input has no live range are left out. O(runs *
/// arity).
std::vector<LiveRange> computeLiveRanges(const GraphIndex &index,
                                         const Schedule &schedule,
                                         const InPlaceChoice &inPlace = {});

/// True for storage that no run takes: that of a donated input.
inline bool isCallersStorage(const GraphIndex &index, const LiveRange &range) {
  return !index.producer(range.allocatedBy);
}

/// Peak and cost of a schedule: bytes = fixed + caller's tensors + live
/// storages + new outputs (0 if in place) + workspace, sampled while each run
/// executes. Donated inputs count until they end. Equals what replayPlan()
/// finds for the steps of buildActions().
struct ScheduleMetrics {
  int64_t peakBytes = 0;
  int32_t peakRun = 0;
  double cost = 0;
  std::vector<int64_t> bytesAtRun;
};
/// `liveRanges` are those of the schedule. O(runs + live ranges).
ScheduleMetrics measureLiveRanges(const GraphIndex &index,
                                  const Schedule &schedule,
                                  const std::vector<LiveRange> &liveRanges);
/// measureLiveRanges() of computeLiveRanges().
ScheduleMetrics measureSchedule(const GraphIndex &index,
                                const Schedule &schedule,
                                const InPlaceChoice &inPlace);

/// Peak and cost of the nodes in source order without recomputation or
/// in-place: what frameworks do that free a value after its last user.
ScheduleMetrics measureUnplanned(const GraphIndex &index);

/// Constraints of a schedule:
/// - schedule_c1: runs are of nodes that exist and every node runs at least
///   once; a node that runsOnce() runs exactly once
/// - schedule_c2: every use finds a value. An earlier run made it (or the
///   caller owns it), and no run made the base of a view again since
/// - schedule_c3: a use of a written tensor finds the version that source order
///   gives the node
/// - schedule_c4: collectives and opaque nodes keep their source order
/// - schedule_c5: at the end, outputs and the caller's tensors are readable in
///   their last version
/// - schedule_c6: variants, if any, are one for each run and the node has them
llvm::Error verifySchedule(const GraphIndex &index, const Schedule &schedule);

} // namespace memplan

#endif // MEMPLAN_SCHEDULE_LIVENESS_H
