//===- PoolTest.cpp - Best fit, joining and compaction --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Dynamic/Pool.h"
#include "memplan/Planner/Dynamic/PoolModel.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <random>

using namespace memplan::runtime;

static constexpr int64_t unit = Pool::unit;

/// If this fails, a block is not taken from the smallest hole that fits.
TEST(Pool, takes_the_smallest_hole_that_fits) {
  Pool pool(10 * unit + 100);
  EXPECT_EQ(pool.capacity(), 10 * unit) << "what is left is no unit";
  std::vector<Pool::Block> blocks;
  for (int64_t units : {3, 1, 2, 1, 3})
    blocks.push_back(pool.allocate(units * unit - 1));
  EXPECT_EQ(pool.allocate(0), Pool::none) << "it is full";
  pool.release(blocks[0]);
  pool.release(blocks[2]);
  EXPECT_EQ(pool.address(pool.allocate(2 * unit)), 4 * unit);
  EXPECT_EQ(pool.address(pool.allocate(1)), 0);
  EXPECT_EQ(pool.largestHole(), 2 * unit);
  EXPECT_EQ(pool.freeBeside(blocks[1]), 2 * unit);
  EXPECT_EQ(pool.highWaterBytes(), 10 * unit);
  EXPECT_EQ(pool.mostLiveBytes(), 10 * unit);
  EXPECT_EQ(Pool(unit - 1).allocate(1), Pool::none);
}

namespace {
/// What a pool should be: who has which unit.
struct Oracle {
  Pool &pool;
  std::map<Pool::Block, int64_t> blocks; ///< their bytes, rounded

  std::vector<Pool::Block> owners() const {
    std::vector<Pool::Block> owner(size_t(pool.capacity() / unit), Pool::none);
    for (auto [block, bytes] : blocks)
      for (int64_t u = 0; u < bytes / unit; ++u) {
        Pool::Block &place = owner[size_t(pool.address(block) / unit + u)];
        EXPECT_EQ(place, Pool::none) << "two blocks share bytes";
        place = block;
      }
    return owner;
  }
  /// Lengths of the free runs, in order.
  std::vector<int64_t> holes() const {
    std::vector<int64_t> runs;
    int64_t run = 0;
    for (Pool::Block owner : owners()) {
      if (owner == Pool::none) {
        run += unit;
      } else if (run > 0) {
        runs.push_back(run);
        run = 0;
      }
    }
    if (run > 0)
      runs.push_back(run);
    return runs;
  }
  /// By trying every range of units.
  int64_t leastToMove(int64_t bytes) const {
    const std::vector<Pool::Block> owner = owners();
    int64_t least = -1;
    for (size_t begin = 0; begin < owner.size(); ++begin) {
      int64_t open = 0, used = 0;
      for (size_t end = begin; end < owner.size(); ++end) {
        (owner[end] == Pool::none ? open : used) += unit;
        const bool cuts =
            owner[end] != Pool::none &&
            ((end + 1 < owner.size() && owner[end + 1] == owner[end]) ||
             (begin > 0 && owner[begin] != Pool::none &&
              owner[begin - 1] == owner[begin]));
        if (!cuts && open >= bytes && (least < 0 || used < least))
          least = used;
      }
    }
    return least;
  }
  void check() const {
    const std::vector<int64_t> runs = holes();
    int64_t sum = 0, largest = 0;
    for (int64_t run : runs) {
      sum += run;
      largest = std::max(largest, run);
    }
    ASSERT_EQ(pool.freeBytes(), sum);
    ASSERT_EQ(pool.largestHole(), largest);
    ASSERT_EQ(pool.holeCount(), runs.size());
  }
};
} // namespace

/// If this fails, some order of calls makes blocks overlap, leaves holes apart
/// that touch, refuses what fits, or compaction moves bytes to a wrong place.
TEST(Pool, agrees_with_an_oracle_on_random_calls) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Pool pool(64 * unit);
    Oracle oracle{pool, {}};
    for (int call = 0; call < 400; ++call) {
      const int64_t bytes =
          int64_t(random() % 6) * unit + int64_t(random() % 2);
      if (random() % 100 == 0) {
        // What each unit holds moves with its block.
        std::vector<Pool::Block> held = oracle.owners();
        // All of the free bytes, or the cheapest of all ways to some.
        const int64_t wanted =
            random() % 2 ? pool.freeBytes() : 1 + int64_t(random() % 8) * unit;
        const int64_t toMove = pool.bytesToMove(wanted);
        ASSERT_EQ(toMove, oracle.leastToMove(Pool::rounded(wanted)));
        int64_t moved = 0;
        ASSERT_TRUE(pool.compact(wanted,
                                 [&](int64_t from, int64_t to, int64_t size) {
                                   EXPECT_LT(to, from);
                                   moved += size;
                                   for (int64_t u = 0; u < size / unit; ++u)
                                     held[size_t(to / unit + u)] =
                                         held[size_t(from / unit + u)];
                                   return Status::success();
                                 })
                        .ok());
        ASSERT_EQ(moved, std::max<int64_t>(toMove, 0));
        if (toMove >= 0)
          ASSERT_GE(pool.largestHole(), Pool::rounded(wanted));
        for (auto [block, size] : oracle.blocks)
          ASSERT_EQ(held[size_t(pool.address(block) / unit)], block);
      } else if (oracle.blocks.empty() || random() % 5 < 3) {
        const int64_t at = int64_t(random() % 64) * unit;
        const bool fixed = random() % 4 == 0;
        const std::vector<int64_t> holes = oracle.holes();
        const std::vector<Pool::Block> owners = oracle.owners();
        const int64_t size = Pool::rounded(bytes);
        const Pool::Block block =
            fixed ? pool.allocateAt(at, bytes) : pool.allocate(bytes);
        bool fits = std::any_of(holes.begin(), holes.end(),
                                [&](int64_t hole) { return hole >= size; });
        if (fixed) {
          fits = at + size <= pool.capacity();
          for (int64_t u = 0; fits && u < size / unit; ++u)
            fits = owners[size_t(at / unit + u)] == Pool::none;
        }
        ASSERT_EQ(block != Pool::none, fits);
        if (fits) {
          ASSERT_TRUE(!fixed || pool.address(block) == at);
          ASSERT_EQ(pool.bytes(block), size);
          oracle.blocks[block] = size;
        }
      } else {
        auto gone = std::next(oracle.blocks.begin(),
                              int64_t(random() % oracle.blocks.size()));
        pool.release(gone->first);
        oracle.blocks.erase(gone);
      }
      oracle.check();
    }
  }
}

/// If this fails, what the planner says of a pool is not what the runtime's
/// pool does.
TEST(Pool, gives_the_addresses_of_the_planners_model) {
  const unsigned seed = 20;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int64_t capacity : {60 * unit, int64_t(1) << 40}) {
    Pool pool(capacity);
    memplan::PoolModel model(capacity);
    std::vector<std::pair<Pool::Block, int64_t>> blocks; ///< and their bytes
    for (int i = 0; i < 20000; ++i) {
      if (!blocks.empty() && random() % 100 < 48) {
        std::swap(blocks[random() % blocks.size()], blocks.back());
        auto [block, bytes] = blocks.back();
        blocks.pop_back();
        model.release(pool.address(block), bytes);
        pool.release(block);
      } else {
        const int64_t bytes = 1 + int64_t(random() % (12 * unit));
        const Pool::Block block = pool.allocate(bytes);
        const std::optional<int64_t> address = model.allocate(bytes);
        ASSERT_EQ(block != Pool::none, address.has_value());
        if (block == Pool::none)
          continue;
        ASSERT_EQ(pool.address(block), *address) << "step " << i;
        blocks.emplace_back(block, bytes);
      }
      ASSERT_EQ(pool.liveBytes(), model.liveBytes());
      ASSERT_EQ(pool.highWaterBytes(), model.highWaterBytes());
      ASSERT_EQ(pool.largestHole(), model.largestHole());
    }
  }
}
