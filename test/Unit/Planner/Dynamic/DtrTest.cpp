//===- DtrTest.cpp - DTR against its authors' simulator -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DT-1 to DT-3 are small cases with the numbers of the authors' simulator,
// which were also found by hand. Its numbers for whole training steps are in
// test/Planner/Inputs/dtr_original.json and compared by test_dtr.py.
//
//===----------------------------------------------------------------------===//

#include "../SmallGraph.h"
#include "ErrorMatchers.h"
#include "RandomGraph.h"
#include "memplan/Planner/Dynamic/DtrSimulator.h"

using namespace memplan;

namespace {

DtrPolicy policyOf(const std::string &text) {
  llvm::Expected<DtrPolicy> policy = DtrPolicy::parse(text);
  if (!policy) {
    ADD_FAILURE() << takeMessage(policy);
    return {};
  }
  return *policy;
}

DtrRun simulate(const Graph &graph, const std::string &policy,
                std::optional<int64_t> budget) {
  GraphIndex index(graph);
  llvm::Expected<DtrRun> run = simulateDtr(index, policyOf(policy), budget);
  if (!run) {
    ADD_FAILURE() << takeMessage(run);
    return {};
  }
  return std::move(*run);
}

/// Tensors in the order in which they went, by number.
std::vector<int> evictionsOf(const DtrRun &run) {
  std::vector<int> evicted;
  for (const DtrStep &step : run.steps)
    if (!step.isCompute)
      evicted.push_back(step.tensors.front().index);
  return evicted;
}

/// x is the caller's; then (cost, bytes, inputs) of a to g.
SmallGraph sevenOps() {
  SmallGraph g;
  const TensorId x = g.caller(1);
  auto op = [&](std::vector<TensorId> inputs, double cost, int64_t bytes) {
    const TensorId made = g.op(std::move(inputs), bytes);
    g.lastNode().cost = cost;
    return made;
  };
  const TensorId a = op({x}, 2, 4), b = op({a}, 4, 2), c = op({b}, 1, 4),
                 d = op({c}, 3, 2), e = op({d}, 2, 3), f = op({e}, 1, 4);
  op({f, b}, 2, 2);
  return g;
}

// A heuristic would weigh costs, bytes or staleness in another way than the
// literature, or break ties elsewhere.
TEST(Dtr, DT2_evicts_what_the_original_evicts) {
  constexpr int a = 1, b = 2, c = 3, d = 4, e = 5;
  const SmallGraph g = sevenOps();
  struct Row {
    const char *heuristic;
    std::vector<int> evicted;
    double recomputationCost, clock;
  };
  const std::vector<Row> rows = {{"h_dtr", {a, c, e}, 0, 16},
                                 {"local", {a, c, d}, 0, 16},
                                 {"msps", {c, a, e}, 0, 16},
                                 {"size", {c, a, e}, 0, 16},
                                 {"lru", {a, b, c, d, e}, 6, 22}};
  for (const Row &row : rows) {
    const DtrRun run =
        simulate(g.graph, std::string(row.heuristic) + ",delete=ignore", 13);
    EXPECT_EQ(run.end, DtrEnd::Done) << row.heuristic;
    EXPECT_EQ(evictionsOf(run), row.evicted) << row.heuristic;
    EXPECT_EQ(run.recomputationCost, row.recomputationCost) << row.heuristic;
    EXPECT_EQ(run.clock, row.clock) << row.heuristic;
    EXPECT_LE(run.peakBytes, 13) << row.heuristic;
  }
}

/// n unit layers forward and backward.
SmallGraph linearNet(int n) {
  SmallGraph g;
  std::vector<TensorId> forward;
  for (int i = 0; i < n; ++i)
    forward.push_back(g.op(i == 0 ? std::vector<TensorId>()
                                  : std::vector<TensorId>{forward.back()},
                           1));
  TensorId gradient = g.op({}, 1);
  for (int i = n - 2; i >= 0; --i)
    gradient =
        g.op(i > 0 ? std::vector<TensorId>{forward[size_t(i) - 1], gradient}
                   : std::vector<TensorId>{gradient},
             1);
  return g;
}

// Eager deletion or the neighbourhoods of evicted values would differ from the
// original.
TEST(Dtr, DT3_linear_nets_cost_what_they_cost_in_the_original) {
  struct Row {
    int n;
    int64_t budget;
    std::vector<double> extra; ///< h_dtr, e_star, local, msps, size, lru.
  };
  for (const Row &row :
       {Row{8, 4, {5, 5, 7, 5, 14, 7}}, Row{8, 5, {3, 3, 3, 5, 9, 3}},
        Row{8, 6, {2, 2, 2, 3, 5, 2}}, Row{16, 6, {13, 13, 23, 15, 65, 23}}}) {
    const SmallGraph g = linearNet(row.n);
    size_t column = 0;
    for (const char *heuristic :
         {"h_dtr", "e_star", "local", "msps", "size", "lru"})
      EXPECT_EQ(simulate(g.graph, heuristic, row.budget).recomputationCost,
                row.extra[column++])
          << heuristic << ", n " << row.n << ", budget " << row.budget;
  }
}

// An op that does not fit would be retried for ever, or the error would not
// say what is in the way.
TEST(Dtr, DT10_an_op_that_does_not_fit_is_named) {
  const SmallGraph g = sevenOps();
  const DtrRun run = simulate(g.graph, "h_dtr", 6);
  EXPECT_EQ(run.end, DtrEnd::OutOfMemory);
  EXPECT_EQ(describeEnd(g.graph, run),
            "ran out of memory at node 1, which needs 2 bytes beside 4 bytes "
            "that cannot be evicted");
  EXPECT_EQ(run.node->index, 1);
}

// A recomputation of an op with several outputs would take no room for the
// output that is still there.
TEST(Dtr, DT11_a_recomputation_makes_all_outputs) {
  SmallGraph g;
  const TensorId x = g.op({}, 1);
  const std::vector<TensorId> y = g.ops({x}, {4, 3});
  g.op({y[1]}, 4);
  g.op({y[0], y[1]}, 1);
  g.keep(y[1]);
  const DtrRun run = simulate(g.graph, "size", 11);
  ASSERT_EQ(run.end, DtrEnd::Done);
  for (const DtrStep &step : run.steps)
    if (step.isCompute && step.isRecomputation && step.node.index == 1)
      EXPECT_EQ(step.discard.size() + step.tensors.size(), 2u);
  EXPECT_LE(run.peakBytes, 11);
}

// A view would outlive the storage that it looks into.
TEST(Dtr, DT12_a_view_is_made_again_with_its_storage) {
  SmallGraph g;
  const TensorId s = g.op({}, 8);
  const TensorId v = g.view(s);
  const TensorId big = g.op({}, 10);
  g.op({big}, 2);
  g.op({v}, 1);
  const DtrRun run = simulate(g.graph, "h_dtr", 17);
  ASSERT_EQ(run.end, DtrEnd::Done);
  std::vector<int> runs;
  for (const DtrStep &step : run.steps)
    if (step.isCompute)
      runs.push_back(step.node.index);
  EXPECT_EQ(runs, (std::vector<int>{0, 1, 2, 3, 0, 1, 4}));
}

/// The schedule of a run.
Schedule scheduleOf(const DtrRun &run) {
  Schedule schedule;
  for (const DtrStep &step : run.steps)
    if (step.isCompute)
      schedule.runs.push_back(step.node);
  return schedule;
}

// What the simulator does on any graph (views, writes, several outputs, nodes
// that run once) would be no plan, or take more than it says.
TEST(Dtr, runs_are_schedules_within_the_budget) {
  int finished = 0, reran = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    const Graph graph = makeRandomGraph(seed, 14);
    GraphIndex index(graph);
    const int64_t most = simulate(graph, "h_dtr", std::nullopt).peakBytes;
    for (const char *policy :
         {"h_dtr", "e_star", "lru,delete=ignore", "local,delete=banish",
          "size,sample=sqrt,small=0.01", "megengine,memory=pool,cost=0.5"}) {
      const int64_t budget =
          graph.persistentBytes() +
          (most - graph.persistentBytes()) * int64_t(4 + seed % 6) / 10;
      const DtrRun run = simulate(graph, policy, budget);
      EXPECT_LE(run.peakBytes, budget) << "seed " << seed << ", " << policy;
      if (run.end != DtrEnd::Done)
        continue;
      ++finished;
      reran += run.recomputations > 0;
      const Schedule schedule = scheduleOf(run);
      EXPECT_EQ(takeMessage(verifySchedule(index, schedule)), "")
          << "seed " << seed << ", " << policy;
      EXPECT_LE(measureSchedule(index, schedule, {}).peakBytes, run.peakBytes)
          << "seed " << seed << ", " << policy;
    }
  }
  EXPECT_GT(finished, 400);
  EXPECT_GT(reran, 100) << finished;
}

// A misspelt policy would be taken for another one.
TEST(DtrPolicy, names_what_is_wrong) {
  EXPECT_THAT(DtrPolicy::parse("h_dtr,delete=banish"), Succeeds());
  auto message = [](const char *text) {
    auto policy = DtrPolicy::parse(text);
    return takeMessage(policy);
  };
  EXPECT_EQ(message("best"), "'best' is none of h_dtr, e_star, local, msps, "
                             "lru, size, megengine");
  EXPECT_EQ(message("lru,delete=never"),
            "'delete' is 'never', none of eager, banish, ignore");
  EXPECT_EQ(message("lru,cost=2"), "'cost' is of megengine only");
  EXPECT_EQ(message("megengine,cost=x"),
            "'cost' must be a number that is not negative, but is 'x'");
  EXPECT_EQ(message("lru,colour=1"),
            "'colour' is none of cost, bytes, stale, penalty, small, limit, "
            "delete, memory, sample, seed, least");
}

} // namespace
