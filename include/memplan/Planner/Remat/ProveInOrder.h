//===- ProveInOrder.h - Proofs for the plan in hand -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_PROVEINORDER_H
#define MEMPLAN_PLANNER_REMAT_PROVEINORDER_H

#include "memplan/Planner/Model/ContractedStep.h"
#include "memplan/Planner/Remat/RematProblem.h"

namespace memplan {

/// Whether the bound in a plan's report reaches its cost.
bool isProved(const RematPlan &plan);

/// The answer that nothing keeps the budget in source order; other orders may.
RematPlan impossibleInOrder(const RematProblem &problem, llvm::StringRef proof);

/// Tries to close the gap between a plan and its bound. Without a plan it tries
/// to show that there is none among all plans in source order. A better plan on
/// the way takes the place of `plan` if it keeps the budget once packed, else
/// it counts for the bound only. Does nothing for steps of more than 200 ops.
/// `visits` > 0 is the effort. Deterministic unless `stop` ends it.
void proveInOrder(const RematProblem &problem, const ContractedStep &step,
                  int64_t visits, const std::atomic<bool> *stop,
                  RematPlan &plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_PROVEINORDER_H
