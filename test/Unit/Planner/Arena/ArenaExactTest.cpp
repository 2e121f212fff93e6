//===- ArenaExactTest.cpp - The exact search against all packings ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/BlockedSearch.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Support/Random.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <numeric>

using namespace memplan;

static int64_t roundUp(int64_t value, int64_t step) {
  return (value + step - 1) / step * step;
}

static bool liveAt(const ArenaBuffer &buffer, int64_t time) {
  return buffer.begin <= time && time < buffer.end &&
         std::none_of(
             buffer.gaps.begin(), buffer.gaps.end(),
             [&](const auto &gap) {
               return gap.first <= time && time < gap.second;
             });
}

static bool conflict(const ArenaProblem &problem, int32_t a, int32_t b) {
  for (auto [x, y] : problem.conflicts)
    if ((x == a && y == b) || (x == b && y == a))
      return true;
  const ArenaBuffer &first = problem.buffers[a], &second = problem.buffers[b];
  for (int64_t time = first.begin; time < first.end; ++time)
    if (liveAt(first, time) && liveAt(second, time))
      return true;
  return false;
}

/// Buffers that leave little room: most heights are reached by few packings.
/// With gaps, fixed offsets, alignments, allocations and further conflicts,
/// some of them in one problem.
static ArenaProblem randomProblem(uint64_t seed) {
  Random random(seed);
  ArenaProblem problem;
  const int count = 3 + random.below(5);
  const int64_t steps = 3 + random.below(6);
  problem.alignmentBytes = int64_t(1) << (random.chance(0.3) ? 1 : 0);
  for (int i = 0; i < count; ++i) {
    ArenaBuffer &buffer = problem.buffers.emplace_back();
    buffer.id = std::to_string(i);
    buffer.bytes = 1 + random.below(6);
    buffer.begin = random.below(int32_t(steps));
    buffer.end = buffer.begin + 1 + random.below(int32_t(steps - buffer.begin));
    if (random.chance(0.15))
      buffer.alignmentBytes = 1 + random.below(3);
    if (buffer.end - buffer.begin > 2 && random.chance(0.3))
      buffer.gaps = {{buffer.begin + 1, buffer.begin + 2}};
  }
  if (random.chance(0.2))
    problem.spaces = {{"", std::nullopt, 12}};
  for (int i = random.below(4); i > 0; --i)
    if (const int32_t a = random.below(count), b = random.below(count); a != b)
      problem.conflicts.push_back({a, b});
  for (ArenaBuffer &buffer : problem.buffers) {
    if (!random.chance(0.12))
      continue;
    buffer.fixedOffset =
        roundUp(random.below(8),
                std::lcm(problem.alignmentBytes, buffer.alignmentBytes));
    // An overlap with another one, say, leaves it free.
    if (llvm::Error error = problem.check()) {
      llvm::consumeError(std::move(error));
      buffer.fixedOffset.reset();
    }
  }
  return problem;
}

/// Least height, by trying every offset for every buffer in turn, for one
/// height after another.
static int64_t bruteForce(const ArenaProblem &problem) {
  std::vector<int32_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::partition(order.begin(), order.end(), [&](int32_t i) {
    return problem.buffers[i].fixedOffset.has_value();
  });
  const int64_t allocation = problem.spaces.empty()
                                 ? int64_t(1) << 40
                                 : *problem.spaces.front().allocationBytes;
  std::vector<int64_t> offsets(order.size());
  auto place = [&](auto &self, size_t number, int64_t height) -> bool {
    if (number == order.size())
      return true;
    const ArenaBuffer &buffer = problem.buffers[order[number]];
    const int64_t step =
        std::lcm(problem.alignmentBytes, buffer.alignmentBytes);
    int64_t offset = buffer.fixedOffset.value_or(0);
    const int64_t last = buffer.fixedOffset.value_or(height);
    for (; offset <= last && offset + buffer.bytes <= height; offset += step) {
      bool fits = offset % allocation + buffer.bytes <= allocation;
      for (size_t j = 0; j < number && fits; ++j) {
        const int64_t other = offsets[order[j]];
        fits = offset >= other + problem.buffers[order[j]].bytes ||
               other >= offset + buffer.bytes ||
               !conflict(problem, order[number], order[j]);
      }
      offsets[order[number]] = offset;
      if (fits && self(self, number + 1, height))
        return true;
    }
    return false;
  };
  for (int64_t height = 1;; ++height)
    if (place(place, 0, height))
      return height;
}

static ArenaPlan solved(const ArenaProblem &problem, const char *name,
                        const SolveLimits &limits = {}) {
  return llvm::cantFail(
      solve(problem, solverNamed(arenaSolvers(), name), limits));
}

// An optimum that is none would be handed out as a proof; one byte less must be
// refused, and refused by proof.
TEST(ArenaExact, finds_the_optimum_of_2000_small_problems_and_proves_it) {
  int aboveBound = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ArenaProblem problem = randomProblem(seed);
    const int64_t best = bruteForce(problem);
    const ArenaPlan plan = solved(problem, "exact");
    ASSERT_EQ(plan.peakBytes, best);
    EXPECT_EQ(plan.report.status, SolveStatus::Optimal);
    EXPECT_EQ(plan.report.bound, double(best));
    EXPECT_EQ(solved(problem, "auto").peakBytes, best);
    problem.budgetBytes = best;
    EXPECT_LE(solved(problem, "exact").peakBytes, best);
    problem.budgetBytes = best - 1;
    EXPECT_EQ(solved(problem, "exact").report.status, SolveStatus::Infeasible);
    aboveBound += best > problem.lowerBoundBytes();
  }
  EXPECT_GT(aboveBound, 100) << "else the bound is all that was tested";
}

static SearchAnswer answerOf(const PackPart &part, int64_t heightBytes,
                             bool prunes) {
  const ScaledPart scaled = *ScaledPart::make(part);
  BlockedSearch<int32_t> search(scaled, prunes);
  return search.search(heightBytes, int64_t(1) << 40, [] { return false; });
}

/// Pieces of a rectangle, of which some grow a little: no byte to spare at most
/// steps, and often no packing without one.
static ArenaProblem tightProblem(uint64_t seed) {
  Random random(seed);
  ArenaProblem problem;
  ArenaBuffer whole;
  whole.bytes = 24;
  whole.end = 16;
  problem.buffers = {whole};
  const int count = 9 + random.below(5);
  for (int tries = 0; tries < 200 && int(problem.buffers.size()) < count;
       ++tries) {
    ArenaBuffer &piece =
        problem.buffers[random.below(int32_t(problem.buffers.size()))];
    ArenaBuffer rest = piece;
    const auto steps = int32_t(piece.end - piece.begin);
    if (random.chance(0.5) && piece.bytes > 1) {
      rest.bytes = 1 + random.below(int32_t(piece.bytes) - 1);
      piece.bytes -= rest.bytes;
    } else if (steps > 1) {
      rest.begin = piece.end = piece.begin + 1 + random.below(steps - 1);
    } else {
      continue;
    }
    problem.buffers.push_back(rest);
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    ArenaBuffer &buffer = problem.buffers[i];
    buffer.id = std::to_string(i);
    // Ends trade places: the load stays, the packing does not.
    ArenaBuffer &other =
        problem.buffers[random.below(int32_t(problem.buffers.size()))];
    if (random.chance(0.4) && buffer.bytes == other.bytes &&
        buffer.begin < other.end && other.begin < buffer.end)
      std::swap(buffer.end, other.end);
  }
  return problem;
}

// The rule of what is blocked, and that of waste, cut branches off: a search
// that follows neither must agree where nothing is to spare.
TEST(ArenaExact, agrees_with_a_search_that_prunes_nothing) {
  int refused = 0, packed = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ArenaProblem problem =
        seed % 3 == 0 ? randomProblem(seed) : tightProblem(seed);
    for (const PackPart &part : makePackParts(problem).parts)
      for (int64_t more = 0; more < 3; ++more) {
        const SearchAnswer answer =
            answerOf(part, part.boundBytes + more, true);
        EXPECT_EQ(answer, answerOf(part, part.boundBytes + more, false));
        refused += answer == SearchAnswer::NoRoom;
        packed += answer == SearchAnswer::Packed;
      }
  }
  EXPECT_GT(refused, 40);
  EXPECT_GT(packed, 40);
}

// What does not fit in one corner must not be tried again for each way to pack
// another: ten buffers of one step have more than three million.
TEST(ArenaExact, jumps_over_what_a_failure_does_not_rest_on) {
  ArenaProblem problem;
  auto add = [&](int64_t begin, int64_t end, int64_t bytes) -> ArenaBuffer & {
    ArenaBuffer &buffer = problem.buffers.emplace_back();
    buffer.id = std::to_string(problem.buffers.size());
    buffer.begin = begin;
    buffer.end = end;
    buffer.bytes = bytes;
    return buffer;
  };
  // Seven that are live together with 40 bytes at most, and need more.
  for (auto [begin, end, bytes] :
       std::initializer_list<std::array<int64_t, 3>>{{6, 7, 20},
                                                     {0, 1, 20},
                                                     {1, 5, 10},
                                                     {5, 7, 20},
                                                     {0, 4, 20},
                                                     {4, 6, 10},
                                                     {3, 6, 10}})
    add(begin, end, bytes);
  for (int64_t i = 0; i < 10; ++i)
    add(10, 11, i % 2 == 0 ? 3 : 5);
  // On top of all, it keeps both in one part until the end.
  add(0, 11, 1).fixedOffset = 40;
  const PackParts all = makePackParts(problem);
  ASSERT_EQ(all.parts.size(), 1u);
  const ScaledPart scaled = *ScaledPart::make(all.parts.front());
  BlockedSearch<int32_t> search(scaled);
  EXPECT_EQ(search.search(41, 5'000, [] { return false; }),
            SearchAnswer::NoRoom);
}

// A plan must not depend on how files order their rows.
TEST(ArenaExact, other_ids_change_nothing_else) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ArenaProblem problem = tightProblem(seed);
    ArenaProblem renamed = problem;
    for (ArenaBuffer &buffer : renamed.buffers)
      buffer.id = "x" + buffer.id;
    EXPECT_EQ(solved(renamed, "exact").offsets,
              solved(problem, "exact").offsets);
    ArenaProblem turned = problem;
    std::reverse(turned.buffers.begin(), turned.buffers.end());
    EXPECT_EQ(solved(turned, "exact").peakBytes,
              solved(problem, "exact").peakBytes);
  }
}

/// Three hundred pieces of a rectangle.
static ArenaProblem hardProblem() {
  Random random(5);
  ArenaProblem problem;
  for (int i = 0; i < 300; ++i) {
    ArenaBuffer &buffer = problem.buffers.emplace_back();
    buffer.id = std::to_string(i);
    buffer.bytes = 1000 + random.below(9000);
    buffer.begin = random.below(60);
    buffer.end = buffer.begin + 20 + random.below(40);
  }
  return problem;
}

// Who asks for less than there is gets no wrong refusal, and the same answer
// again.
TEST(ArenaExact, stops_at_its_effort_with_a_plan_and_the_same_one_again) {
  ArenaProblem problem = hardProblem();
  SolveLimits limits;
  limits.effort = 3000;
  const ArenaPlan plan = solved(problem, "exact", limits);
  EXPECT_EQ(solved(problem, "exact", limits).offsets, plan.offsets);
  EXPECT_LE(*plan.report.bound, double(plan.peakBytes));
  problem.budgetBytes = problem.lowerBoundBytes();
  const ArenaPlan tight = solved(problem, "exact", limits);
  EXPECT_NE(tight.report.status, SolveStatus::Infeasible);
}
