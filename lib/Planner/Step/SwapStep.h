//===- SwapStep.h - Steps that copy to the host and back --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A swap solver puts copies into the runs that a remat solver chose. Where the
// arena does not fit then, the swap solver is asked for fewer live bytes; what
// the copies alone do not save, the remat solver has to.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_SWAPSTEP_H
#define MEMPLAN_LIB_PLANNER_STEP_SWAPSTEP_H

#include "Attempt.h"
#include "memplan/Planner/Step/PackActions.h"

namespace memplan {

/// Whether the options ask for copies.
inline bool copies(const StepSolvers &solvers) {
  return solvers.swap->traits.family != SolverFamily::Baseline;
}

/// The fastest plan found within the options' budget, or one without steps that
/// says why there is none. A heuristic: it has no bound.
llvm::Expected<Plan> planWithCopies(const StepContext &context);

/// The smallest plan that halving budgets finds, if there is one. Every budget
/// of its bytes or more has a plan.
llvm::Expected<std::optional<PackedActions>>
smallestWithCopies(const StepContext &context);

/// A plan without steps that says why: parameters stay on the device, and so
/// does what a node works on. `leastBytes` are known to work.
Plan explainWithCopies(const StepContext &context,
                       std::optional<int64_t> leastBytes, llvm::StringRef note);

/// Whether one node alone exceeds the budget of a step so large that looking
/// for the least budget is not worth its time.
bool isHopeless(const StepContext &context, int64_t budget);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_SWAPSTEP_H
