//===- UsefulActionsTest.cpp - No run and no copy in vain -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/UsefulActions.h"
#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "../Planner/RandomActions.h"

using namespace memplan;

namespace {
/// a = f(x); c = g(x); y = h(a, c).
struct Diamond {
  GraphBuilder b;
  TensorId x = b.tensor(4, TensorKind::Input), a = b.tensor(4), c = b.tensor(4),
           y = b.tensor(4, TensorKind::Output);
  Diamond() {
    b.node({x}, {a});
    b.node({x}, {c});
    b.node({a, c}, {y});
  }
};
} // namespace

static PlanAction run(int32_t node) {
  return PlanAction::compute(NodeId(node));
}

TEST(PlanVerify, plan_c20_runs_in_vain) {
  Diamond d;
  const GraphIndex index(d.b.graph);
  Plan plan;
  plan.steps = {run(0), PlanAction::free({d.a}), run(1), run(0), run(2)};
  EXPECT_THAT(verifyUseful(index, plan),
              FailsWith("plan_c20: node 0 runs in vain: nothing that it makes "
                        "is read or copied out before it runs again"));
  // For its place in source order.
  EXPECT_THAT(verifyUseful(index, plan, FirstRuns::SourceOrder), Succeeds());
  plan.steps = {run(0), PlanAction::free({d.a}), run(0), run(1), run(2)};
  EXPECT_THAT(verifyUseful(index, plan, FirstRuns::SourceOrder),
              FailsWith("node 0 runs in vain"));
  plan.steps = {run(0), run(1), run(2), PlanAction::free({d.a}), run(0)};
  EXPECT_THAT(verifyUseful(index, plan), FailsWith("before the end"));
  plan.steps = {
      run(0), PlanAction::evict(d.a, 0), PlanAction::wait(0), run(0), run(1),
      run(2)};
  EXPECT_THAT(verifyUseful(index, plan), Succeeds());
}

TEST(UsefulActions, a_copy_that_nobody_reads_goes_with_its_waits) {
  Diamond d;
  const GraphIndex index(d.b.graph);
  const std::vector<PlanAction> made = leaveOutActionsInVain(
      index,
      {run(0), PlanAction::evict(d.a, 0), PlanAction::wait(0),
       PlanAction::fetch(d.a, 1), PlanAction::wait(1), PlanAction::free({d.a}),
       PlanAction::dropHost(d.a), run(0), run(1), run(2),
       PlanAction::free({d.a, d.c})},
      false);
  EXPECT_EQ(made, (std::vector<PlanAction>{run(0), run(1), run(2),
                                           PlanAction::free({d.a, d.c})}));
}

TEST(UsefulActions, property_valid_no_slower_and_nothing_in_vain) {
  int changed = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Graph graph = makeRandomGraph(seed, 4 + int(seed % 9));
    graph.bandwidth = Bandwidth{8.0, 8.0, double(seed % 3)};
    const GraphIndex index(graph);
    Plan before, after;
    before.steps = makeRandomActions(index, seed, 6);
    after.steps = leaveOutActionsInVain(index, before.steps, false);
    changed += after.steps != before.steps;
    llvm::Expected<Replay> had = replayPlan(index, before);
    ASSERT_TRUE(bool(had)) << "seed " << seed << takeMessage(had);
    llvm::Expected<Replay> has = replayPlan(index, after);
    ASSERT_TRUE(bool(has)) << "seed " << seed << takeMessage(has);
    EXPECT_LE(has->cost, had->cost) << "seed " << seed;
    EXPECT_LE(has->time, had->time * (1 + 1e-9)) << "seed " << seed;
    EXPECT_LE(has->peakBytes, had->peakBytes) << "seed " << seed;
    EXPECT_LE(has->hostPeakBytes, had->hostPeakBytes) << "seed " << seed;
    EXPECT_EQ(takeMessage(verifyUseful(index, after)), "") << "seed " << seed;
    EXPECT_EQ(leaveOutActionsInVain(index, after.steps, false), after.steps)
        << "seed " << seed;
  }
  EXPECT_GT(changed, 100);
}
