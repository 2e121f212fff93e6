//===- SortByKeyTest.cpp - Sorting by integers that are close -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/SortByKey.h"
#include "memplan/Support/Random.h"
#include "gtest/gtest.h"
#include <limits>

using namespace memplan;

// Both ways must give one order: keys that are close are counted, others are
// compared. Equal keys keep theirs.
TEST(SortByKey, sorts_close_and_distant_keys_and_keeps_ties) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::vector<std::pair<int64_t, int>> values(random.below(60));
    const bool areClose = seed % 2 == 0;
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = {areClose ? random.below(9) - 4
                            : int64_t(random.next() >> random.below(60)) - 5,
                   static_cast<int>(i)};
    std::vector<std::pair<int64_t, int>> expected = values;
    std::sort(expected.begin(), expected.end());
    sortByKey(values, [](const auto &value) { return value.first; });
    EXPECT_EQ(values, expected);
  }
  std::vector<int64_t> ends = {std::numeric_limits<int64_t>::max(), 0,
                               std::numeric_limits<int64_t>::min()};
  sortByKey(ends, [](int64_t value) { return value; });
  EXPECT_EQ(ends, (std::vector<int64_t>{std::numeric_limits<int64_t>::min(), 0,
                                        std::numeric_limits<int64_t>::max()}));
}
