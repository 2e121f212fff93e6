//===- Ladder.h - Smaller and smaller plans, whatever the budget *- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For solvers that are asked for by name and are none of the search family
// (those have Family.h): a sequence of plans that follows from the graph and
// the options alone, not from the budget. Whoever asks for a budget walks down
// it until a plan keeps the budget. So the least budget known to work is that
// of the smallest plan on it, planning with that budget finds that plan again,
// and a plan for a budget is one for every larger budget.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_LADDER_H
#define MEMPLAN_LIB_PLANNER_STEP_LADDER_H

#include "Attempt.h"

namespace memplan {

/// Walks down the sequence of the solver that the options name, until a plan
/// takes `enough` device bytes or less, or to its end: the plan without limit;
/// the smallest that the solver knows without searching; then bisection down to
/// the working set.
llvm::Expected<Attempts> walkDown(const StepContext &context,
                                  std::optional<int64_t> enough);

/// The plan as it leaves planStep(): with its budget and what `report` proves
/// of it. A bound above its cost is an error.
llvm::Expected<Plan> finishPlan(const StepContext &context, PackedStep packed,
                                std::optional<int64_t> budgetBytes,
                                const std::optional<SolveReport> &report);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_LADDER_H
