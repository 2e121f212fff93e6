//===- SharingProblem.h - Which values use one storage ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SHARING_SHARINGPROBLEM_H
#define MEMPLAN_PLANNER_SHARING_SHARINGPROBLEM_H

#include "memplan/Planner/Problem.h"
#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// An edge that execution must respect besides the graph's own: `before` ends
/// before `after` starts (positions in the schedule).
struct OrderingEdge {
  int32_t before = 0;
  int32_t after = 0;
  friend auto operator<=>(const OrderingEdge &, const OrderingEdge &) = default;
};

/// Live ranges grouped into storages (MXNet's static planning).
struct StorageMap {
  /// computeLiveRanges() of the schedule and the in-place pairs.
  std::vector<LiveRange> liveRanges;
  /// In the same order. No valid id for the caller's storage: donated inputs
  /// and what is in place over them.
  std::vector<StorageId> storageOf;
  std::vector<int64_t> storageBytes; ///< Supremum over the sharers.
  /// Added so that sharing is safe in every execution of the graph; ascending.
  std::vector<OrderingEdge> orderingEdges;
  int64_t totalBytes = 0;
  SolveReport report; ///< The bound is the largest sum of live bytes.
};

/// Shares storages among live ranges of a schedule.
///
/// Input constraints, tested by check():
/// - sharing_i1: index and schedule are there; the schedule passes
///   verifySchedule(); the in-place choice, if there, passes
///   InPlaceProblem::verify()
/// - sharing_i2: matchRange >= 1
/// Solution constraints, tested by verify():
/// - sharing_c1: one storage per live range that the step owns, outputs in
///   place in that of their input. storageBytes is the largest of its sharers,
///   totalBytes their sum
/// - sharing_c2: serial: sharers of one storage never live at the same run,
///   except along in-place pairs
/// - sharing_c3: parallel (if `parallel`): when o takes v's storage, the runs
///   that make, read or write v precede o's run, or are it, in place. They do
///   so by the graph's edges and ordering edges in every execution
/// - sharing_c4: ordering edges go forward in the schedule, so that with the
///   graph's edges they form no cycle
/// - sharing_c5: a status of Optimal means that totalBytes is the largest sum
///   of bytes live at one run
struct SharingProblem {
  const GraphIndex *index = nullptr;
  const Schedule *schedule = nullptr;
  const InPlaceChoice *inPlace = nullptr; ///< Null: nothing in place.
  /// Runs that no edge orders may overlap in time, as on several streams.
  bool parallel = false;
  /// A free storage of b bytes serves a request of r bytes if
  /// r / matchRange <= b <= r * matchRange.
  int64_t matchRange = 16;

  llvm::Error check() const;
  llvm::Error verify(const StorageMap &map) const;
};

/// A storage for each value, in-place chains apart, without solving anything:
/// the map for those who share bytes by offsets alone. Without a report.
StorageMap makeOwnStorages(const GraphIndex &index,
                           std::vector<LiveRange> liveRanges);

using SharingSolver = Solver<SharingProblem, StorageMap>;
std::span<const SharingSolver> sharingSolvers();

} // namespace memplan

#endif // MEMPLAN_PLANNER_SHARING_SHARINGPROBLEM_H
