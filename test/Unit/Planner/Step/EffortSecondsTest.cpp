//===- EffortSecondsTest.cpp - Effort that is given in seconds ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/EffortSeconds.h"
#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Step/LeastBudget.h"
#include "memplan/Planner/Step/PlanCurve.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Planner/Thresholds.h"

using namespace memplan;

namespace {

PlanOptions optionsWith(llvm::StringRef effort) {
  PlanOptions options;
  options.alignmentBytes = 1;
  EXPECT_THAT(setOption(options, "effort", effort), Succeeds());
  return options;
}

// A user who gives more seconds would get a worse plan.
TEST(EffortSeconds, more_seconds_are_never_fewer_moves) {
  for (bool hasCopies : {false, true})
    for (int64_t nodes : {0, 1, 25, 40, 300, 999, 1000, 1001, 5000, 200'000}) {
      SCOPED_TRACE(std::to_string(nodes) + (hasCopies ? ", copies" : ""));
      int64_t before = 0;
      for (double seconds = 1e-6; seconds < 1e12; seconds *= 1.7) {
        const int64_t moves = movesWithin(seconds, nodes, hasCopies);
        EXPECT_GE(moves, std::max<int64_t>(before, 1)) << seconds;
        before = moves;
      }
      EXPECT_GT(before, 1'000'000'000);
    }
}

// Beyond the largest step that was measured a move takes longer still.
TEST(EffortSeconds, larger_steps_get_no_more_moves_in_the_same_time) {
  for (bool hasCopies : {false, true})
    for (int64_t nodes = 5'000; nodes < 1'000'000; nodes *= 2)
      EXPECT_LE(movesWithin(1000, 2 * nodes, hasCopies),
                movesWithin(1000, nodes, hasCopies))
          << nodes;
}

// Seconds are a name for a count: the plan is that of the count, whoever asks.
TEST(EffortSeconds, a_plan_in_seconds_is_that_of_their_count) {
  const Graph graph = makeChain(16);
  const auto nodes = int64_t(graph.nodes.size());
  PlanOptions inSeconds = optionsWith("0.05s");
  PlanOptions inMoves =
      optionsWith(std::to_string(movesWithin(0.05, nodes, false)));
  inSeconds.budgetBytes = inMoves.budgetBytes =
      measureUnplanned(GraphIndex(graph)).peakBytes / 2;
  llvm::Expected<Plan> one = planStep(graph, inSeconds);
  llvm::Expected<Plan> other = planStep(graph, inMoves);
  ASSERT_THAT(one, Succeeds());
  ASSERT_THAT(other, Succeeds());
  ASSERT_TRUE(hasSteps(one->status));
  EXPECT_EQ(one->steps, other->steps);
  EXPECT_EQ(one->bound, other->bound);
  llvm::Expected<std::optional<LeastBudget>> least =
      leastBudget(graph, inSeconds);
  llvm::Expected<std::optional<LeastBudget>> same = leastBudget(graph, inMoves);
  ASSERT_THAT(least, Succeeds());
  ASSERT_THAT(same, Succeeds());
  EXPECT_EQ((*least)->bytes, (*same)->bytes);
  llvm::Expected<PlanCurve> curve = planCurve(graph, inSeconds, 4);
  llvm::Expected<PlanCurve> sameCurve = planCurve(graph, inMoves, 4);
  ASSERT_THAT(curve, Succeeds());
  ASSERT_THAT(sameCurve, Succeeds());
  ASSERT_EQ(curve->plans.size(), sameCurve->plans.size());
  for (size_t i = 0; i < curve->plans.size(); ++i)
    EXPECT_EQ(curve->plans[i].steps, sameCurve->plans[i].steps) << i;
}

// An integer program has other work to count, and its user would wait for who
// knows how long.
TEST(EffortSeconds, what_is_no_search_says_so) {
  const Graph graph = makeChain(8);
  for (const char *remat : {"milp", "dtr", "chen-sqrt", "checkpoint-all"}) {
    PlanOptions options = optionsWith("5s");
    options.remat = remat;
    options.budgetBytes = measureUnplanned(GraphIndex(graph)).peakBytes;
    EXPECT_EQ(toString(planStep(graph, options).takeError()),
              std::string("effort: seconds are for searches, and remat=") +
                  remat +
                  " with swap=none is none; give a count, or a time limit");
  }
  EXPECT_TRUE(errorToBool(checkEffortIsCount(optionsWith("5s"))));
  EXPECT_FALSE(errorToBool(checkEffortIsCount(optionsWith("5"))));
}

TEST(EffortSeconds, what_is_no_time_is_refused) {
  PlanOptions options;
  for (const char *text :
       {"s", "0s", "-1s", "nans", "infs", "5 s", "5m", "1e400s"})
    EXPECT_TRUE(errorToBool(setOption(options, "effort", text))) << text;
  // The later of two texts counts.
  EXPECT_THAT(setOption(options, "effort", "5s"), Succeeds());
  EXPECT_THAT(setOption(options, "effort", "7"), Succeeds());
  EXPECT_EQ(options.effortSeconds, 0);
  EXPECT_EQ(options.limits.effort, 7);
}

} // namespace
