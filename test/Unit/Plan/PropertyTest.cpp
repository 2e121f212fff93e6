//===- PropertyTest.cpp - Schedules and replay on random graphs -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "../RandomGraph.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace memplan;

namespace {

/// The plan of a schedule, with the claims that measureSchedule() makes.
Plan makePlan(const GraphIndex &index, const Schedule &schedule,
              const InPlaceChoice &inPlace) {
  ScheduleMetrics metrics = measureSchedule(index, schedule, inPlace);
  Plan plan;
  plan.graphName = index.graph().name;
  plan.graphHash = hashGraph(index.graph());
  plan.status = SolveStatus::Feasible;
  plan.time = plan.cost = metrics.cost;
  plan.peakBytes = metrics.peakBytes;
  plan.solver = "test";
  plan.steps = buildActions(index, schedule, inPlace);
  return plan;
}

/// What the random plans exercised, so that the generator cannot quietly lose
/// its teeth.
struct Coverage {
  int plans = 0, recomputations = 0, inPlace = 0, discardedBases = 0,
      discardedViews = 0, viewRecomputations = 0, writes = 0, donatedTaken = 0;

  void count(const GraphIndex &index, const Plan &plan) {
    const Graph &graph = index.graph();
    std::vector<int> runs(graph.nodes.size());
    ++plans;
    for (const PlanAction &step : plan.steps) {
      if (step.action != ActionKind::Compute)
        continue;
      const Node &node = graph[step.node];
      bool isRecomputation = runs[step.node.index]++ > 0;
      recomputations += isRecomputation;
      writes += !node.writes.empty();
      for (const InPlacePair &pair : step.inPlace) {
        ++inPlace;
        donatedTaken += graph[index.base(pair.input)].donated;
      }
      for (TensorId id : step.discard)
        ++(graph[id].viewOf ? discardedViews : discardedBases);
      for (TensorId id : node.outputs)
        viewRecomputations += isRecomputation && graph[id].viewOf &&
                              !llvm::is_contained(step.discard, id);
    }
  }
};

/// Files for other checkers, where MEMPLAN_PLAN_DIR asks for them.
void dump(const Graph &graph, const Plan &plan, uint64_t trial) {
  const char *directory = std::getenv("MEMPLAN_PLAN_DIR");
  if (!directory)
    return;
  std::error_code error;
  std::string stem = std::string(directory) + "/" + std::to_string(trial);
  llvm::raw_fd_ostream graphFile(stem + ".graph.json", error);
  ASSERT_FALSE(error);
  writeGraph(graph, graphFile);
  llvm::raw_fd_ostream planFile(stem + ".plan.json", error);
  ASSERT_FALSE(error);
  writePlan(graph, plan, planFile);
}

// If a step list, the measure and the replay disagreed, planners would promise
// peaks that no execution has.
TEST(RandomSchedules, StepsReplayToTheMeasuredPeak) {
  Coverage coverage;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 3 + static_cast<int>(seed % 23));
    ASSERT_THAT(graph.check(), Succeeds());
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    ASSERT_THAT(verifySchedule(index, schedule), Succeeds());
    InPlaceChoice inPlace = makeRandomInPlace(index, schedule, seed);
    Plan plan = makePlan(index, schedule, inPlace);
    dump(graph, plan, seed);
    ASSERT_THAT(verifyPlan(index, plan), Succeeds());
    coverage.count(index, plan);
  }
  // If a feature no longer occurs, the loop proves nothing about it.
  EXPECT_GT(coverage.recomputations, 2000);
  EXPECT_GT(coverage.inPlace, 500);
  EXPECT_GT(coverage.discardedBases, 200);
  EXPECT_GT(coverage.discardedViews, 100);
  EXPECT_GT(coverage.viewRecomputations, 200);
  EXPECT_GT(coverage.writes, 500);
  EXPECT_GT(coverage.donatedTaken, 20);
}

// If repairing changed valid schedules, the tests would see fewer shapes.
TEST(RandomSchedules, RepairKeepsValidSchedules) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 3 + static_cast<int>(seed % 23));
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    llvm::Expected<Schedule> again = repairSchedule(index, schedule.runs);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(again->runs, schedule.runs);
  }
}

} // namespace
