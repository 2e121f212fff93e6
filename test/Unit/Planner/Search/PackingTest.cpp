//===- PackingTest.cpp - Which plans of a search are packed, and when -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/Packing.h"
#include "../LayeredGraph.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "gtest/gtest.h"

using namespace memplan;

namespace {

/// Plans are told apart by their only op. Lists of those that were packed.
struct Packers {
  std::vector<int32_t> quick, thorough;
  /// Of plans that pack at once, and with more work.
  std::vector<int32_t> easy, hard;

  Packing packing(double limitBytes) {
    return Packing(limitBytes, packer(quick, easy), packer(thorough, hard));
  }
  static CostedPlan plan(int32_t number, double cost) {
    return {{{number, 0}}, cost};
  }

private:
  static Packing::Excess packer(std::vector<int32_t> &packed,
                                const std::vector<int32_t> &kept) {
    return [&](const std::vector<PlannedRun> &runs) {
      packed.push_back(runs.front().op);
      return std::count(kept.begin(), kept.end(), packed.back()) ? 0.0 : 10.0;
    };
  }
};

// The limit would fall for plans that only need more work, or every one of them
// would get it.
TEST(Packing, what_packs_badly_waits_for_more_work) {
  Packers packers{{}, {}, {1}, {2, 3, 4}};
  Packing packing = packers.packing(1000);
  EXPECT_TRUE(packing.offer(packers.plan(1, 9), 990));
  EXPECT_TRUE(packing.offer(packers.plan(2, 8), 995));
  EXPECT_TRUE(packing.offer(packers.plan(3, 7), 999));
  EXPECT_EQ(packing.limit(), 1000);
  EXPECT_EQ(packing.costLimit(), 9);
  EXPECT_TRUE(packers.thorough.empty());
  packing.insist();
  EXPECT_EQ(packers.thorough, std::vector<int32_t>{3});
  EXPECT_EQ(packing.accepted()->cost, 7);
  EXPECT_EQ(packing.limit(), 1000);
  // What was cheaper for a while has no use any more.
  packing.insist();
  EXPECT_EQ(packers.thorough.size(), 1u);
}

// Whoever waits for a plan would have none until the search ends.
TEST(Packing, the_first_plan_gets_more_work_at_once) {
  Packers packers{{}, {}, {}, {2}};
  Packing packing = packers.packing(1000);
  packing.offer(packers.plan(1, 9), 990);
  EXPECT_EQ(packers.thorough, std::vector<int32_t>{1});
  EXPECT_FALSE(packing.accepted());
  EXPECT_EQ(packing.closest()->cost, 9);
  EXPECT_LT(packing.limit(), 990);
}

// A search would go on at a limit at which nothing packs, or lose plans that
// do for one that does not.
TEST(Packing, where_more_work_fails_others_are_tried_and_the_limit_falls) {
  Packers packers{{}, {}, {1}, {2}};
  Packing packing = packers.packing(1000);
  packing.offer(packers.plan(1, 9), 990);
  packing.offer(packers.plan(2, 8), 995);
  packing.offer(packers.plan(3, 7), 999);
  packing.insist();
  EXPECT_EQ(packers.thorough, (std::vector<int32_t>{3, 2}));
  EXPECT_EQ(packing.accepted()->cost, 8);
  EXPECT_LT(packing.limit(), 999);
}

// Without a better packing, all is as if nothing waited.
TEST(Packing, without_more_work_the_limit_falls_at_once) {
  Packers packers{{}, {}, {1}, {}};
  Packing packing(1000, [&](const std::vector<PlannedRun> &runs) {
    return runs.front().op == 1 ? 0.0 : 10.0;
  });
  EXPECT_TRUE(packing.offer(packers.plan(1, 9), 990));
  EXPECT_FALSE(packing.offer(packers.plan(2, 8), 995));
  EXPECT_LT(packing.limit(), 1000);
  packing.insist();
  EXPECT_EQ(packing.accepted()->cost, 9);
}

// On a large step the search would pack plan after plan that cannot be packed,
// or stay far below the budget for one of them.
TEST(Packing, leaves_the_room_that_the_last_packing_took) {
  Packing packing(1000, [&](const std::vector<PlannedRun> &runs) {
    return runs.front().op % 2 == 1 ? -20.0 : 10.0;
  });
  packing.stayBelow(900);
  EXPECT_EQ(packing.limit(), 900);
  EXPECT_TRUE(packing.offer(Packers::plan(1, 9), 890));
  EXPECT_EQ(packing.limit(), 910);
  EXPECT_FALSE(packing.offer(Packers::plan(2, 8), 905));
  EXPECT_EQ(packing.limit(), 895);
  EXPECT_TRUE(packing.offer(Packers::plan(3, 7), 890));
  EXPECT_EQ(packing.limit(), 910);
  EXPECT_EQ(packing.accepted()->cost, 7);
  EXPECT_TRUE(packing.offer(Packers::plan(5, 6), 995));
  EXPECT_EQ(packing.limit(), 1000);
  packing.stayBelow(950);
  EXPECT_EQ(packing.limit(), 950);
}

// The only plan of a search of few moves would be lost where it exceeds the
// budget by little once packed: what it needs is fewer live bytes.
TEST(Packing, a_plan_that_exceeds_by_little_is_made_to_fit) {
  int refused = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayeredStep layers;
    layers.seed = seed;
    const Graph graph = layers.make();
    const GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    llvm::Expected<RematPlan> unplanned =
        solve(problem, solverNamed(rematSolvers(), "checkpoint-all"), {});
    ASSERT_TRUE(bool(unplanned));
    problem.budgetBytes = unplanned->peakBytes * 3 / 4;
    bool isFirst = true;
    // One part in fifty is lost to gaps, whatever the plan.
    problem.packedBytes = [&](const RematPlan &plan) {
      const int64_t bytes = plan.peakBytes + plan.peakBytes / 50;
      refused += std::exchange(isFirst, false) && bytes > *problem.budgetBytes;
      return bytes;
    };
    SolveLimits limits;
    limits.effort = 1;
    llvm::Expected<RematPlan> plan =
        solve(problem, solverNamed(rematSolvers(), "search"), limits);
    ASSERT_TRUE(bool(plan));
    ASSERT_FALSE(plan->schedule.runs.empty());
    EXPECT_LE(plan->peakBytes + plan->peakBytes / 50, *problem.budgetBytes);
  }
  EXPECT_GT(refused, 10);
}

} // namespace
