//===- HostedStart.h - Where a search with hosted state begins --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_HOSTEDSTART_H
#define MEMPLAN_LIB_PLANNER_SEARCH_HOSTEDSTART_H

#include "memplan/Planner/Search/RunSequence.h"

namespace memplan {

/// Source order, where what is hosted is fetched so early, and leaves so late,
/// that the engines are done in time, as far as the limit has room for that.
/// Placing as late as possible around a given order, not list scheduling.
std::vector<PlannedRun> hostedStart(const SearchStep &step, double limitBytes);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_HOSTEDSTART_H
