//===- UsefulActions.h - No run and no copy in vain -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_USEFULACTIONS_H
#define MEMPLAN_PLAN_USEFULACTIONS_H

#include "memplan/Plan/Plan.h"

namespace memplan {

/// Leaves out runs in vain (memplan/Schedule/UsefulRuns.h), fetches of what
/// nothing uses before it goes, and evicts of what is not fetched afterwards.
/// What is live then is freed after its last use. `actions` are of one stream
/// and pass replayPlan(), which the result does too; a list with nothing in
/// vain is returned as it is. `keepsOrder` as in UsefulRuns.h. O(actions *
/// arity).
std::vector<PlanAction> leaveOutActionsInVain(const GraphIndex &index,
                                              std::vector<PlanAction> actions,
                                              bool keepsOrder);

} // namespace memplan

#endif // MEMPLAN_PLAN_USEFULACTIONS_H
