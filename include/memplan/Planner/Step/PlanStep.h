//===- PlanStep.h - One training step, planned in arena bytes ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_PLANSTEP_H
#define MEMPLAN_PLANNER_STEP_PLANSTEP_H

#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Options.h"

namespace memplan {

/// Plans one step: order and recomputation, then in-place, sharing and offsets,
/// again with a smaller live-byte budget until fixed + caller's tensors + arena
/// bytes fit budgetBytes. The plan returned has passed verifyPlan(). A budget
/// that cannot be met gives a Plan of status Infeasible (proved: boundBytes >
/// budget) or NoPlan. It has a witness and the least budget known to work, by
/// bisection with the solvers at hand. Errors: unknown solver names (listing
/// the valid ones), invalid graph, a solver bug.
llvm::Expected<Plan> planStep(const Graph &graph, const PlanOptions &options);

/// A plan of one of several forms of a step.
struct ChosenPlan {
  size_t form = 0; ///< By place in the list.
  Plan plan;
};

/// The best of the plans that planStep() makes of these forms of one step, as
/// the options compare plans. They compare by time, by device bytes where the
/// least budget is asked for, or by the policy for several streams. The first
/// of equals; where no form has a plan, what is said of the last one. A form
/// that cannot be faster than a plan in hand is not planned. At least one form.
llvm::Expected<ChosenPlan> planBestOf(llvm::ArrayRef<const Graph *> forms,
                                      const PlanOptions &options);

/// verifyPlan() of what planStep() promises with these options. The plan keeps
/// their budget. Nodes run first in the order that their solver makes, except
/// that views are made where they are needed.
llvm::Error verifyStepPlan(const GraphIndex &index, const Plan &plan,
                           const PlanOptions &options);

/// What the options ask of a plan that another planner made: `auto` leaves its
/// order alone, a solver's name does not.
FirstRuns firstRunsAskedFor(const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_PLANSTEP_H
