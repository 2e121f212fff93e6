//===- RematTest.cpp - Constraints of the remat problem -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Solver/MilpModel.h"

using namespace memplan;

namespace {

/// A chain with a correct plan for it, to be broken.
struct Sample {
  Graph graph = makeChain(3);
  GraphIndex index{graph};
  RematProblem problem;
  RematPlan plan;

  Sample() {
    problem.index = &index;
    plan = measurePlan(problem, sourceSchedule(graph));
    EXPECT_THAT(problem.verify(plan), Succeeds());
  }
};

// A broken graph would reach a solver.
TEST(RematCheck, remat_i1_rejects_a_broken_graph) {
  Sample sample;
  sample.graph.nodes[2].cost = -1;
  EXPECT_THAT(sample.problem.check(), FailsWith("remat_i1"));
}

// A budget of nothing would be called a wish.
TEST(RematCheck, remat_i2_rejects_a_negative_budget) {
  Sample sample;
  sample.problem.budgetBytes = -1;
  EXPECT_THAT(sample.problem.check(),
              FailsWith("remat_i2: budget of -1 bytes"));
}

// A node would read what is not there.
TEST(RematVerify, remat_c1_rejects_a_read_before_its_run) {
  Sample sample;
  std::swap(sample.plan.schedule.runs[1], sample.plan.schedule.runs[2]);
  EXPECT_THAT(sample.problem.verify(sample.plan), FailsWith("remat_c1"));
}

// A plan would promise a peak or a cost that its runs do not have.
TEST(RematVerify, remat_c2_rejects_false_claims) {
  Sample sample;
  sample.plan.peakBytes -= 1;
  EXPECT_THAT(sample.problem.verify(sample.plan),
              FailsWith("remat_c2: peak is 5 bytes"));
  sample.plan.peakBytes += 1;
  sample.plan.cost = 6;
  EXPECT_THAT(sample.problem.verify(sample.plan),
              FailsWith("remat_c2: cost is 7"));
}

// A plan over budget would be returned.
TEST(RematVerify, remat_c3_rejects_a_peak_over_budget) {
  Sample sample;
  sample.problem.budgetBytes = 4;
  EXPECT_THAT(sample.problem.verify(sample.plan),
              FailsWith("remat_c3: peak of 5 bytes"));
}

// A plan would be called optimal without a bound that says so.
TEST(RematVerify, remat_c4_rejects_optimal_without_a_bound) {
  Sample sample;
  sample.plan.report.bound = 6;
  sample.plan.report.status = SolveStatus::Optimal;
  EXPECT_THAT(sample.problem.verify(sample.plan), FailsWith("remat_c4"));
}

// A proof against the plan in hand would be rounded down to the plan's cost.
TEST(RematVerify, remat_c4_rejects_a_bound_above_the_cost) {
  Sample sample;
  sample.plan.report.bound = sample.plan.cost * 1.01;
  sample.plan.report.status = SolveStatus::Optimal;
  EXPECT_THAT(sample.problem.verify(sample.plan),
              FailsWith("remat_c4: the bound"));
}

// A solver would give up without saying so, or claim a proof that it does not
// have.
TEST(RematVerify, remat_c5_rejects_an_empty_answer) {
  Sample sample;
  RematPlan none;
  EXPECT_THAT(sample.problem.verify(none),
              FailsWith("remat_c5: status is feasible"));
  none.report.status = SolveStatus::Infeasible;
  none.boundBytes = 3;
  sample.problem.budgetBytes = 4;
  EXPECT_THAT(sample.problem.verify(none), FailsWith("remat_c5"));
  none.report.status = SolveStatus::NoPlan;
  EXPECT_THAT(sample.problem.verify(none), Succeeds());
}

// A value that reads a parameter would be recomputed after the parameter was
// overwritten.
TEST(RematVerify, remat_c1_rejects_recomputation_after_an_update) {
  Graph graph = makeResidualNet(2);
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  Schedule schedule = sourceSchedule(graph);
  schedule.runs.push_back(
      NodeId(0)); // Reads the first weight, after its update.
  RematPlan plan = measurePlan(problem, schedule);
  EXPECT_THAT(problem.verify(plan), FailsWith("remat_c1"));
}

static RematPlan keepAll(const RematProblem &problem) {
  return llvm::cantFail(
      solve(problem, solverNamed(rematSolvers(), "checkpoint-all"), {}));
}

/// That share of the bytes above those that are always there.
static int64_t shareOf(const Graph &graph, const RematPlan &all, int percent) {
  const int64_t persistent = graph.persistentBytes();
  return persistent + (all.peakBytes - persistent) * percent / 100;
}

// No solver would recompute it there either, whatever the budget.
TEST(RematSolvers, greedy_respects_updates_and_budgets) {
  Graph graph = makeResidualNet(12);
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  const RematPlan all = keepAll(problem);
  double before = all.cost;
  for (int percent : {80, 60, 50}) {
    problem.budgetBytes = shareOf(graph, all, percent);
    double best = 0;
    for (const char *name : {"greedy", "ap-greedy", "linearized-greedy"}) {
      llvm::Expected<RematPlan> plan =
          solve(problem, solverNamed(rematSolvers(), name), {});
      ASSERT_THAT(plan, Succeeds()) << name;
      if (plan->schedule.runs.empty()) {
        EXPECT_STRNE(name, "greedy") << percent;
        continue;
      }
      if (std::string(name) == "greedy")
        best = plan->cost;
      EXPECT_GE(plan->cost, best - 1e-9)
          << name << " beats greedy at " << percent << " percent";
    }
    EXPECT_GE(best, before - 1e-9);
    before = best;
  }
}

// A failure would not say which node cannot fit.
TEST(RematSolvers, the_largest_working_set_is_named) {
  Graph graph = makeSmallUNet();
  GraphIndex index(graph);
  WorkingSet set = largestWorkingSet(index, true);
  EXPECT_EQ(set.bytes, 21);
  EXPECT_EQ(set.node, NodeId(6));
  EXPECT_EQ(set.tensors.size(), 4u);
}

// A model too large for the integer program would be built, or would end
// without the plan that is known.
TEST(RematSolvers, milp_returns_the_heuristic_plan_of_a_large_graph) {
  Graph graph = makeResidualNet(48);
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  const RematPlan all = keepAll(problem);
  problem.budgetBytes = shareOf(graph, all, 70);
  SolveLimits limits;
  limits.milpFormulation = "paper";
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), "milp"), limits);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_FALSE(plan->schedule.runs.empty());
  EXPECT_NE(plan->report.note.find("too large to build"), std::string::npos)
      << plan->report.note;
  EXPECT_EQ(plan->report.bound, all.cost);
}

// The integer program with lazy rows would stay behind the search that it
// starts from.
TEST(RematSolvers, milp_is_never_behind_search) {
  Graph graph = makeResidualNet(24);
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  const RematPlan all = keepAll(problem);
  for (int percent : {50, 80}) {
    problem.budgetBytes = shareOf(graph, all, percent);
    SolveLimits limits;
    limits.effort = 20'000;
    llvm::Expected<RematPlan> search =
        solve(problem, solverNamed(rematSolvers(), "search"), limits);
    llvm::Expected<RematPlan> milp =
        solve(problem, solverNamed(rematSolvers(), "milp"), limits);
    ASSERT_THAT(search, Succeeds());
    ASSERT_THAT(milp, Succeeds());
    ASSERT_FALSE(search->schedule.runs.empty()) << percent;
    EXPECT_LE(milp->cost, search->cost) << percent;
    EXPECT_GE(*milp->report.bound, *search->report.bound) << percent;
    EXPECT_GT(*milp->report.bound, *all.report.bound) << percent;
  }
}

} // namespace
