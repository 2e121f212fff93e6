//===- StreamsTest.cpp - One list of actions on several streams -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Streams/Streams.h"
#include "ErrorMatchers.h"
#include "Planner/RandomActions.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Step/Buffers.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Step/PlanStep.h"

using namespace memplan;

static llvm::Expected<Replay> replay(const GraphIndex &index,
                                     std::vector<PlanAction> steps) {
  Plan plan;
  plan.steps = std::move(steps);
  return replayPlan(index, plan);
}

static int64_t countWaits(const std::vector<PlanAction> &actions) {
  return llvm::count_if(actions, [](const PlanAction &action) {
    return action.action == ActionKind::Wait;
  });
}

/// A random graph with bandwidths, or none.
static Graph makeGraph(uint64_t seed, int nodes) {
  Graph graph = makeRandomGraph(seed, nodes);
  Dice dice(seed);
  if (dice.chance(70))
    graph.bandwidth = Bandwidth{4.0, 2.0, double(dice.roll(2))};
  if (dice.chance(30))
    for (Node &node : graph.nodes)
      if (dice.chance(25))
        node.stream = StreamKind::Communication;
  return graph;
}

static ScheduleOptions randomOptions(uint64_t seed, int64_t live) {
  Dice dice(seed + 77);
  ScheduleOptions options;
  options.streams = int32_t(1 + dice.roll(4));
  options.keepOrder = dice.chance(20);
  if (dice.chance(40))
    options.liveBytes = live * (50 + dice.roll(100)) / 100;
  return options;
}

// Whatever the list, it is valid on several streams, in the time that was
// foreseen, with waits for data alone; and without any of these it is not.
TEST(StreamsProperty, lists_are_valid_and_no_wait_is_redundant) {
  int64_t waits = 0, faster = 0, copies = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeGraph(seed, 16);
    GraphIndex index(graph);
    std::vector<PlanAction> actions = makeRandomActions(index, seed, 30);
    llvm::Expected<Replay> before = replay(index, actions);
    ASSERT_TRUE(bool(before)) << llvm::toString(before.takeError());
    StreamList list =
        scheduleStreams(index, actions, randomOptions(seed, before->peakBytes));
    std::vector<PlanAction> issued = addWaits(index, list.actions, {});
    llvm::Expected<Replay> after = replay(index, issued);
    ASSERT_TRUE(bool(after)) << llvm::toString(after.takeError());
    EXPECT_LE(after->time, list.time + 1e-9);
    EXPECT_EQ(after->runsOfNode, before->runsOfNode);
    EXPECT_EQ(after->cost, before->cost);
    faster += after->time < before->time - 1e-9;
    waits += countWaits(issued);
    for (size_t i = 0; i < issued.size(); ++i) {
      copies += issued[i].action == ActionKind::Fetch;
      if (issued[i].action != ActionKind::Wait)
        continue;
      std::vector<PlanAction> without = issued;
      without.erase(without.begin() + int64_t(i));
      llvm::Expected<Replay> broken = replay(index, without);
      EXPECT_FALSE(bool(broken)) << "without the wait at step " << i;
      llvm::consumeError(broken.takeError());
    }
  }
  EXPECT_GT(waits, 500);
  EXPECT_GT(faster, 50);
  EXPECT_GT(copies, 100);
}

// Communication that starts earlier needs no more bytes than it may, and what
// computes stays in its order.
TEST(StreamsProperty, prefetched_lists_are_valid_within_their_limit) {
  int64_t moved = 0, atLimit = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Graph graph = makeGraph(seed, 16);
    for (Node &node : graph.nodes)
      node.stream =
          dice.chance(25) ? StreamKind::Communication : StreamKind::Compute;
    GraphIndex index(graph);
    std::vector<PlanAction> actions = makeRandomActions(index, seed, 30);
    llvm::Expected<Replay> before = replay(index, actions);
    ASSERT_TRUE(bool(before)) << llvm::toString(before.takeError());
    const int64_t limit = before->peakBytes * (90 + dice.roll(60)) / 100;
    const std::vector<PlanAction> list =
        prefetchCommunication(index, actions, limit - graph.fixedBytes);
    llvm::Expected<Replay> serial = replay(index, list);
    ASSERT_TRUE(bool(serial)) << llvm::toString(serial.takeError());
    EXPECT_LE(serial->peakBytes, std::max(limit, before->peakBytes));
    atLimit += serial->peakBytes > before->peakBytes;
    auto computing = [&](const std::vector<PlanAction> &of) {
      std::vector<int32_t> nodes;
      for (const PlanAction &action : of)
        if (action.action == ActionKind::Compute &&
            !graph[action.node].communicates() &&
            !llvm::all_of(graph[action.node].outputs, [&](TensorId output) {
              return graph[output].viewOf.has_value();
            }))
          nodes.push_back(action.node.index);
      return nodes;
    };
    EXPECT_EQ(computing(list), computing(actions));
    moved += list != actions;
    llvm::Expected<Replay> issued = replay(
        index, addWaits(index, assignStreams(index, list, {}, 1).actions, {}));
    ASSERT_TRUE(bool(issued)) << llvm::toString(issued.takeError());
    EXPECT_EQ(issued->cost, before->cost);
  }
  EXPECT_GT(moved, 50);
  EXPECT_GT(atLimit, 10);
}

static llvm::Expected<PackedPlan> pack(const GraphIndex &index,
                                       const StreamList &list, bool addsWaits) {
  SolveLimits limits;
  limits.effort = 100;
  const ArenaSolver &solver = solverNamed(arenaSolvers(), "greedy-by-size");
  if (addsWaits)
    return packInListOrder(index, list, solver, 1, limits);
  const ReuseDependencies returns =
      findReuseDependencies(index, list.actions, {});
  return packActions(index, addWaits(index, list.actions, returns), solver, 1,
                     limits);
}

namespace {
/// The shortest time of a graph's nodes on streams and one for those that
/// communicate, by trying every order and every stream for each node.
class ShortestTime {
public:
  ShortestTime(const Graph &graph, size_t streams)
      : graph(graph), made(graph.tensors.size(), 0.0), ready(streams + 1) {
    place(0, 0, 0);
  }
  double best = std::numeric_limits<double>::infinity();

private:
  void place(uint32_t done, double time, int count) {
    if (time >= best)
      return;
    if (count == int(graph.nodes.size()))
      best = time;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const Node &node = graph.nodes[n];
      double start = 0;
      bool isReady = !(done >> n & 1);
      for (TensorId input : node.inputs)
        start = std::max(start, made[input.index]);
      for (size_t before = 0; before < graph.nodes.size(); ++before)
        for (TensorId output : graph.nodes[before].outputs)
          isReady &=
              done >> before & 1 || !llvm::is_contained(node.inputs, output);
      const size_t first = node.communicates() ? ready.size() - 1 : 0;
      const size_t last = ready.size() - (node.communicates() ? 0 : 1);
      for (size_t stream = first; isReady && stream < last; ++stream) {
        const double before = ready[stream];
        ready[stream] = std::max(before, start) + node.cost;
        for (TensorId output : node.outputs)
          made[output.index] = ready[stream];
        place(done | 1u << n, std::max(time, ready[stream]), count + 1);
        ready[stream] = before;
      }
    }
  }

  const Graph &graph;
  std::vector<double> made, ready;
};
} // namespace

// List scheduling is never worse than 2 - 1/N times the shortest (Graham), and
// by the longest path it mostly is the shortest.
TEST(StreamsProperty, makespans_are_near_the_shortest) {
  int shortest = 0, beside = 0;
  constexpr int graphs = 120;
  double sum = 0;
  for (uint64_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    SmallGraph g;
    std::vector<TensorId> made;
    for (int n = 0; n < 7; ++n) {
      std::vector<TensorId> inputs;
      for (TensorId tensor : made)
        if (dice.chance(30))
          inputs.push_back(tensor);
      made.push_back(g.op(inputs, 1));
      g.lastNode().cost = double(1 + dice.roll(9));
      if (seed % 2 == 0 && dice.chance(40))
        g.lastNode().stream = StreamKind::Communication;
    }
    GraphIndex index(g.graph);
    ScheduleOptions options;
    options.streams = seed % 2 == 0 ? 1 : 2;
    const double best = ShortestTime(g.graph, options.streams).best;
    beside += seed % 2 == 0 && best < g.graph.totalCost();
    const double found =
        scheduleStreams(index,
                        buildActions(index, Planned::sourceOrder(g.graph), {}),
                        options)
            .time;
    EXPECT_GE(found, best - 1e-9);
    EXPECT_LE(found, 1.5 * best + 1e-9);
    shortest += found <= best + 1e-9;
    sum += found / best;
  }
  EXPECT_GT(beside, graphs / 5);
  EXPECT_GT(shortest, graphs * 3 / 4);
  EXPECT_LT(sum / graphs, 1.03);
}

/// The plan without its action number `at`, and without figures that this would
/// change.
static Plan without(Plan plan, size_t at) {
  plan.time.reset();
  plan.steps.erase(plan.steps.begin() + int64_t(at));
  for (PlanArena &arena : plan.arenas) {
    arena.liveBytes.reset();
    for (Placement &placement : arena.placements) {
      placement.stepBegin -= placement.stepBegin > int32_t(at);
      placement.stepEnd -= placement.stepEnd > int32_t(at);
    }
  }
  return plan;
}

// Bytes pass on along happens-before, which the plan verifier finds in its own
// way. Where waits are added for them, it takes no time, and none is too many.
TEST(StreamsProperty, packed_lists_verify) {
  int64_t less = 0, more = 0, waits = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeGraph(seed, 16);
    GraphIndex index(graph);
    std::vector<PlanAction> actions = makeRandomActions(index, seed, 20);
    StreamList list = scheduleStreams(index, actions, randomOptions(seed, 400));
    llvm::Expected<PackedPlan> free = pack(index, list, false);
    ASSERT_TRUE(bool(free)) << llvm::toString(free.takeError());
    llvm::Expected<PackedPlan> packed = pack(index, list, true);
    ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
    EXPECT_LE(*packed->plan.time, list.time + 1e-9);
    EXPECT_LE(packed->boundBytes, free->boundBytes);
    less += packed->deviceBytes < free->deviceBytes;
    more += packed->deviceBytes > free->deviceBytes;
    const std::vector<PlanAction> &issued = packed->plan.steps;
    waits += countWaits(issued) - countWaits(free->plan.steps);
    for (size_t i = 0; i < issued.size(); ++i) {
      if (issued[i].action != ActionKind::Wait)
        continue;
      llvm::Error broken = verifyPlan(index, without(packed->plan, i));
      EXPECT_TRUE(bool(broken)) << "without the wait at step " << i;
      llvm::consumeError(std::move(broken));
    }
  }
  EXPECT_GT(less, 20);
  EXPECT_GT(less, 3 * more);
  EXPECT_GT(waits, 100);
}

// One free may give back several tensors that were fetched. The wait for the
// last implies the others, but each copy is waited for before its bytes go.
TEST(Streams, one_free_of_two_that_were_fetched) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4);
  TensorId c = g.op({a, b}, 4);
  g.keep(g.op({c}, 4));
  GraphIndex index(g.graph);
  const std::vector<PlanAction> issued = addWaits(
      index,
      {PlanAction::compute(NodeId(0)), PlanAction::compute(NodeId(1)),
       PlanAction::evict(a, 0), PlanAction::evict(b, 1), PlanAction::wait(0),
       PlanAction::wait(1), PlanAction::fetch(a, 2), PlanAction::fetch(b, 3),
       PlanAction::wait(2), PlanAction::wait(3), PlanAction::compute(NodeId(2)),
       PlanAction::free({a, b}), PlanAction::compute(NodeId(3)),
       PlanAction::free({c}), PlanAction::dropHost(a), PlanAction::dropHost(b)},
      {});
  EXPECT_THAT(replay(index, issued), Succeeds());
}

// MX-7: colors share bytes of two branches; the wait that makes it safe is
// there, and the plan verifier finds the race without it.
TEST(Streams, MX_7_colors_of_two_branches) {
  SmallGraph g;
  TensorId a1 = g.op({}, 4), a2 = g.op({a1}, 4), a5 = g.op({a1}, 4),
           a3 = g.op({a2}, 4), a6 = g.op({a5}, 4), a4 = g.op({a3}, 4),
           a7 = g.op({a6}, 4);
  g.keep(g.op({a4, a7}, 4));
  GraphIndex index(g.graph);
  PlanOptions options;
  options.sharing = "color";
  options.remat = "checkpoint-all";
  options.order = "source";
  options.inPlace = false;
  options.streams = 2;
  options.alignmentBytes = 1;
  llvm::Expected<Plan> plan = planStep(g.graph, options);
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(*plan->time, 5);
  EXPECT_EQ(plan->arenas.front().bytes, 16);
  int races = 0;
  for (size_t i = 0; i < plan->steps.size(); ++i) {
    if (plan->steps[i].action != ActionKind::Wait)
      continue;
    llvm::Error error = verifyPlan(index, without(*plan, i));
    ASSERT_TRUE(bool(error));
    races += llvm::StringRef(llvm::toString(std::move(error)))
                 .starts_with("plan_c15");
  }
  EXPECT_GE(races, 1);
}

// Where there are too many pairs to pack with, live ranges are stretched over
// them, which takes more bytes and no other waits.
TEST(StreamsProperty, stretched_ranges_verify) {
  int64_t more = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeGraph(seed, 16);
    GraphIndex index(graph);
    StreamList list = scheduleStreams(index, makeRandomActions(index, seed, 20),
                                      randomOptions(seed, 400));
    llvm::Expected<PackedPlan> packed = pack(index, list, false);
    ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
    Plan plan = packed->plan;
    StepBuffers buffers = makeBuffers(index, plan.steps, 1, 0);
    EXPECT_TRUE(buffers.problem.conflicts.empty());
    SolveLimits limits;
    limits.effort = 100;
    llvm::Expected<ArenaPlan> offsets = solve(
        buffers.problem, solverNamed(arenaSolvers(), "greedy-by-size"), limits);
    ASSERT_TRUE(bool(offsets)) << llvm::toString(offsets.takeError());
    plan.arenas = makeArenas(buffers, *offsets);
    EXPECT_THAT(verifyPlan(index, plan), Succeeds());
    more += deviceBytesOf(graph, plan) > packed->deviceBytes;
  }
  EXPECT_GT(more, 3);
}

// The budget holds for what is packed after the streams are chosen. The
// options do what they say: none is slower than one stream, memory takes its
// bytes, and prefer is as fast as balance where nothing limits it.
TEST(StreamsProperty, planned_steps_keep_budgets_on_streams) {
  int64_t faster = 0, budgeted = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeGraph(seed, 14);
    PlanOptions options;
    options.limits.effort = 200;
    options.alignmentBytes = 8;
    if (seed % 3 == 0)
      options.order = "source";
    if (seed % 4 == 0)
      options.sharing = "color";
    if (seed % 5 == 0 && graph.bandwidth)
      options.swap = "search";
    if (seed % 2)
      options.budgetShare = Percentage{95};
    Graph serial = graph;
    for (Node &node : serial.nodes)
      node.stream = StreamKind::Compute;
    llvm::Expected<Plan> single = planStep(serial, options);
    ASSERT_TRUE(bool(single)) << llvm::toString(single.takeError());
    for (const char *parallelism : {"prefer", "balance", "memory"}) {
      options.parallelism = parallelism;
      options.streams = int64_t(2 + seed % 3);
      llvm::Expected<Plan> plan = planStep(graph, options);
      ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
      EXPECT_EQ(plan->status, single->status);
      if (plan->steps.empty())
        continue;
      // What one stream can hide beside another may be computed again.
      if (plan->cost != single->cost)
        EXPECT_LT(*plan->time, *single->time - 1e-9);
      EXPECT_LE(*plan->time, *single->time + 1e-9);
      faster += *plan->time < *single->time;
      if (plan->budgetBytes) {
        EXPECT_LE(deviceBytesOf(graph, *plan), *plan->budgetBytes);
        ++budgeted;
      }
      if (options.parallelism == "memory") {
        EXPECT_LE(deviceBytesOf(graph, *plan), deviceBytesOf(graph, *single));
      }
    }
    options = PlanOptions();
  }
  EXPECT_GT(faster, 30);
  EXPECT_GT(budgeted, 9);
}
