//===- UsefulRunsTest.cpp - Runs in vain against brute force --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/UsefulRuns.h"
#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "../RandomGraph.h"

using namespace memplan;

/// By the definition, from the run onwards: none of its outputs is looked at
/// before the node runs again, or after the step.
static bool isInVain(const GraphIndex &index, const Schedule &schedule,
                     size_t run) {
  const Graph &graph = index.graph();
  const NodeId node = schedule.runs[run];
  if (graph[node].runsOnce() || llvm::count(schedule.runs, node) < 2)
    return false;
  auto isMade = [&](TensorId id) {
    return llvm::is_contained(graph[node].outputs, id);
  };
  for (size_t later = run + 1; later < schedule.runs.size(); ++later) {
    const Node &other = graph[schedule.runs[later]];
    if (schedule.runs[later] == node)
      return true;
    if (llvm::any_of(other.inputs, isMade) ||
        llvm::any_of(other.writes, isMade) ||
        llvm::any_of(other.outputs, [&](TensorId output) {
          return graph[output].viewOf && isMade(*graph[output].viewOf);
        }))
      return false;
  }
  return llvm::none_of(graph[node].outputs, [&](TensorId output) {
    return index.staysToTheEnd(output);
  });
}

TEST(UsefulRuns, leave_out_first_and_last_runs_and_what_only_they_read) {
  GraphBuilder b;
  const TensorId x = b.tensor(4, TensorKind::Input), a = b.tensor(4),
                 c = b.tensor(4), y = b.tensor(4, TensorKind::Output);
  b.node({x}, {a});
  b.node({a}, {c});
  b.node({a, c}, {y});
  const GraphIndex index(b.graph);
  // The first run of node 1 is not read, nor is the run of node 0 for it; so is
  // the last run of node 0.
  Schedule schedule = makeSchedule({0, 1, 0, 1, 2, 0});
  InPlaceChoice inPlace(6);
  EXPECT_TRUE(leaveOutRunsInVain(index, schedule, inPlace, false));
  EXPECT_EQ(schedule.runs, makeSchedule({0, 1, 2}).runs);
  EXPECT_EQ(inPlace.size(), 3u);
  EXPECT_FALSE(leaveOutRunsInVain(index, schedule, inPlace, false));
}

TEST(UsefulRuns, keep_what_the_order_of_first_runs_asks_for) {
  GraphBuilder b;
  const TensorId x = b.tensor(4, TensorKind::Input), a = b.tensor(4),
                 c = b.tensor(4), y = b.tensor(4, TensorKind::Output);
  b.node({x}, {a});
  b.node({x}, {c});
  b.node({a, c}, {y});
  const GraphIndex index(b.graph);
  Schedule free = makeSchedule({0, 1, 0, 2}), kept = free;
  InPlaceChoice none;
  EXPECT_TRUE(leaveOutRunsInVain(index, free, none, false));
  EXPECT_EQ(free.runs, makeSchedule({1, 0, 2}).runs);
  EXPECT_FALSE(startsInSourceOrder(b.graph, free.runs));
  EXPECT_FALSE(leaveOutRunsInVain(index, kept, none, true));
  EXPECT_TRUE(startsInSourceOrder(b.graph, kept.runs));
  const auto leftOut = findFirstRunsLeftOut(b.graph, free.runs);
  ASSERT_EQ(leftOut.size(), 1u);
  EXPECT_EQ(leftOut.front(), std::pair(size_t(0), NodeId(0)));
}

// A search that keeps the order would begin with the second view before the
// run in front of it, and take the start for none.
TEST(UsefulRuns, first_runs_left_out_come_before_later_views) {
  GraphBuilder b;
  const TensorId x = b.tensor(4, TensorKind::Input),
                 p = b.tensor(4, TensorKind::Parameter), a = b.tensor(4),
                 early = b.view(a), c = b.tensor(4), late = b.view(p),
                 d = b.tensor(4), y = b.tensor(4, TensorKind::Output);
  b.node({x}, {a});
  b.node({a}, {early});
  b.node({x}, {c});
  b.node({p}, {late});
  b.node({early, late}, {d});
  b.node({c, d}, {y});
  const auto leftOut =
      findFirstRunsLeftOut(b.graph, makeSchedule({0, 1, 3, 4, 2, 5}).runs);
  ASSERT_EQ(leftOut.size(), 1u);
  EXPECT_EQ(leftOut.front(), std::pair(size_t(2), NodeId(2)));
}

TEST(UsefulRuns, what_nobody_reads_runs_once) {
  GraphBuilder b;
  const TensorId x = b.tensor(4, TensorKind::Input);
  b.node({x}, {b.tensor(4)});
  const GraphIndex index(b.graph);
  Schedule schedule = makeSchedule({0, 0, 0});
  InPlaceChoice none;
  EXPECT_TRUE(leaveOutRunsInVain(index, schedule, none, false));
  EXPECT_EQ(schedule.runs, makeSchedule({0}).runs);
}

TEST(UsefulRuns,
     property_valid_no_more_expensive_and_nothing_left_to_leave_out) {
  int left = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const Graph graph = makeRandomGraph(seed, 4 + int(seed % 9));
    const GraphIndex index(graph);
    const Schedule before = makeRandomSchedule(index, seed);
    const InPlaceChoice pairs = makeRandomInPlace(index, before, seed);
    for (const bool keepsOrder : {false, true}) {
      Schedule after = before;
      InPlaceChoice choice = pairs;
      left += leaveOutRunsInVain(index, after, choice, keepsOrder);
      ASSERT_THAT(verifySchedule(index, after), Succeeds()) << "seed " << seed;
      ASSERT_EQ(choice.size(), after.runs.size()) << "seed " << seed;
      const ScheduleMetrics had = measureSchedule(index, before, pairs),
                            has = measureSchedule(index, after, choice);
      EXPECT_LE(has.cost, had.cost) << "seed " << seed;
      EXPECT_LE(has.peakBytes, had.peakBytes) << "seed " << seed;
      Schedule again = after;
      EXPECT_FALSE(leaveOutRunsInVain(index, again, choice, keepsOrder))
          << "seed " << seed;
      if (keepsOrder) {
        EXPECT_EQ(startsInSourceOrder(graph, before.runs),
                  startsInSourceOrder(graph, after.runs))
            << "seed " << seed;
        continue;
      }
      for (size_t run = 0; run < after.runs.size(); ++run)
        EXPECT_FALSE(isInVain(index, after, run))
            << "seed " << seed << " run " << run;
    }
  }
  EXPECT_GT(left, 100); // Schedules had runs in vain.
}
