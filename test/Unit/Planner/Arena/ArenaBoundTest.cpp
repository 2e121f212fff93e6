//===- ArenaBoundTest.cpp - The bound where conflicts are no intervals ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Support/Random.h"
#include "gtest/gtest.h"

using namespace memplan;

/// Buffers on `streams` streams, each ordered, with events between them. The
/// line that gives the steps is the one in which they were recorded.
static ArenaProblem streamProblem(uint64_t seed, int count, int streams,
                                  bool withGaps) {
  Random random(seed);
  ArenaProblem problem;
  // happened[s][k]: how many steps of stream s end before stream k's next one.
  std::vector<std::vector<int>> happened(streams, std::vector<int>(streams));
  std::vector<std::vector<std::vector<int>>> clockAt; ///< By step.
  std::vector<std::pair<int, int>> place;             ///< (stream, number)
  const int steps = 2 * count;
  for (int step = 0; step < steps; ++step) {
    const int stream = random.below(streams);
    if (random.chance(0.3)) {
      const int other = random.below(streams);
      for (int s = 0; s < streams; ++s)
        happened[stream][s] = std::max(happened[stream][s], happened[other][s]);
    }
    clockAt.push_back({happened[stream]});
    place.push_back({stream, happened[stream][stream]++});
  }
  auto precedes = [&](int a, int b) {
    return clockAt[b][0][place[a].first] > place[a].second;
  };
  std::vector<std::pair<int, int>> ends;
  for (int i = 0; i < count; ++i) {
    const int first = random.below(steps);
    // The last use comes after the first in the order, not only in the line.
    int last = first;
    for (int step = first; step < std::min(steps, first + 6); ++step)
      if (precedes(first, step))
        last = step;
    ArenaBuffer &buffer = problem.buffers.emplace_back();
    buffer.id = std::to_string(i);
    buffer.bytes = 1 + random.below(9);
    buffer.begin = first;
    buffer.end = last + 1;
    if (withGaps && last - first > 2 && random.chance(0.5))
      buffer.gaps = {{first + 1, last}};
    ends.push_back({first, last});
  }
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      if (ends[a].second < ends[b].first &&
          !precedes(ends[a].second, ends[b].first))
        problem.conflicts.push_back({a, b});
  return problem;
}

static bool conflict(const ArenaProblem &problem, int32_t a, int32_t b) {
  for (auto [x, y] : problem.conflicts)
    if ((x == a && y == b) || (x == b && y == a))
      return true;
  auto liveAt = [&](int32_t i, int64_t time) {
    const ArenaBuffer &buffer = problem.buffers[i];
    for (auto [begin, end] : buffer.gaps)
      if (begin <= time && time < end)
        return false;
    return buffer.begin <= time && time < buffer.end;
  };
  for (int64_t time = 0; time < problem.buffers[a].end; ++time)
    if (liveAt(a, time) && liveAt(b, time))
      return true;
  return false;
}

/// By all sets.
static int64_t heaviestClique(const ArenaProblem &problem) {
  const auto count = static_cast<int32_t>(problem.buffers.size());
  std::vector<uint32_t> neighbours(count);
  for (int32_t a = 0; a < count; ++a)
    for (int32_t b = 0; b < count; ++b)
      if (a != b && conflict(problem, a, b))
        neighbours[a] |= 1u << b;
  int64_t best = 0;
  auto grow = [&](auto &self, uint32_t candidates, int64_t weight) -> void {
    best = std::max(best, weight);
    for (int32_t i = 0; i < count; ++i)
      if (candidates >> i & 1) {
        candidates &= ~(1u << i);
        self(self, candidates & neighbours[i],
             weight + problem.buffers[i].bytes);
      }
  };
  grow(grow, (1u << count) - 1, 0);
  return best;
}

static int64_t liveBound(ArenaProblem problem) {
  problem.conflicts.clear();
  return problem.lowerBoundBytes();
}

// A bound that is too high turns good plans away; one that misses buffers of
// two streams calls bad plans good.
TEST(ArenaBound, is_the_heaviest_clique_of_an_order) {
  int higher = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ArenaProblem problem =
        streamProblem(seed, 4 + int(seed % 9), 1 + int(seed % 3), false);
    ASSERT_FALSE(bool(problem.check()));
    EXPECT_EQ(problem.lowerBoundBytes(), heaviestClique(problem));
    higher += problem.lowerBoundBytes() > liveBound(problem);
  }
  EXPECT_GT(higher, 100);
}

// Where not to conflict is not to be ordered, only a bound is promised.
TEST(ArenaBound, is_never_above_the_heaviest_clique) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ArenaProblem problem =
        streamProblem(seed, 4 + int(seed % 9), 1 + int(seed % 3), true);
    Random random(seed);
    const auto count = int32_t(problem.buffers.size());
    for (int i = 0; i < 5; ++i)
      if (const int32_t a = random.below(count), b = random.below(count);
          a != b)
        problem.conflicts.push_back({a, b});
    ASSERT_FALSE(bool(problem.check()));
    EXPECT_LE(problem.lowerBoundBytes(), heaviestClique(problem));
    EXPECT_GE(problem.lowerBoundBytes(), liveBound(problem));
  }
}

// The order of streams must hold for every solver, not only where they meet.
TEST(ArenaBound, solvers_keep_further_conflicts_apart) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ArenaProblem problem = streamProblem(seed, 60, 3, seed % 2 == 0);
    problem.alignmentBytes = 4;
    if (seed % 3 == 0)
      problem.spaces = {{"", std::nullopt, 16}};
    for (const ArenaSolver &solver : arenaSolvers()) {
      // The door verifies.
      SolveLimits limits;
      limits.effort = 200;
      llvm::Expected<ArenaPlan> plan = solve(problem, solver, limits);
      ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
      EXPECT_GE(plan->peakBytes, problem.lowerBoundBytes()) << solver.name;
    }
  }
}
