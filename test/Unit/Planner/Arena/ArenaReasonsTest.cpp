//===- ArenaReasonsTest.cpp - Reasons are undone as they were kept --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/Reasons.h"

#include "memplan/Support/Random.h"
#include "gtest/gtest.h"
#include <set>
#include <utility>
#include <vector>

using namespace memplan;

namespace {

class ReasonsOf : public testing::TestWithParam<int32_t> {};

std::set<int32_t> reasonOf(Reasons &reasons, int32_t item, int32_t count) {
  reasons.clear();
  reasons.addReasonOf(item);
  std::set<int32_t> reason;
  for (int32_t other = 0; other < count; ++other)
    if (reasons.takeOut(other))
      reason.insert(other);
  return reason;
}

// The oracle keeps every former set whole.
TEST_P(ReasonsOf, undo_what_was_kept) {
  const int32_t count = GetParam();
  const auto seed = uint64_t(count);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  auto anItem = [&] { return random.below(count); };
  Reasons reasons;
  reasons.reset(count, /*isKept=*/true);
  std::vector<std::set<int32_t>> now(static_cast<size_t>(count));
  std::vector<std::pair<int32_t, std::set<int32_t>>> former;
  for (int step = 0; step < 600; ++step) {
    const bool undoes = !former.empty() && random.below(5) < 2;
    const int32_t item = undoes ? former.back().first : anItem();
    if (undoes) {
      now[size_t(item)] = former.back().second;
      former.pop_back();
      reasons.restore(item);
    } else {
      std::set<int32_t> gathered;
      for (int32_t left = random.below(6); left > 0; --left)
        gathered.insert(anItem());
      reasons.clear();
      for (int32_t other : gathered)
        reasons.addItem(other);
      former.emplace_back(item, std::exchange(now[size_t(item)], gathered));
      reasons.keep(item);
    }
    ASSERT_EQ(reasonOf(reasons, item, count), now[size_t(item)]) << step;
  }
  while (!former.empty()) {
    auto [item, before] = former.back();
    former.pop_back();
    reasons.restore(item);
    ASSERT_EQ(reasonOf(reasons, item, count), before);
  }
}

// The last has as many words as a word has bits.
INSTANTIATE_TEST_SUITE_P(Sizes, ReasonsOf,
                         testing::Values(1, 63, 64, 65, 700,
                                         Reasons::mostItems));

} // namespace
