//===- Pool.h - Addresses of a block of memory, given out online *- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DYNAMIC_POOL_H
#define MEMPLAN_RUNTIME_DYNAMIC_POOL_H

#include "memplan/Runtime/Support/Status.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace memplan::runtime {

/// Gives out parts of [0, bytes) by best fit, in multiples of `unit`, and joins
/// what comes back with what is free beside it. It holds no memory itself.
/// allocate() is O(log holes) and one move of their list; release() allocates
/// nothing.
class Pool {
public:
  /// A part that was given out; valid until it is released. It keeps its number
  /// when compact() moves it.
  using Block = int32_t;
  static constexpr Block none = -1;
  static constexpr int64_t unit = 512;

  explicit Pool(int64_t bytes);

  /// The smallest hole that is large enough, the lower one of two; none where
  /// there is no such hole. 0 bytes take one unit.
  Block allocate(int64_t bytes);
  /// At this very address, which need not be a multiple of a unit, in multiples
  /// of `granule`; none where these bytes are not free.
  Block allocateAt(int64_t address, int64_t bytes, int64_t granule = unit);
  void release(Block block) noexcept;

  int64_t address(Block block) const { return nodes[size_t(block)].address; }
  int64_t bytes(Block block) const { return nodes[size_t(block)].bytes; }
  /// Free bytes right before and right behind the block.
  int64_t freeBeside(Block block) const;

  using Move = std::function<Status(int64_t from, int64_t to, int64_t bytes)>;
  /// The fewest bytes of blocks that lie between holes of `bytes` bytes in all:
  /// what compact() moves for such an allocation. -1: there is not as much
  /// free.
  int64_t bytesToMove(int64_t bytes) const;
  /// Moves those blocks down, one after the other, until there is one hole of
  /// `bytes`, which bytesToMove() says to be possible. `move` is told before a
  /// block's address changes; the ranges may overlap. Its first error ends the
  /// work, with everything where it says.
  Status compact(int64_t bytes, const Move &move);

  /// Forgets the marks below, for a new step.
  void resetMarks();

  static int64_t rounded(int64_t bytes) {
    return bytes <= 0 ? unit : (bytes + unit - 1) / unit * unit;
  }
  int64_t capacity() const { return size; }
  int64_t liveBytes() const { return live; }
  int64_t freeBytes() const { return size - live; }
  int64_t largestHole() const { return holes.empty() ? 0 : holes.back().bytes; }
  int64_t largestHoleEnd() const {
    return holes.empty() ? 0 : holes.back().address + holes.back().bytes;
  }
  size_t holeCount() const { return holes.size(); }
  /// The most bytes that were given out at one moment, and the end of the
  /// highest block that ever was.
  int64_t mostLiveBytes() const { return mostLive; }
  int64_t highWaterBytes() const { return highWater; }

private:
  struct Node {
    int64_t address = 0, bytes = 0;
    Block before = none, behind = none; ///< in the order of addresses
    bool isFree = false;
  };
  struct Hole {
    int64_t bytes, address;
    Block node;
    auto key() const { return std::pair(bytes, address); }
  };
  struct Window {
    Block first = none; ///< a hole
    int64_t movedBytes = -1;
  };
  Window bestWindow(int64_t bytes) const;
  void swapWithNext(Block hole) noexcept;
  void makeRoom();
  Block newNode() noexcept;
  void addHole(Block node) noexcept;
  void takeHole(Block node) noexcept;
  /// Cuts `bytes` off the low end of a node and returns that part.
  Block cut(Block node, int64_t bytes) noexcept;
  void unlink(Block node) noexcept;
  void give(Block node) noexcept;

  int64_t size;
  int64_t live = 0, mostLive = 0, highWater = 0;
  Block first = none;
  std::vector<Node> nodes;
  std::vector<Block> spare;
  std::vector<Hole> holes; ///< by bytes, then address
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DYNAMIC_POOL_H
