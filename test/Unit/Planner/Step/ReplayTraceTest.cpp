//===- ReplayTraceTest.cpp - Traces, read, packed, improved and planned ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/ReplayTrace.h"
#include "ErrorMatchers.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Dynamic/DtrSimulator.h"
#include "memplan/Planner/Dynamic/PoolModel.h"
#include "memplan/Planner/Step/PackedPlan.h"

using namespace memplan;

namespace {

std::string print(const Trace &trace) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeTrace(trace, os);
  return text;
}

/// A trace of a run that evicts, if the step can do with so little.
std::optional<Trace> traceOf(const Graph &graph, const std::string &policyText,
                             int tenths) {
  GraphIndex index(graph);
  llvm::Expected<DtrPolicy> policy = DtrPolicy::parse(policyText);
  llvm::Expected<DtrRun> most = simulateDtr(index, *policy, std::nullopt);
  if (!most) {
    llvm::consumeError(most.takeError());
    return std::nullopt;
  }
  const int64_t owned = graph.persistentBytes();
  llvm::Expected<DtrRun> run = simulateDtr(
      index, *policy, owned + (most->peakBytes - owned) * tenths / 10);
  if (!run || run->end != DtrEnd::Done) {
    llvm::consumeError(run.takeError());
    return std::nullopt;
  }
  return makeTrace(index, *run);
}

// A trace that is written would not be the one that is read.
TEST(Trace, comes_back_as_it_was_written) {
  Trace trace;
  trace.program = "a \"step\"";
  trace.poolBytes = 4096;
  trace.highWaterBytes = 2048;
  trace.tensors = {{7, 64, 3, 0}, {8, 32, 3, 1}, {9, 16, -1, 2}};
  TraceStep compute;
  compute.node = 3;
  compute.discard = {8};
  compute.inPlace = {{7, 9}};
  compute.variant = 1;
  compute.stream = 2;
  compute.event = 5;
  compute.at = 0.25;
  compute.addresses = {512, -1};
  TraceStep copy;
  copy.action = ActionKind::Evict;
  copy.tensors = {7};
  copy.event = 6;
  TraceStep wait;
  wait.action = ActionKind::Wait;
  wait.event = 6;
  TraceStep free;
  free.action = ActionKind::Free;
  free.tensors = {7, 8};
  trace.steps = {compute, copy, wait, free};
  llvm::Expected<Trace> read = parseTrace(print(trace));
  ASSERT_TRUE(bool(read)) << takeMessage(read);
  EXPECT_EQ(*read, trace);
}

std::string messageFor(const std::string &tensors, const std::string &steps) {
  auto trace = parseTrace("{\"version\": 1, \"tensors\": [" + tensors +
                          "], \"steps\": [" + steps + "]}");
  return takeMessage(trace);
}

// A broken trace would be read as another one, or the error would not say
// where it is broken.
TEST(Trace, errors_name_the_place) {
  const std::string one = "{\"id\":1,\"bytes\":8,\"node\":0,\"output\":0}";
  EXPECT_EQ(messageFor(one, "{\"compute\":0,\"at\":1,\"address\":[0]}"), "");
  EXPECT_EQ(messageFor(one + "," + one, ""),
            "id 1 of tensors[1] is that of another tensor");
  EXPECT_EQ(
      messageFor(one + ",{\"id\":2,\"bytes\":8,\"node\":0,\"output\":0}", ""),
      "tensors[1] is output 0 of node 0, as another tensor is");
  EXPECT_EQ(messageFor("{\"id\":1,\"bytes\":-8,\"node\":0,\"output\":0}", ""),
            "key 'bytes' of tensors[0] is -8; bytes are not negative and below "
            "2^61 together");
  EXPECT_EQ(messageFor(one, "{\"free\":[2]}"),
            "key 'free' of steps[0] names tensor 2, which is not among the "
            "trace's tensors");
  EXPECT_EQ(messageFor(one, "{\"compute\":0,\"address\":[0,8]}"),
            "key 'address' of steps[0] has 2 addresses for 1 tensors");
  EXPECT_EQ(messageFor(one, "{\"compute\":0,\"free\":[1]}"),
            "steps[0] has two actions, 'compute' and 'free'");
  EXPECT_EQ(messageFor(one, "{\"at\":3}"),
            "steps[0] has no action: compute, free, evict, fetch, wait or "
            "drop_host");
  auto version = parseTrace("{\"version\": 9, \"tensors\": [], \"steps\": []}");
  EXPECT_EQ(takeMessage(version),
            "version 9 is not known; this is memplan's version 1");
}

// A trace of another program would be planned as one of this.
TEST(Trace, another_graph_is_refused) {
  SmallGraph g;
  g.keep(g.op({}, 8));
  GraphIndex index(g.graph);
  auto messageOf = [&](Trace trace) {
    auto actions = toActions(index, trace);
    return takeMessage(actions);
  };
  Trace trace;
  trace.tensors = {{0, 9, 0, 0}};
  EXPECT_EQ(messageOf(trace),
            "tensor 0 of the trace has 9 bytes, but tensor 0 has 8");
  trace.tensors = {{0, 8, 0, 1}};
  EXPECT_EQ(messageOf(trace),
            "tensor 0 of the trace is output 1 of node 0, but the graph has 1");
  trace.tensors = {{0, 8, -1, 0}};
  EXPECT_EQ(messageOf(trace),
            "tensor 0 of the trace is argument 0, but the graph has 0");
  trace.tensors = {};
  trace.steps.emplace_back().node = 5;
  EXPECT_EQ(messageOf(trace),
            "the trace runs node 5, which the graph does not have");
  trace.tensors = {{0, 8, 0, 0}};
  trace.steps = {};
  trace.steps.emplace_back().action = ActionKind::Free;
  trace.steps.back().tensors = {0};
  auto stays = findStays(trace);
  EXPECT_EQ(takeMessage(stays),
            "step 0 gives back tensor 0, which is not there");
}

/// Mostly other digits, which keep the syntax and change the meaning.
std::string mutate(std::string text, Dice &dice) {
  static const std::string pieces[] = {
      "{",        "}",    "[",
      "]",        ",",    ":",
      "\"",       "-1",   "9223372036854775807",
      "1e308",    "null", "[[",
      "\"free\"", "0.5"};
  for (int64_t edits = 1 + dice.roll(3); edits > 0; --edits) {
    const size_t place = size_t(dice.roll(int64_t(text.size())));
    const int64_t kind = dice.roll(12);
    if (kind == 0)
      text.erase(place, size_t(1 + dice.roll(8)));
    else if (kind == 1)
      text.insert(place, pieces[dice.roll(std::size(pieces))]);
    else if (kind == 2)
      text.insert(place, text.substr(place, size_t(dice.roll(40))));
    else if (size_t digit = text.find_first_of("0123456789", place);
             digit != std::string::npos)
      text[digit] = char('0' + dice.roll(10));
  }
  return text;
}

// Files come from anywhere: reading one must end in a value or an error.
TEST(TraceFuzz, mutated_traces_never_crash) {
  int accepted = 0, packed = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Graph graph = makeRandomGraph(seed % 40, 4);
    GraphIndex index(graph);
    std::optional<Trace> trace = traceOf(graph, "h_dtr", 9);
    if (!trace)
      continue;
    const std::string text = mutate(print(*trace), dice);
    llvm::Expected<Trace> read = parseTrace(text);
    if (!read) {
      EXPECT_FALSE(takeMessage(read).empty());
      continue;
    }
    ++accepted;
    PlanOptions options;
    options.arena = "greedy-by-size";
    llvm::consumeError(measureTrace(*read, &index, options).takeError());
    llvm::Expected<std::vector<PlanAction>> actions = toActions(index, *read);
    if (!actions) {
      llvm::consumeError(actions.takeError());
      continue;
    }
    llvm::Expected<PackedPlan> plan =
        packActions(index, *actions, solverNamed(arenaSolvers(), "auto"), 256,
                    options.limits);
    packed += bool(plan);
    llvm::consumeError(plan.takeError());
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(packed, 20);
}

int64_t bytesOf(const Graph &graph, const Plan &plan) {
  return deviceBytesOf(graph, plan);
}

// What is made of a trace would cost more than what ran, take more, or be no
// plan at all.
TEST(ReplayTrace, no_plan_costs_more_or_is_larger_than_the_one_before) {
  int replays = 0, gains = 0;
  for (uint64_t seed = 1; seed <= 240; ++seed) {
    Graph graph = makeRandomGraph(seed, 12);
    for (Tensor &tensor : graph.tensors)
      tensor.bytes *= 1000; // More than a pool rounds up.
    GraphIndex index(graph);
    const std::optional<Trace> trace = traceOf(
        graph, seed % 2 ? "lru" : "h_dtr,memory=pool", int(6 + seed % 4));
    if (!trace)
      continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    PlanOptions options;
    options.limits.effort = 2000;
    llvm::Expected<ReplayedTrace> replayed =
        replayTrace(graph, *trace, options);
    ASSERT_TRUE(bool(replayed)) << takeMessage(replayed);
    const auto &[packed, improved, planned] = *replayed;
    const int64_t budget = bytesOf(graph, packed);
    for (const Plan *plan : {&packed, &improved, &planned})
      EXPECT_THAT(verifyPlan(index, *plan, budget), Succeeds());
    EXPECT_LE(improved.cost, packed.cost);
    EXPECT_LE(planned.cost, improved.cost);
    ++replays;
    gains += improved.cost < packed.cost;
    llvm::Expected<TraceBytes> bytes = measureTrace(*trace, &index, options);
    ASSERT_TRUE(bool(bytes)) << takeMessage(bytes);
    EXPECT_LE(bytes->arenaBytes, bytes->poolBytes);
    EXPECT_LE(bytes->liveBytes, bytes->arenaBytes);
  }
  EXPECT_GT(replays, 30);
  EXPECT_GT(gains, 5) << replays;
}

// A plan that is made with everything known would cost more than an online
// heuristic that finds addresses in the same bytes.
TEST(ReplayTrace, no_heuristic_beats_the_plan_of_its_run) {
  int replays = 0, gains = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 14);
    for (Tensor &tensor : graph.tensors)
      tensor.bytes *= PoolModel::granule; // Nothing is rounded up.
    GraphIndex index(graph);
    llvm::Expected<DtrPolicy> policy = DtrPolicy::parse(
        std::string(eviction::heuristics()[seed % 7].name) + ",memory=pool");
    ASSERT_TRUE(bool(policy)) << takeMessage(policy);
    llvm::Expected<DtrRun> most = simulateDtr(index, *policy, std::nullopt);
    if (!most) {
      llvm::consumeError(most.takeError());
      continue; // It writes parts of storages.
    }
    const int64_t owned = graph.persistentBytes();
    const int64_t budget =
        owned + (most->peakBytes - owned) * int64_t(7 + seed % 3) / 10;
    llvm::Expected<DtrRun> run = simulateDtr(index, *policy, budget);
    if (!run || run->end != DtrEnd::Done || run->compactions > 0) {
      llvm::consumeError(run.takeError());
      continue;
    }
    PlanOptions options;
    options.budgetBytes = budget;
    options.limits.effort = 500;
    llvm::Expected<ReplayedTrace> replayed =
        replayTrace(graph, makeTrace(index, *run), options);
    ASSERT_TRUE(bool(replayed)) << takeMessage(replayed);
    const double cost = graph.totalCost() + run->recomputationCost;
    EXPECT_THAT(verifyPlan(index, replayed->planned, budget), Succeeds());
    EXPECT_LE(replayed->planned.cost, cost * (1 + 1e-9));
    ++replays;
    gains += replayed->planned.cost < cost * (1 - 1e-9);
  }
  EXPECT_GT(replays, 30);
  EXPECT_GT(gains, 10) << replays;
}

// Improvement would leave a recomputation that the bytes do not call for.
TEST(ReplayTrace, what_fits_is_not_made_again) {
  SmallGraph g;
  const TensorId a = g.op({}, 8);
  const TensorId b = g.op({a}, 8);
  g.op({b}, 8);
  g.keep(g.op({a}, 8));
  GraphIndex index(g.graph);
  Schedule schedule;
  for (int node : {0, 1, 0, 2, 0, 3})
    schedule.runs.push_back(NodeId(node));
  const auto runsOf = [&](int64_t limit) {
    std::vector<int> runs;
    for (NodeId node :
         improveRuns(index, schedule, /*inPlace=*/false, limit, 0).runs)
      runs.push_back(node.index);
    return runs;
  };
  EXPECT_EQ(runsOf(24), (std::vector<int>{0, 1, 2, 3}));
  // Within the 16 bytes of the schedule itself, one recomputation has to stay.
  EXPECT_EQ(runsOf(0), (std::vector<int>{0, 1, 2, 0, 3}));
}

// The pool would lose holes or hand bytes out twice.
TEST(PoolModel, takes_the_best_hole_and_joins_neighbours) {
  PoolModel pool(4096);
  const int64_t a = *pool.allocate(512), b = *pool.allocate(1000),
                c = *pool.allocate(512), d = *pool.allocate(2048);
  EXPECT_EQ((std::vector<int64_t>{a, b, c, d}),
            (std::vector<int64_t>{0, 512, 1536, 2048}));
  EXPECT_FALSE(pool.allocate(1));
  pool.release(a, 512);
  pool.release(c, 512);
  EXPECT_EQ(pool.freeBeside(b, 1000), 1024);
  EXPECT_FALSE(pool.allocate(1024)) << "1024 are free, but apart";
  pool.release(b, 1000);
  EXPECT_EQ(pool.largestHole(), 2048);
  EXPECT_EQ(*pool.allocate(1), 0);
  EXPECT_EQ(pool.highWaterBytes(), 4096);
  EXPECT_EQ(pool.compact(), (std::map<int64_t, int64_t>{{0, 0}, {2048, 512}}));
  EXPECT_EQ(pool.largestHole(), 4096 - 2560);
}

} // namespace
