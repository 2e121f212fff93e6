//===- SkylineDiveTest.cpp - Dives against plain search -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SkylineDive.h"
#include "memplan/Support/Random.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>

using namespace memplan;

static std::vector<Rectangle> randomRectangles(Random &random, int32_t count,
                                               int32_t points) {
  std::vector<Rectangle> items(count);
  for (Rectangle &item : items) {
    item.first = random.below(points);
    const int32_t longest = random.chance(0.7) ? std::min(6, points) : points;
    item.last = std::min(points, item.first + 1 + random.below(longest));
    item.bytes = 1 + random.below(9);
    item.alignment = random.chance(0.8) ? 1 : 1 + random.below(5);
  }
  return items;
}

static std::vector<int32_t> shuffled(Random &random, size_t count) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[random.below(int32_t(i))]);
  return order;
}

// A finder that overlooks an item would leave it to the end, on top of all.
TEST(ItemFinder, agrees_with_a_walk_over_all_items) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const int32_t points = 1 + random.below(40);
    const auto items = randomRectangles(random, 1 + random.below(80), points);
    ItemFinder finder(items, points);
    const std::vector<int32_t> ranks = shuffled(random, items.size());
    finder.reset(ranks);
    std::vector<char> removed(items.size());
    for (int32_t gone : shuffled(random, items.size())) {
      for (int probe = 0; probe < 4; ++probe) {
        const int32_t first = random.below(points);
        const int32_t last = first + 1 + random.below(points - first);
        int32_t expected = ItemFinder::none;
        for (size_t i = 0; i < items.size(); ++i)
          if (!removed[i] && items[i].first >= first && items[i].last <= last)
            expected = std::min(expected, ranks[i]);
        ASSERT_EQ(finder.best(first, last), expected);
      }
      finder.remove(gone);
      removed[gone] = 1;
    }
  }
}

/// What a dive is by definition: heights point by point, the lowest valley
/// first, the first item of the order that lives inside of it.
static std::vector<int64_t> diveSlowly(const std::vector<Rectangle> &items,
                                       int32_t points,
                                       const std::vector<int32_t> &order) {
  int64_t grain = 0;
  for (const Rectangle &item : items)
    grain = std::gcd(grain, item.alignment);
  std::vector<int64_t> heights(points), offsets(items.size(), -1);
  for (size_t left = items.size(); left > 0;) {
    const auto lowest = std::min_element(heights.begin(), heights.end());
    const auto first = int32_t(lowest - heights.begin());
    const int64_t floor = *lowest;
    int32_t last = first;
    while (last < points && heights[last] == floor)
      ++last;
    auto fits = std::find_if(order.begin(), order.end(), [&](int32_t i) {
      return offsets[i] < 0 && items[i].first >= first && items[i].last <= last;
    });
    int64_t top = INT64_MAX;
    int32_t from = first, to = last;
    if (fits != order.end()) {
      const Rectangle &item = items[*fits];
      offsets[*fits] = alignUp(floor, item.alignment);
      top = alignUp(offsets[*fits] + item.bytes, grain);
      from = item.first;
      to = item.last;
      --left;
    } else {
      if (first > 0)
        top = heights[first - 1];
      if (last < points)
        top = std::min(top, heights[last]);
    }
    std::fill(heights.begin() + from, heights.begin() + to, top);
  }
  return offsets;
}

// The order in which valleys are filled must not matter, or the result would
// be another than the one that is described.
TEST(SkylineDive, places_as_the_definition_does) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const int32_t points = 1 + random.below(30);
    const auto items = randomRectangles(random, 1 + random.below(60), points);
    SkylineDive dive(items, points);
    for (int run = 0; run < 3; ++run) {
      const std::vector<int32_t> order = shuffled(random, items.size());
      const std::optional<int64_t> height = dive.run(order);
      ASSERT_TRUE(height);
      const std::vector<int64_t> expected = diveSlowly(items, points, order);
      EXPECT_EQ(dive.offsets(), expected);
      int64_t highest = 0;
      for (size_t i = 0; i < items.size(); ++i)
        highest = std::max(highest, expected[i] + items[i].bytes);
      EXPECT_EQ(*height, highest);
      // The height itself is within the limit, one byte less is not.
      EXPECT_EQ(dive.run(order, highest), highest);
      EXPECT_FALSE(dive.run(order, highest - 1));
    }
  }
}

// Buffers must not share bytes, whatever the order.
TEST(SkylineDive, never_lets_items_overlap) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto items = randomRectangles(random, 200, 90);
    SkylineDive dive(items, 90);
    ASSERT_TRUE(dive.run(shuffled(random, items.size())));
    const std::vector<int64_t> &at = dive.offsets();
    for (size_t i = 0; i < items.size(); ++i) {
      EXPECT_EQ(at[i] % items[i].alignment, 0);
      for (size_t k = 0; k < i; ++k)
        EXPECT_TRUE(items[i].last <= items[k].first ||
                    items[k].last <= items[i].first ||
                    at[i] + items[i].bytes <= at[k] ||
                    at[k] + items[k].bytes <= at[i])
            << i << " and " << k;
    }
  }
}

// No items at all is a packing too.
TEST(SkylineDive, takes_empty_problems) {
  SkylineDive dive({}, 0);
  EXPECT_EQ(dive.run({}), 0);
}
