//===- SearchOracleTest.cpp - The search against exhaustive search --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Remat/VariantGraph.h"
#include "../RematGraphs.h"
#include "PlanOracle.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace memplan;

namespace {

struct Tally {
  int compared = 0; ///< Graphs that the contracted step shows in full.
  int feasible = 0, optimal = 0;
};

/// The search against the cheapest of all plans in one space.
void compare(const GraphIndex &index, OracleSpace space, int64_t budget,
             Tally &tally) {
  std::optional<PlanOracle::Answer> best =
      PlanOracle(index, space).cheapest(budget);
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = budget;
  problem.mayReorder = space == OracleSpace::FreeOrder;
  SolveLimits limits;
  limits.effort = 4000;
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), "search"), limits);
  ASSERT_THAT(plan, Succeeds());
  const bool found = !plan->schedule.runs.empty();
  ASSERT_TRUE(best || !found);
  // A node of views that keeps its place hardly ever costs a plan;
  // recomputations that are left out do.
  const ContractedStep step(index, true);
  if (!llvm::StringRef(step.leftOut()).starts_with("recomputations")) {
    ++tally.compared;
    tally.feasible += best.has_value();
    tally.optimal += found && plan->cost <= best->cost + 1e-9;
  }
  if (!found)
    return;
  EXPECT_GE(plan->cost, best->cost - 1e-9);
  Plan actions;
  actions.graphName = index.graph().name;
  actions.status = SolveStatus::Feasible;
  actions.steps = buildActions(index, plan->schedule, plan->inPlace);
  actions.cost = *(actions.time = plan->cost);
  actions.peakBytes = plan->peakBytes;
  EXPECT_THAT(verifyPlan(index, actions, budget,
                         space == OracleSpace::FreeOrder
                             ? FirstRuns::AnyOrder
                             : FirstRuns::SourceOrder),
              Succeeds());
}

// A plan would be invalid, cheaper than any plan can be, or far from the best.
TEST(Search, against_exhaustive_search_on_random_graphs) {
  Tally fixed, free;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int nodes = seed % 50 == 0 ? 8 : 3 + int(seed % 4);
    Graph graph = withVariants(makeRandomGraph(seed, nodes), seed);
    GraphIndex index(graph);
    const int64_t most = measureUnplanned(index).peakBytes;
    const int64_t least = largestWorkingSet(index, true).bytes;
    const int64_t budget = least + (most - least) * int64_t(seed % 3) / 3;
    compare(index, OracleSpace::FixedOrder, budget, fixed);
    compare(index, OracleSpace::FreeOrder, budget, free);
  }
  for (const Tally &tally : {fixed, free}) {
    EXPECT_GT(tally.compared, 150);
    EXPECT_GT(tally.feasible, 130);
    // What is missed needs an output over an input that is read twice, which
    // chooseInPlace() does not take, or an output discarded beside one that
    // stays.
    EXPECT_GE(tally.optimal * 100, tally.feasible * 98)
        << tally.optimal << " of " << tally.feasible;
  }
}

/// How often the search proves something that its bound beforehand does not.
struct Proofs {
  int optimal = 0, impossible = 0;
  int open = 0; ///< Of graphs that the contracted step shows in full.
};

/// What the search claims with its default effort, against all plans of the
/// space that it names.
void checkProofs(const GraphIndex &index, int64_t budget, bool mayReorder,
                 Proofs &proofs) {
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = budget;
  problem.mayReorder = mayReorder;
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), "search"), {});
  ASSERT_THAT(plan, Succeeds());
  const SolveReport &report = plan->report;
  const bool inOrder = report.boundSpace == "fixed-order";
  ASSERT_FALSE(inOrder && mayReorder);
  PlanOracle oracle(index,
                    inOrder ? OracleSpace::FixedOrder : OracleSpace::FreeOrder);
  std::optional<PlanOracle::Answer> best = oracle.cheapest(budget);
  if (best && report.bound)
    EXPECT_LE(*report.bound, best->cost * (1 + 1e-9));
  if (plan->boundBytes)
    EXPECT_LE(*plan->boundBytes, oracle.smallest().peakBytes);
  if (report.status == SolveStatus::Infeasible) {
    EXPECT_FALSE(best);
    EXPECT_GT(plan->boundBytes.value_or(0), budget);
    proofs.impossible += inOrder;
  } else if (report.status == SolveStatus::Optimal) {
    ASSERT_TRUE(best);
    EXPECT_LE(plan->cost, best->cost * (1 + 1e-4));
    proofs.optimal += inOrder;
  } else {
    proofs.open += ContractedStep(index, true).leftOut().empty();
  }
}

// A plan that is not the best would be called so, or a budget that some plan
// keeps impossible; or small steps would stay unproved.
TEST(Search, what_it_proves_of_small_graphs_holds_and_is_most_of_them) {
  Proofs fixed, free;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = withVariants(makeRandomGraph(seed, 5 + int(seed % 2)), seed);
    GraphIndex index(graph);
    const int64_t least =
        PlanOracle(index, OracleSpace::FixedOrder).smallest().peakBytes;
    for (int64_t budget : {least - 1, least})
      checkProofs(index, budget, false, fixed);
    if (seed % 10 == 0)
      checkProofs(index, least - 1, true, free);
  }
  EXPECT_GE(fixed.optimal, 5);
  EXPECT_GE(fixed.impossible, 2);
  EXPECT_LE(fixed.open, 3);
}

/// What the search says of a graph with a value for each node, no in-place.
RematPlan search(const Graph &graph, int64_t budget, bool mayReorder) {
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = budget;
  problem.mayReorder = mayReorder;
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), "search"), {});
  EXPECT_THAT(plan, Succeeds());
  return std::move(*plan);
}

// Nodes could run again only where Checkmate's stages have a place for them, or
// an order that costs less would not be found.
TEST(Search, recomputes_where_stages_have_no_place_and_reorders_where_it_may) {
  Graph staged = makeGraph({{}, {0}, {0}, {1}, {1, 2}, {0, 4, 3}},
                           {3, 1, 2, 2, 1, 2}, {1, 2, 1, 2, 3, 1}, 6);
  EXPECT_EQ(search(staged, 7, false).cost, 16);
  EXPECT_EQ(search(staged, 7, true).cost, 14);
  Graph ordered =
      makeGraph({{}, {0}, {0, 1}, {1}, {1, 2}, {0, 2}, {2, 4, 5, 3}},
                {3, 2, 1, 2, 3, 1, 1}, {3, 1, 2, 2, 1, 3, 1}, 7);
  EXPECT_EQ(search(ordered, 9, false).cost, 18);
  EXPECT_EQ(search(ordered, 9, true).cost, 13);
}

// With updates early, a gradient stands right before its update: to make it
// later, when activations are freed, means to move both. Apart they would stay,
// and the step would pay 6 % instead.
TEST(Search, moves_a_gradient_with_its_update) {
  auto file = llvm::MemoryBuffer::getFile(
      MEMPLAN_TEST_DIR "/../benchmarks/data/graphs/torch_vgg16_b32.graph.json");
  ASSERT_TRUE(bool(file));
  llvm::Expected<Graph> graph = parseGraph((*file)->getBuffer());
  ASSERT_THAT(graph, Succeeds());
  PlanOptions options;
  options.remat = "search";
  options.order = "search";
  options.budgetBytes = 1'950'000'000;
  options.limits.timeLimitSeconds = 3600; // For this budget alone.
  llvm::Expected<Plan> plan = planStep(*graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_LT(plan->cost, 1.04 * *reportRunOnce(*graph).bound);
}

// Where the ramp finds no plan, annealing that weighs cost as much as bytes
// would not find one either.
TEST(Search, looks_for_bytes_first_while_there_is_no_plan) {
  auto file = llvm::MemoryBuffer::getFile(
      MEMPLAN_TEST_DIR "/../benchmarks/data/graphs/torch_vgg16_b32.graph.json");
  ASSERT_TRUE(bool(file));
  llvm::Expected<Graph> graph = parseGraph((*file)->getBuffer());
  ASSERT_THAT(graph, Succeeds());
  EXPECT_FALSE(search(*graph, 1'850'000'000, false).schedule.runs.empty());
}

// Two runs with the same effort would give different plans.
TEST(Search, equal_effort_gives_equal_plans) {
  Graph graph = makeRandomDag(5, 60);
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = measureUnplanned(index).peakBytes * 3 / 4;
  SolveLimits limits;
  limits.effort = 5000;
  const RematSolver &solver = solverNamed(rematSolvers(), "search");
  llvm::Expected<RematPlan> first = solve(problem, solver, limits);
  limits.timeLimitSeconds = 1000;
  llvm::Expected<RematPlan> second = solve(problem, solver, limits);
  ASSERT_THAT(first, Succeeds());
  ASSERT_THAT(second, Succeeds());
  EXPECT_EQ(first->schedule.runs, second->schedule.runs);
  EXPECT_FALSE(first->schedule.runs.empty());
}

} // namespace
