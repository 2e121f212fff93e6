//===- PlanVerifierTest.cpp - Broken plans, constraint by constraint ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/PlanVerifier.h"
#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Schedule/Liveness.h"

using namespace memplan;

namespace {

const TensorId x(0), w(1), a(2), b(3), out(4);

/// a = f(x, w) with workspace 3; b = g(a), perhaps over a; out = h(b).
struct Case {
  GraphBuilder builder;
  Plan plan;

  Case() {
    builder.tensor(4, TensorKind::Input);
    builder.tensor(8, TensorKind::Parameter);
    builder.tensor(5);
    builder.tensor(5);
    builder.tensor(2, TensorKind::Output);
    NodeId f = builder.node({x, w}, {a});
    builder[f].workspaceBytes = 3;
    NodeId g = builder.node({a}, {b});
    builder[g].inPlace = {{b, a}};
    builder.node({b}, {out});
    remake();
  }

  void remake() {
    GraphIndex index(builder.graph);
    Schedule source = sourceSchedule(builder.graph);
    ScheduleMetrics metrics = measureSchedule(index, source, {});
    plan.status = SolveStatus::Feasible;
    plan.time = plan.cost = metrics.cost;
    plan.peakBytes = metrics.peakBytes;
    plan.steps = buildActions(index, source, {}); // f g -a h -b
  }

  llvm::Error verify(std::optional<int64_t> budget = {}) const {
    return verifyPlan(GraphIndex(builder.graph), plan, budget);
  }
};

TEST(PlanVerify, AcceptsTheSourceOrder) {
  Case test;
  EXPECT_THAT(test.verify(), Succeeds());
  EXPECT_EQ(test.plan.peakBytes, 4 + 8 + 5 + 5);
}

TEST(PlanVerify, plan_c1_ids_in_range) {
  Case test;
  test.plan.steps[0].node = NodeId(3);
  EXPECT_THAT(test.verify(),
              FailsWith("step 0: runs node index 3, which does not exist"));
  test = Case();
  test.plan.steps[2].tensors = {TensorId(-1)};
  EXPECT_THAT(test.verify(), FailsWith("frees tensor index -1"));
  test = Case();
  test.plan.steps[0].variant = 1;
  EXPECT_THAT(test.verify(), FailsWith("no variant 1"));
}

TEST(PlanVerify, plan_c2_inputs_resident) {
  Case test;
  std::swap(test.plan.steps[1], test.plan.steps[2]);
  EXPECT_THAT(
      test.verify(),
      FailsWith("step 2: node 1 reads tensor 2, which is not resident"));
}

TEST(PlanVerify, plan_c3_outputs_new) {
  Case test;
  test.plan.steps.insert(test.plan.steps.begin() + 1,
                         PlanAction::compute(NodeId(0)));
  EXPECT_THAT(test.verify(),
              FailsWith("makes tensor 2, which is resident already"));
  test.plan.steps[1].discard = {b};
  EXPECT_THAT(test.verify(), FailsWith("none of its outputs"));
}

TEST(PlanVerify, plan_c4_in_place) {
  Case test;
  test.plan.steps[1].inPlace = {{b, a}};
  test.plan.steps.erase(test.plan.steps.begin() + 2);
  EXPECT_THAT(test.verify(),
              FailsWith("plan says peak 22 bytes, replaying gives 20"));
  test.plan.peakBytes = 20; // The workspace of f decides now.
  EXPECT_THAT(test.verify(), Succeeds());
  test.builder[a].bytes = 4;
  EXPECT_THAT(test.verify(), FailsWith("does not fit over"));
  test.plan.steps[1].inPlace = {{b, w}};
  EXPECT_THAT(test.verify(), FailsWith("may not put"));
}

TEST(PlanVerify, plan_c4_one_output_for_a_storage) {
  GraphBuilder builder;
  TensorId first = builder.tensor(4), left = builder.view(first),
           right = builder.view(first);
  TensorId p = builder.tensor(4), q = builder.tensor(4);
  builder.node({}, {first, left, right});
  NodeId both = builder.node({left}, {p, q});
  builder[both].inPlace = {{p, left}, {q, left}};
  ASSERT_THAT(builder.graph.check(), Succeeds());
  Plan plan;
  plan.status = SolveStatus::Feasible;
  plan.steps = {PlanAction::compute(NodeId(0)), PlanAction::compute(both)};
  plan.steps[1].inPlace = {{p, left}, {q, left}};
  EXPECT_THAT(verifyPlan(GraphIndex(builder.graph), plan),
              FailsWith("both put in place over the storage"));
}

TEST(PlanVerify, plan_c5_runs) {
  Case test;
  test.builder[NodeId(1)].recompute = false;
  EXPECT_THAT(test.verify(), Succeeds());
  test.plan.steps.insert(test.plan.steps.begin() + 2,
                         PlanAction::compute(NodeId(1)));
  EXPECT_THAT(test.verify(), FailsWith("node 1 may run only once"));
  test = Case();
  test.builder.node({x}, {});
  EXPECT_THAT(test.verify(), FailsWith("node 3 never runs"));
}

TEST(PlanVerify, plan_c6_collectives) {
  GraphBuilder builder;
  builder.tensor(1, TensorKind::Input);
  for (int i = 0; i < 2; ++i)
    builder.node({x}, {});
  // One of each: they keep their place among each other.
  builder[NodeId(0)].collective = true;
  builder[NodeId(1)].opaque = true;
  Plan plan;
  plan.status = SolveStatus::Feasible;
  plan.time = plan.cost = 2;
  plan.peakBytes = 1;
  plan.steps = {PlanAction::compute(NodeId(0)), PlanAction::compute(NodeId(1))};
  EXPECT_THAT(verifyPlan(GraphIndex(builder.graph), plan), Succeeds());
  std::swap(plan.steps[0], plan.steps[1]);
  EXPECT_THAT(
      verifyPlan(GraphIndex(builder.graph), plan),
      FailsWith("collectives and opaque nodes are not in source order"));
}

TEST(PlanVerify, plan_c7_versions) {
  Case test;
  NodeId update = test.builder.node({w}, {});
  test.builder[update].writes = {w};
  test.remake();
  EXPECT_THAT(test.verify(), Succeeds());
  // The update first, then f with the new weights.
  std::rotate(test.plan.steps.begin(), test.plan.steps.end() - 1,
              test.plan.steps.end());
  EXPECT_THAT(test.verify(), FailsWith("step 1: node 0 reads version 1 of "
                                       "tensor 1, in source order version 0"));
}

TEST(PlanVerify, plan_c8_frees) {
  Case test;
  test.plan.steps[2].tensors = {w};
  EXPECT_THAT(
      test.verify(),
      FailsWith("tensor 1 is a parameter or state and may not be freed"));
  test.plan.steps[2].tensors = {x};
  EXPECT_THAT(test.verify(),
              FailsWith("tensor 0 is an input that is not donated"));
  test.plan.steps[2].tensors = {a, a};
  EXPECT_THAT(test.verify(),
              FailsWith("tensor 2 is freed, but is not resident"));
}

TEST(PlanVerify, plan_c9_copies) {
  Case test;
  auto at = [&](int i) { return test.plan.steps.begin() + i; };
  // w leaves after f and comes back at the end.
  test.plan.steps.insert(at(1), {PlanAction::evict(w, 1), PlanAction::wait(1)});
  test.plan.steps.insert(test.plan.steps.end(),
                         {PlanAction::fetch(w, 2), PlanAction::wait(2)});
  test.plan.peakBytes = 20;
  EXPECT_THAT(test.verify(), Succeeds());
  Plan good = test.plan;
  test.plan.steps.pop_back();
  EXPECT_THAT(test.verify(),
              FailsWith("the copy with event 2 is never waited for"));
  test.plan = good;
  test.plan.steps[1].tensors = {};
  EXPECT_THAT(test.verify(), FailsWith("must name one tensor, not 0"));
  test.plan = good;
  test.plan.steps[1].event = std::nullopt;
  EXPECT_THAT(test.verify(), FailsWith("the copy of tensor 1 has no event"));
  test.plan = good;
  test.plan.steps[1].tensors = {out};
  EXPECT_THAT(test.verify(), FailsWith("is evicted, but is not resident"));
  test.plan = good;
  test.plan.steps.insert(at(3), PlanAction::fetch(a, 7));
  EXPECT_THAT(test.verify(), FailsWith("is fetched, but is not on the host"));
}

TEST(PlanVerify, plan_c9_until_the_first_wait) {
  Case test;
  auto at = [&](int i) { return test.plan.steps.begin() + i; };
  // a leaves while g reads it, and is not wanted again.
  test.plan.steps[2] = PlanAction::wait(1);
  test.plan.steps.insert(at(1), PlanAction::evict(a, 1));
  EXPECT_THAT(test.verify(), Succeeds());
  Plan good = test.plan;
  test.plan.steps.insert(at(3), PlanAction::free({a}));
  EXPECT_THAT(test.verify(), FailsWith("is freed while it is being copied"));
  test.plan = good;
  test.plan.steps.insert(at(2), PlanAction::evict(a, 2));
  EXPECT_THAT(test.verify(), FailsWith("evicted while it is being copied out"));
  test.plan = good;
  test.plan.steps[2].inPlace = {{b, a}};
  EXPECT_THAT(test.verify(), FailsWith("while it is being copied out"));
  test.plan = good;
  std::swap(test.plan.steps[2], test.plan.steps[3]);
  EXPECT_THAT(test.verify(),
              FailsWith("reads tensor 2, which is not resident"));
}

TEST(PlanVerify, plan_c10_end) {
  Case test;
  test.plan.steps.push_back(PlanAction::free({out}));
  EXPECT_THAT(test.verify(), FailsWith("tensor 4 is not resident at the end"));
}

/// The arena of a hand-made placement; f takes step 0, g 1, h 3.
TEST(PlanVerify, plan_c11_arenas) {
  Case test;
  PlanArena arena;
  arena.bytes = 12;
  arena.alignment = 1;
  arena.placements = {
      {PlacementKind::Tensor, a, NodeId(), 0, 2, 0},
      {PlacementKind::Workspace, TensorId(), NodeId(0), 0, 1, 5},
      {PlacementKind::Tensor, b, NodeId(), 1, 4, 5},
      {PlacementKind::Tensor, out, NodeId(), 3, 5, 10}};
  test.plan.arenas = {arena};
  EXPECT_THAT(test.verify(), Succeeds());
  EXPECT_THAT(test.verify(24), Succeeds());
  test.plan.arenas.front().liveBytes = 10;
  EXPECT_THAT(test.verify(), Succeeds());
  EXPECT_THAT(
      test.verify(23),
      FailsWith(
          "12 bytes outside and 12 bytes inside exceed the budget of 23"));
  auto expectError = [&](auto change, const char *text) {
    Plan changed = test.plan;
    change(changed.arenas[0]);
    EXPECT_THAT(verifyPlan(GraphIndex(test.builder.graph), changed),
                FailsWith(text));
  };
  expectError([](PlanArena &p) { p.placements[2].offset = 4; },
              "share bytes at step 1");
  expectError([](PlanArena &p) { p.placements[2].offset = -5; },
              "at offset -5");
  expectError([](PlanArena &p) { p.alignment = 2; },
              "is at offset 5, alignment 2");
  expectError([](PlanArena &p) { p.bytes = 11; },
              "ends beyond the arena of 11 bytes");
  expectError([](PlanArena &p) { p.placements[2].stepEnd = 3; },
              "lives until step 4, its placement until 3");
  expectError([](PlanArena &p) { p.placements.pop_back(); },
              "no placement for tensor 4 taken at step 3");
  expectError([](PlanArena &p) { p.placements.push_back(p.placements[0]); },
              "two placements for tensor 2");
  expectError([](PlanArena &p) { p.placements[0].tensor = TensorId(99); },
              "names nothing that exists");
  expectError(
      [](PlanArena &p) {
        p.placements.push_back({PlacementKind::Tensor, a, NodeId(), 4, 5, 0});
      },
      "where nothing is taken");
  expectError([](PlanArena &p) { p.alignment = 0; },
              "alignment must be positive");
  expectError([](PlanArena &p) { p.liveBytes = 9; },
              "says that 9 bytes are live, replaying gives 10");
  expectError([](PlanArena &p) { p.owns = {a}; },
              "not a base tensor of the caller");
  expectError([](PlanArena &p) { p.owns = {w}; },
              "no placement for tensor 1 taken at step 0");
  test.plan.arenas.push_back(arena);
  EXPECT_THAT(test.verify(), FailsWith("more than one device arena"));
}

TEST(PlanVerify, plan_c12_figures) {
  Case test;
  Plan good = test.plan;
  auto expectError = [&](auto change, const char *text) {
    test.plan = good;
    change(test.plan);
    EXPECT_THAT(test.verify(), FailsWith(text));
  };
  expectError([](Plan &p) { p.peakBytes = 21; },
              "plan says peak 21 bytes, replaying gives 22");
  expectError([](Plan &p) { p.cost = 2; }, "plan says cost 2");
  expectError([](Plan &p) { p.cost = std::nan(""); }, "plan says cost nan");
  expectError([](Plan &p) { p.time = 2; }, "plan says time 2");
  expectError([](Plan &p) { p.time = std::nan(""); }, "plan says time nan");
  expectError([](Plan &p) { p.budgetBytes = 21; }, "exceeds the budget of 21");
  test.plan = good;
  test.plan.time = std::nullopt;
  EXPECT_THAT(test.verify(22), Succeeds());
  // Costs that are finite one by one, and not in sum.
  for (Node &node : test.builder.graph.nodes)
    node.cost = 1e308;
  test.plan.time = test.plan.cost = HUGE_VAL;
  EXPECT_THAT(test.verify(), FailsWith("replaying gives inf"));
}

// A small tensor over a large one keeps the large storage, whatever is made
// next; the sum of those storages must not wrap around.
TEST(PlanVerify, EndlessStoragesAreRefused) {
  GraphBuilder builder;
  TensorId big = builder.tensor(int64_t(1) << 60);
  builder.node({}, {big});
  Plan plan;
  plan.status = SolveStatus::Feasible;
  for (int i = 0; i < 10; ++i) {
    TensorId small = builder.tensor(1);
    NodeId over = builder.node({big}, {small});
    builder[over].inPlace = {{small, big}};
    plan.steps.push_back(PlanAction::compute(NodeId(0)));
    plan.steps.push_back(PlanAction::compute(over));
    plan.steps.back().inPlace = {{small, big}};
  }
  ASSERT_THAT(builder.graph.check(), Succeeds());
  EXPECT_THAT(verifyPlan(GraphIndex(builder.graph), plan),
              FailsWith("live bytes exceed 2^62"));
}

} // namespace
