//===- ReadPlans.h - Sequences of plans that exist --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_READPLANS_H
#define MEMPLAN_PLANNER_SEARCH_READPLANS_H

#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Search/RunSequence.h"

namespace memplan {

/// What writeActions() wrote, or a list without copies. It has the runs of the
/// list, with a fetch where the list has it and an evict where the list waits
/// for it. The first evict of a value counts, and none of what may not leave.
std::vector<PlannedRun> readActions(const ContractedStep &contracted,
                                    const SearchStep &step,
                                    llvm::ArrayRef<PlanAction> actions);

/// The runs of a schedule, with the copies that source order has beside each
/// first run.
std::vector<PlannedRun> readSchedule(const ContractedStep &contracted,
                                     const SearchStep &step,
                                     const Schedule &schedule);

/// Whether a search in source order may begin with it. First evaluations are in
/// that order. What runs read is live, and so is what fetches need on the host.
/// All other rules of the step hold. O(runs * arity).
bool isPlan(const SearchStep &step, llvm::ArrayRef<PlannedRun> plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_READPLANS_H
