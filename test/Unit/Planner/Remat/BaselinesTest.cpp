//===- BaselinesTest.cpp - Solvers of the literature on known cases -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers were found by hand or by exhaustive search, apart from this code.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Baselines.h"
#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Solver/MilpModel.h"

using namespace memplan;

namespace {

RematPlan solve(const Graph &graph, const char *solver,
                std::optional<int64_t> budget) {
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = budget;
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), solver), {});
  if (!plan) {
    ADD_FAILURE() << solver << ": " << takeMessage(plan);
    return {};
  }
  return std::move(*plan);
}

/// Optima of C(n) at budgets 3, 4, ...: all schedules were tried.
const std::vector<std::pair<int, std::vector<int>>> chainOptima = {
    {2, {6, 5}}, {3, {10, 8, 7}}, {4, {15, 11, 10, 9}}};

// Plans of revolve would run more forward nodes than its own theory says.
TEST(Baselines, CK11_advances_of_revolve) {
  const std::vector<std::pair<int64_t, std::vector<int64_t>>> table = {
      {4, {6, 4, 3, 3, 3}},
      {8, {28, 14, 11, 10, 9}},
      {10, {45, 20, 15, 14, 13}},
      {16, {120, 45, 33, 27, 25}}};
  for (const auto &[steps, advances] : table)
    for (size_t slots = 1; slots <= advances.size(); ++slots)
      EXPECT_EQ(revolveAdvances(steps, int64_t(slots)), advances[slots - 1])
          << steps << " steps, " << slots << " slots";
}

// The schedule would not follow the theory: C(n) has n + 1 states, the input
// among them, and needs room for two values beside the slots.
TEST(Baselines, CK11_revolve_runs_what_the_theory_says) {
  for (int n : {3, 7, 9, 15, 40})
    for (int slots = 1; slots <= 6; ++slots) {
      RematPlan plan = solve(makeChain(n), "revolve", slots + 2);
      EXPECT_EQ(plan.cost, double(revolveAdvances(n + 1, slots) + n + 1))
          << "C(" << n << ") with " << slots << " slots";
      EXPECT_LE(plan.peakBytes, slots + 2);
    }
}

// A baseline that is optimal on unit chains would not be.
TEST(Baselines, CK1_optima_of_unit_chains) {
  for (const char *solver : {"revolve", "rotor"})
    for (const auto &[n, costs] : chainOptima) {
      EXPECT_EQ(solve(makeChain(n), solver, 2).report.status,
                SolveStatus::Infeasible);
      for (size_t i = 0; i < costs.size(); ++i)
        EXPECT_EQ(solve(makeChain(n), solver, 3 + int64_t(i)).cost, costs[i])
            << solver << " on C(" << n << ") at " << 3 + i;
    }
}

// A solver for chains would silently plan a graph that it is not made for.
TEST(Baselines, revolve_refuses_graphs_that_are_no_chain) {
  Graph graph = makeSmallUNet();
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  EXPECT_THAT(solve(problem, solverNamed(rematSolvers(), "revolve"), {}),
              FailsWith("not a chain"));
}

// A plan would break its budget, or what needs no eviction would be evicted.
TEST(Baselines, dtr_keeps_budgets_on_graphs_of_any_shape) {
  for (int64_t budget : {25, 26, 27}) {
    RematPlan plan = solve(makeSmallUNet(), "dtr", budget);
    if (!plan.schedule.runs.empty())
      EXPECT_LE(plan.peakBytes, budget);
  }
  EXPECT_EQ(solve(makeSmallUNet(), "dtr", 27).cost, 91);
  EXPECT_EQ(solve(makeChain(4), "dtr", 6).cost, 9);
  EXPECT_EQ(solve(makeChain(4), "dtr", 5).cost, 10);
}

// What runs once would be evicted and could not be recomputed, or a block would
// be recomputed over it.
TEST(Baselines, plans_of_real_steps_keep_budgets) {
  Graph graph = makeResidualNet(12);
  RematPlan all = solve(graph, "checkpoint-all", std::nullopt);
  for (const char *solver : {"rotor", "dtr"}) {
    int plans = 0;
    for (int64_t percent : {95, 90, 80, 70, 60}) {
      const int64_t budget = all.peakBytes * percent / 100;
      RematPlan plan = solve(graph, solver, budget);
      if (plan.schedule.runs.empty())
        continue;
      ++plans;
      EXPECT_LE(plan.peakBytes, budget) << solver;
      EXPECT_GE(plan.cost, all.cost) << solver;
    }
    EXPECT_GE(plans, 2) << solver;
  }
}

// A rounded plan over the budget, or one that costs less than the optimum,
// would come out; the paper's rounding finds a plan where there is room.
TEST(Baselines, lp_rounding_keeps_budgets) {
  if (!createHighsBackend())
    GTEST_SKIP() << "built without HiGHS";
  Graph graph = makeChain(8);
  for (const char *solver : {"lp-rounding", "lp-random"}) {
    int plans = 0;
    for (int64_t budget = 5; budget <= 9; ++budget) {
      RematPlan plan = solve(graph, solver, budget);
      if (plan.schedule.runs.empty())
        continue;
      ++plans;
      EXPECT_LE(plan.peakBytes, budget) << solver;
      EXPECT_GE(plan.cost, solve(graph, "revolve", budget).cost) << solver;
    }
    EXPECT_GE(plans, 1) << solver;
  }
}

// A sum that leaves out what was allocated last, or frees nothing, would be
// taken for the peak.
TEST(Baselines, CK14_peaks_are_true) {
  for (auto [n, peak] : {std::pair(4, 6), {8, 10}, {9, 11}, {16, 18}}) {
    EXPECT_EQ(solve(makeChain(n), "checkpoint-all", std::nullopt).peakBytes,
              peak);
    // Only the input kept: everything again for every gradient.
    EXPECT_EQ(solve(makeChain(n), "revolve", 3).peakBytes, 3);
  }
  const std::vector<std::pair<int, int>> costs = {
      {4, 15}, {8, 45}, {9, 55}, {16, 153}};
  for (auto [n, cost] : costs)
    EXPECT_EQ(solve(makeChain(n), "revolve", 3).cost, cost);
}

// Nobody would know why a solver for chains finds nothing on another graph.
TEST(Baselines, rotor_says_when_there_is_one_block) {
  SmallGraph g;
  TensorId data = g.caller(4);
  TensorId a = g.op({data}, 8);
  TensorId b = g.op({data}, 8);
  TensorId loss = g.op({a, b}, 1);
  g.op({loss, a, b}, 8);
  g.lastNode().backward = true;
  RematPlan plan = solve(g.graph, "rotor", 25);
  EXPECT_TRUE(plan.schedule.runs.empty());
  EXPECT_NE(plan.report.note.find("one block"), std::string::npos)
      << plan.report.note;
}

} // namespace
