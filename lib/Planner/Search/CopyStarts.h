//===- CopyStarts.h - Where a search with copies begins ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_COPYSTARTS_H
#define MEMPLAN_LIB_PLANNER_SEARCH_COPYSTARTS_H

#include "memplan/Planner/Search/RunSequence.h"

namespace memplan {

/// A plan without copies, of which values are offloaded until it keeps the
/// limit or the engine to the host has no time left. Values go in the order in
/// which they are made, so that those go that are needed last. They come back
/// as late as lets the engine end each copy before its first user begins. What
/// still exceeds the limit is left. O(runs times values).
std::vector<PlannedRun> offloadStart(const SearchStep &step,
                                     llvm::ArrayRef<PlannedRun> plan,
                                     double limitBytes);

/// Source order, where what is hosted is fetched so early, and leaves so late,
/// that the engines are done in time, as far as the limit has room for that.
/// Placing as late as possible around a given order, not list scheduling.
std::vector<PlannedRun> hostedStart(const SearchStep &step, double limitBytes);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_COPYSTARTS_H
