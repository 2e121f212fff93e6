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

namespace memplan {

/// Turns runs into plan steps: computes with their in-place pairs and discards,
/// frees right after the last read (one free step per run at most).
std::vector<PlanAction> buildActions(const GraphIndex &index,
                                     const Schedule &schedule,
                                     const InPlaceChoice &inPlace);

} // namespace memplan

#endif // MEMPLAN_PLAN_BUILDACTIONS_H
