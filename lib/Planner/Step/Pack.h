//===- Pack.h - From a schedule to offsets ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PACK_H
#define MEMPLAN_LIB_PLANNER_STEP_PACK_H

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Planner/Swap/SwapProblem.h"

namespace memplan {

/// The solvers that PlanOptions names.
struct StepSolvers {
  const RematSolver *remat = nullptr;
  const OrderSolver *order = nullptr;
  const SharingSolver *sharing = nullptr;
  const ArenaSolver *arena = nullptr;
  const SwapSolver *swap = nullptr;
};

/// Whether the sharing solver decides what shares bytes, not offsets alone.
inline bool sharesStorages(const StepSolvers &solvers) {
  return solvers.sharing->traits.family != SolverFamily::Baseline;
}

/// A schedule with steps and offsets, and what it takes from the device.
struct PackedStep {
  RematPlan remat;
  Plan plan;
  int64_t deviceBytes = 0; ///< Fixed, caller's and arena bytes.
  int64_t boundBytes = 0;  ///< Of these, that any offsets need.
};

/// Live ranges, storages, buffers and offsets for a schedule. Fills every field
/// of the plan but the graph's hash, the bound and the budget. `limits` are
/// those of sharing and packing.
llvm::Expected<PackedStep> packStep(const GraphIndex &index, RematPlan remat,
                                    const StepSolvers &solvers,
                                    const PlanOptions &options,
                                    const SolveLimits &limits);

/// The same within that many device bytes, which the arena solver knows, so
/// that it looks for nothing else; empty if it does not come to that.
llvm::Expected<std::optional<PackedStep>>
packStepWithin(const GraphIndex &index, RematPlan remat, int64_t targetBytes,
               const StepSolvers &solvers, const PlanOptions &options,
               const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PACK_H
