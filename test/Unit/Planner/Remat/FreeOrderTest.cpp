//===- FreeOrderTest.cpp - The program that chooses the order -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "PlanOracle.h"
#include "Planner/Remat/TinyGraph.h"
#include "Planner/RematGraphs.h"
#include "ScheduleOracle.h"
#include "memplan/Planner/Remat/FreeOrderProgram.h"
#include "memplan/Planner/Remat/RematSolvers.h"

using namespace memplan;

static RematProblem problemOf(const GraphIndex &index, int64_t budget) {
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = budget;
  problem.mayReorder = true;
  return problem;
}

static RematPlan solveFreely(const RematProblem &problem, int64_t effort = 0) {
  SolveLimits limits;
  limits.milpFormulation = "free-order";
  limits.effort = effort;
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), "milp"), limits);
  if (plan)
    return std::move(*plan);
  ADD_FAILURE() << llvm::toString(plan.takeError());
  return {};
}

// A plan would be missed, or a proof claimed that is none: with at most eight
// nodes every order, recomputation and drop can be tried.
TEST(FreeOrder, optimal_against_brute_force_of_all_orders) {
  if (!createHighsBackend())
    GTEST_SKIP() << "built without HiGHS";
  int compared = 0, proved = 0, cheaper = 0;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    Graph graph = makeRandomDag(seed, 5 + int(seed % 4));
    GraphIndex index(graph);
    RematProblem problem = problemOf(index, 0);
    problem.inPlace = false;
    const int64_t low = problem.lowerBoundBytes();
    for (int64_t budget : {low, low + 2, low + 4}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                   std::to_string(budget));
      problem.budgetBytes = budget;
      std::optional<OracleAnswer> best = findCheapestSchedule(graph, budget),
                                  fixed =
                                      findCheapestSchedule(graph, budget, true);
      RematPlan plan = solveFreely(problem);
      ASSERT_EQ(!plan.schedule.runs.empty(), best.has_value());
      if (!best)
        continue;
      ++compared;
      EXPECT_NEAR(plan.cost, best->cost, 1e-6);
      EXPECT_LE(*plan.report.bound, best->cost + 1e-6);
      EXPECT_EQ(plan.report.boundSpace, "free-order");
      proved += plan.report.status == SolveStatus::Optimal;
      cheaper += !fixed || best->cost < fixed->cost - 1e-6;
    }
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(proved, compared * 3 / 4);
  EXPECT_GT(cheaper, 3); // Else the order would not matter here.
}

// The search alone would hide a program that cuts plans off: the cheapest
// sequence of the oracle has to be a point, at its cost.
TEST(FreeOrder, cheapest_sequences_are_points_of_the_program) {
  int points = 0, broken = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Graph graph = makeRandomDag(seed, 5 + int(seed % 4));
    GraphIndex index(graph);
    ContractedStep step(index, /*inPlace=*/false);
    const int64_t low = problemOf(index, 0).lowerBoundBytes();
    for (int64_t budget : {low, low + 3}) {
      std::optional<OracleAnswer> best = findCheapestSchedule(graph, budget);
      if (!best)
        continue;
      std::vector<int32_t> sequence;
      for (NodeId node : best->schedule.runs)
        sequence.push_back(step.opOf(node));
      const auto runs = static_cast<int32_t>(sequence.size());
      for (int32_t positions : {runs, runs + 2}) {
        FreeOrderProgram program(step, budget - step.residentBytes(),
                                 positions);
        std::vector<double> point = program.pointOf(sequence);
        ASSERT_FALSE(point.empty()) << "seed " << seed << " budget " << budget;
        EXPECT_NEAR(program.cost(program.model().objective(point)), best->cost,
                    1e-6);
        EXPECT_EQ(program.sequenceAt(point), sequence);
        ++points;
      }
      // One byte less than it takes is no point.
      const int64_t peak = measureSchedule(index, best->schedule, {}).peakBytes;
      FreeOrderProgram program(step, peak - 1 - step.residentBytes(), runs);
      EXPECT_TRUE(program.pointOf(sequence).empty());
      ++broken;
    }
  }
  EXPECT_GT(points, 100);
  EXPECT_GT(broken, 50);
}

// A proof would be wrong for outputs in place, donated inputs, several outputs,
// unread ones, workspaces, variants, views or writes.
TEST(FreeOrder, claims_hold_on_graphs_with_everything) {
  if (!createHighsBackend())
    GTEST_SKIP() << "built without HiGHS";
  int proved = 0;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    Graph graph = makeTinyGraph(seed);
    GraphIndex index(graph);
    for (bool inPlace : {true, false}) {
      PlanOracle oracle(index, OracleSpace::FreeOrder, inPlace);
      const int64_t least = oracle.smallest().peakBytes;
      for (int64_t budget : {least - 1, least, least + 8}) {
        if (budget <= 0)
          continue;
        SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                     std::to_string(budget) + " in place " +
                     std::to_string(inPlace));
        RematProblem problem = problemOf(index, budget);
        problem.inPlace = inPlace;
        std::optional<PlanOracle::Answer> best = oracle.cheapest(budget);
        RematPlan plan = solveFreely(problem, /*effort=*/3000);
        if (plan.schedule.runs.empty()) {
          if (plan.report.status == SolveStatus::Infeasible)
            EXPECT_FALSE(best);
          continue;
        }
        ASSERT_TRUE(best) << "found a plan where there is none";
        EXPECT_LE(*plan.report.bound, best->cost + 1e-6);
        if (plan.report.status == SolveStatus::Optimal) {
          EXPECT_NEAR(plan.cost, best->cost, 1e-4 * best->cost + 1e-6);
          ++proved;
        }
      }
    }
  }
  EXPECT_GT(proved, 100);
}

// First runs would move where the caller wants them to stay.
TEST(FreeOrder, is_refused_where_the_order_is_fixed) {
  Graph graph = makeRandomDag(1, 5);
  GraphIndex index(graph);
  RematProblem problem = problemOf(index, 1000);
  problem.mayReorder = false;
  SolveLimits limits;
  limits.milpFormulation = "free-order";
  EXPECT_THAT(solve(problem, solverNamed(rematSolvers(), "milp"), limits),
              FailsWith("which only --order=search lets solvers change"));
}

// Without room for a better program the plan of the search stays, with a word.
TEST(FreeOrder, too_large_a_program_is_not_built) {
  SolveLimits limits;
  limits.milpFormulation = "free-order";
  limits.milpTerms = 10;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Graph graph = makeRandomDag(seed, 8);
    GraphIndex index(graph);
    RematProblem problem = problemOf(index, 0);
    const int64_t low = problem.lowerBoundBytes();
    for (int64_t budget = low; budget < low + 6; ++budget) {
      problem.budgetBytes = budget;
      llvm::Expected<RematPlan> plan =
          solve(problem, solverNamed(rematSolvers(), "milp"), limits);
      ASSERT_TRUE(bool(plan)) << takeMessage(plan);
      if (plan->report.status != SolveStatus::Feasible)
        continue; // Proved without a program, or without a plan.
      EXPECT_THAT(plan->report.note,
                  testing::HasSubstr("limit 10 (--milp-terms)"));
      return;
    }
  }
  FAIL() << "no graph of the sample needs a program";
}
