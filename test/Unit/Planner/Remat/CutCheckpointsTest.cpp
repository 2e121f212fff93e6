//===- CutCheckpointsTest.cpp - What is cheapest to keep ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LayeredGraph.h"
#include "ErrorMatchers.h"
#include "LayerCheckpoints.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <gtest/gtest.h>
#include <set>

using namespace memplan;

namespace {

/// Cost of keeping these and recomputing what else is needed; nothing where
/// that cannot be recomputed.
std::optional<double> costOf(const StageGraph &graph, double costOfByte,
                             const std::set<int32_t> &kept) {
  double cost = 0;
  std::vector<int32_t> open;
  for (int32_t value = 0; value < graph.numValues(); ++value)
    for (int32_t user : graph.values()[value].users)
      if (graph.ops()[graph.values()[value].producer].forward &&
          !graph.ops()[user].forward)
        open.push_back(value);
  std::set<int32_t> needed, recomputed;
  while (!open.empty()) {
    const int32_t value = open.back(), op = graph.values()[value].producer;
    open.pop_back();
    if (!graph.ops()[op].forward || !needed.insert(value).second)
      continue;
    if (kept.count(value)) {
      cost += costOfKeeping(graph, value, costOfByte);
      continue;
    }
    if (!mayRecompute(graph, op))
      return std::nullopt;
    if (!recomputed.insert(op).second)
      continue;
    cost += graph.ops()[op].cost;
    for (int32_t input : graph.ops()[op].inputs)
      open.push_back(input);
  }
  return cost;
}

// Values share what they are recomputed from, so that deciding one at a time
// pays for it twice.
TEST(CutCheckpoints, no_choice_of_kept_values_costs_less) {
  int64_t mixed = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = RandomGraphBuilder(seed, 14).make();
    for (size_t node = 8; node < graph.nodes.size(); ++node)
      graph.nodes[node].backward = true;
    const GraphIndex index(graph);
    const StageGraph stages(index, /*inPlace=*/true);
    std::vector<int32_t> values;
    int64_t bytes = 1;
    for (int32_t value = 0; value < stages.numValues(); ++value)
      if (stages.ops()[stages.values()[value].producer].forward) {
        values.push_back(value);
        bytes += stages.values()[value].bytes;
      }
    if (values.size() > 12 || stages.totalCost() <= 0)
      continue;
    for (double share : {0.1, 0.5, 2.0}) {
      const double costOfByte = share * stages.totalCost() / double(bytes);
      double least = std::numeric_limits<double>::infinity();
      for (uint32_t choice = 0; choice < 1U << values.size(); ++choice) {
        std::set<int32_t> kept;
        for (size_t i = 0; i < values.size(); ++i)
          if (choice >> i & 1)
            kept.insert(values[i]);
        if (const std::optional<double> its = costOf(stages, costOfByte, kept))
          least = std::min(least, *its);
      }
      const std::vector<bool> isKept = keptByCut(stages, costOfByte);
      std::set<int32_t> kept;
      for (int32_t value : values)
        if (isKept[value])
          kept.insert(value);
      const std::optional<double> its = costOf(stages, costOfByte, kept);
      ASSERT_TRUE(its);
      EXPECT_NEAR(*its, least, 1e-6 * stages.totalCost());
      mixed += int64_t(!kept.empty() && kept.size() < values.size());
    }
  }
  EXPECT_GT(mixed, 100);
}

// Levels that keep next to nothing may need more bytes than those before them:
// a halving from the last one would end there.
TEST(CutCheckpoints, find_a_level_where_the_last_one_needs_more_bytes) {
  int risen = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = RandomGraphBuilder(seed, 24).make();
    for (size_t node = 14; node < graph.nodes.size(); ++node)
      graph.nodes[node].backward = true;
    const GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    CutCheckpoints cuts(problem);
    const int last = cuts.numLevels() - 1;
    int64_t least = cuts.at(last).peakBytes;
    for (int level = 0; level < last; level += last / 32)
      least = std::min(least, cuts.at(level).peakBytes);
    auto isEnough = [&](const RematPlan &plan) {
      return plan.peakBytes <= least;
    };
    const int found = cuts.leastThat(isEnough);
    EXPECT_TRUE(isEnough(cuts.at(found)));
    EXPECT_TRUE(found == 0 || !isEnough(cuts.at(found - 1)));
    risen += cuts.at(last).peakBytes > least;
  }
  EXPECT_GT(risen, 5);
}

// Levels are what searches halve: less is kept from one to the next, and some
// layers change before others.
TEST(CutCheckpoints, take_ever_less_recomputation_by_layers) {
  LayeredStep made;
  made.layers = 16;
  const Graph graph = made.make();
  const GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  CutCheckpoints checkpoints(problem);
  std::set<double> costs;
  for (int level = 0; level < checkpoints.numLevels(); level += 8) {
    const RematPlan &plan = checkpoints.at(level);
    ASSERT_THAT(verifySchedule(index, plan.schedule), Succeeds());
    EXPECT_GE(plan.cost, costs.empty() ? 0 : *costs.rbegin());
    costs.insert(plan.cost);
  }
  // More than there are kinds of values in a layer.
  EXPECT_GT(costs.size(), 2 * size_t(made.opsOfLayer));
  const double some = *std::next(costs.begin(), 5);
  const int level = checkpoints.leastThat(
      [&](const RematPlan &plan) { return plan.cost >= some; });
  EXPECT_GE(checkpoints.at(level).cost, some);
  EXPECT_LT(checkpoints.at(level - 1).cost, some);
}

} // namespace
