//===- PlanLimitsTest.cpp - Plans and proofs under limits -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Step/PlanStep.h"

using namespace memplan;

namespace {

PlanOptions options(const Graph &graph, int percent) {
  PlanOptions made;
  made.alignmentBytes = 1;
  made.limits.effort = 500;
  made.budgetBytes =
      measureUnplanned(GraphIndex(graph)).peakBytes * percent / 100;
  return made;
}

// A solver that is stopped at once would lose a plan that a heuristic has.
TEST(PlanLimits, a_stop_loses_no_plan) {
  const std::atomic<bool> stop = true;
  for (const char *remat : {"auto", "search", "milp", "greedy", "dtr", "rotor",
                            "revolve", "linearized-greedy", "ap-greedy"})
    for (const char *formulation : {"tight", "paper"}) {
      const Graph graph = makeChain(16);
      PlanOptions asked = options(graph, 50);
      asked.remat = remat;
      asked.limits.milpFormulation = formulation;
      asked.limits.stop = &stop;
      llvm::Expected<Plan> plan = planStep(graph, asked);
      ASSERT_TRUE(bool(plan)) << takeMessage(plan);
      EXPECT_FALSE(plan->steps.empty()) << remat << ", " << formulation;
    }
}

// A busy machine, where a time limit is over before the first plan is made,
// would lose plans that copy.
TEST(PlanLimits, a_time_limit_loses_no_plan_that_copies) {
  Graph graph = makeChain(16);
  graph.bandwidth = Bandwidth{1e6, 1e6, 0};
  Graph fixed = graph;
  for (Node &node : fixed.nodes)
    node.recompute = false;
  for (const Graph *step : {&graph, &fixed})
    for (const char *swap : {"search", "tflms"})
      for (const char *remat :
           {"auto", "search", "milp", "checkpoint-all", "linearized-greedy"}) {
        SCOPED_TRACE(std::string(remat) + ", " + swap +
                     (step == &fixed ? ", nodes run once" : ""));
        PlanOptions asked = options(*step, 70);
        asked.remat = remat;
        asked.swap = swap;
        llvm::Expected<Plan> plan = planStep(*step, asked);
        ASSERT_TRUE(bool(plan)) << takeMessage(plan);
        EXPECT_FALSE(plan->steps.empty()) << plan->note;
        asked.limits.timeLimitSeconds = 1e-9;
        plan = planStep(*step, asked);
        ASSERT_TRUE(bool(plan)) << takeMessage(plan);
        EXPECT_FALSE(plan->steps.empty()) << plan->note;
      }
}

// What the caller brings alone exceeds the budget, and there is nothing else
// that a witness could name.
TEST(PlanLimits, updates_alone_within_an_impossible_budget_are_infeasible) {
  SmallGraph g;
  TensorId weight = g.caller(256), gradient = g.caller(256, TensorKind::Input);
  g.addNode({weight, gradient}, {});
  g.lastNode().writes = {weight};
  PlanOptions asked;
  asked.budgetBytes = 400;
  llvm::Expected<Plan> plan = planStep(g.graph, asked);
  ASSERT_TRUE(bool(plan)) << takeMessage(plan);
  EXPECT_EQ(plan->status, SolveStatus::Infeasible);
  EXPECT_EQ(plan->boundBytes, 512);
}

// A step of no bytes would be refused under any budget.
TEST(PlanLimits, a_step_of_no_bytes_is_planned) {
  SmallGraph g;
  TensorId in = g.caller(0, TensorKind::Input);
  g.keep(g.op({in}, 0));
  for (int64_t budget : {int64_t(1), int64_t(1) << 30}) {
    PlanOptions asked;
    asked.budgetBytes = budget;
    llvm::Expected<Plan> plan = planStep(g.graph, asked);
    ASSERT_TRUE(bool(plan)) << takeMessage(plan);
    EXPECT_EQ(plan->steps.size(), 1u);
  }
}

// The witness of a proof for all plans would be claimed of one that holds
// without outputs in place only, and the plan would be refused.
TEST(PlanLimits, no_witness_is_claimed_of_steps_without_outputs_in_place) {
  SmallGraph g;
  TensorId x = g.caller(8, TensorKind::Input);
  TensorId a = g.op({x}, 8);
  TensorId b = g.op({a}, 8, a);
  g.keep(g.op({b}, 4));
  PlanOptions asked;
  asked.alignmentBytes = 1;
  asked.inPlace = false;
  asked.budgetBytes = 20; // 24 where the second value lies beside the first.
  for (const char *remat : {"auto", "search", "milp", "greedy"}) {
    asked.remat = remat;
    llvm::Expected<Plan> plan = planStep(g.graph, asked);
    ASSERT_TRUE(bool(plan)) << remat << ": " << takeMessage(plan);
    EXPECT_TRUE(plan->steps.empty());
  }
}

// A proof for source order would leave out plans that make a view earlier.
TEST(PlanLimits, proofs_in_source_order_count_plans_that_move_views) {
  SmallGraph g;
  TensorId small = g.caller(7, TensorKind::Input, /*donated=*/true),
           large = g.caller(8, TensorKind::Input, /*donated=*/true),
           weight = g.caller(8);
  g.keep(g.op({small, weight}, 7));
  g.view(large);
  PlanOptions asked;
  asked.alignmentBytes = 1;
  asked.budgetBytes = 23; // Enough where the view comes first.
  for (const char *order : {"source", "auto"}) {
    asked.order = order;
    llvm::Expected<Plan> plan = planStep(g.graph, asked);
    ASSERT_TRUE(bool(plan)) << takeMessage(plan);
    EXPECT_NE(plan->status, SolveStatus::Infeasible) << order;
    if (plan->boundBytes)
      EXPECT_LE(*plan->boundBytes, 23);
  }
}

// A solver of integer programs that is not built in would be named in silence
// where the step needs none, and a program that is not built go unsaid.
TEST(PlanLimits, nothing_is_replaced_in_silence) {
  const Graph graph = makeChain(6);
  PlanOptions asked = options(graph, 60);
  asked.limits.milpBackend = "none-such";
  llvm::Expected<Plan> plan = planStep(graph, asked);
  EXPECT_FALSE(bool(plan));
  EXPECT_NE(takeMessage(plan).find("built without"), std::string::npos);
  asked.limits.milpBackend = "auto";
  asked.remat = "milp";
  asked.limits.milpFormulation = "paper";
  asked.limits.milpTerms = 10;
  const Graph skips = makeRandomDag(5, 40);
  asked.budgetBytes = measureUnplanned(GraphIndex(skips)).peakBytes * 9 / 10;
  plan = planStep(skips, asked);
  ASSERT_TRUE(bool(plan)) << takeMessage(plan);
  if (plan->status == SolveStatus::Feasible)
    EXPECT_NE(plan->note.find("too large to build"), std::string::npos)
        << plan->note;
}

} // namespace
