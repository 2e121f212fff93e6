//===- ClaimsOracleTest.cpp - What planners claim, against all plans ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "PlanOracle.h"
#include "RandomGraph.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/WorkingSet.h"

using namespace memplan;

namespace {

/// Three or four nodes with everything that a graph may have; sizes of three
/// kinds, so that outputs often fit over inputs.
Graph makeTinyGraph(uint64_t seed) {
  Dice dice(seed * 7919);
  Graph graph = makeRandomGraph(seed, 3 + int(seed % 2));
  for (Tensor &tensor : graph.tensors)
    if (!tensor.viewOf)
      tensor.bytes = (1 + dice.roll(3)) * 8;
  for (Node &node : graph.nodes) {
    node.cost = double(1 + dice.roll(9));
    node.workspaceBytes = dice.chance(50) ? dice.roll(5) * 8 : 0;
    if (dice.chance(40))
      node.variants.push_back(
          {node.cost + double(dice.roll(5)), dice.roll(3) * 8});
    if (dice.chance(10))
      node.variants.push_back({node.cost - 1, 40});
  }
  EXPECT_THAT(graph.check(), Succeeds());
  return graph;
}

/// The oracle's plan with the claims that it shows.
Plan planOf(const Graph &graph, const PlanOracle::Answer &answer) {
  Plan plan;
  plan.graphName = graph.name;
  plan.status = SolveStatus::Feasible;
  plan.cost = plan.time = answer.cost;
  plan.peakBytes = answer.peakBytes;
  plan.steps = answer.steps;
  return plan;
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

} // namespace
