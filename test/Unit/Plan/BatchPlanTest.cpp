//===- BatchPlanTest.cpp - A plan for every batch of a range --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/BatchPlan.h"
#include "ErrorMatchers.h"
#include "GraphBuilder.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

namespace {

/// x -> a, 8 bytes a sample; a -> y, 4 bytes. Batches 1 to 3.
struct Case {
  Case() {
    const TensorId x = builder.tensor(12, TensorKind::Input),
                   a = builder.tensor(24),
                   y = builder.tensor(4, TensorKind::Output);
    builder.node({x}, {a});
    builder.node({a}, {y});
    plan.status = SolveStatus::Feasible;
    plan.cost = 2;
    plan.peakBytes = 40;
    plan.steps = {PlanAction::compute(NodeId(0)),
                  PlanAction::compute(NodeId(1)), PlanAction::free({a})};
    BatchRange range;
    range.breakpoints = {1, 3};
    range.bytesPerSample = {4, 8, 0};
    range.scratch.resize(2);
    range.stepHash = hashStep(builder.graph, range, 3);
    plan.batches = range;
    PlanArena &arena = plan.arenas.emplace_back();
    arena.alignment = 4;
    arena.bytes = 28;
    arena.bytesAt = {12, 28};
    arena.placements = {
        {PlacementKind::Tensor, a, NodeId(), 0, 2, 0},
        {PlacementKind::Tensor, y, NodeId(), 1, 3, 24},
    };
    arena.offsetsAt = {{0, 0}, {8, 24}};
  }
  llvm::Error verify() { return verifyPlan(GraphIndex(builder.graph), plan); }

  GraphBuilder builder;
  Plan plan;
};

template <typename Change> void expectError(Change change, const char *part) {
  Case broken;
  change(broken.plan, broken.plan.arenas.front(), *broken.plan.batches);
  EXPECT_THAT(broken.verify(), ViolatesWith(std::string("plan_c21"), part));
}

TEST(BatchPlan, plan_c21_holds_at_every_breakpoint) {
  EXPECT_THAT(Case().verify(), Succeeds());
  expectError([](Plan &, PlanArena &,
                 BatchRange &range) { range.breakpoints = {3, 1}; },
              "breakpoint 1 comes after 3");
  expectError([](Plan &, PlanArena &,
                 BatchRange &range) { range.breakpoints = {0, 3}; },
              "begin below 1");
  expectError([](Plan &, PlanArena &,
                 BatchRange &range) { range.bytesPerSample[1] = 13; },
              "tensor 1 takes 24 bytes at batch 3 and 13 for each sample");
  expectError([](Plan &, PlanArena &,
                 BatchRange &range) { range.bytesPerSample[1] = -4; },
              "-4 for each sample");
  expectError(
      [](Plan &, PlanArena &, BatchRange &range) { range.stepHash = "other"; },
      "the graph is not the step at batch 3");
  expectError(
      [](Plan &, PlanArena &, BatchRange &range) { range.scratch.pop_back(); },
      "3 tensors and 1 nodes");
  expectError(
      [](Plan &, PlanArena &arena, BatchRange &) { arena.bytesAt = {12, 32}; },
      "rises to 28");
  expectError([](Plan &, PlanArena &arena,
                 BatchRange &) { arena.offsetsAt[1] = {28, 24}; },
              "rises to 24");
  expectError([](Plan &, PlanArena &arena,
                 BatchRange &) { arena.offsetsAt.pop_back(); },
              "2 placements, but offsets for 1");
  expectError(
      [](Plan &, PlanArena &arena, BatchRange &) {
        arena.offsetsAt[1] = {12, 24};
        arena.bytesAt = {16, 28};
        arena.alignment = 8;
      },
      "no multiple of the alignment 8");
}

// At the least batch a plan is a plan: the arena is too small there, or two
// values lie over each other.
TEST(BatchPlan, plan_c21_asks_for_a_plan_at_the_least_batch) {
  Case small;
  small.plan.arenas.front().bytesAt = {8, 28};
  EXPECT_THAT(small.verify(), Violates("plan_c11", "ends beyond the arena"));
  Case over;
  over.plan.arenas.front().offsetsAt[1] = {0, 24};
  EXPECT_THAT(over.verify(), Violates("plan_c15", "share bytes"));
}

// Apart at both ends, and over each other at batch 2: a is below y at 3 and
// above at 1.
TEST(BatchPlan, plan_c21_refuses_storages_that_change_places) {
  Case crossing;
  PlanArena &arena = crossing.plan.arenas.front();
  // y falls from above a to the ground, as a rises.
  arena.placements[0].offset = 8;
  arena.placements[1].offset = 0;
  arena.bytes = 32;
  arena.bytesAt = {12, 32};
  arena.offsetsAt = {{0, 8}, {0, 0}};
  EXPECT_THAT(crossing.verify(), Violates("plan_c15"));
  // Now with y above at the least batch, which a value that falls cannot say.
  arena.offsetsAt = {{0, 8}, {8, 0}};
  EXPECT_THAT(crossing.verify(), Violates("plan_c21", "rises to 0"));
  // a goes from the ground over y, which stays.
  arena.placements[0].offset = 16;
  arena.placements[1].offset = 8;
  arena.bytes = 40;
  arena.bytesAt = {12, 40};
  arena.offsetsAt = {{0, 16}, {8, 8}};
  EXPECT_THAT(crossing.verify(),
              Violates("plan_c21", "neither lies below the other"));
}

// What is said of one batch is what the line says: rounded up for arenas.
TEST(BatchPlan, a_plan_of_one_batch_is_a_plan_like_any_other) {
  Case c;
  Graph step = graphAtBatch(c.builder.graph, *c.plan.batches, 2);
  EXPECT_EQ(step.tensors[1].bytes, 16);
  EXPECT_EQ(step.tensors[2].bytes, 4);
  GraphIndex index(step);
  llvm::Expected<Plan> at = planAtBatch(index, c.plan, 2);
  ASSERT_THAT(at, Succeeds());
  EXPECT_FALSE(at->batches);
  EXPECT_EQ(at->arenas.front().bytes, 20);
  EXPECT_EQ(at->arenas.front().placements[1].offset, 16);
  EXPECT_EQ(at->peakBytes, 28);
  EXPECT_THAT(verifyPlan(index, *at), Succeeds());
  BatchRange range;
  range.breakpoints = {1, 4};
  EXPECT_EQ(range.between(2, {0, 4}), 2);
  EXPECT_EQ(range.between(3, {0, 4}), 3);
  EXPECT_EQ(range.between(4, {0, 4}), 4);
}

} // namespace
