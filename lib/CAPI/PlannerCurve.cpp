//===- PlannerCurve.cpp - What bytes cost in time, for C ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerHandles.h"
#include "memplan/Planner/Step/PlanCurve.h"
#include <deque>

using namespace memplan;
using namespace memplan::capi;

struct memplan_curve {
  explicit memplan_curve(PlanCurve made) : curve(std::move(made)) {
    for (const Plan &plan : curve.plans)
      plans.emplace_back(plan);
  }

  PlanCurve curve;
  std::deque<memplan_plan> plans; ///< With the arrays that show them.
};

memplan_status_t memplan_plan_curve(const memplan_graph_t *graph,
                                    const memplan_options_t *options,
                                    memplan_curve_t **curve) {
  clear(curve);
  return guardLlvm([&] {
    if (!graph || !options || !curve)
      return refuse("memplan_plan_curve got a null pointer");
    const PlanOptions asked = options->forPlanning();
    if (asked.pareto < 2)
      return refuse("memplan_plan_curve makes plans for as many budgets as the "
                    "option pareto says, two at least");
    if (asked.budgetBytes || asked.budgetShare || asked.minBudget ||
        !asked.paretoPlans.empty() || !asked.paretoBandwidths.empty())
      return refuse("memplan_plan_curve plans for all budgets and writes no "
                    "files: the options budget, min-budget, pareto-plans "
                    "and pareto-bandwidths cannot be set");
    llvm::Expected<Graph> prepared = prepareGraph(graph->graph, asked);
    if (!prepared)
      return fail(MEMPLAN_INVALID_ARGUMENT, prepared.takeError());
    llvm::Expected<PlanCurve> made = planCurve(*prepared, asked, asked.pareto);
    if (!made)
      return fail(MEMPLAN_FAILED, made.takeError());
    *curve = new memplan_curve(std::move(*made));
    return MEMPLAN_OK;
  });
}

void memplan_curve_destroy(memplan_curve_t *curve) { delete curve; }

int64_t memplan_curve_count(const memplan_curve_t *curve) {
  return curve ? int64_t(curve->plans.size()) : 0;
}

memplan_status_t memplan_curve_plan(const memplan_curve_t *curve,
                                    int64_t number,
                                    const memplan_plan_t **plan) {
  clear(plan);
  return guardLlvm([&] {
    if (!curve || !plan)
      return refuse("memplan_curve_plan got a null pointer");
    const int64_t count = memplan_curve_count(curve);
    if (number < 0 || number >= count)
      return fail(MEMPLAN_INVALID_ARGUMENT,
                  llvm::createStringError("no plan " + llvm::Twine(number) +
                                          " of a curve of " +
                                          llvm::Twine(count)));
    *plan = &curve->plans[size_t(number)];
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_curve_get_info(const memplan_curve_t *curve,
                                        memplan_curve_info_t *info) {
  return guardLlvm([&] {
    if (!curve || !hasSize(info))
      return refuse("memplan_curve_get_info got a null pointer or a struct "
                    "without struct_bytes");
    fill(info, {0, 0, curve->curve.leastCost, curve->curve.unplannedBytes});
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_curve_json(const memplan_graph_t *graph,
                                    const memplan_curve_t *curve, char **text,
                                    int64_t *byte_count) {
  clear(text);
  clear(byte_count);
  return guardLlvm([&] {
    if (!graph || !curve || !text)
      return refuse("memplan_curve_json got a null pointer");
    std::string written;
    llvm::raw_string_ostream os(written);
    writeCurves(CurveAt{graph->graph, curve->curve}, {}, os);
    return giveText(written, text, byte_count);
  });
}
