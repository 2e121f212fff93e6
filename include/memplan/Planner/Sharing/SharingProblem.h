//===- SharingProblem.h - Which values use one storage ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SHARING_SHARINGPROBLEM_H
#define MEMPLAN_PLANNER_SHARING_SHARINGPROBLEM_H

#include "memplan/Graph/Liveness.h"
#include "memplan/Planner/Solve.h"
#include <span>
#include <string_view>

namespace memplan {

/// An edge that execution must respect besides the graph's own: `before` ends before `after` starts (positions in the
/// schedule).
struct OrderingEdge {
  int32_t before = 0;
  int32_t after = 0;
  friend bool operator==(const OrderingEdge &a, const OrderingEdge &b) {
    return a.before == b.before && a.after == b.after;
  }
};

/// Residences grouped into storages (MXNet's static planning).
struct StorageMap {
  std::vector<Residence> residences;       ///< computeResidences() of the schedule.
  std::vector<StorageId> storageOf;        ///< Same order; residences in place share by the in-place choice.
  std::vector<int64_t> storageBytes;       ///< Supremum over the sharers.
  std::vector<OrderingEdge> orderingEdges; ///< Added so that sharing is safe in every execution of the graph.
  int64_t totalBytes = 0;
  SolveReport report;
};

/// Shares storages among residences of a schedule.
///
/// Solution constraints, tested by verify():
///   sharing_c1  one storage per residence that the step owns; storageBytes is the largest of its sharers; totalBytes
///   their sum sharing_c2  serial: sharers of one storage never live at the same run, except along in-place pairs
///   sharing_c3  parallel (if `parallel`): when o takes v's storage, v's producer and all its readers precede o's run
///   by data
///               edges or ordering edges (the safe form of longest-path colouring)
///   sharing_c4  graph edges and ordering edges together form no cycle
struct SharingProblem {
  const GraphIndex *index = nullptr;
  const Schedule *schedule = nullptr;
  const InPlaceChoice *inPlace = nullptr;
  bool parallel = false;
  int64_t matchRange = 16; ///< A free storage of b bytes serves a request of r if r/matchRange <= b <= r*matchRange.

  llvm::Error verify(const StorageMap &map) const;
};

struct SharingSolver {
  std::string_view name;
  std::string_view summary;
  llvm::Expected<StorageMap> (*solve)(const SharingProblem &, const SolveLimits &);
};
std::span<const SharingSolver> sharingSolvers(); ///< "none", "counter", "color"
const SharingSolver *findSharingSolver(std::string_view name);
llvm::Expected<StorageMap> planSharing(const SharingProblem &problem, const SharingSolver &solver,
                                       const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SHARING_SHARINGPROBLEM_H
