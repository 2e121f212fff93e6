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

/// One color per run: the longest path through the runs' edges gets color 0.
/// The path with most runs without a color gets color 1, and so on. Of equally
/// long paths, the one that leaves each run for the latest run. O(colors *
/// edges).
std::vector<int32_t> colorRuns(const GraphIndex &index,
                               const Schedule &schedule);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SHARING_RUNCOLORS_H
