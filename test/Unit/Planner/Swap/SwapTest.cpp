//===- SwapTest.cpp - What is copied to the host and back -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Swap/SwapProblem.h"

using namespace memplan;

namespace {
/// a -> b, c -> d, where `a` is read by d too, with a copy in between.
struct Small {
  Small() {
    x = g.caller(4, TensorKind::Input);
    a = g.op({x}, 4);
    b = g.op({a}, 4);
    c = g.op({b}, 4);
    d = g.op({c, a}, 4);
    g.keep(d);
    planned.emplace(g, false);
    problem.index = &planned->index;
    problem.schedule = &planned->schedule;
    plan.actions = {PlanAction::compute(NodeId(0)), PlanAction::evict(a, 0),
                    PlanAction::compute(NodeId(1)), PlanAction::wait(0),
                    PlanAction::compute(NodeId(2)), PlanAction::free({b}),
                    PlanAction::fetch(a, 1),        PlanAction::wait(1),
                    PlanAction::compute(NodeId(3)), PlanAction::free({a, c})};
    plan.cost = plan.time = 4;
    plan.peakBytes = 16;
    plan.hostPeakBytes = 4;
  }

  SmallGraph g;
  TensorId x, a, b, c, d;
  std::optional<Planned> planned;
  SwapProblem problem;
  SwapPlan plan;
};
} // namespace

TEST(Swap, a_valid_plan_passes) {
  Small small;
  EXPECT_THAT(small.problem.check(), Succeeds());
  EXPECT_THAT(small.problem.verify(small.plan), Succeeds());
  SwapPlan measured;
  measured.actions = small.plan.actions;
  EXPECT_THAT(measureSwap(small.planned->index, measured), Succeeds());
  EXPECT_EQ(measured.peakBytes, small.plan.peakBytes);
  EXPECT_EQ(measured.hostPeakBytes, small.plan.hostPeakBytes);
  EXPECT_EQ(measured.time, small.plan.time);
}

TEST(Swap, swap_i1_wants_a_valid_graph) {
  EXPECT_THAT(SwapProblem().check(), ViolatesWith("swap_i1", "no graph"));
  Small small;
  small.planned->graph.tensors[1].bytes = -1;
  EXPECT_THAT(small.problem.check(), ViolatesWith("swap_i1", "graph_i1"));
}

TEST(Swap, swap_i2_wants_a_valid_schedule) {
  Small small;
  small.problem.schedule = nullptr;
  EXPECT_THAT(small.problem.check(), ViolatesWith("swap_i2", "no schedule"));
  Schedule wrong{{NodeId(0), NodeId(2), NodeId(1), NodeId(3)}, {}};
  small.problem.schedule = &wrong;
  EXPECT_THAT(small.problem.check(), ViolatesWith("swap_i2", "schedule_c2"));
}

TEST(Swap, swap_i3_wants_budgets_that_can_be) {
  Small small;
  small.problem.budgetBytes = 0;
  EXPECT_THAT(small.problem.check(), ViolatesWith("swap_i3", "budget of 0"));
  small.problem.budgetBytes = 1;
  small.problem.hostBudgetBytes = -1;
  EXPECT_THAT(small.problem.check(), ViolatesWith("swap_i3", "host budget"));
}

TEST(Swap, swap_i4_wants_encoders_for_a_codec) {
  Small small;
  small.problem.tflms.codec = "bf16";
  EXPECT_THAT(
      small.problem.check(),
      ViolatesWith("swap_i4", "no node of the graph is memplan.encode"));
}

// A filter that is misspelt would copy everything, or nothing.
TEST(Swap, swap_i5_wants_filters_that_match) {
  Small small;
  small.problem.tflms.exclTypes = {"nosuch"};
  EXPECT_THAT(small.problem.check(),
              ViolatesWith("swap_i5",
                           "excl_types=nosuch matches no node; there are '"));
  small.problem.tflms.exclTypes = {};
  small.problem.tflms.startingScope = {"nowhere/"};
  EXPECT_THAT(small.problem.check(),
              ViolatesWith("swap_i5", "starting_scope=nowhere/"));
}

TEST(Swap, swap_c1_refuses_what_the_replay_refuses) {
  Small small;
  small.plan.actions.erase(small.plan.actions.begin() + 7); // The last wait.
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c1", "plan_c14"));
  Small full;
  full.planned->graph.hostBudgetBytes = 3;
  EXPECT_THAT(full.problem.verify(full.plan),
              ViolatesWith("swap_c1", "plan_c16"));
}

TEST(Swap, swap_c2_wants_one_stream) {
  Small small;
  small.plan.actions[1].stream = 1;
  // On another stream the copy would have to wait for what it copies.
  PlanAction wait = PlanAction::wait(7, 1);
  small.plan.actions[0].event = 7;
  small.plan.actions.insert(small.plan.actions.begin() + 1, wait);
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c2", "on stream 1"));
}

TEST(Swap, swap_c3_wants_the_runs_of_the_schedule) {
  Small small;
  // `a` is back and `b` is freed: it could be recomputed.
  small.plan.actions.insert(small.plan.actions.begin() + 8,
                            PlanAction::compute(NodeId(1)));
  small.plan.actions.push_back(PlanAction::free({small.b}));
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c3", "runs node 1"));
}

TEST(Swap, swap_c4_measures_again) {
  for (int which = 0; which < 4; ++which) {
    Small small;
    small.plan.cost -= which == 0;
    small.plan.time -= which == 1;
    small.plan.peakBytes -= which == 2;
    small.plan.hostPeakBytes -= which == 3;
    EXPECT_THAT(small.problem.verify(small.plan),
                ViolatesWith("swap_c4", "the replay says 16, 4, 4.00, 4.00"));
  }
}

TEST(Swap, swap_c5_compares_with_the_budgets) {
  Small small;
  small.problem.budgetBytes = 15;
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c5", "peak of 16 bytes, budget 15"));
  small.problem.budgetBytes = 16;
  small.problem.hostBudgetBytes = 3;
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c5", "4 bytes on the host, budget 3"));
}

TEST(Swap, swap_c6_compares_the_bound_with_the_time) {
  Small small;
  small.plan.report.bound = 5;
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c6", "bound 5"));
  small.plan.report.bound = 3;
  small.plan.report.status = SolveStatus::Optimal;
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c6", "optimal"));
}

TEST(Swap, swap_c7_wants_a_reason_for_no_actions) {
  Small small;
  small.plan.actions.clear();
  EXPECT_THAT(small.problem.verify(small.plan),
              ViolatesWith("swap_c7", "'feasible'"));
  small.plan.report.status = SolveStatus::NoPlan;
  EXPECT_THAT(small.problem.verify(small.plan), Succeeds());
}

TEST(Swap, none_copies_nothing) {
  Small small;
  const SwapSolver &none = solverNamed(swapSolvers(), "none");
  llvm::Expected<SwapPlan> plan = solve(small.problem, none, {});
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(plan->hostPeakBytes, 0);
  EXPECT_EQ(plan->peakBytes, 16);
  small.problem.budgetBytes = 15;
  plan = solve(small.problem, none, {});
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(plan->report.status, SolveStatus::NoPlan);
}

// A schedule that takes a fast variant would be copied for as if it took the
// one of less scratch, and then exceed the budget.
TEST(Swap, search_copies_beside_the_variants_of_the_schedule) {
  for (int64_t workspace : {0, 4, 8, 12})
    for (int64_t budget = 12; budget <= 28; ++budget) {
      SCOPED_TRACE(std::to_string(workspace) + " bytes of scratch within " +
                   std::to_string(budget));
      Small small;
      small.planned.reset();
      small.g.graph.nodes[1].variants = {{0.5, workspace}};
      small.g.graph.nodes[2].variants = {{2, 0}, {0.25, workspace}};
      small.planned.emplace(small.g, false);
      Planned &planned = *small.planned;
      planned.schedule.variants = {0, 1, 2, 0};
      small.problem.index = &planned.index;
      small.problem.schedule = &planned.schedule;
      small.problem.inPlace = &planned.inPlace;
      small.problem.budgetBytes = budget;
      EXPECT_THAT(
          solve(small.problem, solverNamed(swapSolvers(), "search"), {}),
          Succeeds());
    }
}

// An input that may go would be freed although a view of it is an output.
TEST(Swap, search_keeps_a_donated_input_that_an_output_shows) {
  SmallGraph g;
  const TensorId x = g.caller(4, TensorKind::Input, /*donated=*/true);
  g.keep(g.view(x));
  TensorId last = g.op({x}, 4);
  for (int i = 0; i < 4; ++i)
    last = g.op({last}, 4);
  g.keep(last);
  Planned planned(g, false);
  SwapProblem problem;
  problem.index = &planned.index;
  problem.schedule = &planned.schedule;
  problem.inPlace = &planned.inPlace;
  problem.budgetBytes = 12;
  llvm::Expected<SwapPlan> plan =
      solve(problem, solverNamed(swapSolvers(), "search"), {});
  ASSERT_THAT(plan, Succeeds());
  EXPECT_FALSE(plan->actions.empty());
}
