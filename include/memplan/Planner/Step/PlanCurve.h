//===- PlanCurve.h - What bytes cost in time --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_PLANCURVE_H
#define MEMPLAN_PLANNER_STEP_PLANCURVE_H

#include "memplan/Planner/Step/PlanStep.h"
#include <algorithm>

namespace memplan {

/// Plans of one step for rising budgets. No point costs more than one of fewer
/// bytes, and no bound is below one of more bytes.
struct PlanCurve {
  /// Each node once in its cheapest variant: what overheads refer to.
  double leastCost = 0;
  /// Source order without recomputation: what shares of bytes refer to.
  int64_t unplannedBytes = 0;
  /// Each verified within its budgetBytes.
  std::vector<Plan> plans;

  /// What `time` is above leastCost, in per cent of it; 0 where nothing costs
  /// anything.
  double overheadOf(double time) const {
    return leastCost > 0 ? std::max(0.0, 100 * (time / leastCost - 1)) : 0;
  }
  /// How much less time a better plan could take, in per cent of this one's.
  static double gapOf(const Plan &plan) {
    const double time = plan.makespan();
    return time > 0 ? 100 * (1 - plan.bound.value_or(0) / time) : 0;
  }
  static int64_t arenaBytesOf(const Plan &plan) {
    return plan.arenas.empty() ? 0 : plan.arenas.front().bytes;
  }
};

/// What `--pareto=N` prints: plans for `points` budgets at equal steps, from
/// the smallest plan that the solver asked for finds on its way to the plan
/// without limit. All are chosen from one family of plans (docs/Planner/
/// Remat.md), so that the whole takes about as long as two plans. A point may
/// cost a little more or less than planStep() with its budget; its bound is
/// proved with less effort. An integer program has the family of `auto`.
/// With copies each budget is planned alone (BudgetSweep.h), which takes as
/// long as so many plans. Does not look at options.budgetBytes. Empty if there
/// is no plan at all. Errors: those of planStep(), fewer than 2 points.
llvm::Expected<PlanCurve> planCurve(const Graph &graph,
                                    const PlanOptions &options, int64_t points);

/// Writes the curve as JSON (docs/Formats.md). `planFiles` names a file of each
/// plan, or is empty.
void writeCurve(const Graph &graph, const PlanCurve &curve,
                llvm::ArrayRef<std::string> planFiles, llvm::raw_ostream &os);
} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_PLANCURVE_H
