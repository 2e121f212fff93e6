//===- WriteActions.h - From a sequence to plan actions ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_WRITEACTIONS_H
#define MEMPLAN_LIB_PLANNER_SEARCH_WRITEACTIONS_H

#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Search/RunSequence.h"

namespace memplan {

/// The actions of a sequence on one stream. An evict stands right after the run
/// that made what it copies, its wait after the last user of those bytes; a
/// fetch where it stands in the sequence, its wait before the first user. A
/// copy on the host is dropped once its last fetch has ended, unless the tensor
/// lives there.
std::vector<PlanAction> writeActions(const ContractedStep &contracted,
                                     const SearchStep &step,
                                     llvm::ArrayRef<PlannedRun> sequence);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_WRITEACTIONS_H
