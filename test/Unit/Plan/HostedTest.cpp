//===- HostedTest.cpp - State that lives on the host between steps --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "memplan/Plan/ActionStorages.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

namespace {

const TensorId x(0), moment(1), gradient(2), loss(3);

/// The gradient of x costs 3, the update of the moment 1; 4 bytes each. The
/// host arena owns the moment, which is fetched, updated and evicted.
struct Update {
  GraphBuilder builder;
  Plan plan;

  Update() {
    builder.tensor(4, TensorKind::Input);
    builder.tensor(4, TensorKind::State);
    builder.tensor(4);
    builder.tensor(4, TensorKind::Output);
    builder.node({x}, {gradient, loss}, 3);
    builder.node({gradient, moment}, {}, 1);
    builder.graph.nodes[1].writes = {moment};
    builder.graph.bandwidth = Bandwidth{2, 1, 0};
    plan.status = SolveStatus::Feasible;
    plan.cost = 4;
    plan.time = 8; // Fetched until 2, updated until 4, evicted until 8.
    plan.peakBytes = 16;
    plan.steps = {PlanAction::fetch(moment, 0), PlanAction::compute(NodeId(0)),
                  PlanAction::wait(0),          PlanAction::compute(NodeId(1)),
                  PlanAction::evict(moment, 1), PlanAction::free({gradient}),
                  PlanAction::wait(1)};
    plan.arenas = {arenaOf("device", 12), arenaOf("host", 4)};
    plan.arenas[0].placements = {at(moment, 0, 6, 0), at(gradient, 1, 5, 4),
                                 at(loss, 1, 7, 8)};
    plan.arenas[1].placements = {at(moment, 0, 7, 0)};
    plan.arenas[1].owns = {moment};
  }

  static PlanArena arenaOf(const char *space, int64_t bytes) {
    PlanArena arena;
    arena.space = space;
    arena.bytes = bytes;
    arena.alignment = 1;
    return arena;
  }
  static Placement at(TensorId tensor, int32_t begin, int32_t end,
                      int64_t offset) {
    Placement placement;
    placement.tensor = tensor;
    placement.stepBegin = begin;
    placement.stepEnd = end;
    placement.offset = offset;
    return placement;
  }
  llvm::Error verify(std::optional<int64_t> budget = std::nullopt) {
    return verifyPlan(GraphIndex(builder.graph), plan, budget);
  }
};

// Bytes of what lives on the host would count twice, or never.
TEST(Hosted, plan_c11_counts_with_the_device_arena) {
  Update test;
  EXPECT_THAT(test.verify(16), Succeeds());
  EXPECT_THAT(test.verify(15), FailsWith("exceed"));
  const GraphIndex index(test.builder.graph);
  EXPECT_EQ(findHosted(index, test.plan.steps), std::vector<TensorId>{moment});
  const ActionStorages storages = findStorages(index, test.plan.steps);
  EXPECT_EQ(storages.all[1].space, MemorySpace::Host);
  EXPECT_TRUE(storages.all[1].isInitial);
  EXPECT_EQ(storages.all[1].placement.stepEnd, 7);
}

// The next step would read the moment of before, or nothing.
TEST(Hosted, plan_c10_ends_on_the_host_in_its_last_version) {
  Update test;
  test.plan.steps[4] = PlanAction::free({moment});
  test.plan.steps.pop_back();
  test.plan.time = 4;
  EXPECT_THAT(test.verify(),
              FailsWith("plan_c10: tensor 1 lives on the host, whose copy is "
                        "version 0 at the end, but version 1 is current"));
  Update unowned;
  unowned.plan.arenas[1].owns = {};
  EXPECT_THAT(unowned.verify(), FailsWith("is not on the host"));
}

// What is dropped is not there in the next step; what does not fit is nowhere.
TEST(Hosted, plan_c16_stays_on_the_host) {
  Update test;
  test.plan.steps.push_back(PlanAction::dropHost(moment));
  EXPECT_THAT(test.verify(), FailsWith("is dropped from the host, but lives"));
  Update small;
  small.builder.graph.hostBudgetBytes = 3;
  EXPECT_THAT(small.verify(), FailsWith("more than host_budget_bytes 3"));
}

TEST(Hosted, plan_c11_owns_parameters_and_states_once) {
  Update test;
  test.plan.arenas[1].owns = {moment, moment};
  EXPECT_THAT(test.verify(), FailsWith("the host owns tensor 1 twice"));
  for (TensorId other : {x, gradient, loss}) {
    test.plan.arenas[1].owns = {moment, other};
    EXPECT_THAT(test.verify(), FailsWith("which is no parameter or state"));
  }
  test.plan.arenas[1].owns = {TensorId(9)};
  EXPECT_THAT(test.verify(), FailsWith("a tensor that does not exist"));
  test.plan.arenas[1].owns = {moment};
  test.plan.arenas[0].owns = {moment};
  EXPECT_THAT(test.verify(), FailsWith("both arenas own tensor 1"));
}

} // namespace
