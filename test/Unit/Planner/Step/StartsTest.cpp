//===- StartsTest.cpp - Plans that planning begins with -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/LayeredGraph.h"
#include "Planner/RematGraphs.h"
#include "RandomGraph.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Schedule/Liveness.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace memplan;

namespace {

/// A plan in a file of its own.
class PlanFile {
public:
  PlanFile(const Graph &graph, const Plan &plan) {
    llvm::SmallString<128> path;
    int descriptor = 0;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("start", "plan.json",
                                                    descriptor, path));
    remover.setFile(path);
    name = path.str();
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    writePlan(graph, plan, os);
  }
  std::string name;

private:
  llvm::FileRemover remover;
};

/// Copies that take about as long as nodes.
Graph withBandwidth(Graph graph) {
  graph.bandwidth = Bandwidth{4, 4, 0};
  return graph;
}

std::vector<Graph> graphs() {
  std::vector<Graph> made = {makeChain(14), makeSmallUNet(),
                             makeResidualNet(8)};
  for (uint64_t seed = 1; seed <= 8; ++seed)
    made.push_back(makeRandomGraph(seed, 16));
  for (Graph &graph : made)
    graph = withBandwidth(std::move(graph));
  return made;
}

Plan planned(const Graph &graph, const PlanOptions &options) {
  llvm::Expected<Plan> plan = planStep(graph, options);
  EXPECT_THAT(plan, Succeeds());
  return plan ? std::move(*plan) : Plan();
}

PlanOptions quick(const char *remat, const char *swap, int64_t budget) {
  PlanOptions options;
  options.remat = remat;
  options.swap = swap;
  options.alignmentBytes = 1;
  options.limits.effort = 1;
  options.budgetBytes = budget;
  return options;
}

// What is planned would be slower than a plan that the user has, or there
// would be none where that one keeps the budget.
TEST(Starts, no_plan_is_slower_than_a_start_that_fits) {
  int64_t starts = 0, copied = 0, better = 0, asGood = 0;
  for (const Graph &graph : graphs()) {
    SCOPED_TRACE(graph.name);
    const int64_t peak = measureUnplanned(GraphIndex(graph)).peakBytes;
    for (auto [remat, swap] :
         {std::pair("greedy", "none"), std::pair("search", "none"),
          std::pair("auto", "cost"), std::pair("checkpoint-all", "tflms")})
      for (const char *order : {"auto", "source"})
        for (int64_t percent : {60, 75, 90}) {
          PlanOptions options = quick(remat, swap, peak * percent / 100);
          options.limits.effort = 300;
          options.order = order;
          const Plan start = planned(graph, options);
          if (start.steps.empty())
            continue;
          ++starts;
          const bool copies = swap != std::string("none");
          copied += copies;
          const PlanFile file(graph, start);
          const int64_t bytes = deviceBytesOf(graph, start);
          for (int64_t budget : {bytes, bytes + 1, peak}) {
            options = quick("auto", copies ? "cost" : "none", budget);
            const double without = planned(graph, options).makespan();
            options.starts = file.name;
            const Plan plan = planned(graph, options);
            ASSERT_FALSE(plan.steps.empty()) << remat << '+' << swap;
            EXPECT_LE(plan.makespan(), start.makespan() + 1e-9)
                << remat << '+' << swap << " at " << budget;
            EXPECT_EQ(plan.note.find("left out"), std::string::npos)
                << plan.note;
            better += plan.makespan() < start.makespan() - 1e-9;
            asGood += plan.makespan() < without - 1e-9;
          }
        }
  }
  EXPECT_GT(starts, 90);
  EXPECT_GT(copied, 30);
  EXPECT_GT(better, 30); // Searches go on from them.
  EXPECT_GT(asGood, 10); // They are needed.
}

// The least budget would be above that of a plan in hand.
TEST(Starts, more_budget_than_a_start_takes_has_a_plan_in_time_too) {
  const Graph graph = withBandwidth(makeResidualNet(8));
  const int64_t peak = measureUnplanned(GraphIndex(graph)).peakBytes;
  PlanOptions options = quick("search", "cost", peak * 6 / 10);
  options.limits.effort = 3000;
  const Plan start = planned(graph, options);
  ASSERT_FALSE(start.steps.empty());
  const PlanFile file(graph, start);
  options = quick("auto", "cost", deviceBytesOf(graph, start));
  options.starts = file.name;
  options.limits.timeLimitSeconds = 1e-3;
  const Plan plan = planned(graph, options);
  ASSERT_FALSE(plan.steps.empty());
  EXPECT_LE(plan.makespan(), start.makespan() + 1e-9);
}

// A plan that is none of the step would be taken for one, or would be left out
// in silence.
TEST(Starts, what_is_left_out_is_said) {
  const Graph graph = makeChain(14), other = makeSmallUNet();
  const int64_t peak = measureUnplanned(GraphIndex(graph)).peakBytes;
  const PlanFile foreign(
      other, planned(other, quick("auto", "none", int64_t(1) << 40)));
  PlanOptions options = quick("auto", "none", peak);
  options.starts = foreign.name;
  EXPECT_NE(planned(graph, options).note.find("is left out: "),
            std::string::npos);

  const Graph linked = withBandwidth(graph);
  PlanOptions copying = quick("checkpoint-all", "cost", peak * 8 / 10);
  copying.limits.effort = 2000;
  const Plan copies = planned(linked, copying);
  ASSERT_FALSE(copies.steps.empty());
  const PlanFile copied(linked, copies);
  options.starts = copied.name;
  EXPECT_NE(planned(linked, options).note.find("it copies"), std::string::npos);

  options.starts = "/nowhere/start.json";
  llvm::Expected<Plan> plan = planStep(graph, options);
  EXPECT_NE(takeMessage(plan).find("cannot read '/nowhere/start.json'"),
            std::string::npos);
  options.remat = "chen-sqrt";
  plan = planStep(graph, options);
  EXPECT_NE(takeMessage(plan).find("begins with no plan"), std::string::npos);
}

// Users of activation checkpointing would lose by planning, with little effort
// or where copies are of no use.
TEST(Starts, no_plan_is_slower_than_recomputing_whole_layers) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    LayeredStep made;
    made.seed = seed;
    made.layers = 12 + int(seed % 9);
    made.opsOfLayer = 6 + int(seed % 9);
    Graph graph = made.make();
    const GraphIndex index(graph);
    const Schedule layers = recomputeLayers(made, graph);
    ASSERT_THAT(verifySchedule(index, layers), Succeeds());
    const ScheduleMetrics known = measureSchedule(index, layers, {});
    for (const char *remat : {"search", "auto"})
      for (const char *swap : {"none", "search"}) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " " + remat + " " + swap);
        if (llvm::StringRef(swap) != "none")
          graph.bandwidth = Bandwidth{1, 1, 5};
        PlanOptions options;
        options.remat = remat;
        options.swap = swap;
        options.alignmentBytes = 1;
        options.limits.effort = 20;
        // Room to pack.
        options.budgetBytes = known.peakBytes + known.peakBytes / 50;
        llvm::Expected<Plan> plan = planStep(graph, options);
        ASSERT_THAT(plan, Succeeds());
        ASSERT_FALSE(plan->steps.empty());
        EXPECT_LE(plan->makespan(), known.cost * (1 + 1e-9));
        graph.bandwidth.reset();
      }
  }
}

} // namespace
