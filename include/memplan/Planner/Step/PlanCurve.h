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
#include <functional>

namespace memplan {

/// Plans of one step for rising budgets. No point costs more than one of fewer
/// bytes, and no bound is below one of more bytes.
struct PlanCurve {
  /// Each node once in its cheapest variant: what overheads refer to.
  double leastCost = 0;
  /// Source order without recomputation: what shares of bytes refer to.
  int64_t unplannedBytes = 0;
  /// On several streams, no plan with any budget takes less: the longest path,
  /// or all nodes spread over the streams. Unset on one.
  std::optional<double> leastTime;
  /// Each verified within its budgetBytes.
  std::vector<Plan> plans;

  /// What `time` is above leastCost, in per cent of it; below 0 where streams
  /// save time, 0 where nothing costs anything.
  double overheadOf(double time) const {
    if (leastCost <= 0)
      return 0;
    const double percent = 100 * (time / leastCost - 1);
    return leastTime ? percent : std::max(0.0, percent);
  }
  /// Below which no plan of the space ends: on one stream what bounds the work.
  double boundOf(const Plan &plan) const {
    return leastTime.value_or(
        std::max(plan.bound.value_or(0), plan.timeBound.value_or(0)));
  }
  std::string boundSpaceOf(const Plan &plan) const {
    if (leastTime)
      return "free-order";
    return plan.timeBound && *plan.timeBound >= plan.bound.value_or(0)
               ? plan.timeBoundSpace
               : plan.boundSpace;
  }
  /// How much less time a better plan could take, in per cent of this one's.
  double gapOf(const Plan &plan) const {
    const double time = plan.makespan();
    return time > 0 ? 100 * (1 - boundOf(plan) / time) : 0;
  }
  static int64_t arenaBytesOf(const Plan &plan) {
    return plan.arenas.empty() ? 0 : plan.arenas.front().bytes;
  }
};

/// Hears how many parts of the work are done, of how many; may be empty.
using CurveCount = std::function<void(int64_t done, int64_t all)>;

/// What `--pareto=N` prints: plans for `points` budgets at equal steps. They go
/// from the smallest plan that the solver asked for finds on its way to the
/// plan without limit. All are chosen from one set of plans (docs/Planner/
/// Remat.md), so that the whole takes about as long as two plans. A point may
/// cost a little more or less than planStep() with its budget; its bound is
/// proved with less effort. An integer program has the set of `auto`. With
/// copies there is a set of these, too. Where copies go between the runs of
/// another solver, each budget is planned alone, which takes as long as so many
/// plans. On several streams each plan is spread over them. Does not look at
/// options.budgetBytes. Plans that are `known` to keep the graph's rules count
/// as well. Empty if there is no plan at all. Errors: those of planStep(),
/// fewer than 2 points.
llvm::Expected<PlanCurve> planCurve(const Graph &graph,
                                    const PlanOptions &options, int64_t points,
                                    llvm::ArrayRef<Plan> known = {},
                                    const CurveCount &count = nullptr);

/// A curve at one bandwidth of copies, which the graph has.
struct CurveAt {
  Graph graph;
  PlanCurve curve;
};

/// A curve for each of options.paretoBandwidths, in their order, or the one of
/// the graph's own. What is planned for a slower link is known to a faster one,
/// so that more bandwidth takes no more time at equal bytes.
llvm::Expected<std::vector<CurveAt>>
planCurves(const Graph &graph, const PlanOptions &options,
           const CurveCount &count = nullptr);

/// Writes the curves as JSON (docs/Formats.md). `planFiles` names a file of
/// each plan, one list for each curve, or is empty.
void writeCurves(llvm::ArrayRef<CurveAt> curves,
                 llvm::ArrayRef<std::vector<std::string>> planFiles,
                 llvm::raw_ostream &os);
} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_PLANCURVE_H
