//===- LivenessTest.cpp - Live ranges, steps and schedules ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/Liveness.h"
#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "../RandomGraph.h"
#include "../ScheduleOracle.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

namespace {

int64_t peakOf(const Graph &graph, const Schedule &schedule,
               const InPlaceChoice &inPlace = {}) {
  return measureSchedule(GraphIndex(graph), schedule, inPlace).peakBytes;
}

/// Verifies the plan that the steps of a schedule make.
llvm::Error verifySteps(const Graph &graph, const Schedule &schedule,
                        const InPlaceChoice &inPlace = {}) {
  GraphIndex index(graph);
  ScheduleMetrics metrics = measureSchedule(index, schedule, inPlace);
  Plan plan;
  plan.status = SolveStatus::Feasible;
  plan.time = plan.cost = metrics.cost;
  plan.peakBytes = metrics.peakBytes;
  plan.steps = buildActions(index, schedule, inPlace);
  return verifyPlan(index, plan);
}

struct ChainCase {
  int n;
  double cost; ///< Without recomputation
  int64_t peak;
  std::vector<double> costAt; ///< At budgets 2, 3, ...; negative: infeasible
};

// CK-1, found by another exhaustive search. If the memory model differed from
// Checkmate's, no published figure could be reproduced.
TEST(Chain, CK1_CostAndPeakByBudget) {
  std::vector<ChainCase> cases = {{2, 5, 4, {-1, 6, 5, 5}},
                                  {3, 7, 5, {-1, 10, 8, 7, 7}},
                                  {4, 9, 6, {-1, 15, 11, 10, 9}}};
  for (const ChainCase &chain : cases) {
    SCOPED_TRACE("n " + std::to_string(chain.n));
    Graph graph = makeTrainingChain(chain.n);
    ASSERT_THAT(graph.check(), Succeeds());
    EXPECT_EQ(graph.totalCost(), chain.cost);
    EXPECT_EQ(peakOf(graph, sourceSchedule(graph)), chain.peak);
    for (size_t i = 0; i < chain.costAt.size(); ++i) {
      int64_t budget = 2 + static_cast<int64_t>(i);
      SCOPED_TRACE("budget " + std::to_string(budget));
      std::optional<OracleAnswer> best = findCheapestSchedule(graph, budget);
      ASSERT_EQ(best.has_value(), chain.costAt[i] >= 0);
      if (!best)
        continue;
      EXPECT_EQ(best->cost, chain.costAt[i]);
      // The oracle's drops are its own; liveness must find ones that are as
      // good.
      GraphIndex index(graph);
      ASSERT_THAT(verifySchedule(index, best->schedule), Succeeds());
      ScheduleMetrics metrics = measureSchedule(index, best->schedule, {});
      EXPECT_LE(metrics.peakBytes, budget);
      EXPECT_EQ(metrics.cost, best->cost);
    }
  }
}

// On graphs of any shape, liveness must never need more than the oracle's own
// drops.
TEST(Oracle, LivenessIsAsGoodAsExplicitDrops) {
  int solved = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    GraphBuilder builder;
    std::vector<TensorId> made = {
        builder.tensor(dice.roll(3), TensorKind::Parameter)};
    for (int n = 0; n < 7; ++n) {
      std::vector<TensorId> inputs;
      for (int64_t k = 1 + dice.roll(2); k-- > 0;)
        inputs.push_back(made[made.size() - 1 -
                              dice.roll(std::min<int64_t>(4, made.size()))]);
      TensorId output = builder.tensor(
          1 + dice.roll(4),
          dice.chance(10) ? TensorKind::Output : TensorKind::Activation);
      NodeId node =
          builder.node(inputs, {output}, 1 + static_cast<double>(dice.roll(5)));
      builder[node].workspaceBytes = dice.roll(2);
      made.push_back(output);
    }
    ASSERT_THAT(builder.graph.check(), Succeeds());
    int64_t budget =
        peakOf(builder.graph, sourceSchedule(builder.graph)) - 1 - dice.roll(2);
    std::optional<OracleAnswer> best =
        findCheapestSchedule(builder.graph, budget);
    if (!best)
      continue;
    ++solved;
    GraphIndex index(builder.graph);
    ASSERT_THAT(verifySchedule(index, best->schedule), Succeeds());
    EXPECT_LE(peakOf(builder.graph, best->schedule), budget);
    ASSERT_THAT(verifySteps(builder.graph, best->schedule), Succeeds());
  }
  EXPECT_GT(solved, 10);
}

/// x input 4, w parameter 8; n0: a = f(x, w); n1: b = g(a), perhaps over a; n2:
/// c = h(b, a); n3 writes w, reads w and b.
Graph makeUpdateGraph() {
  GraphBuilder builder;
  TensorId x = builder.tensor(4, TensorKind::Input),
           w = builder.tensor(8, TensorKind::Parameter);
  TensorId a = builder.tensor(4), b = builder.tensor(4),
           c = builder.tensor(4, TensorKind::Output);
  builder.node({x, w}, {a});
  NodeId n1 = builder.node({a}, {b});
  builder[n1].inPlace = {{b, a}};
  builder.node({b, a}, {c});
  NodeId n3 = builder.node({w, b}, {});
  builder[n3].writes = {w};
  return std::move(builder.graph);
}

// MUT-1: a recomputation that reads a parameter after its update would compute
// with the next step's weights.
TEST(Updates, MUT1_NoRecomputationAfterTheUpdate) {
  Graph graph = makeUpdateGraph();
  GraphIndex index(graph);
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1, 3, 0, 2})),
              FailsWith("node 0 needs another version of tensor 1"));
  Schedule legal = makeSchedule({0, 1, 0, 2, 3});
  EXPECT_THAT(verifySchedule(index, legal), Succeeds());
  EXPECT_THAT(verifySteps(graph, legal), Succeeds());
  EXPECT_EQ(measureSchedule(index, legal, {}).cost, graph.totalCost() + 1);
  // In place over a in n1 while n2 still reads a.
  InPlaceChoice overA = {{}, {{TensorId(3), TensorId(2)}}, {}, {}};
  EXPECT_THAT(verifySteps(graph, makeSchedule({0, 1, 2, 3}), overA),
              FailsWith("node 2 reads tensor 2, which is not resident"));
  // Legal where a is recomputed in between.
  InPlaceChoice overFirstA = {{}, {{TensorId(3), TensorId(2)}}, {}, {}, {}};
  EXPECT_THAT(verifySteps(graph, legal, overFirstA), Succeeds());
}

TEST(Updates, RepairCannotUndoAnUpdate) {
  Graph graph = makeUpdateGraph();
  GraphIndex index(graph);
  std::vector<NodeId> wish = {NodeId(0), NodeId(1), NodeId(3), NodeId(0)};
  EXPECT_THAT(repairSchedule(index, wish), FailsWith("needs another version"));
}

// An activation that is written cannot be recomputed: its producer would bring
// the first content back.
TEST(Updates, RemadeActivationHasItsFirstVersion) {
  GraphBuilder builder;
  TensorId a = builder.tensor(4), b = builder.tensor(4),
           c = builder.tensor(4, TensorKind::Output);
  builder.node({}, {a, b});
  NodeId scale = builder.node({a}, {});
  builder[scale].writes = {a};
  builder.node({a, b}, {c});
  ASSERT_THAT(builder.graph.check(), Succeeds());
  GraphIndex index(builder.graph);
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1, 2})), Succeeds());
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1, 0, 2})),
              FailsWith("needs another version of tensor 0"));
}

// MX-13: without outputs to keep, a chain needs two buffers, in place one, and
// the same code gives both.
TEST(Chain, MX13_InferenceNeedsTwoBuffersOrOne) {
  GraphBuilder builder;
  TensorId at = builder.tensor(0, TensorKind::Input);
  InPlaceChoice inPlace;
  for (int i = 0; i < 10; ++i) {
    TensorId next =
        builder.tensor(1, i == 9 ? TensorKind::Output : TensorKind::Activation);
    NodeId node = builder.node({at}, {next});
    if (i > 0)
      builder[node].inPlace = {{next, at}};
    inPlace.push_back(builder[node].inPlace);
    at = next;
  }
  Schedule source = sourceSchedule(builder.graph);
  EXPECT_EQ(peakOf(builder.graph, source), 2);
  EXPECT_EQ(peakOf(builder.graph, source, inPlace), 1);
  EXPECT_THAT(verifySteps(builder.graph, source, inPlace), Succeeds());
  EXPECT_EQ(
      peakOf(makeTrainingChain(10), sourceSchedule(makeTrainingChain(10))), 12);
}

// MX-14: an output that nothing reads takes bytes while its node runs, and is
// gone right after.
TEST(LiveRanges, MX14_UnreadOutputLivesForItsRun) {
  GraphBuilder builder;
  TensorId x = builder.tensor(0, TensorKind::Input);
  TensorId used = builder.tensor(2), unread = builder.tensor(5),
           out = builder.tensor(3, TensorKind::Output);
  builder.node({x}, {used, unread});
  builder.node({used}, {out});
  GraphIndex index(builder.graph);
  Schedule source = sourceSchedule(builder.graph);
  EXPECT_EQ(peakOf(builder.graph, source), 7);
  std::vector<PlanAction> steps = buildActions(index, source, {});
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[1].action, ActionKind::Free);
  EXPECT_EQ(steps[1].tensors, std::vector<TensorId>{unread});
  // A recomputation that nothing needs it from does not even place it.
  Schedule twice = makeSchedule({0, 0, 1});
  std::vector<PlanAction> again = buildActions(index, twice, {});
  EXPECT_EQ(again[2].discard, std::vector<TensorId>{unread});
  EXPECT_THAT(verifySteps(builder.graph, twice), Succeeds());
}

// MX-15: a view keeps its base alive, so nothing may overwrite the base while
// the view has users.
TEST(LiveRanges, MX15_ViewKeepsItsBase) {
  GraphBuilder builder;
  TensorId x = builder.tensor(0, TensorKind::Input);
  TensorId a = builder.tensor(4), view = builder.view(a), b = builder.tensor(4),
           c = builder.tensor(4, TensorKind::Output);
  builder.node({x}, {a});
  builder.node({a}, {view}, 0);
  NodeId overwriter = builder.node({a}, {b});
  builder[overwriter].inPlace = {{b, a}};
  builder.node({view, b}, {c});
  GraphIndex index(builder.graph);
  Schedule source = sourceSchedule(builder.graph);
  std::vector<LiveRange> liveRanges = computeLiveRanges(index, source);
  ASSERT_EQ(liveRanges.size(), 3u);
  EXPECT_EQ(liveRanges[0].tensor, a);
  EXPECT_EQ(liveRanges[0].end, 4);
  EXPECT_EQ(peakOf(builder.graph, source), 12);
  InPlaceChoice inPlace = {{}, {}, {{b, a}}, {}};
  EXPECT_THAT(verifySteps(builder.graph, source, inPlace),
              FailsWith("node 3 reads tensor 2, which is not resident"));
  // With the view read before, the same pair is legal.
  Schedule viewless = makeSchedule({0, 1, 3});
  EXPECT_THAT(verifySchedule(index, viewless),
              FailsWith("node 3 needs tensor 3, which no earlier run makes"));
}

/// x -> a -> (view of a) -> b; then c reads the view and b.
Graph makeViewGraph() {
  GraphBuilder builder;
  TensorId x = builder.tensor(1, TensorKind::Input), a = builder.tensor(4),
           view = builder.view(a), b = builder.tensor(4),
           c = builder.tensor(4, TensorKind::Output);
  builder.node({x}, {a});
  builder.node({a}, {view}, 0);
  builder.node({view}, {b});
  builder.node({view, b}, {c});
  return std::move(builder.graph);
}

// A view looks into storage that is freed once its base is made anew.
TEST(Views, MustBeRemadeAfterTheirBase) {
  Graph graph = makeViewGraph();
  GraphIndex index(graph);
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1, 2, 0, 3})),
              FailsWith("node 3 needs tensor 2, a view of a tensor that was "
                        "recomputed after the view"));
  std::vector<NodeId> wish = {NodeId(0), NodeId(1), NodeId(2), NodeId(0),
                              NodeId(3)};
  llvm::Expected<Schedule> repaired = repairSchedule(index, wish);
  ASSERT_TRUE(bool(repaired)) << llvm::toString(repaired.takeError());
  EXPECT_EQ(repaired->runs, makeSchedule({0, 1, 2, 0, 1, 3}).runs);
  EXPECT_THAT(verifySteps(graph, *repaired), Succeeds());
}

TEST(Views, RemakingAReadableViewIsADiscard) {
  Graph graph = makeViewGraph();
  GraphIndex index(graph);
  Schedule idle = makeSchedule({0, 1, 2, 1, 3});
  EXPECT_THAT(verifySteps(graph, idle), Succeeds());
  EXPECT_EQ(buildActions(index, idle, {})[3].discard,
            std::vector<TensorId>{TensorId(2)});
  llvm::Expected<Schedule> repaired = repairSchedule(index, idle.runs);
  ASSERT_TRUE(bool(repaired)) << llvm::toString(repaired.takeError());
  EXPECT_EQ(repaired->runs, sourceSchedule(graph).runs);
}

// The order of runs alone says when bytes are taken, also for a tensor that
// lives twice.
TEST(LiveRanges, TheLatestRunServes) {
  GraphBuilder builder;
  TensorId a = builder.tensor(8), b = builder.tensor(1), c = builder.tensor(1),
           d = builder.tensor(1);
  builder.node({}, {a});
  builder.node({a}, {b});
  builder.node({b}, {c});
  builder.node({a, c}, {d});
  GraphIndex index(builder.graph);
  std::vector<LiveRange> liveRanges =
      computeLiveRanges(index, makeSchedule({0, 1, 2, 0, 3}));
  ASSERT_EQ(liveRanges.size(), 5u);
  EXPECT_EQ(liveRanges[0].end, 2);
  EXPECT_EQ(liveRanges[3].tensor, a);
  EXPECT_EQ(liveRanges[3].begin, 3);
  EXPECT_EQ(liveRanges[3].end, 5);
}

TEST(ScheduleVerify, schedule_c1_runs) {
  Graph graph = makeUpdateGraph();
  GraphIndex index(graph);
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1, 2})),
              FailsWith("schedule_c1: run 3: node 3 never runs"));
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1, 2, 3, 3})),
              FailsWith("schedule_c1: run 4: node 3 may run only once"));
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 9})),
              FailsWith("no node has index 9"));
  EXPECT_THAT(verifySchedule(index, makeSchedule({-1})),
              FailsWith("no node has index -1"));
}

TEST(ScheduleVerify, schedule_c2_uses_find_values) {
  Graph graph = makeUpdateGraph();
  EXPECT_THAT(verifySchedule(GraphIndex(graph), makeSchedule({1, 0, 2, 3})),
              FailsWith("schedule_c2: run 0: node 1 needs tensor 2, which no "
                        "earlier run makes"));
}

TEST(ScheduleVerify, schedule_c3_versions) {
  Graph graph = makeUpdateGraph();
  // A second user that source order puts behind the update must not come
  // before it.
  graph.nodes.push_back(graph.nodes[0]);
  graph.nodes.back().externalId = 4;
  graph.tensors.push_back(graph.tensors[2]);
  graph.tensors.back().externalId = 5;
  graph.nodes.back().outputs = {TensorId(5)};
  graph.nodes.back().inPlace.clear();
  ASSERT_THAT(graph.check(), Succeeds());
  GraphIndex index(graph);
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1, 2, 3, 4})), Succeeds());
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 4, 1, 2, 3})),
              FailsWith("schedule_c3: run 1: node 4 needs another version"));
}

TEST(ScheduleVerify, schedule_c4_collectives) {
  GraphBuilder builder;
  TensorId x = builder.tensor(1, TensorKind::Input);
  for (int i = 0; i < 2; ++i)
    builder[builder.node({x}, {builder.tensor(1)})].collective = true;
  GraphIndex index(builder.graph);
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1})), Succeeds());
  EXPECT_THAT(
      verifySchedule(index, makeSchedule({1, 0})),
      FailsWith(
          "schedule_c4: run 0: collective or opaque node 1 is out of order"));
}

// A run would take a variant that its node does not have.
TEST(ScheduleVerify, schedule_c6_variants) {
  GraphBuilder builder;
  TensorId x = builder.tensor(4);
  NodeId node = builder.node({}, {x});
  builder[node].variants = {{2, 0}};
  Graph graph = builder.graph;
  GraphIndex index(graph);
  EXPECT_THAT(verifySchedule(index, {{node}, {1}}), Succeeds());
  EXPECT_EQ(measureSchedule(index, {{node}, {1}}, {}).cost, 2);
  EXPECT_THAT(verifySchedule(index, {{node}, {2}}),
              FailsWith("schedule_c6: run 0: node 0 has no variant 2"));
  EXPECT_THAT(verifySchedule(index, {{node}, {0, 0}}),
              FailsWith("schedule_c6: variants for 2 runs, but there are 1"));
}

TEST(ScheduleVerify, schedule_c5_end) {
  GraphBuilder builder;
  TensorId x = builder.tensor(1, TensorKind::Input), a = builder.tensor(1);
  builder.node({x}, {a});
  builder.node({a}, {builder.view(a, TensorKind::Output)});
  GraphIndex index(builder.graph);
  EXPECT_THAT(verifySchedule(index, makeSchedule({0, 1})), Succeeds());
  EXPECT_THAT(
      verifySchedule(index, makeSchedule({0, 1, 0})),
      FailsWith("schedule_c5: run 3: tensor 2 is not available at the end"));
}

} // namespace
