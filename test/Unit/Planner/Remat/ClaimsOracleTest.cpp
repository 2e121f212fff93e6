//===- ClaimsOracleTest.cpp - What planners claim, against all plans ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "PlanOracle.h"
#include "Planner/Remat/TinyGraph.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Solver/MilpModel.h"

using namespace memplan;

namespace {

/// The oracle's plan with the claims that it shows.
Plan planOf(const Graph &graph, const PlanOracle::Answer &answer) {
  Plan plan;
  plan.graphName = graph.name;
  plan.status = SolveStatus::Feasible;
  plan.time = plan.cost = answer.cost;
  plan.peakBytes = answer.peakBytes;
  plan.steps = answer.steps;
  return plan;
}

OracleSpace spaceOf(llvm::StringRef name) {
  return name == "staged"        ? OracleSpace::Staged
         : name == "fixed-order" ? OracleSpace::FixedOrder
                                 : OracleSpace::FreeOrder;
}

// The oracle would find what no plan can do, or miss what some plan does.
TEST(PlanOracle, agrees_with_the_plan_verifier) {
  int cheaper = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Graph graph = makeTinyGraph(seed);
    GraphIndex index(graph);
    for (OracleSpace space : {OracleSpace::FreeOrder, OracleSpace::FixedOrder,
                              OracleSpace::Staged}) {
      PlanOracle::Answer least = PlanOracle(index, space).smallest();
      EXPECT_THAT(verifyPlan(index, planOf(graph, least)), Succeeds())
          << "seed " << seed;
    }
    for (uint64_t trial = 0; trial < 4; ++trial) {
      Schedule schedule = makeRandomSchedule(index, seed * 100 + trial);
      Plan plan;
      plan.status = SolveStatus::Feasible;
      plan.steps = buildActions(
          index, schedule, makeRandomInPlace(index, schedule, seed + trial));
      llvm::Expected<Replay> replay = replayPlan(index, plan);
      ASSERT_THAT(replay, Succeeds()) << "seed " << seed;
      std::optional<PlanOracle::Answer> best =
          PlanOracle(index, OracleSpace::FreeOrder).cheapest(replay->peakBytes);
      ASSERT_TRUE(best) << "seed " << seed;
      EXPECT_LE(best->cost, replay->cost) << "seed " << seed;
      cheaper += best->cost < replay->cost;
    }
  }
  EXPECT_GT(cheaper, 20);
}

// A budget that some plan keeps would be called impossible.
TEST(PlanOracle, no_plan_is_smaller_than_the_working_set) {
  int reached = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Graph graph = makeTinyGraph(seed);
    GraphIndex index(graph);
    for (bool inPlace : {true, false}) {
      PlanOracle::Answer least =
          PlanOracle(index, OracleSpace::FreeOrder, inPlace).smallest();
      const int64_t bound = largestWorkingSet(index, inPlace).bytes;
      EXPECT_LE(bound, least.peakBytes)
          << "seed " << seed << " in place " << inPlace;
      reached += bound == least.peakBytes;
    }
  }
  EXPECT_GT(reached, 400) << "the bound should be tight on small graphs";
}

/// Everything that a remat solver says of one budget.
void checkClaims(const GraphIndex &index, int64_t budget, bool inPlace,
                 const RematSolver &solver, const RematPlan &plan) {
  const SolveReport &report = plan.report;
  if (!plan.schedule.runs.empty()) {
    // Variants and pairs reach the actions as they were measured.
    Plan actions;
    actions.steps = buildActions(index, plan.schedule, plan.inPlace);
    llvm::Expected<Replay> replay = replayPlan(index, actions);
    ASSERT_THAT(replay, Succeeds()) << solver.name;
    EXPECT_EQ(replay->peakBytes, plan.peakBytes) << solver.name;
    EXPECT_NEAR(replay->cost, plan.cost, 1e-9) << solver.name;
  }
  PlanOracle oracle(index, spaceOf(report.boundSpace), inPlace);
  std::optional<PlanOracle::Answer> best = oracle.cheapest(budget);
  if (plan.boundBytes)
    EXPECT_LE(*plan.boundBytes, oracle.smallest().peakBytes) << solver.name;
  if (report.status == SolveStatus::Infeasible)
    EXPECT_FALSE(best) << solver.name << " claims that nothing fits in the "
                       << report.boundSpace << " space";
  if (best && report.bound)
    EXPECT_LE(*report.bound, best->cost + 1e-6)
        << solver.name << " in the " << report.boundSpace << " space";
  if (report.status == SolveStatus::Optimal && best)
    EXPECT_LE(plan.cost, best->cost * (1 + 1e-4) + 1e-6)
        << solver.name << " in the " << report.boundSpace << " space";
}

// A bound or a proof would be none: for outputs in place, donated inputs,
// several outputs, unread ones, workspaces, variants, views or writes.
TEST(PlanOracle, every_claim_of_every_solver_holds_in_its_space) {
  int claims = 0, staged = 0, impossible = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    Graph graph = makeTinyGraph(seed);
    GraphIndex index(graph);
    for (bool inPlace : {true, false}) {
      const int64_t least = PlanOracle(index, OracleSpace::FreeOrder, inPlace)
                                .smallest()
                                .peakBytes;
      const int64_t inStages =
          PlanOracle(index, OracleSpace::Staged, inPlace).smallest().peakBytes;
      for (int64_t budget : {least - 1, inStages - 1, inStages, inStages + 8}) {
        if (budget <= 0)
          continue;
        SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                     std::to_string(budget) + " in place " +
                     std::to_string(inPlace));
        RematProblem problem;
        problem.index = &index;
        problem.budgetBytes = budget;
        problem.inPlace = inPlace;
        for (const RematSolver &solver : rematSolvers()) {
          SolveLimits limits;
          limits.effort = 300;
          if (llvm::StringRef(solver.name).starts_with("chen") ||
              solver.name == "revolve")
            continue; // For linear graphs only.
          for (const char *formulation : {"tight", "paper"}) {
            limits.milpFormulation = formulation;
            llvm::Expected<RematPlan> plan = solve(problem, solver, limits);
            ASSERT_TRUE(bool(plan)) << solver.name << ": " << takeMessage(plan);
            checkClaims(index, budget, inPlace, solver, *plan);
            ++claims;
            const bool isStaged = plan->report.boundSpace == "staged";
            staged += isStaged;
            impossible +=
                isStaged && plan->report.status == SolveStatus::Infeasible;
            if (solver.traits.family != SolverFamily::Milp)
              break;
          }
        }
      }
    }
  }
  EXPECT_GT(claims, 1000);
  if (createHighsBackend()) {
    EXPECT_GT(staged, 20);
    EXPECT_GE(impossible, 5);
  }
}

} // namespace
