//===- CopySearchTest.cpp - The search with copies against all plans ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyOracle.h"
#include "ErrorMatchers.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Bounds/TimeBound.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Search/SearchProblem.h"
#include "memplan/Planner/Step/PlanStep.h"

using namespace memplan;

namespace {

/// A multiple of the count for longer runs: MEMPLAN_ORACLE_RUNS.
int graphCount(int count) {
  const char *times = std::getenv("MEMPLAN_ORACLE_RUNS");
  return count * (times ? std::max(1, std::atoi(times)) : 1);
}

int64_t peakOf(const GraphIndex &index) {
  return measureUnplanned(index).peakBytes;
}

/// What a plan made by those names claims, which must be no more than `fastest`
/// live bytes allow: its arenas fit the same budget. True for a claim above
/// every node run once.
bool expectClaimBelow(const Graph &graph, int64_t budget, bool mayRecompute,
                      int64_t fastest) {
  PlanOptions options;
  options.remat = mayRecompute ? "search" : "checkpoint-all";
  options.swap = "search";
  options.order = "source";
  options.budgetBytes = budget;
  options.alignmentBytes = 1;
  options.limits.effort = 60;
  llvm::Expected<Plan> plan = planStep(graph, options);
  EXPECT_TRUE(bool(plan)) << takeMessage(plan);
  if (!plan || !hasSteps(plan->status))
    return false;
  EXPECT_TRUE(plan->timeBound);
  EXPECT_LE(plan->timeBound.value_or(HUGE_VAL), double(fastest));
  EXPECT_THAT(verifyPlan(GraphIndex(graph), *plan, budget), Succeeds());
  return plan->timeBoundSpace != "free-order";
}

// A bound would be above the time of a plan, a plan would break the budget or
// take another time than it says, or the search would often miss the fastest.
TEST(CopySearch, bounds_and_plans_enclose_the_fastest_plan) {
  int compared = 0, planned = 0, reached = 0, copied = 0, above = 0,
      claimed = 0;
  for (int seed = 1; seed <= graphCount(1200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeCopyGraph(uint64_t(seed), 5 + seed % 3);
    Dice dice(uint64_t(seed) * 31);
    const int toHost = 1 + int(dice.roll(2)), toDevice = 1 + int(dice.roll(2));
    const int latency = int(dice.roll(2));
    graph.bandwidth = Bandwidth{1.0 / toDevice, 1.0 / toHost, double(latency)};
    ASSERT_THAT(graph.check(), Succeeds());
    const GraphIndex index(graph);
    SearchProblem problem;
    problem.index = &index;
    problem.bandwidth = *graph.bandwidth;
    RematProblem working;
    working.index = &index;
    const int64_t least = working.lowerBoundBytes();
    problem.budgetBytes =
        least + dice.roll(std::max<int64_t>(1, peakOf(index) - least));
    problem.rules.mayRecompute = seed % 5 != 0;
    SolveLimits limits;
    limits.effort = 1000;
    const FoundPlan plan = searchPlan(problem, limits);
    if (!plan.actions.empty()) {
      Plan replayed;
      replayed.steps = plan.actions;
      llvm::Expected<Replay> replay = replayPlan(index, replayed);
      ASSERT_TRUE(bool(replay)) << takeMessage(replay);
      EXPECT_LE(replay->peakBytes, problem.budgetBytes);
      EXPECT_NEAR(replay->time, plan.time, 1e-6);
      ++planned;
      copied += llvm::any_of(plan.actions, [](const PlanAction &action) {
        return action.action == ActionKind::Fetch;
      });
    }
    if (!problem.rules.mayRecompute)
      for (Node &node : graph.nodes)
        node.recompute = false;
    CopyOracle oracle(graph, problem.budgetBytes, toHost, toDevice, latency);
    if (plan.actions.empty())
      continue;
    const auto known = int64_t(std::lround(plan.time));
    const std::optional<int64_t> fastest = oracle.fastest(known, 8000);
    if (!fastest)
      continue;
    ++compared;
    reached += *fastest == known;
    const ContractedStep step(index, true);
    const OrderRows rows(step);
    const double bound =
        boundTime({&rows, problem.budgetBytes, problem.bandwidth,
                   problem.rules.mayRecompute, true, 0, double(*fastest)},
                  240);
    EXPECT_LE(bound, double(*fastest));
    above += bound > rows.leastCost() + 1e-6;
    claimed += expectClaimBelow(graph, problem.budgetBytes,
                                problem.rules.mayRecompute, *fastest);
  }
  EXPECT_GE(planned, graphCount(600));
  EXPECT_GE(compared, graphCount(500));
  EXPECT_GE(reached, compared * 95 / 100);
  EXPECT_GE(copied, graphCount(100));
  EXPECT_GE(above, graphCount(20));
  EXPECT_GE(claimed, graphCount(15));
}

} // namespace
