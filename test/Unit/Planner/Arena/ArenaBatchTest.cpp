//===- ArenaBatchTest.cpp - Offsets for every batch of a range ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "memplan/Planner/Arena/BatchArena.h"
#include "memplan/Support/Random.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace memplan;

namespace {

BatchArenaProblem makeRandomProblem(uint64_t seed) {
  Random random(seed);
  BatchArenaProblem problem;
  const int64_t most = 1 + random.below(20);
  std::set<int64_t> points = {most};
  while (random.chance(0.7))
    points.insert(1 + random.below(int32_t(most)));
  problem.breakpoints.assign(points.begin(), points.end());
  problem.atMost.alignmentBytes = int64_t(1) << random.below(5);
  const int32_t count = 2 + random.below(10);
  for (int32_t i = 0; i < count; ++i) {
    ArenaBuffer &buffer = problem.atMost.buffers.emplace_back();
    buffer.id = std::to_string(i);
    buffer.begin = random.below(8);
    buffer.end = buffer.begin + 1 + random.below(8);
    if (buffer.end - buffer.begin > 3 && random.chance(0.3))
      buffer.gaps = {{buffer.begin + 1, buffer.begin + 2}};
    buffer.space = random.chance(0.1) ? "host" : "device";
    const int64_t perSample = random.chance(0.6) ? random.below(40) : 0;
    buffer.bytes = (random.chance(0.5) ? random.below(100) : 0) +
                   perSample * (most - problem.breakpoints.front()) +
                   (random.chance(0.5) ? perSample : 0);
    problem.bytesPerSample.push_back(perSample);
  }
  for (int32_t i = 0; i + 1 < count; ++i)
    if (problem.atMost.buffers[i].space ==
            problem.atMost.buffers[i + 1].space &&
        random.chance(0.1))
      problem.atMost.conflicts.push_back({i, i + 1});
  return problem;
}

std::vector<int64_t> packAt(const BatchArenaProblem &problem, int64_t batch) {
  llvm::Expected<ArenaPlan> plan =
      solve(problem.at(batch), solverNamed(arenaSolvers(), "best-fit"), {});
  EXPECT_THAT(plan, Succeeds());
  return plan->offsets;
}

/// On the line between the two breakpoints around a batch; exact.
int64_t offsetAt(const BatchArenaProblem &problem,
                 const std::vector<int64_t> &offsets, int64_t batch) {
  for (size_t b = 0; b < offsets.size(); ++b) {
    if (problem.breakpoints[b] == batch)
      return offsets[b];
    if (problem.breakpoints[b] < batch)
      continue;
    const int64_t samples = problem.breakpoints[b] - problem.breakpoints[b - 1];
    EXPECT_EQ((offsets[b] - offsets[b - 1]) % samples, 0);
    return offsets[b] - (offsets[b] - offsets[b - 1]) / samples *
                            (problem.breakpoints[b] - batch);
  }
  ADD_FAILURE() << "batch " << batch << " is beyond the breakpoints";
  return 0;
}

int64_t topOf(const ArenaProblem &problem, const std::vector<int64_t> &offsets,
              llvm::StringRef space) {
  int64_t top = 0;
  for (size_t i = 0; i < offsets.size(); ++i)
    if (problem.buffers[i].bytes > 0 && problem.buffers[i].space == space)
      top = std::max(top, offsets[i] + problem.buffers[i].bytes);
  return top;
}

/// The problem's own verifier, which knows one batch only.
void expectPacked(const ArenaProblem &problem,
                  const std::vector<int64_t> &offsets) {
  ArenaPlan plan;
  plan.offsets = offsets;
  plan.peakBytes =
      topOf(problem, offsets, "device") + topOf(problem, offsets, "host");
  plan.report.bound = double(problem.lowerBoundBytes());
  EXPECT_THAT(problem.verify(plan), Succeeds());
}

// If the proof at the breakpoints did not carry over to a batch between them,
// buffers would overlap there: each batch is looked at.
TEST(ArenaBatch, every_batch_of_random_ranges_is_packed) {
  int64_t between = 0, moved = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const BatchArenaProblem problem = makeRandomProblem(seed);
    const int64_t most = problem.breakpoints.back();
    const std::vector<int64_t> first = packAt(problem, most);
    llvm::Expected<BatchArenaPlan> plan = packBatches(
        problem, {first, packAt(problem, problem.breakpoints.front())}, 1);
    ASSERT_THAT(plan, Succeeds());
    ASSERT_THAT(problem.verify(*plan), Succeeds());
    const std::vector<BatchSpace> spaces = batchSpaces(problem, *plan);
    for (int64_t batch = problem.breakpoints.front(); batch <= most; ++batch) {
      SCOPED_TRACE("batch " + std::to_string(batch));
      const ArenaProblem at = problem.at(batch);
      std::vector<int64_t> offsets;
      for (const std::vector<int64_t> &list : plan->offsets)
        offsets.push_back(offsetAt(problem, list, batch));
      expectPacked(at, offsets);
      const bool isBreakpoint = llvm::is_contained(problem.breakpoints, batch);
      between += !isBreakpoint;
      for (const BatchSpace &space : spaces)
        for (size_t b = 0; b < space.bytes.size(); ++b)
          if (problem.breakpoints[b] == batch)
            EXPECT_LE(topOf(at, offsets, space.space), space.bytes[b]);
    }
    for (const BatchSpace &space : spaces)
      EXPECT_LE(space.bytes.back(), topOf(problem.atMost, first, space.space));
    for (const std::vector<int64_t> &list : plan->offsets)
      moved += list.front() != list.back();
  }
  EXPECT_GT(between, 1000);
  EXPECT_GT(moved, 500);
}

/// Two buffers that are live at once, of 4 bytes each at batches 1 and 3.
BatchArenaProblem makePair() {
  BatchArenaProblem problem;
  problem.breakpoints = {1, 3};
  problem.bytesPerSample = {0, 0};
  for (const char *name : {"a", "b"}) {
    ArenaBuffer &buffer = problem.atMost.buffers.emplace_back();
    buffer.id = name;
    buffer.bytes = 4;
    buffer.end = 2;
  }
  return problem;
}

// What is apart at both breakpoints meets on the way where the two change
// places: at batch 2 they both lie at 2.
TEST(ArenaBatch, buffers_that_change_places_are_refused) {
  BatchArenaProblem problem = makePair();
  BatchArenaPlan plan;
  plan.offsets = {{0, 4}, {4, 0}};
  EXPECT_THAT(problem.verify(plan), FailsWith("change places"));
  plan.offsets = {{0, 0}, {4, 8}};
  EXPECT_THAT(problem.verify(plan), Succeeds());
  plan.offsets = {{0, 0}, {4, 7}};
  EXPECT_THAT(problem.verify(plan), FailsWith("moves from 4 to 7"));
  plan.offsets = {{0, 0}, {2, 4}};
  EXPECT_THAT(problem.verify(plan), Violates("arena_c2"));
}

TEST(ArenaBatch, what_a_range_cannot_keep_is_refused) {
  auto refusal = [](auto change) {
    BatchArenaProblem problem = makePair();
    change(problem);
    return takeMessage(problem.check());
  };
  EXPECT_EQ(refusal([](BatchArenaProblem &) {}), "");
  EXPECT_NE(refusal([](auto &p) { p.breakpoints = {3, 1}; }).find("ascend"),
            std::string::npos);
  EXPECT_NE(refusal([](auto &p) {
              p.bytesPerSample = {3, 0};
            }).find("'a' has 4 bytes at batch 3 and 3 for each sample"),
            std::string::npos);
  EXPECT_NE(refusal([](auto &p) {
              p.atMost.buffers[1].fixedOffset = 0;
            }).find("'b' has an offset"),
            std::string::npos);
}

// The stack of the largest batch would be kept where another one is as low
// there, and lower at the least: a stays below b, c and d at 32 samples.
TEST(ArenaBatch, finds_an_order_that_is_low_at_both_ends) {
  BatchArenaProblem problem;
  problem.breakpoints = {1, 32};
  auto add = [&](const char *name, int64_t begin, int64_t end, int64_t bytes,
                 int64_t perSample) {
    ArenaBuffer &buffer = problem.atMost.buffers.emplace_back();
    buffer.id = name;
    buffer.begin = begin;
    buffer.end = end;
    buffer.bytes = bytes + 32 * perSample;
    problem.bytesPerSample.push_back(perSample);
  };
  // Two heavy ones of constant size meet each other at no step.
  add("first weight", 0, 2, 100, 0);
  add("second weight", 2, 4, 100, 0);
  add("values", 1, 3, 0, 10);
  // The weights lie above each other's place, or on both sides of the values.
  const std::vector<int64_t> apart = {0, 420, 100};
  llvm::Expected<BatchArenaPlan> plan = packBatches(problem, {apart}, 10);
  ASSERT_THAT(plan, Succeeds());
  const std::vector<BatchSpace> spaces = batchSpaces(problem, *plan);
  EXPECT_EQ(spaces.front().bytes, (std::vector<int64_t>{110, 420}));
}

} // namespace
