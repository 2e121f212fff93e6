//===- LayerCheckpointsTest.cpp - Activation checkpointing by layers ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerCheckpoints.h"
#include "../LayeredGraph.h"
#include "ErrorMatchers.h"
#include "memplan/Planner/Remat/RematSolvers.h"

using namespace memplan;

namespace {

// Views, overwritten values, ops that run once and collectives would be read
// after they are freed, or run where they must not.
TEST(LayerCheckpoints, schedules_are_valid_whatever_is_kept) {
  int64_t recomputed = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = RandomGraphBuilder(seed, 40).make();
    for (size_t node = 20; node < graph.nodes.size(); ++node)
      graph.nodes[node].backward = true;
    const GraphIndex index(graph);
    const StageGraph stages(index, /*inPlace=*/true);
    Dice dice(seed);
    std::vector<bool> isKept;
    for (int32_t value = 0; value < stages.numValues(); ++value)
      isKept.push_back(dice.chance(30));
    Retention retention = recomputeOnce(stages, isKept);
    const Schedule schedule = stages.expand(solveRows(stages, retention));
    EXPECT_THAT(verifySchedule(index, schedule), Succeeds());
    recomputed += int64_t(schedule.runs.size() > graph.nodes.size());
  }
  EXPECT_GT(recomputed, 100);
}

// What users of activation checkpointing have would fit less, or cost less.
TEST(LayerCheckpoints, are_never_worse_than_recomputing_whole_layers) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayeredStep made;
    made.seed = seed;
    made.layers = 12 + int(seed % 9);
    made.opsOfLayer = 6 + int(seed % 9);
    const Graph graph = made.make();
    const GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    const Schedule schedule = recomputeLayers(made, graph);
    ASSERT_THAT(verifySchedule(index, schedule), Succeeds());
    const RematPlan known = measurePlan(problem, schedule);
    bool isFound = false;
    std::string members;
    for (const RematPlan &plan : planCheckpointFamily(problem)) {
      isFound |= plan.peakBytes <= known.peakBytes && plan.cost <= known.cost;
      members += plan.report.solver + " " + std::to_string(plan.peakBytes) +
                 " " + std::to_string(plan.cost) + "\n";
    }
    EXPECT_TRUE(isFound) << known.peakBytes << " " << known.cost << "\n"
                         << members;
  }
}

} // namespace
