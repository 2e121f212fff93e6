//===- PiecePlaceTest.cpp - Rows against sets of bytes --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/PiecePlace.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using mlir::memplan::PiecePlace;

/// The bytes of a place in order.
static std::vector<int64_t> bytesOf(const PiecePlace &place) {
  std::vector<int64_t> bytes;
  for (int64_t row = 0; row < place.rows; ++row)
    for (int64_t byte = 0; byte < place.rowBytes; ++byte)
      bytes.push_back(place.byteOffset + row * place.stride + byte);
  return bytes;
}

namespace {
struct Dice {
  std::mt19937_64 random;
  int64_t roll(int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  }
  PiecePlace place(int64_t mostOffset) {
    PiecePlace place{roll(0, mostOffset), roll(1, 6), roll(1, 4), 0};
    if (place.rows > 1)
      place.stride = place.rowBytes + roll(0, 6);
    return place;
  }
};
} // namespace

// Overlaps that are missed let a plan write over what is still read.
TEST(PiecePlace, overlaps_and_contains_as_the_bytes_do) {
  const uint64_t seed = 20261122;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice{std::mt19937_64(seed)};
  int overlapping = 0, contained = 0;
  for (int round = 0; round < 20000; ++round) {
    const PiecePlace a = dice.place(12), b = dice.place(12);
    const std::vector<int64_t> mine = bytesOf(a), other = bytesOf(b);
    auto isMine = [&](int64_t byte) {
      return std::binary_search(mine.begin(), mine.end(), byte);
    };
    const bool any = std::any_of(other.begin(), other.end(), isMine),
               all = std::all_of(other.begin(), other.end(), isMine);
    ASSERT_EQ(a.overlaps(b), any) << round;
    ASSERT_EQ(b.overlaps(a), any) << round;
    ASSERT_EQ(a.normalized().contains(b.normalized()), all) << round;
    ASSERT_EQ(bytesOf(a.normalized()), mine);
    ASSERT_EQ(a.end(), mine.back() + 1);
    overlapping += any;
    contained += all;
  }
  EXPECT_GT(overlapping, 1000);
  EXPECT_GT(contained, 100);
}

// A piece of a piece must be those bytes of it, in their order.
TEST(PiecePlace, lies_inside_another_as_its_bytes_do) {
  const uint64_t seed = 20261123;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice{std::mt19937_64(seed)};
  int found = 0;
  for (int round = 0; round < 20000; ++round) {
    const PiecePlace outer = dice.place(12).normalized();
    const PiecePlace inner = dice.place(8);
    if (inner.end() > outer.bytes())
      continue;
    const std::vector<int64_t> whole = bytesOf(outer);
    std::vector<int64_t> wanted;
    for (int64_t byte : bytesOf(inner))
      wanted.push_back(whole[size_t(byte)]);
    std::optional<PiecePlace> place = inner.inside(outer);
    if (place) {
      ++found;
      ASSERT_EQ(bytesOf(*place), wanted) << round;
    } else {
      // Only what is no rows of one distance is refused.
      ASSERT_FALSE(outer.isDense());
    }
  }
  EXPECT_GT(found, 2000);
}
