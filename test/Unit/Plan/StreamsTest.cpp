//===- StreamsTest.cpp - Plans of several streams and copies --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

namespace {

const TensorId x(0), a(1), b(2), y(3);

PlanAction onStream(int32_t stream, PlanAction action,
                    std::optional<int64_t> event = std::nullopt) {
  action.stream = stream;
  if (event)
    action.event = event;
  return action;
}

PlanAction run(int node, int32_t stream = 0,
               std::optional<int64_t> event = std::nullopt) {
  return onStream(stream, PlanAction::compute(NodeId(node)), event);
}

/// Two branches, a and b of x, and y of both; a costs 3, b 5, y 2; 4 bytes
/// each. Copies take 4 out and 2 in.
struct Fork {
  GraphBuilder builder;
  Plan plan;

  Fork() {
    builder.tensor(4, TensorKind::Input);
    builder.tensor(4);
    builder.tensor(4);
    builder.tensor(4, TensorKind::Output);
    builder.node({x}, {a}, 3);
    builder.node({x}, {b}, 5);
    builder.node({a, b}, {y}, 2);
    builder.graph.bandwidth = Bandwidth{2, 1, 0};
    plan.status = SolveStatus::Feasible;
    plan.cost = 10;
    plan.peakBytes = 16;
  }

  llvm::Error verify(std::vector<PlanAction> steps) {
    plan.steps = std::move(steps);
    return verifyPlan(GraphIndex(builder.graph), plan);
  }
};

TEST(PlanVerify, plan_c1_streams) {
  Fork test;
  EXPECT_THAT(test.verify({run(0, -1)}), FailsWith("stream -1 is negative"));
  PlanAction free = onStream(-2, PlanAction::free({a}));
  EXPECT_THAT(test.verify({run(0), free}), FailsWith("stream -2 is negative"));
  // Clocks grow with the streams: a file may not ask for more than there are.
  std::vector<PlanAction> steps = {run(0, 0, 0)};
  for (int stream = 0; stream < 256; ++stream)
    steps.push_back(PlanAction::wait(0, 1'000'000 * stream));
  steps.push_back(run(1));
  steps.push_back(run(2));
  EXPECT_THAT(test.verify(steps), Succeeds());
  steps.push_back(PlanAction::wait(0, 2147483647));
  EXPECT_THAT(test.verify(steps), FailsWith("256 streams that a plan may use"));
}

// b is fetched from another device while a is computed. On a device transfers
// have a queue of their own: a plan may not count on any other.
TEST(PlanVerify, plan_c22_communication) {
  Fork test;
  test.builder[NodeId(1)].stream = StreamKind::Communication;
  test.plan.time = 7;
  const PlanAction wait = PlanAction::wait(0);
  EXPECT_THAT(test.verify({run(1, 1, 0), run(0), wait, run(2)}), Succeeds());
  EXPECT_THAT(test.verify({run(1, 1, 0), run(0), run(2)}),
              FailsWith("plan_c14"));
  EXPECT_THAT(test.verify({run(1, 1, 0), run(0, 2, 1), wait,
                           PlanAction::wait(1), run(2)}),
              Succeeds());
  EXPECT_THAT(
      test.verify({run(0, 1, 1), run(1, 1, 0), wait, run(2)}),
      FailsWith("plan_c22: stream 1 runs node 0, which computes, and node 1, "
                "which communicates"));
  // What is for one stream has them one after the other.
  test.plan.time = 10;
  EXPECT_THAT(test.verify({run(0), run(1), run(2)}), Succeeds());
}

TEST(PlanVerify, plan_c13_events) {
  Fork test;
  EXPECT_THAT(
      test.verify({run(0), run(1, 1, 0), PlanAction::wait(7)}),
      FailsWith("plan_c13: step 2: no step before this wait has event 7"));
  EXPECT_THAT(test.verify({run(0), PlanAction::wait(0), run(1, 1, 0)}),
              FailsWith("no step before this wait has event 0"));
  EXPECT_THAT(test.verify({run(0, 0, 0), run(1, 1, 0)}),
              FailsWith("event 0 is used before"));
  PlanAction nothing;
  nothing.action = ActionKind::Wait;
  EXPECT_THAT(test.verify({nothing}), FailsWith("no step before this wait"));
}

TEST(PlanVerify, plan_c14_users_wait) {
  Fork test;
  test.plan.time = 7;
  EXPECT_THAT(test.verify({run(0), run(1, 1, 0), PlanAction::wait(0), run(2)}),
              Succeeds());
  EXPECT_THAT(test.verify({run(0), run(1, 1, 0), run(2)}),
              FailsWith("plan_c14: step 2: node 2 reads tensor 2, but stream "
                        "1, which makes it, is not waited for"));
  EXPECT_THAT(
      test.verify({run(0), run(1, 1, 0), PlanAction::wait(0, 1), run(2)}),
      FailsWith("stream 1, which makes it, is not waited for"));
  // Waiting is transitive.
  EXPECT_THAT(test.verify({run(0, 0, 0), PlanAction::wait(0, 1), run(1, 1, 1),
                           PlanAction::wait(1, 2), run(2, 2)}),
              FailsWith("plan says time 7, replaying gives 10"));
  test.plan.time = 10;
  EXPECT_THAT(test.verify({run(0, 0, 0), PlanAction::wait(0, 1), run(1, 1, 1),
                           PlanAction::wait(1, 2), run(2, 2)}),
              Succeeds());
}

TEST(PlanVerify, plan_c14_copies_wait) {
  Fork test;
  PlanAction evict = PlanAction::evict(b, 0), fetch = PlanAction::fetch(b, 1),
             drop = PlanAction::dropHost(b);
  auto steps = [&](PlanAction out, PlanAction waits, PlanAction in) {
    return std::vector<PlanAction>{run(0), run(1, 1),           out,    waits,
                                   in,     PlanAction::wait(1), run(2), drop};
  };
  evict.stream = fetch.stream = 1;
  test.plan.time = 13; // b until 5, out until 9, in until 11.
  EXPECT_THAT(test.verify(steps(evict, PlanAction::wait(0, 1), fetch)),
              Succeeds());
  EXPECT_THAT(
      test.verify(steps(PlanAction::evict(b, 0), PlanAction::wait(0), fetch)),
      FailsWith("the evict reads tensor 2, but stream 1, which makes it"));
  EXPECT_THAT(test.verify(steps(evict, PlanAction::wait(0, 2), fetch)),
              FailsWith("the fetch reads the host copy of tensor 2, but engine "
                        "d2h, which makes it"));
  drop.stream = 3;
  EXPECT_THAT(test.verify(steps(evict, PlanAction::wait(0, 1), fetch)),
              FailsWith("tensor 2 is dropped from the host, but engine"));
}

TEST(PlanVerify, plan_c14_writers_wait) {
  Fork test;
  NodeId update = test.builder.node({}, {}, 1);
  test.builder[update].writes = {a};
  test.plan.cost = 11;
  EXPECT_THAT(test.verify({run(0), run(1), run(2, 0, 0), PlanAction::wait(0, 1),
                           run(3, 1)}),
              Succeeds());
  EXPECT_THAT(test.verify({run(0), run(1), run(2), run(3, 1)}),
              FailsWith("node 3 writes tensor 1, but stream 0, which uses it"));
}

PlanArena arenaOf(int64_t bytes, std::vector<Placement> placements) {
  PlanArena arena;
  arena.bytes = bytes;
  arena.alignment = 1;
  arena.placements = std::move(placements);
  return arena;
}

Placement place(TensorId tensor, int32_t begin, int32_t end, int64_t offset) {
  return {PlacementKind::Tensor, tensor, NodeId(), begin, end, offset};
}

// Bytes go from a to c, which stream 1 makes: only a wait keeps c from being
// written while b is still made of a.
TEST(PlanVerify, plan_c15_shared_bytes) {
  GraphBuilder builder;
  builder.tensor(4, TensorKind::Input);
  TensorId p = builder.tensor(4), q = builder.tensor(4, TensorKind::Output),
           r = builder.tensor(4, TensorKind::Output);
  builder.node({x}, {p});
  builder.node({p}, {q});
  builder.node({x}, {r});
  GraphIndex index(builder.graph);
  Plan plan;
  plan.status = SolveStatus::Feasible;
  plan.cost = 3;
  plan.peakBytes = 12;
  plan.steps = {run(0), run(1, 0, 0), PlanAction::free({p}),
                PlanAction::wait(0, 1), run(2, 1)};
  plan.arenas = {
      arenaOf(8, {place(p, 0, 2, 0), place(q, 1, 5, 4), place(r, 4, 5, 0)})};
  EXPECT_THAT(verifyPlan(index, plan), Succeeds());
  plan.steps[3] = PlanAction::wait(0, 2);
  EXPECT_THAT(verifyPlan(index, plan),
              FailsWith("tensor 3 and tensor 1 share bytes at step 4, but "
                        "stream 0, which uses the second, is not waited for"));
  plan.steps[3] = PlanAction::wait(0, 1);
  std::swap(plan.steps[2], plan.steps[4]);
  plan.peakBytes = 16;
  plan.arenas = {
      arenaOf(8, {place(p, 0, 4, 0), place(q, 1, 5, 4), place(r, 2, 5, 0)})};
  plan.steps = {run(0), run(1, 0, 0), run(2, 0), PlanAction::free({p})};
  EXPECT_THAT(
      verifyPlan(index, plan),
      FailsWith("share bytes at step 2, where the second is not given"));
}

TEST(PlanVerify, plan_c16_host) {
  Fork test;
  std::vector<PlanAction> steps = {run(0),
                                   run(1),
                                   PlanAction::evict(a, 0),
                                   PlanAction::evict(b, 1),
                                   PlanAction::wait(0),
                                   PlanAction::wait(1),
                                   PlanAction::fetch(a, 2),
                                   PlanAction::fetch(b, 3),
                                   PlanAction::wait(2),
                                   PlanAction::wait(3),
                                   run(2)};
  auto host = [&](int64_t bytes, int64_t second) {
    test.plan.arenas = {
        arenaOf(bytes, {place(a, 2, 11, 0), place(b, 3, 11, second)})};
    test.plan.arenas[0].space = "host";
  };
  host(8, 4);
  EXPECT_THAT(test.verify(steps), Succeeds());
  host(8, 0);
  EXPECT_THAT(test.verify(steps), FailsWith("share bytes at step 3"));
  host(8, 4);
  test.plan.arenas[0].owns = {x};
  EXPECT_THAT(test.verify(steps),
              FailsWith("the host owns tensor 0, which is no parameter or "
                        "state of the caller"));
  test.plan.arenas[0].owns = {};
  test.plan.arenas[0].placements.pop_back();
  EXPECT_THAT(test.verify(steps),
              FailsWith("no placement for tensor 2 taken at step 3"));
  host(9, 4);
  test.builder.graph.hostBudgetBytes = 8;
  EXPECT_THAT(test.verify(steps),
              FailsWith("9 bytes on the host exceed host_budget_bytes 8"));
  test.builder.graph.hostBudgetBytes = 7;
  EXPECT_THAT(test.verify(steps),
              FailsWith("host copies take 8 bytes, more than host_budget_bytes "
                        "7"));
  steps.push_back(PlanAction::dropHost(y));
  test.builder.graph.hostBudgetBytes = std::nullopt;
  EXPECT_THAT(test.verify(steps),
              FailsWith("tensor 3 is dropped from the host, but is not there"));
}

// What the caller owns and no arena holds keeps its place: what comes back
// overwrites what others may still read.
TEST(PlanVerify, plan_c15_callers_place) {
  Fork test;
  test.builder[x].kind = TensorKind::Parameter;
  std::vector<PlanAction> steps = {run(0),
                                   run(1, 1, 5),
                                   PlanAction::evict(x, 0),
                                   PlanAction::wait(0),
                                   PlanAction::fetch(x, 1),
                                   PlanAction::wait(1),
                                   PlanAction::wait(5),
                                   run(2)};
  test.plan.arenas = {
      arenaOf(12, {place(a, 0, 8, 0), place(b, 1, 8, 4), place(y, 7, 8, 8)})};
  EXPECT_THAT(test.verify(steps),
              FailsWith("tensor 0 and tensor 0 share bytes at step 4, but "
                        "stream 1"));
  std::rotate(steps.begin() + 3, steps.begin() + 6, steps.begin() + 7);
  EXPECT_THAT(test.verify(steps), Succeeds());
}

TEST(PlanVerify, plan_c17_source_order) {
  Fork test;
  std::vector<PlanAction> steps = {run(1), run(0), run(2)};
  EXPECT_THAT(test.verify(steps), Succeeds());
  auto inOrder = [&] {
    return verifyPlan(GraphIndex(test.builder.graph), test.plan, std::nullopt,
                      FirstRuns::SourceOrder);
  };
  EXPECT_THAT(inOrder(),
              FailsWith("node 1 runs first where the source order has node 0"));
  // Recomputations may come in any order.
  test.plan.cost = 13;
  EXPECT_THAT(
      test.verify({run(0), PlanAction::free({a}), run(1), run(0), run(2)}),
      Succeeds());
  EXPECT_THAT(inOrder(), Succeeds());
}

// Both directions run at once, and a direction without a rate takes the latency
// only.
TEST(PlanReplay, TimeOfCopies) {
  Fork test;
  test.plan.steps = {run(0),
                     PlanAction::evict(a, 0),
                     run(1),
                     PlanAction::evict(b, 1),
                     PlanAction::wait(0),
                     PlanAction::fetch(a, 2),
                     PlanAction::wait(1),
                     PlanAction::fetch(b, 3),
                     PlanAction::wait(2),
                     PlanAction::wait(3),
                     run(2)};
  auto time = [&](std::optional<Bandwidth> bandwidth) {
    test.builder.graph.bandwidth = bandwidth;
    llvm::Expected<Replay> replay =
        replayPlan(GraphIndex(test.builder.graph), test.plan);
    EXPECT_TRUE(bool(replay)) << llvm::toString(replay.takeError());
    EXPECT_EQ(replay->hostPeakBytes, 8);
    return replay->time;
  };
  // a 0-3, a out 3-7 beside b 3-8, b out 8-12 beside a in 8-10, b in 12-14.
  EXPECT_EQ(time(Bandwidth{2, 1, 0}), 16);
  // Each copy 0.5 longer: a out 3-7.5, b out 8-12.5, b in 12.5-15.
  EXPECT_EQ(time(Bandwidth{2, 1, 0.5}), 17);
  EXPECT_EQ(time(Bandwidth{std::nullopt, 1, 0}), 14);
  EXPECT_EQ(time(std::nullopt), 10);
}

} // namespace
