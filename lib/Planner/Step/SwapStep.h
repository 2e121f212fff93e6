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

namespace memplan {

/// Whether the options ask for copies.
inline bool copies(const StepSolvers &solvers) {
  return solvers.swap->traits.family != SolverFamily::Baseline;
}

/// An error where they do and `option` cannot.
llvm::Error refuseCopies(const StepSolvers &solvers, llvm::StringRef option);

/// The fastest plan found within the options' budget, or one without steps that
/// says why there is none. A heuristic: it has no bound.
llvm::Expected<Plan> planWithCopies(const StepContext &context);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_SWAPSTEP_H
