//===- ActionCurve.h - A curve of plans with copies or streams --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans of all origins are put together; each counts for all budgets that it
// keeps, so that no point of the curve is slower than one of fewer bytes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_ACTIONCURVE_H
#define MEMPLAN_LIB_PLANNER_STEP_ACTIONCURVE_H

#include "memplan/Planner/Step/PlanCurve.h"
#include <map>

namespace memplan {

/// What any plan takes on so many streams, with copies or without.
double leastTimeOn(const GraphIndex &index, int64_t streams);

/// Plans of a step by device bytes.
class CurvePlans {
public:
  CurvePlans(const GraphIndex &index, const PlanOptions &options)
      : index(&index), options(&options) {}

  void add(Plan plan);
  bool isEmpty() const { return plans.empty(); }
  int64_t leastBytes() const { return plans.begin()->first; }
  int64_t mostBytes() const { return plans.rbegin()->first; }
  /// Null if none is so small.
  const Plan *fastestWithin(int64_t budgetBytes) const;
  /// At so many equal steps from the least bytes to the most.
  int64_t budgetOf(int64_t point, int64_t points) const;
  /// Verified within these budgets.
  llvm::Expected<PlanCurve> curveOf(int64_t points) const;

private:
  const GraphIndex *index;
  const PlanOptions *options;
  std::map<int64_t, Plan> plans; ///< The fastest for so many device bytes.
};

/// Plans on one stream for that many budgets, each by planStep().
llvm::Error planEachBudget(const GraphIndex &index, const PlanOptions &options,
                           int64_t points, CurvePlans &plans);
/// The same where recomputation and copies are searched together: from one
/// family of each, as for plans without copies.
llvm::Error climbJointly(const GraphIndex &index, const PlanOptions &options,
                         int64_t points, CurvePlans &plans);
/// Says what is proved of the time of plans within each budget of the curve.
llvm::Error boundTimes(const GraphIndex &index, const PlanOptions &options,
                       PlanCurve &curve);
/// Puts the fastest plans on one stream on as many as the options ask for.
llvm::Error spreadEach(const GraphIndex &index, const PlanOptions &options,
                       int64_t points, const CurvePlans &single,
                       CurvePlans &plans);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_ACTIONCURVE_H
