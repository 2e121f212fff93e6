//===- Ladder.h - Smaller and smaller plans, whatever the budget *- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sequence of plans that follows from the graph and the options alone, not
// from the budget. Whoever asks for a budget walks down it until a plan keeps
// the budget. So the least budget known to work is that of the smallest plan on
// it, planning with that budget finds that plan again, and a plan for a budget
// is one for every larger budget.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_LADDER_H
#define MEMPLAN_LIB_PLANNER_STEP_LADDER_H

#include "Attempt.h"

namespace memplan {

/// Solvers that take the best of several ways may be helped by others. A
/// heuristic that was asked for by name is not: whoever compares it wants its
/// own answer.
bool isHelped(const RematSolver &solver);
/// Members of the checkpointing family that apply to any graph.
std::vector<const RematSolver *> checkpointFamily();

/// Walks down the sequence until a plan takes `enough` device bytes or less, or
/// to its end: the plan without limit; the smallest of the solver or, if it is
/// helped, of each member of the checkpointing family (milliseconds so far);
/// then bisection down to the working set.
llvm::Expected<Attempts> walkDown(const StepContext &context,
                                  std::optional<int64_t> enough);

/// The plan as it leaves planStep(): with its budget and what `report` proves
/// of it. A bound above its cost is an error.
llvm::Expected<Plan> finishPlan(const StepContext &context, PackedStep packed,
                                std::optional<int64_t> budgetBytes,
                                const std::optional<SolveReport> &report);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_LADDER_H
