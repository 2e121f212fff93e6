//===- Baselines.h - Solvers of the literature ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made for comparison, as published, on the steps that memplan plans. The
// checkpointing family is in RematSolvers.h.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_BASELINES_H
#define MEMPLAN_PLANNER_REMAT_BASELINES_H

#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Remat/StageGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

/// Griewank and Walther: fewest advances that visit `steps` states of a chain
/// from the last to the first. `slots` states are stored at a time, the first
/// one among them. It is r l - C(s + r, s + 1) with the least r for which C(s +
/// r, s) >= l.
int64_t revolveAdvances(int64_t steps, int64_t slots);

/// The first op that is not of the forward pass and reads something that `op`
/// makes; numStages() if there is none.
int32_t comesBack(const StageGraph &graph, int32_t op);
/// Values of forward op `op` that may go after their last forward user, until
/// stage `stage`, in which they come back. `drop` gets each with the first
/// stage without it. None where the op cannot be recomputed then.
void forEachDrop(const StageGraph &graph, int32_t op, int32_t stage,
                 llvm::function_ref<void(int32_t, int32_t)> drop);
/// Drops what forward op `op` made between its last forward user and stage
/// `stage`, in which it comes back. Nothing that cannot be recomputed then.
void dropUntil(const StageGraph &graph, int32_t op, int32_t stage,
               Retention &retention);
/// Keeps what `op` makes in stage `made` until stage `until`.
void keepFrom(const StageGraph &graph, int32_t op, int32_t made, int32_t until,
              Retention &retention);

llvm::Expected<RematPlan> solveRevolve(const RematProblem &problem,
                                       const SolveLimits &limits);
llvm::Expected<RematPlan> solveRotor(const RematProblem &problem,
                                     const SolveLimits &limits);
/// The linear relaxation of Checkmate's program with S rounded at a half.
llvm::Expected<RematPlan> solveLpRounding(const RematProblem &problem,
                                          const SolveLimits &limits);
/// As solveLpRounding(), S drawn at random with its fractions as probabilities.
llvm::Expected<RematPlan> solveLpRandom(const RematProblem &problem,
                                        const SolveLimits &limits);
llvm::Expected<RematPlan> solveDtr(const RematProblem &problem,
                                   const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_BASELINES_H
