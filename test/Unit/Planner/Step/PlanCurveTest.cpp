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
#include "Planner/RematGraphs.h"
#include "RandomGraph.h"
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

// Solvers without a set of plans would have no curve, or one that rises.
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

// Bytes on a slow link would look worth more, or less, than they are.
TEST(PlanCurve, more_bytes_or_bandwidth_take_no_more_time) {
  int faster = 0, below = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed)
    for (int64_t streams : {1, 2}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " +
                   std::to_string(streams) + " streams");
      const Graph graph = makeRandomGraph(seed, 10);
      PlanOptions options;
      options.swap = "search";
      options.streams = streams;
      options.pareto = 4;
      options.alignmentBytes = 1;
      options.limits.effort = 200;
      options.paretoBandwidths = {{40.0, 40.0, 0}, {1.0, 2.0, 1}, {4.0, 4.0}};
      llvm::Expected<std::vector<CurveAt>> curves = planCurves(graph, options);
      ASSERT_THAT(curves, Succeeds());
      ASSERT_EQ(curves->size(), 3u);
      for (const CurveAt &at : *curves) {
        const GraphIndex index(at.graph);
        ASSERT_EQ(at.curve.plans.size(), 4u);
        for (size_t i = 0; i < 4; ++i) {
          const Plan &plan = at.curve.plans[i];
          EXPECT_THAT(verifyPlan(index, plan, plan.budgetBytes), Succeeds());
          EXPECT_LE(at.curve.boundOf(plan), plan.makespan() * (1 + 1e-9));
          if (i > 0)
            EXPECT_LE(plan.makespan(), at.curve.plans[i - 1].makespan());
          below += plan.makespan() < at.curve.leastCost * (1 - 1e-9);
        }
      }
      // In the order in which they were given; slower: 1, 2, 0.
      for (auto [slow, fast] : {std::pair(1, 2), std::pair(2, 0)})
        for (const Plan &slower : (*curves)[size_t(slow)].curve.plans)
          for (const Plan &plan : (*curves)[size_t(fast)].curve.plans)
            if (*plan.budgetBytes >= *slower.budgetBytes) {
              EXPECT_LE(plan.makespan(), slower.makespan() * (1 + 1e-9));
              faster += plan.makespan() < slower.makespan() * (1 - 1e-9);
            }
    }
  EXPECT_GT(faster, 10);
  EXPECT_GT(below, 10);
}

} // namespace
