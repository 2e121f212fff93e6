//===- RematCasesTest.cpp - Cases with outcomes known beforehand ----------===//
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

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Remat/Checkmate.h"
#include "memplan/Planner/Remat/RematSolvers.h"

using namespace memplan;

namespace {

/// What a solver says of a graph at a budget.
RematPlan solve(const Graph &graph, const char *solver,
                std::optional<int64_t> budget,
                const char *formulation = "tight") {
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = budget;
  SolveLimits limits;
  limits.milpFormulation = formulation;
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), solver), limits);
  if (!plan) {
    ADD_FAILURE() << solver << ": " << takeMessage(plan);
    return {};
  }
  return std::move(*plan);
}

bool hasHighs() { return createHighsBackend() != nullptr; }

// The plan without recomputation would cost or hold something else than the sum
// of the step.
TEST(RematCases, CK1_checkpoint_all_on_chains) {
  for (int n : {2, 3, 4}) {
    RematPlan plan = solve(makeChain(n), "checkpoint-all", std::nullopt);
    EXPECT_EQ(plan.cost, 2 * n + 1);
    EXPECT_EQ(plan.peakBytes, n + 2);
    EXPECT_EQ(plan.report.status, SolveStatus::Optimal);
  }
}

// The integer program would miss the optimum, or claim an impossible one.
TEST(RematCases, CK1_milp_on_chains) {
  if (!hasHighs())
    GTEST_SKIP() << "built without HiGHS";
  const std::vector<std::vector<int>> costs = {
      {6, 5, 5}, {10, 8, 7, 7}, {15, 11, 10, 9}};
  for (int n : {2, 3, 4}) {
    Graph graph = makeChain(n);
    RematPlan tooSmall = solve(graph, "milp", 2);
    EXPECT_EQ(tooSmall.report.status, SolveStatus::Infeasible);
    EXPECT_EQ(tooSmall.boundBytes, 3);
    for (size_t i = 0; i < costs[size_t(n - 2)].size(); ++i) {
      RematPlan plan = solve(graph, "milp", 3 + int64_t(i));
      EXPECT_EQ(plan.cost, costs[size_t(n - 2)][i])
          << "C(" << n << ") at " << 3 + i;
      EXPECT_EQ(plan.report.status, SolveStatus::Optimal);
    }
  }
}

// At three units every forward value is rebuilt from the first one: (n + 1)(n +
// 2) / 2.
TEST(RematCases, CK3_closed_form_at_three_units) {
  if (!hasHighs())
    GTEST_SKIP() << "built without HiGHS";
  for (int n = 2; n <= 6; ++n)
    EXPECT_EQ(solve(makeChain(n), "milp", 3).cost, (n + 1) * (n + 2) / 2) << n;
}

/// C(2) with what CK-4 keeps: 0 into stage 1, 1 into stages 2 and 3, 2 into
/// stage 3, 3 into stage 4.
Retention keepOfCase4(const StageGraph &graph) {
  Retention retention(graph.numStages(), graph.numValues());
  retention.set(0, 1, 1, true);
  retention.set(1, 2, 3, true);
  retention.set(2, 3, 3, true);
  retention.set(3, 4, 4, true);
  return retention;
}

// The memory of a stage would be counted differently from the paper.
TEST(RematCases, CK4_bytes_of_stages) {
  Graph step = makeChain(2);
  GraphIndex index(step);
  StageGraph graph(index, false);
  Retention retention = keepOfCase4(graph);
  StageRows rows = solveRows(graph, retention);
  auto bytes = stageBytes(graph, rows, retention);
  bytes.pop_back(); // The end of the step.
  EXPECT_EQ(bytes, (std::vector<std::vector<int64_t>>{
                       {1}, {1, 2}, {1, 1, 2}, {2, 2, 2, 3}, {2, 2, 2, 2, 3}}));
  // Freed at once after node 1, since nothing keeps it.
  EXPECT_TRUE(isFreed(graph, rows, retention, 1, 0, 1));
  Schedule schedule = graph.expand(rows);
  EXPECT_EQ(schedule.runs,
            (std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(2), NodeId(3),
                                 NodeId(0), NodeId(4)}));
  EXPECT_EQ(measureSchedule(index, schedule, InPlaceChoice(6)).peakBytes, 3);
}

// A value kept for the backward pass would be freed by its last forward user.
TEST(RematCases, CK5_kept_values_are_not_freed) {
  Graph step = makeChain(3);
  GraphIndex index(step);
  StageGraph graph(index, false);
  Retention retention = keepAll(graph);
  StageRows rows = solveRows(graph, retention);
  EXPECT_FALSE(isFreed(graph, rows, retention, 3, 1,
                       2)); // Node 2 does not run in stage 3 and 1 is kept.
  EXPECT_FALSE(isFreed(graph, rows, retention, 2, 1,
                       2)); // It does in stage 2, but 1 is kept.
  EXPECT_TRUE(isFreed(graph, rows, retention, 5, 1, 5));
}

// A graph that is not a chain would get a wrong optimum or a wrong bound on the
// budget.
TEST(RematCases, CK6_small_unet) {
  Graph graph = makeSmallUNet();
  RematPlan all = solve(graph, "checkpoint-all", std::nullopt);
  EXPECT_EQ(all.cost, 91);
  EXPECT_EQ(all.peakBytes, 27);
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  EXPECT_EQ(problem.lowerBoundBytes(), 21); // CK-7: valid, not tight.
  StageGraph stages(index, true);
  EXPECT_EQ(articulationCandidates(stages), (Checkpoints{0, 4}));
  EXPECT_EQ(solve(graph, "milp", 20).report.status, SolveStatus::Infeasible);
  RematPlan inOrder = solve(graph, "milp", 24);
  EXPECT_EQ(inOrder.report.status, SolveStatus::Infeasible);
  EXPECT_EQ(inOrder.report.boundSpace, "fixed-order");
  EXPECT_EQ(inOrder.report.proof, "exact");
  if (!hasHighs())
    GTEST_SKIP() << "built without HiGHS";
  RematPlan none = solve(graph, "milp", 24, "paper");
  EXPECT_EQ(none.report.status, SolveStatus::Infeasible);
  EXPECT_EQ(none.report.boundSpace, "staged");
  EXPECT_EQ(solve(graph, "milp", 25).cost, 113);
  EXPECT_EQ(solve(graph, "milp", 26).cost, 95);
  EXPECT_EQ(solve(graph, "milp", 27).cost, 91);
}

// The heuristic search would stay behind the integer program on graphs that it
// can search through.
TEST(RematCases, greedy_reaches_known_optima) {
  EXPECT_EQ(solve(makeSmallUNet(), "greedy", 25).cost, 113);
  EXPECT_EQ(solve(makeSmallUNet(), "greedy", 26).cost, 95);
  EXPECT_EQ(solve(makeChain(4), "greedy", 3).cost, 15);
  EXPECT_EQ(solve(makeChain(4), "greedy", 4).cost, 11);
}

// A budget that only a schedule outside Checkmate's stages meets would be
// called impossible.
TEST(RematCases, CK9_infeasible_in_stages_is_not_proved_infeasible) {
  if (!hasHighs())
    GTEST_SKIP() << "built without HiGHS";
  Graph graph = makeGraph({{}, {0}, {0}, {1}, {1, 2}, {0, 4, 3}},
                          {3, 1, 2, 2, 1, 2}, {1, 2, 1, 2, 3, 1}, 6);
  RematPlan plan = solve(graph, "milp", 7, "paper");
  EXPECT_TRUE(plan.schedule.runs.empty());
  EXPECT_EQ(plan.report.boundSpace, "staged");
  EXPECT_EQ(plan.report.proof, "solver");
  RematPlan inOrder = solve(graph, "milp", 7);
  EXPECT_EQ(inOrder.cost, 16);
  EXPECT_EQ(inOrder.report.status, SolveStatus::Optimal);
  EXPECT_EQ(inOrder.report.boundSpace, "fixed-order");
}

// More would be run than S asks for.
TEST(RematCases, CK10_least_rows_for_what_is_kept) {
  Graph step = makeChain(2);
  GraphIndex index(step);
  StageGraph graph(index, false);
  Retention retention = keepOfCase4(graph);
  StageRows rows = solveRows(graph, retention);
  rows.pop_back();
  EXPECT_EQ(rows, (StageRows{{0}, {1}, {2}, {3}, {0, 4}}));
}

// Without the rows that tie FREE to R the model frees what was never there: its
// optimum is cheaper than any plan.
TEST(RematCases, CK13_free_needs_a_run) {
  std::unique_ptr<MilpBackend> backend = createHighsBackend();
  if (!backend)
    GTEST_SKIP() << "built without HiGHS";
  struct Case {
    int n, budget, cost, peak;
  };
  for (Case c : {Case{3, 3, 8, 4}, Case{4, 3, 11, 4}, Case{4, 4, 10, 5}}) {
    Graph step = makeChain(c.n);
    GraphIndex index(step);
    StageGraph graph(index, false);
    Checkmate broken(graph, c.budget, {.freeNeedsRun = false});
    llvm::Expected<MilpResult> result = backend->solve(broken.model(), {}, {});
    ASSERT_THAT(result, Succeeds());
    EXPECT_NEAR(broken.cost(broken.model().objective(result->values)), c.cost,
                1e-6);
    Retention retention = broken.retentionAt(result->values);
    RematProblem problem;
    problem.index = &index;
    problem.budgetBytes = c.budget;
    RematPlan plan =
        measurePlan(problem, graph.expand(solveRows(graph, retention)));
    EXPECT_GT(plan.peakBytes, c.budget);
    EXPECT_THAT(problem.verify(plan), FailsWith("exceeds the budget"));
  }
}

// Chen's checkpoints would stand elsewhere, or a segment would not come back as
// a whole.
TEST(RematCases, CK15_chen_on_chains) {
  struct Case {
    int n, cost, peak;
    Checkpoints checkpoints;
  };
  for (const Case &c :
       {Case{4, 11, 5, {1, 3}}, Case{8, 21, 7, {1, 3, 5, 7}},
        Case{9, 25, 7, {2, 5, 8}}, Case{16, 45, 9, {3, 7, 11, 15}}}) {
    Graph graph = makeChain(c.n);
    GraphIndex index(graph);
    StageGraph stages(index, true);
    EXPECT_EQ(everySqrt(linearCandidates(stages)), c.checkpoints);
    EXPECT_EQ(articulationCandidates(stages), linearCandidates(stages))
        << "every forward node of a chain is one";
    for (const char *solver : {"chen-sqrt", "ap-sqrt", "linearized-sqrt"}) {
      RematPlan plan = solve(graph, solver, std::nullopt);
      EXPECT_EQ(plan.cost, c.cost) << solver << " on C(" << c.n << ")";
      EXPECT_EQ(plan.peakBytes, c.peak) << solver << " on C(" << c.n << ")";
    }
  }
  Graph graph = makeChain(16);
  GraphIndex index(graph);
  StageGraph stages(index, true);
  Checkpoints candidates = linearCandidates(stages);
  EXPECT_EQ(byAccumulatedBytes(stages, candidates, 1),
            (Checkpoints{1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(byAccumulatedBytes(stages, candidates, 2),
            (Checkpoints{2, 5, 8, 11, 14}));
  EXPECT_EQ(byAccumulatedBytes(stages, candidates, 3),
            (Checkpoints{3, 7, 11, 15}));
  for (const char *solver : {"chen-greedy", "ap-greedy", "linearized-greedy"}) {
    EXPECT_EQ(solve(graph, solver, 11).cost, 41) << solver;
    EXPECT_EQ(solve(graph, solver, 9).cost, 43) << solver;
    EXPECT_EQ(solve(graph, solver, std::nullopt).cost, 33) << solver;
  }
}

// A baseline would beat the integer program at its own peak.
TEST(RematCases, CK15_baselines_cost_at_least_the_optimum) {
  if (!hasHighs())
    GTEST_SKIP() << "built without HiGHS";
  EXPECT_EQ(solve(makeChain(8), "milp", 7).cost, 20);
  EXPECT_EQ(solve(makeChain(8), "milp", 6).cost, 21);
  EXPECT_EQ(solve(makeChain(8), "chen-greedy", 7).cost, 21);
}

// A value that is kept for nothing would stay in memory when the plan runs.
TEST(RematCases, CK16_idle_retention_is_freed_at_once) {
  Graph step = makeChain(3);
  GraphIndex index(step);
  StageGraph graph(index, false);
  Retention retention(graph.numStages(), graph.numValues());
  retention.set(0, 1, 2, true); // Kept into stage 2, where nothing reads it.
  retention.set(1, 2, 2, true);
  retention.set(2, 3, 4, true);
  retention.set(3, 4, 4, true);
  retention.set(4, 5, 5, true);
  retention.set(5, 6, 6, true);
  StageRows rows = solveRows(graph, retention);
  auto bytes = stageBytes(graph, rows, retention);
  EXPECT_EQ(bytes[2][0], 2); // U counts it from the begin of the stage.
  int64_t most = 0;
  for (const std::vector<int64_t> &stage : bytes)
    most = std::max(most, *std::max_element(stage.begin(), stage.end()));
  Schedule schedule = graph.expand(rows);
  EXPECT_LE(
      measureSchedule(index, schedule, InPlaceChoice(schedule.runs.size()))
          .peakBytes,
      most);
  std::vector<PlanAction> steps =
      buildActions(index, schedule, InPlaceChoice(schedule.runs.size()));
  // compute 0, compute 1, free 0: before stage 2 begins.
  ASSERT_GT(steps.size(), 2u);
  EXPECT_EQ(steps[2].action, ActionKind::Free);
  EXPECT_EQ(steps[2].tensors, std::vector<TensorId>{TensorId(0)});
}

// A linear solver would silently plan a graph that it is not made for.
TEST(RematCases, chen_refuses_graphs_that_are_no_path) {
  Graph graph = makeSmallUNet();
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  EXPECT_THAT(solve(problem, solverNamed(rematSolvers(), "chen-sqrt"), {}),
              FailsWith("use 'ap-sqrt'"));
  EXPECT_THAT(solve(problem, solverNamed(rematSolvers(), "chen-greedy"), {}),
              FailsWith("use 'ap-greedy'"));
}

} // namespace
