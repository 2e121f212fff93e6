//===- ArenaBaselineTest.cpp - The published rules, by hand ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "gtest/gtest.h"

using namespace memplan;
using Offsets = std::vector<int64_t>;

/// Rows of bytes, begin, end.
static ArenaProblem problemOf(std::vector<std::array<int64_t, 3>> rows) {
  ArenaProblem problem;
  for (auto [bytes, begin, end] : rows) {
    ArenaBuffer &buffer = problem.buffers.emplace_back();
    buffer.id = std::to_string(problem.buffers.size());
    buffer.bytes = bytes;
    buffer.begin = begin;
    buffer.end = end;
  }
  return problem;
}

static Offsets offsetsBy(const char *name, const ArenaProblem &problem,
                         int64_t effort = 0) {
  SolveLimits limits;
  limits.effort = effort;
  auto plan = solve(problem, solverNamed(arenaSolvers(), name), limits);
  if (plan)
    return plan->offsets;
  ADD_FAILURE() << llvm::toString(plan.takeError());
  return {};
}

/// Live bytes at steps 0 to 3: 8, 13, 15, 10. The largest buffer lives where
/// little else does.
static ArenaProblem wideAtStepTwo() {
  return problemOf({{8, 0, 2}, {5, 1, 3}, {5, 2, 4}, {5, 2, 4}});
}

// The widest step decides the height; by size the large buffer would.
TEST(ArenaBaselines, greedy_by_breadth_packs_the_widest_step_first) {
  // At step 2: 0, 5, 10. The large one then meets the first of them only.
  EXPECT_EQ(offsetsBy("greedy-by-breadth", wideAtStepTwo()),
            (Offsets{5, 0, 5, 10}));
  // By size: the large one at 0, the second above it, the third below that,
  // where the fourth no longer fits.
  EXPECT_EQ(offsetsBy("greedy-by-size", wideAtStepTwo()),
            (Offsets{0, 8, 0, 13}));
}

// Of steps that are as wide, the earlier one; of a step's buffers the largest.
TEST(ArenaBaselines, greedy_by_breadth_breaks_ties_by_step_and_size) {
  EXPECT_EQ(offsetsBy("greedy-by-breadth",
                      problemOf({{4, 2, 4}, {6, 2, 4}, {3, 0, 2}, {7, 0, 2}})),
            (Offsets{6, 0, 7, 0}));
}

// XLA lets the longer live range go first where sizes are equal, TensorFlow
// Lite the earlier one.
TEST(ArenaBaselines, xla_breaks_ties_by_length) {
  const ArenaProblem problem = problemOf({{4, 0, 1}, {4, 0, 3}, {9, 5, 6}});
  EXPECT_EQ(offsetsBy("xla", problem), (Offsets{4, 0, 0}));
  EXPECT_EQ(offsetsBy("greedy-by-size", problem), (Offsets{0, 4, 0}));
}

// All of them take the tightest gap: the one of 4 bytes, not the lower one of
// 5.
TEST(ArenaBaselines, take_the_tightest_gap) {
  ArenaProblem problem =
      problemOf({{20, 0, 9}, {10, 0, 9}, {30, 0, 9}, {4, 1, 2}});
  problem.buffers[0].fixedOffset = 5;
  problem.buffers[1].fixedOffset = 29;
  for (const char *name :
       {"best-fit", "greedy-by-size", "greedy-by-breadth", "xla"})
    EXPECT_EQ(offsetsBy(name, problem), (Offsets{5, 29, 39, 25})) << name;
}

// The first attempt is first fit by size, equal sizes by how much they conflict
// with; swaps get to the bound.
TEST(ArenaBaselines, hill_climb_swaps_what_is_below_the_top) {
  EXPECT_EQ(offsetsBy("hill-climb", wideAtStepTwo(), 1),
            (Offsets{0, 8, 0, 13}));
  const ArenaProblem problem = wideAtStepTwo();
  auto plan = solve(problem, solverNamed(arenaSolvers(), "hill-climb"), {});
  ASSERT_TRUE(bool(plan));
  EXPECT_EQ(plan->peakBytes, 15);
  EXPECT_EQ(plan->report.status, SolveStatus::Optimal);
}
