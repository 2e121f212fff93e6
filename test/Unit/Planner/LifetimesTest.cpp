//===- LifetimesTest.cpp - From plan steps to buffers and back ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/Lifetimes.h"
#include "ErrorMatchers.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

static ArenaPlan pack(const StepLifetimes &lifetimes, const char *solver) {
  llvm::Expected<ArenaPlan> plan =
      solve(lifetimes.problem, solverNamed(arenaSolvers(), solver), {});
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

static std::vector<std::string> print(const StepLifetimes &lifetimes) {
  std::vector<std::string> lines;
  for (const Placement &placement : lifetimes.placements)
    lines.push_back(print(placement));
  return lines;
}

// An output in place lives on in the placement of the tensor that took the
// storage; a workspace lives during its node only.
TEST(Lifetimes, follow_in_place_chains_and_workspaces) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4, a);
  g.lastNode().workspaceBytes = 10;
  TensorId c = g.op({b}, 4, b), d = g.op({c}, 2);
  g.keep(d);
  Planned planned(g);
  // Steps: 0 a, 1 b, 2 c, 3 d, 4 free c.
  StepLifetimes lifetimes = makeArenaProblem(
      planned.index,
      buildActions(planned.index, planned.schedule, planned.inPlace), 64);
  EXPECT_EQ(print(lifetimes),
            (std::vector<std::string>{"tensor 0 [0, 4)", "workspace 1 [1, 2)",
                                      "tensor 3 [3, 5)"}));
  ASSERT_EQ(lifetimes.problem.buffers.size(), 3u);
  EXPECT_EQ(lifetimes.problem.buffers[1].bytes, 10);
  EXPECT_EQ(lifetimes.problem.alignmentBytes, 64);
  PlanArena arena = makeArena(lifetimes, pack(lifetimes, "best-fit"));
  EXPECT_EQ(arena.alignment, 64);
  EXPECT_EQ(arena.placements[0].offset, 0);
  EXPECT_EQ(arena.placements[1].offset, 64);
  EXPECT_EQ(arena.placements[2].offset, 64);
  EXPECT_EQ(arena.bytes, 74);
}

// The workspace of the variant that runs is what counts.
TEST(Lifetimes, follow_variants_and_discards) {
  SmallGraph g;
  TensorId a = g.op({}, 4);
  std::vector<TensorId> pair = g.ops({a}, {4, 2});
  g.lastNode().workspaceBytes = 100;
  g.lastNode().variants = {{3.0, 7}, {4.0, 0}};
  g.keep(pair[0]);
  g.keep(pair[1]);
  Graph graph = g.graph;
  GraphIndex index(graph);
  PlanAction first = PlanAction::compute(NodeId(1)), again = first;
  first.variant = 1;
  again.variant = 2;
  again.discard = {pair[1]};
  std::vector<PlanAction> steps = {PlanAction::compute(NodeId(0)), first,
                                   PlanAction::free({pair[0]}), again,
                                   PlanAction::free({a})};
  StepLifetimes lifetimes = makeArenaProblem(index, steps, 1);
  EXPECT_EQ(print(lifetimes),
            (std::vector<std::string>{"tensor 0 [0, 4)", "tensor 1 [1, 2)",
                                      "tensor 2 [1, 5)", "workspace 1 [1, 2)",
                                      "tensor 1 [3, 5)", "discard 2 [3, 4)"}));
  EXPECT_EQ(lifetimes.problem.buffers[3].bytes, 7);
}

// What the caller owns takes no arena bytes, also under an output in place.
TEST(Lifetimes, leave_out_what_the_caller_owns) {
  SmallGraph g;
  TensorId w = g.caller(8);
  TensorId x = g.caller(4, TensorKind::Input, /*donated=*/true);
  TensorId a = g.op({x, w}, 4, x), b = g.op({a}, 4, a), c = g.op({b}, 2);
  g.keep(c);
  Planned planned(g);
  StepLifetimes lifetimes = makeArenaProblem(
      planned.index,
      buildActions(planned.index, planned.schedule, planned.inPlace), 1);
  EXPECT_EQ(print(lifetimes), (std::vector<std::string>{"tensor 4 [2, 4)"}));
}

// The source of an evict is occupied until its copy is over, the destination of
// a fetch from its start.
TEST(Lifetimes, follow_copies) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({}, 2), c = g.op({a, b}, 1);
  g.keep(c);
  Graph graph = g.graph;
  GraphIndex index(graph);
  auto copy = [&](ActionKind action, int64_t event) {
    PlanAction step;
    step.action = action;
    step.event = event;
    step.tensors = {a};
    return step;
  };
  std::vector<PlanAction> steps = {
      PlanAction::compute(NodeId(0)), copy(ActionKind::Evict, 0),
      PlanAction::compute(NodeId(1)), copy(ActionKind::Wait, 0),
      copy(ActionKind::Fetch, 1),     copy(ActionKind::Wait, 1),
      copy(ActionKind::DropHost, 0),  PlanAction::compute(NodeId(2)),
      PlanAction::free({a}),          PlanAction::free({b})};
  EXPECT_EQ(print(makeArenaProblem(index, steps, 1)),
            (std::vector<std::string>{"tensor 0 [0, 3)", "tensor 1 [2, 9)",
                                      "tensor 0 [4, 8)", "tensor 2 [7, 10)"}));
}

// Sharers of a storage get one offset; between them its bytes are free.
TEST(Lifetimes, unite_the_sharers_of_a_storage) {
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
  // Steps: 0 a, 1 b, 2 free a, 3 c, 4 free b, 5 d, 6 free c.
  std::vector<PlanAction> steps =
      buildActions(planned.index, planned.schedule, planned.inPlace);
  llvm::Expected<StepLifetimes> lifetimes =
      makeArenaProblem(planned.index, steps, 1, *storages);
  ASSERT_TRUE(bool(lifetimes)) << llvm::toString(lifetimes.takeError());
  EXPECT_EQ(lifetimes->bufferOf, (std::vector<int32_t>{0, 1, 2, 0}));
  const ArenaBuffer &shared = lifetimes->problem.buffers[0];
  EXPECT_EQ(shared.bytes, 4);
  EXPECT_EQ(shared.begin, 0);
  EXPECT_EQ(shared.end, 7);
  EXPECT_EQ(shared.gaps, (std::vector<std::pair<int64_t, int64_t>>{{2, 5}}));
  // A map of another schedule is told apart from a right one.
  storages->liveRanges.erase(storages->liveRanges.begin());
  storages->storageOf.erase(storages->storageOf.begin());
  EXPECT_THAT(makeArenaProblem(planned.index, steps, 1, *storages),
              FailsWith("tensor 0, taken at step 0, has no storage"));
}

/// A plan with its arena, to be replayed by code that knows none of the above.
static Plan makePlan(const GraphIndex &index, const Schedule &schedule,
                     const InPlaceChoice &inPlace,
                     const StepLifetimes &lifetimes, const char *solver) {
  Plan plan;
  plan.steps = buildActions(index, schedule, inPlace);
  ScheduleMetrics metrics = measureSchedule(index, schedule, inPlace);
  plan.status = SolveStatus::Feasible;
  plan.cost = plan.time = metrics.cost;
  plan.peakBytes = metrics.peakBytes;
  plan.arenas = {makeArena(lifetimes, pack(lifetimes, solver))};
  return plan;
}

// The placements cover just what the steps take: verifyPlan() finds each of
// them, at no shared byte, and none too many.
TEST(LifetimesProperty, arenas_of_random_plans_pass_verification) {
  int64_t reruns = 0, pairs = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 20);
    ASSERT_THAT(graph.check(), Succeeds());
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    InPlaceChoice inPlace = chooseInPlace({&index, &schedule});
    reruns += static_cast<int64_t>(schedule.runs.size() - graph.nodes.size());
    for (const auto &each : inPlace)
      pairs += static_cast<int64_t>(each.size());
    std::vector<PlanAction> steps = buildActions(index, schedule, inPlace);
    StepLifetimes own = makeArenaProblem(index, steps, 16);
    for (const ArenaSolver &arena : arenaSolvers())
      EXPECT_THAT(verifyPlan(index, makePlan(index, schedule, inPlace, own,
                                             arena.name.data())),
                  Succeeds());
    SharingProblem problem;
    problem.index = &index;
    problem.schedule = &schedule;
    problem.inPlace = &inPlace;
    for (const SharingSolver &sharing : sharingSolvers()) {
      llvm::Expected<StorageMap> storages = solve(problem, sharing, {});
      ASSERT_TRUE(bool(storages)) << llvm::toString(storages.takeError());
      llvm::Expected<StepLifetimes> shared =
          makeArenaProblem(index, steps, 16, *storages);
      ASSERT_TRUE(bool(shared)) << llvm::toString(shared.takeError());
      EXPECT_THAT(verifyPlan(index, makePlan(index, schedule, inPlace, *shared,
                                             "greedy-by-size")),
                  Succeeds())
          << sharing.name;
    }
  }
  EXPECT_GT(reruns, 100);
  EXPECT_GT(pairs, 50);
}

// Live bytes of the buffers and the caller's bytes make the replayed peak, so
// that an arena without holes needs no more than the schedule was measured
// with. Outputs in place on donated inputs take the caller's bytes with them
// when they die; the arena cannot use these.
TEST(LifetimesProperty, lower_bound_is_the_replayed_peak) {
  int compared = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 20);
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    InPlaceChoice inPlace = chooseInPlace({&index, &schedule});
    bool onDonated = false;
    for (const std::vector<InPlacePair> &pairs : inPlace)
      for (const InPlacePair &pair : pairs)
        onDonated |= !index.producer(index.base(pair.input));
    int64_t bytes =
        makeArenaProblem(index, buildActions(index, schedule, inPlace), 1)
            .problem.lowerBoundBytes() +
        graph.persistentBytes();
    int64_t measured = measureSchedule(index, schedule, inPlace).peakBytes;
    if (onDonated) {
      EXPECT_GE(bytes, measured);
      continue;
    }
    ++compared;
    EXPECT_EQ(bytes, measured);
  }
  EXPECT_GT(compared, 100);
}
