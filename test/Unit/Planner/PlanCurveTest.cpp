//===- PlanCurveTest.cpp - What bytes cost in time ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PlanCurve.h"
#include "ErrorMatchers.h"
#include "PlanOracle.h"
#include "RandomGraph.h"
#include "RematGraphs.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

namespace {

/// Points that are verified, within their budgets and monotone.
void expectCurve(const Graph &graph, const PlanCurve &curve,
                 const PlanOptions &options, size_t points) {
  GraphIndex index(graph);
  ASSERT_EQ(curve.plans.size(), points);
  EXPECT_EQ(curve.plans.back().cost, curve.leastCost);
  const Plan *before = nullptr;
  for (const Plan &plan : curve.plans) {
    PlanOptions promised = options;
    promised.budgetBytes = plan.budgetBytes;
    EXPECT_THAT(verifyStepPlan(index, plan, promised), Succeeds());
    ASSERT_TRUE(plan.bound);
    EXPECT_GE(*plan.bound, curve.leastCost * (1 - 1e-9));
    if (before) {
      EXPECT_GE(*plan.budgetBytes, *before->budgetBytes);
      EXPECT_LE(plan.cost, before->cost);
      EXPECT_LE(*plan.bound, *before->bound * (1 + 1e-9));
    }
    before = &plan;
  }
}

// A point would be wrong, cost more than one of fewer bytes, or claim what a
// cheaper plan refutes.
TEST(PlanCurve, is_monotone_and_true_on_random_graphs) {
  int compared = 0, optimal = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeRandomGraph(seed, 8);
    GraphIndex index(graph);
    PlanOptions options;
    options.alignmentBytes = 1;
    options.limits.effort = 500;
    llvm::Expected<PlanCurve> curve = planCurve(graph, options, 5);
    ASSERT_THAT(curve, Succeeds());
    expectCurve(graph, *curve, options, 5);
    PlanOracle oracle(index, OracleSpace::FixedOrder);
    for (const Plan &plan : curve->plans) {
      std::optional<PlanOracle::Answer> best =
          oracle.cheapest(*plan.budgetBytes);
      if (!best)
        continue;
      ++compared;
      optimal += plan.cost <= best->cost * (1 + 1e-9);
      EXPECT_LE(*plan.bound, best->cost * (1 + 1e-9));
    }
  }
  EXPECT_GT(compared, 40);
  EXPECT_GT(optimal, compared * 9 / 10);
}

// Solvers without a family would have no curve, or one that rises.
TEST(PlanCurve, is_there_for_every_kind_of_solver) {
  const Graph graph = makeChain(7);
  for (const char *solver :
       {"auto", "greedy", "milp", "revolve", "ap-greedy", "checkpoint-all"}) {
    SCOPED_TRACE(solver);
    PlanOptions options;
    options.remat = solver;
    options.alignmentBytes = 1;
    llvm::Expected<PlanCurve> curve = planCurve(graph, options, 6);
    ASSERT_THAT(curve, Succeeds());
    expectCurve(graph, *curve, options, 6);
    const int64_t range =
        *curve->plans.back().budgetBytes - *curve->plans.front().budgetBytes;
    EXPECT_EQ(range == 0, std::string(solver) == "checkpoint-all");
  }
}

TEST(PlanCurve, needs_two_points) {
  EXPECT_THAT(planCurve(makeChain(3), {}, 1), FailsWith("at least 2"));
}

} // namespace
