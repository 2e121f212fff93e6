//===- PackActionsTest.cpp - From a list of actions to a plan -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RandomActions.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Step/Buffers.h"
#include "memplan/Planner/Step/PackedPlan.h"

using namespace memplan;

static llvm::Expected<PackedPlan> pack(const GraphIndex &index,
                                       std::vector<PlanAction> actions,
                                       int64_t alignmentBytes = 1) {
  SolveLimits limits;
  limits.effort = 100;
  return packActions(index, std::move(actions),
                     solverNamed(arenaSolvers(), "greedy-by-size"),
                     alignmentBytes, limits);
}

static const Placement *find(const Plan &plan, const char *space, TensorId id,
                             int32_t begin) {
  for (const PlanArena &arena : plan.arenas)
    for (const Placement &placement : arena.placements)
      if (arena.space == space && placement.kind == PlacementKind::Tensor &&
          placement.tensor == id && placement.stepBegin == begin)
        return &placement;
  return nullptr;
}

// ST-70: a parameter is evicted, its bytes are lent to others, and at the end
// it lies where it lay.
TEST(PackActions, lends_the_bytes_of_a_parameter) {
  SmallGraph g;
  TensorId x = g.caller(4, TensorKind::Input), w = g.caller(4);
  TensorId a = g.op({x, w}, 4), b = g.op({a}, 4), y = g.op({b}, 4);
  g.keep(y);
  GraphIndex index(g.graph);
  llvm::Expected<PackedPlan> packed =
      pack(index, {PlanAction::compute(NodeId(0)), PlanAction::evict(w, 0),
                   PlanAction::wait(0), PlanAction::compute(NodeId(1)),
                   PlanAction::free({a}), PlanAction::compute(NodeId(2)),
                   PlanAction::free({b}), PlanAction::fetch(w, 1),
                   PlanAction::wait(1)});
  ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
  EXPECT_EQ(packed->deviceBytes, 12);
  EXPECT_EQ(packed->boundBytes, 12);
  EXPECT_EQ(packed->hostBytes, 4);
  EXPECT_EQ(packed->plan.arenas[0].owns, std::vector<TensorId>{w});
  const Placement *first = find(packed->plan, "device", w, 0),
                  *last = find(packed->plan, "device", w, 7);
  ASSERT_TRUE(first && last);
  EXPECT_EQ(first->offset, last->offset);
  EXPECT_EQ(first->stepEnd, 2);
  const Placement *stay = find(packed->plan, "host", w, 1);
  ASSERT_TRUE(stay);
  EXPECT_EQ(stay->stepEnd, 9);
}

// Only the replay knows what is wrong with a list.
TEST(PackActions, says_which_action_breaks_a_rule) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4);
  g.keep(b);
  GraphIndex index(g.graph);
  EXPECT_THAT(pack(index, {PlanAction::compute(NodeId(1))}).takeError(),
              FailsWith("step 0: node 1 reads"));
}

TEST(PackActions, compares_the_host_arena_with_the_host_budget) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({}, 4), c = g.op({a, b}, 4);
  g.keep(c);
  // Both together keep the budget; aligned, they do not.
  g.graph.hostBudgetBytes = 10;
  GraphIndex index(g.graph);
  std::vector<PlanAction> actions = {PlanAction::compute(NodeId(0)),
                                     PlanAction::compute(NodeId(1)),
                                     PlanAction::evict(a, 0),
                                     PlanAction::evict(b, 1),
                                     PlanAction::wait(0),
                                     PlanAction::wait(1),
                                     PlanAction::fetch(a, 2),
                                     PlanAction::fetch(b, 3),
                                     PlanAction::wait(2),
                                     PlanAction::wait(3),
                                     PlanAction::compute(NodeId(2))};
  llvm::Expected<PackedPlan> packed = pack(index, actions);
  ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
  EXPECT_TRUE(packed->fitsHost(g.graph));
  packed = pack(index, actions, 16);
  ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
  EXPECT_EQ(packed->hostBytes, 20);
  EXPECT_FALSE(packed->fitsHost(g.graph));
}

// packActions() verifies what it packs, by code that knows nothing of it: each
// storage, stay and scratch has its place, at no shared byte, and none is too
// many. The bytes are those that the replay counts.
TEST(PackActionsProperty, random_actions_pack_into_plans_that_verify) {
  int64_t copies = 0, stays = 0, lent = 0, recomputations = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 16);
    ASSERT_THAT(graph.check(), Succeeds());
    GraphIndex index(graph);
    std::vector<PlanAction> actions = makeRandomActions(index, seed, 40);
    for (const PlanAction &action : actions)
      copies += action.action == ActionKind::Fetch;
    recomputations +=
        llvm::count_if(actions,
                       [](const PlanAction &action) {
                         return action.action == ActionKind::Compute;
                       }) -
        static_cast<int64_t>(graph.nodes.size());
    llvm::Expected<PackedPlan> packed = pack(index, actions);
    ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
    EXPECT_THAT(verifyPlan(index, packed->plan, packed->deviceBytes),
                Succeeds());
    EXPECT_EQ(packed->boundBytes, packed->plan.peakBytes);
    // Within a budget: what fits is found and keeps it, hosted bytes included.
    for (int64_t budget : {packed->deviceBytes, packed->boundBytes - 1}) {
      SolveLimits limits;
      limits.effort = 1000;
      llvm::Expected<std::optional<PackedPlan>> within =
          packActionsWithin(index, actions, budget,
                            solverNamed(arenaSolvers(), "exact"), 1, limits);
      ASSERT_TRUE(bool(within)) << llvm::toString(within.takeError());
      ASSERT_EQ(within->has_value(), budget == packed->deviceBytes);
      if (*within)
        EXPECT_THAT(verifyPlan(index, (*within)->plan, budget), Succeeds());
    }
    for (const PlanArena &arena : packed->plan.arenas) {
      stays += arena.space == "host" ? int64_t(arena.placements.size()) : 0;
      lent += llvm::count_if(arena.owns,
                             [&](TensorId id) { return !graph[id].donated; });
    }
  }
  // The generator makes what this is about.
  EXPECT_GT(copies, 300);
  EXPECT_GT(stays, 200);
  EXPECT_GT(lent, 50);
  EXPECT_GT(recomputations, 300);
}

// A search would wait for lower offsets than its budget asks for; or what is
// enough would not be reached where it can be.
TEST(PackActionsProperty, ends_where_bytes_are_enough) {
  const ArenaSolver &solver = solverNamed(arenaSolvers(), "auto");
  int early = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 24);
    ASSERT_THAT(graph.check(), Succeeds());
    GraphIndex index(graph);
    const std::vector<PlanAction> actions = makeRandomActions(index, seed, 60);
    SolveLimits once, often;
    once.effort = 1;
    often.effort = 2000;
    llvm::Expected<PackedPlan> first =
        packActions(index, actions, solver, 1, once);
    llvm::Expected<PackedPlan> lowest =
        packActions(index, actions, solver, 1, often);
    ASSERT_TRUE(bool(first)) << llvm::toString(first.takeError());
    ASSERT_TRUE(bool(lowest)) << llvm::toString(lowest.takeError());
    early += lowest->deviceBytes < first->deviceBytes;
    for (const PackedPlan *wanted : {&*first, &*lowest}) {
      llvm::Expected<PackedPlan> towards =
          packActions(index, actions, solver, 1, often, wanted->deviceBytes);
      ASSERT_TRUE(bool(towards)) << llvm::toString(towards.takeError());
      EXPECT_EQ(towards->deviceBytes, wanted->deviceBytes);
      EXPECT_THAT(verifyPlan(index, towards->plan, towards->deviceBytes),
                  Succeeds());
    }
  }
  EXPECT_GT(early, 5);
}
