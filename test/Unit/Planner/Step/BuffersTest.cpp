//===- BuffersTest.cpp - From live ranges to buffers, and offsets back ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/Buffers.h"
#include "ErrorMatchers.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

static ArenaPlan pack(const StepBuffers &buffers, const char *solver) {
  SolveLimits limits; // Some would go on for people who wait.
  limits.effort = 100;
  llvm::Expected<ArenaPlan> plan =
      solve(buffers.problem, solverNamed(arenaSolvers(), solver), limits);
  if (plan)
    return *plan;
  ADD_FAILURE() << llvm::toString(plan.takeError());
  return {};
}

static std::string print(const Placement &placement) {
  const char *kinds[] = {"tensor", "workspace", "discard"};
  bool ofNode = placement.kind == PlacementKind::Workspace;
  return std::string(kinds[static_cast<int>(placement.kind)]) + " " +
         std::to_string(ofNode ? placement.node.index
                               : placement.tensor.index) +
         " [" + std::to_string(placement.stepBegin) + ", " +
         std::to_string(placement.stepEnd) + ")";
}

static std::vector<std::string> print(const StepBuffers &buffers) {
  std::vector<std::string> lines;
  for (const Placement &placement : buffers.placements)
    lines.push_back(print(placement));
  return lines;
}

/// Actions of a schedule and buffers for them, without sharing.
struct OwnBuffers {
  OwnBuffers(const GraphIndex &index, const Schedule &schedule,
             const InPlaceChoice &inPlace, int64_t alignmentBytes)
      : storages(makeOwnStorages(index,
                                 computeLiveRanges(index, schedule, inPlace))),
        actions(buildActions(index, schedule, inPlace, storages.liveRanges)),
        buffers(makeBuffers(index, actions, storages, alignmentBytes)) {}
  OwnBuffers(const Planned &planned, int64_t alignmentBytes)
      : OwnBuffers(planned.index, planned.schedule, planned.inPlace,
                   alignmentBytes) {}

  StorageMap storages;
  std::vector<PlanAction> actions;
  StepBuffers buffers;
};

// An output in place lives on in the placement of the tensor that took the
// storage; a workspace lives during its node only.
TEST(Buffers, follow_in_place_chains_and_workspaces) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4, a);
  g.lastNode().workspaceBytes = 10;
  TensorId c = g.op({b}, 4, b), d = g.op({c}, 2);
  g.keep(d);
  // Actions: 0 a, 1 b, 2 c, 3 d, 4 free c.
  StepBuffers buffers = OwnBuffers(Planned(g), 64).buffers;
  EXPECT_EQ(print(buffers),
            (std::vector<std::string>{"tensor 0 [0, 4)", "workspace 1 [1, 2)",
                                      "tensor 3 [3, 5)"}));
  ASSERT_EQ(buffers.problem.buffers.size(), 3u);
  EXPECT_EQ(buffers.problem.buffers[1].bytes, 10);
  EXPECT_EQ(buffers.problem.alignmentBytes, 64);
  std::vector<PlanArena> arenas =
      makeArenas(buffers, pack(buffers, "best-fit"));
  ASSERT_EQ(arenas.size(), 1u);
  const PlanArena &arena = arenas.front();
  EXPECT_EQ(arena.space, "device");
  EXPECT_EQ(arena.alignment, 64);
  EXPECT_EQ(arena.placements[0].offset, 0);
  EXPECT_EQ(arena.placements[1].offset, 64);
  EXPECT_EQ(arena.placements[2].offset, 64);
  EXPECT_EQ(arena.bytes, 74);
}

// A small output in a large storage keeps all of it.
TEST(Buffers, keep_the_bytes_of_the_storage) {
  SmallGraph g;
  TensorId a = g.op({}, 8), b = g.op({a}, 3, a), c = g.op({b}, 1);
  g.keep(c);
  Planned planned(g);
  planned.inPlace = {{}, {{b, a}}, {}};
  StepBuffers buffers = OwnBuffers(planned, 1).buffers;
  EXPECT_EQ(print(buffers),
            (std::vector<std::string>{"tensor 0 [0, 3)", "tensor 2 [2, 4)"}));
  EXPECT_EQ(buffers.problem.buffers[0].bytes, 8);
  EXPECT_EQ(buffers.problem.lowerBoundBytes(), 9);
}

// The workspace of the variant that runs is what counts.
TEST(Buffers, follow_variants_and_discards) {
  SmallGraph g;
  TensorId a = g.op({}, 4);
  std::vector<TensorId> pair = g.ops({a}, {4, 2});
  g.lastNode().workspaceBytes = 100;
  g.lastNode().variants = {{3.0, 7}, {4.0, 0}};
  TensorId b = g.op({pair[0], pair[1]}, 1), c = g.op({b, pair[0]}, 1);
  g.keep(c);
  // Actions: 0 a, 1 pair, 2 b, 3 free pair, 4 pair again, 5 free a, 6 c.
  Planned planned(
      g, Schedule{{NodeId(0), NodeId(1), NodeId(2), NodeId(1), NodeId(3)}});
  OwnBuffers own(planned, 1);
  own.actions[1].variant = 1;
  own.actions[4].variant = 2;
  StepBuffers buffers =
      makeBuffers(planned.index, own.actions, own.storages, 1);
  EXPECT_EQ(print(buffers),
            (std::vector<std::string>{"tensor 0 [0, 5)", "tensor 1 [1, 3)",
                                      "tensor 2 [1, 3)", "workspace 1 [1, 2)",
                                      "tensor 3 [2, 7)", "tensor 1 [4, 7)",
                                      "discard 2 [4, 5)", "tensor 4 [6, 8)"}));
  EXPECT_EQ(buffers.problem.buffers[3].bytes, 7);
}

// What the caller owns takes no arena bytes. A donated input does, with the
// outputs in place over it, or its bytes would serve nothing after its last
// user.
TEST(Buffers, hold_what_was_donated_and_leave_out_what_the_caller_owns) {
  SmallGraph g;
  TensorId w = g.caller(8);
  TensorId x = g.caller(4, TensorKind::Input, /*donated=*/true);
  TensorId a = g.op({x, w}, 4, x), b = g.op({a}, 4, a), c = g.op({b}, 2);
  g.keep(c);
  OwnBuffers own(Planned(g), 1);
  EXPECT_EQ(print(own.buffers),
            (std::vector<std::string>{"tensor 1 [0, 3)", "tensor 4 [2, 4)"}));
  EXPECT_EQ(own.buffers.owns, std::vector<TensorId>{x});
  EXPECT_EQ(makeArenas(own.buffers, pack(own.buffers, "best-fit"))[0].owns,
            std::vector<TensorId>{x});
}

// A donated input that nothing reads gives its bytes to the first run.
TEST(Buffers, free_what_was_donated_and_nobody_reads_first) {
  SmallGraph g;
  g.caller(4, TensorKind::Input, /*donated=*/true);
  TensorId a = g.op({}, 4);
  g.keep(a);
  OwnBuffers own(Planned(g), 1);
  EXPECT_EQ(print(own.buffers),
            (std::vector<std::string>{"tensor 0 [0, 1)", "tensor 1 [1, 2)"}));
  EXPECT_EQ(own.buffers.problem.lowerBoundBytes(), 4);
}

// Bytes of the host lie in an arena of their own, beside those of the device.
TEST(Buffers, have_an_arena_for_each_space) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 2), c = g.op({a, b}, 1);
  g.keep(c);
  Planned planned(g);
  const std::vector<PlanAction> actions = {
      PlanAction::compute(NodeId(0)), PlanAction::evict(a, 0),
      PlanAction::compute(NodeId(1)), PlanAction::wait(0),
      PlanAction::fetch(a, 1),        PlanAction::wait(1),
      PlanAction::dropHost(a),        PlanAction::compute(NodeId(2)),
      PlanAction::free({a, b})};
  StepBuffers buffers = makeBuffers(planned.index, actions, 1);
  std::vector<PlanArena> arenas =
      makeArenas(buffers, pack(buffers, "greedy-by-size"));
  ASSERT_EQ(arenas.size(), 2u);
  EXPECT_EQ(arenas[0].space, "device");
  EXPECT_EQ(arenas[0].bytes, 7);
  EXPECT_EQ(arenas[1].space, "host");
  EXPECT_EQ(arenas[1].bytes, 4);
  ASSERT_EQ(arenas[1].placements.size(), 1u);
  EXPECT_EQ(arenas[1].placements[0].tensor, a);
  EXPECT_EQ(arenas[1].placements[0].offset, 0);
}

// Sharers of a storage get one offset; between them its bytes are free.
TEST(Buffers, unite_the_sharers_of_a_storage) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 1), c = g.op({b}, 1),
           d = g.op({c}, 3);
  g.keep(d);
  Planned planned(g);
  SharingProblem problem;
  problem.index = &planned.index;
  problem.schedule = &planned.schedule;
  problem.matchRange = 2; // c does not take a's storage, d does.
  llvm::Expected<StorageMap> storages =
      solve(problem, solverNamed(sharingSolvers(), "counter"), {});
  ASSERT_TRUE(bool(storages)) << llvm::toString(storages.takeError());
  // Actions: 0 a, 1 b, 2 free a, 3 c, 4 free b, 5 d, 6 free c.
  StepBuffers buffers = makeBuffers(
      planned.index,
      buildActions(planned.index, planned.schedule, planned.inPlace), *storages,
      1);
  EXPECT_EQ(buffers.bufferOf, (std::vector<int32_t>{0, 1, 2, 0}));
  const ArenaBuffer &shared = buffers.problem.buffers[0];
  EXPECT_EQ(shared.bytes, 4);
  EXPECT_EQ(shared.begin, 0);
  EXPECT_EQ(shared.end, 7);
  EXPECT_EQ(shared.gaps, (std::vector<std::pair<int64_t, int64_t>>{{2, 5}}));
}

/// A plan with its arena, to be replayed by code that knows none of the above.
static Plan makePlan(const GraphIndex &index, const Schedule &schedule,
                     const InPlaceChoice &inPlace, const StepBuffers &buffers,
                     const char *solver) {
  Plan plan;
  plan.steps = buildActions(index, schedule, inPlace);
  ScheduleMetrics metrics = measureSchedule(index, schedule, inPlace);
  plan.status = SolveStatus::Feasible;
  plan.time = plan.cost = metrics.cost;
  plan.peakBytes = metrics.peakBytes;
  plan.arenas = makeArenas(buffers, pack(buffers, solver));
  return plan;
}

// The placements cover just what the actions take: verifyPlan() finds each of
// them, at no shared byte, and none too many.
TEST(BuffersProperty, arenas_of_random_plans_pass_verification) {
  int64_t recomputations = 0, pairs = 0, larger = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 20);
    ASSERT_THAT(graph.check(), Succeeds());
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    InPlaceChoice inPlace = seed % 3 == 0
                                ? chooseInPlace({&index, &schedule})
                                : makeRandomInPlace(index, schedule, seed);
    recomputations +=
        static_cast<int64_t>(schedule.runs.size() - graph.nodes.size());
    for (const auto &each : inPlace)
      pairs += static_cast<int64_t>(each.size());
    OwnBuffers own(index, schedule, inPlace, 16);
    for (const LiveRange &range : own.storages.liveRanges)
      larger += range.bytes > graph[range.tensor].bytes;
    for (const ArenaSolver &arena : arenaSolvers())
      EXPECT_THAT(verifyPlan(index, makePlan(index, schedule, inPlace,
                                             own.buffers, arena.name.data())),
                  Succeeds());
    // Operands that are read twice may be overwritten in plans, not here.
    if (llvm::Error error = InPlaceProblem{&index, &schedule}.verify(inPlace)) {
      EXPECT_THAT(std::move(error), Violates("inplace_c6", "operands"));
      continue;
    }
    SharingProblem problem;
    problem.index = &index;
    problem.schedule = &schedule;
    problem.inPlace = &inPlace;
    for (const SharingSolver &sharing : sharingSolvers()) {
      llvm::Expected<StorageMap> storages = solve(problem, sharing, {});
      ASSERT_TRUE(bool(storages)) << llvm::toString(storages.takeError());
      StepBuffers shared = makeBuffers(index, own.actions, *storages, 16);
      EXPECT_THAT(verifyPlan(index, makePlan(index, schedule, inPlace, shared,
                                             "greedy-by-size")),
                  Succeeds())
          << sharing.name;
    }
  }
  EXPECT_GT(recomputations, 100);
  EXPECT_GT(pairs, 50);
  EXPECT_GT(larger, 20);
}

// Live bytes of the buffers and the bytes that stay the caller's make the
// replayed peak, so that an arena without holes needs no more than the schedule
// was measured with.
TEST(BuffersProperty, lower_bound_is_the_replayed_peak) {
  int donated = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 20);
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    InPlaceChoice inPlace = chooseInPlace({&index, &schedule});
    StepBuffers buffers = OwnBuffers(index, schedule, inPlace, 1).buffers;
    int64_t bytes = buffers.problem.lowerBoundBytes() + graph.persistentBytes();
    for (TensorId id : buffers.owns)
      bytes -= graph[id].bytes;
    donated += !buffers.owns.empty();
    EXPECT_EQ(bytes, measureSchedule(index, schedule, inPlace).peakBytes);
  }
  EXPECT_GT(donated, 50);
}
