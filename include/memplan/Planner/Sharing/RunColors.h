//===- RunColors.h - Longest-path colors of runs ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SHARING_RUNCOLORS_H
#define MEMPLAN_PLANNER_SHARING_RUNCOLORS_H

#include "memplan/Planner/Sharing/SharingProblem.h"

namespace memplan {

/// One color per run: the longest path through the runs' edges gets color 0,
/// the path with most runs without a color gets color 1, and so on. Of equally
/// long paths, the one that leaves each run for the latest run. O(colors *
/// edges).
std::vector<int32_t> colorRuns(const GraphIndex &index,
                               const Schedule &schedule);

/// When color sharing hands a free storage over.
enum class ColorRule {
  /// To a run that all earlier users precede; or to one of the releasing run's
  /// color, with ordering edges from the earlier users that do not precede it.
  AllUsersPrecede,
  /// To a run of the releasing run's color, and nothing else, as NNVM's planner
  /// does. Unsafe: a user of another color may still be reading. It shows
  /// verify() what it has to find, and no solver offers it.
  ReleaserOnly,
};

llvm::Expected<StorageMap> shareByColor(const SharingProblem &problem,
                                        ColorRule rule);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SHARING_RUNCOLORS_H
