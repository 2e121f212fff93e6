//===- BuildActions.h - From a schedule to plan actions ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_BUILDACTIONS_H
#define MEMPLAN_PLAN_BUILDACTIONS_H

#include "memplan/Plan/Plan.h"
#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// Turns runs into plan actions: computes with their in-place pairs and
/// discards, and frees right after the last read, one at most per run. The
/// first free is of the donated inputs that nothing reads. `liveRanges` are
/// those of the schedule and the in-place pairs.
std::vector<PlanAction> buildActions(const GraphIndex &index,
                                     const Schedule &schedule,
                                     const InPlaceChoice &inPlace,
                                     const std::vector<LiveRange> &liveRanges);
/// The same with the live ranges that computeLiveRanges() finds.
std::vector<PlanAction> buildActions(const GraphIndex &index,
                                     const Schedule &schedule,
                                     const InPlaceChoice &inPlace);

} // namespace memplan

#endif // MEMPLAN_PLAN_BUILDACTIONS_H
