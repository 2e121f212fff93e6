//===- SearchOrderTest.cpp - Orders in which jobs start, searched ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RandomActions.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Streams/Streams.h"

using namespace memplan;

namespace {
/// The shortest time of a graph's nodes on streams with so many bytes live, by
/// every order in which they can start: each as early as possible, which frees
/// what it reads as early as possible too.
class ShortestWithin {
public:
  ShortestWithin(const Graph &graph, int streams, int64_t limit)
      : graph(graph), streams(streams), limit(limit), begin(graph.nodes.size()),
        end(graph.nodes.size(), -1) {
    place(0, 0);
  }
  double best = std::numeric_limits<double>::infinity();

private:
  bool isFreed(size_t producer, double time) const {
    if (graph[graph.nodes[producer].outputs[0]].kind == TensorKind::Output)
      return false;
    bool isRead = false;
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      if (llvm::is_contained(graph.nodes[n].inputs,
                             graph.nodes[producer].outputs[0])) {
        isRead = true;
        if (end[n] < 0 || end[n] > time)
          return false;
      }
    return isRead || end[producer] <= time;
  }
  bool fits(size_t node, double time) const {
    int running = 0;
    int64_t live = graph[graph.nodes[node].outputs[0]].bytes;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      if (end[n] < 0)
        continue;
      running += end[n] > time;
      if (!isFreed(n, time))
        live += graph[graph.nodes[n].outputs[0]].bytes;
    }
    return running < streams && live <= limit;
  }
  void place(size_t count, double lastBegin) {
    if (count == graph.nodes.size())
      best = std::min(best, *llvm::max_element(end));
    for (size_t node = 0; node < graph.nodes.size(); ++node) {
      if (end[node] >= 0)
        continue;
      std::vector<double> times = {lastBegin};
      double ready = lastBegin;
      bool isReady = true;
      for (TensorId input : graph.nodes[node].inputs) {
        // Tensors and nodes have the same numbers.
        isReady &= end[input.index] >= 0;
        ready = std::max(ready, end[input.index]);
      }
      for (double time : end)
        times.push_back(std::max(time, lastBegin));
      llvm::sort(times);
      for (double time : times) {
        if (!isReady || time < ready || !fits(node, time))
          continue;
        begin[node] = time;
        end[node] = time + graph.nodes[node].cost;
        place(count + 1, time);
        end[node] = -1;
        break;
      }
    }
  }

  const Graph &graph;
  const int streams;
  const int64_t limit;
  std::vector<double> begin, end; ///< By node; -1 until it is placed.
};
} // namespace

static Graph makeGraphWithoutViews(uint64_t seed, int nodes) {
  Dice dice(seed);
  SmallGraph g;
  std::vector<TensorId> made;
  for (int n = 0; n < nodes; ++n) {
    std::vector<TensorId> inputs;
    for (TensorId tensor : made)
      if (dice.chance(30))
        inputs.push_back(tensor);
    made.push_back(g.op(inputs, 1 + dice.roll(9)));
    g.lastNode().cost = double(1 + dice.roll(9));
  }
  g.keep(made.back());
  return g.graph;
}

// Within whatever limit, no order is faster than the fastest of all, and the
// search finds that one.
TEST(SearchOrderProperty, finds_the_shortest_within_a_limit) {
  int shortest = 0, limited = 0;
  constexpr int graphs = 150;
  for (uint64_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeGraphWithoutViews(seed, 6);
    GraphIndex index(graph);
    const std::vector<PlanAction> actions =
        buildActions(index, Planned::sourceOrder(graph), {});
    Plan serial;
    serial.steps = actions;
    llvm::Expected<Replay> replay = replayPlan(index, serial);
    ASSERT_TRUE(bool(replay)) << llvm::toString(replay.takeError());
    const int64_t limit =
        replay->peakBytes + int64_t(seed % 3) * replay->peakBytes / 8;
    ScheduleOptions options;
    options.streams = int32_t(2 + seed % 2);
    options.liveBytes = limit;
    const double best = ShortestWithin(graph, options.streams, limit).best;
    limited +=
        best > ShortestWithin(graph, options.streams, 1 << 20).best + 1e-9;
    const StreamList list = searchOrder(index, actions, options, {}, 400, {});
    EXPECT_GE(list.time, best - 1e-9);
    shortest += list.time <= best + 1e-9;
  }
  EXPECT_GT(limited, graphs / 5);
  EXPECT_GE(shortest, graphs * 98 / 100);
}

// Whatever the list, with copies, views and in-place pairs, another order of
// its jobs is valid, as fast as foreseen, no slower than it was, and packs.
TEST(SearchOrderProperty, searched_lists_verify) {
  int64_t faster = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Graph graph = makeRandomGraph(seed, 16);
    if (dice.chance(70))
      graph.bandwidth = Bandwidth{4.0, 2.0, double(dice.roll(2))};
    GraphIndex index(graph);
    const std::vector<PlanAction> actions = makeRandomActions(index, seed, 30);
    ScheduleOptions options;
    options.streams = int32_t(1 + dice.roll(4));
    const StreamList played = scheduleStreams(index, actions, options);
    const StreamList list =
        searchOrder(index, actions, options, played.from, 50, {});
    // Nodes that keep their place may meet others on stream 0.
    if (llvm::none_of(graph.nodes,
                      [](const Node &node) { return node.keepsPlace(); })) {
      EXPECT_LE(list.time, played.time + 1e-9);
    }
    faster += list.time < played.time - 1e-9;
    SolveLimits limits;
    limits.effort = 100;
    llvm::Expected<PackedPlan> packed = packInListOrder(
        index, list, solverNamed(arenaSolvers(), "greedy-by-size"), 8, limits);
    ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
    EXPECT_LE(*packed->plan.time, list.time + 1e-9);
  }
  EXPECT_GT(faster, 10);
}

// The same number of moves gives the same list, and a limit that the given list
// keeps is kept.
TEST(SearchOrder, keeps_the_limit_and_repeats_itself) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeGraphWithoutViews(seed, 20);
    GraphIndex index(graph);
    Plan plan;
    plan.steps = buildActions(index, Planned::sourceOrder(graph), {});
    llvm::Expected<Replay> before = replayPlan(index, plan);
    ASSERT_TRUE(bool(before)) << llvm::toString(before.takeError());
    ScheduleOptions options;
    options.streams = 2;
    options.liveBytes = before->peakBytes;
    const StreamList list =
        searchOrder(index, plan.steps, options, {}, 300, {});
    const StreamList again =
        searchOrder(index, plan.steps, options, {}, 300, {});
    EXPECT_EQ(list.time, again.time);
    EXPECT_EQ(list.from, again.from);
    // As if one stream issued it: what ends when another starts is given back
    // before.
    plan.steps = list.actions;
    for (PlanAction &action : plan.steps)
      action.stream = 0;
    llvm::Expected<Replay> after = replayPlan(index, plan);
    ASSERT_TRUE(bool(after)) << llvm::toString(after.takeError());
    EXPECT_LE(after->peakBytes, before->peakBytes);
  }
}
