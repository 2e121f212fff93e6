//===- ArenaLimitsTest.cpp - Effort, stop, time and progress of packing ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Support/Random.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace memplan;

/// At every step some buffers end and others take all of their bytes, so that
/// there is nothing to spare: nobody packs them at the lower bound, and nobody
/// proves soon that it cannot be done.
static ArenaProblem hardProblem() {
  Random random(11);
  ArenaProblem problem;
  std::vector<ArenaBuffer> live(20);
  for (ArenaBuffer &buffer : live)
    buffer.bytes = 50'000;
  auto end = [&](size_t place, int64_t time) {
    ArenaBuffer &buffer = problem.buffers.emplace_back(live[place]);
    buffer.end = time;
    buffer.id = std::to_string(problem.buffers.size());
    live.erase(live.begin() + std::ptrdiff_t(place));
    return buffer.bytes;
  };
  for (int64_t time = 1; time <= 60; ++time) {
    int64_t bytes = 0;
    for (int i = 0; i < 3; ++i)
      bytes += end(size_t(random.below(int32_t(live.size()))), time);
    for (int left = 3; left > 0; --left) {
      ArenaBuffer &next = live.emplace_back();
      next.begin = time;
      next.bytes = left == 1 ? bytes : 1 + random.below(int32_t(bytes) - left);
      bytes -= next.bytes;
    }
  }
  while (!live.empty())
    end(0, 61);
  return problem;
}

/// Through the door, which verifies the offsets.
static ArenaPlan packed(const ArenaProblem &problem, const SolveLimits &limits,
                        const char *solver = "auto") {
  return llvm::cantFail(
      solve(problem, solverNamed(arenaSolvers(), solver), limits));
}

static ArenaPlan packedWith(const ArenaProblem &problem, int64_t effort) {
  SolveLimits limits;
  limits.effort = effort;
  return packed(problem, limits);
}

static double secondsOf(const std::function<void()> &work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun)
      .count();
}

// A count of moves, so that more effort goes on where less has stopped, and
// the same effort gives the same offsets.
TEST(ArenaLimits, more_effort_packs_lower_and_the_same_effort_the_same) {
  const ArenaProblem problem = hardProblem();
  const ArenaPlan little = packedWith(problem, 1);
  const ArenaPlan some = packedWith(problem, 10);
  const ArenaPlan much = packedWith(problem, 20'000);
  EXPECT_GT(little.peakBytes, some.peakBytes);
  EXPECT_GT(some.peakBytes, much.peakBytes);
  EXPECT_GE(much.peakBytes, problem.lowerBoundBytes());
  EXPECT_EQ(packedWith(problem, 10).offsets, some.offsets);
  EXPECT_EQ(packedWith(problem, 0).offsets, packed(problem, {}).offsets);
}

// Two spaces share the moves; one that needs none leaves them to the other.
TEST(ArenaLimits, effort_is_shared_among_spaces) {
  ArenaProblem problem = hardProblem();
  const ArenaPlan alone = packedWith(problem, 100);
  ArenaBuffer &easy = problem.buffers.emplace_back();
  easy.id = "easy";
  easy.bytes = 7;
  easy.end = 1;
  easy.space = "host";
  EXPECT_EQ(packedWith(problem, 100).peakBytes, alone.peakBytes + 7);
  const size_t count = problem.buffers.size();
  for (size_t i = 0; i + 1 < count; ++i) {
    ArenaBuffer copy = problem.buffers[i];
    copy.id += "copy";
    copy.space = "host";
    problem.buffers.push_back(copy);
  }
  problem.buffers.erase(problem.buffers.begin() + std::ptrdiff_t(count) - 1);
  EXPECT_EQ(packedWith(problem, 200).peakBytes, 2 * alone.peakBytes);
}

// Who has asked to stop gets what the plain heuristics give, at least.
TEST(ArenaLimits, a_stop_beforehand_gives_a_plan) {
  const ArenaProblem problem = hardProblem();
  const std::atomic<bool> stop = true;
  SolveLimits limits;
  limits.stop = &stop;
  for (const ArenaSolver &solver : arenaSolvers())
    EXPECT_EQ(packed(problem, limits, solver.name.data()).offsets.size(),
              problem.buffers.size());
  const int64_t stopped = packed(problem, limits).peakBytes;
  EXPECT_LE(stopped, packed(problem, {}, "best-fit").peakBytes);
  EXPECT_LE(stopped, packed(problem, {}, "greedy-by-size").peakBytes);
  EXPECT_GT(stopped, packed(problem, {}).peakBytes);
}

// The effort alone would take years.
TEST(ArenaLimits, a_time_limit_ends_a_search) {
  const ArenaProblem problem = hardProblem();
  SolveLimits limits;
  limits.effort = std::numeric_limits<int64_t>::max();
  limits.timeLimitSeconds = 0.2;
  const double seconds = secondsOf([&] {
    EXPECT_LE(packed(problem, limits).peakBytes,
              packed(problem, {}, "best-fit").peakBytes);
  });
  EXPECT_GT(seconds, 0.2);
}

// People who wait see the bytes reached and those that no packing is below,
// and can stop when that is enough.
TEST(ArenaLimits, progress_has_bytes_and_a_bound_and_a_stop_is_heard) {
  const ArenaProblem problem = hardProblem();
  std::atomic<bool> stop = false;
  int calls = 0;
  double last = std::numeric_limits<double>::infinity();
  SolveLimits limits;
  limits.effort = std::numeric_limits<int64_t>::max();
  limits.stop = &stop;
  limits.progress = [&](const Progress &progress) {
    EXPECT_EQ(progress.solver, "auto");
    EXPECT_EQ(progress.bound, double(problem.lowerBoundBytes()));
    ASSERT_TRUE(progress.incumbent);
    EXPECT_LE(*progress.incumbent, last);
    last = *progress.incumbent;
    stop = ++calls == 3;
  };
  const ArenaPlan plan = packed(problem, limits);
  EXPECT_EQ(calls, 3);
  EXPECT_LE(double(plan.peakBytes), last);
  EXPECT_GE(plan.peakBytes, problem.lowerBoundBytes());
}

// Callers ask traits before they offer a limit.
TEST(ArenaLimits, traits_say_who_obeys) {
  for (const ArenaSolver &solver : arenaSolvers()) {
    const bool searches = solver.traits.family == SolverFamily::Search ||
                          solver.name == "hill-climb";
    EXPECT_EQ(solver.traits.obeysEffort, searches) << solver.name;
    EXPECT_EQ(solver.traits.anytime, searches) << solver.name;
  }
}
