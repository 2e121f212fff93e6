//===- BytesLine.h - Live bytes along a sequence of runs --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line of slots, each empty or with a run and the bytes that are live while
// it executes. Slots stand in blocks, blocks in groups of 32. A block holds its
// largest bytes, and its slots hold theirs relative to that; a group holds what
// was added to all of it. So adding bytes to a range touches the slots of two
// blocks and the blocks of two groups. Of the groups between it touches only
// those that the limit crosses. Bytes are whole numbers: all sums are exact, in
// any order.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_BYTESLINE_H
#define MEMPLAN_PLANNER_SEARCH_BYTESLINE_H

#include "memplan/Planner/Search/Tuning.h"
#include <cstdint>
#include <vector>

namespace memplan {

class BytesLine {
public:
  /// All slots empty. `slotsPerBlock` is a power of two and divides `slots`.
  void reset(int32_t slots, int32_t slotsPerBlock, double limitBytes);

  int32_t numSlots() const { return static_cast<int32_t>(runs.size()); }
  int32_t numBlocks() const { return blocks; }
  int32_t slotsPerBlock() const { return 1 << blockBits; }
  int32_t blockOf(int32_t slot) const { return slot >> blockBits; }
  int32_t firstSlot(int32_t block) const { return block << blockBits; }

  /// The run in the slot, or -1.
  int32_t runAt(int32_t slot) const { return runs[slot]; }
  double bytesAt(int32_t slot) const {
    return limit + excess(blockOf(slot)) + rest[slot];
  }
  void put(int32_t slot, int32_t run, double bytes);
  void clear(int32_t slot);
  /// Moves what stands in one slot to another, empty one. Largest bytes of the
  /// blocks are stale until refresh().
  void moveStale(int32_t from, int32_t to);
  void refresh(int32_t firstBlock, int32_t lastBlock);
  /// Adds to all runs in slots [first, last].
  void add(int32_t first, int32_t last, double bytes);
  /// Bytes times slots that were added since the last forgetArea(). It is a
  /// share of the limit in all slots; 0 where that is 0.
  double addedArea() const {
    return limit > 0 ? added / (limit * double(numSlots())) : 0;
  }
  void forgetArea() { added = 0; }

  double limitBytes() const { return limit; }
  /// Bytes of the block's largest above the limit; negative below it.
  double excess(int32_t block) const {
    return tops[block] + groups[groupOf(block)].added;
  }
  bool isOver(int32_t block) const { return excess(block) > 0; }
  /// Sum of excess() over the blocks that are over the limit, and their number.
  double excessBytes() const { return sumExcess; }
  double blocksOver() const { return countOver; }
  /// Largest bytes in slots [first, last]; 0 if all are empty.
  double largest(int32_t first, int32_t last) const;
  double peakBytes() const;
  /// Slot of the largest bytes in a block.
  int32_t peakSlot(int32_t block) const;

private:
  static constexpr int groupBits = searchTuning::doublingsOfGroup;
  /// Largest bytes of its blocks less the limit, and least of those that are
  /// not empty.
  struct Group {
    double added = 0; ///< To all of its blocks.
    double high = 0, low = 0;
    double numBlocks = 0; ///< Blocks that are not empty.
  };
  static int32_t groupOf(int32_t block) { return block >> groupBits; }
  void addToSlots(int32_t block, int32_t first, int32_t last, double bytes);
  void addToBlocks(int32_t first, int32_t last, double bytes);
  void addToGroup(int32_t group, double bytes);
  void refreshBlock(int32_t block);
  void refreshGroup(int32_t group);
  void setTop(int32_t block, double top);

  int blockBits = 2;
  double limit = 0;
  double sumExcess = 0, countOver = 0;
  double added = 0; ///< Bytes times slots.
  std::vector<Group> groups;
  /// By block, with an end that fills the last group: largest bytes less the
  /// limit and less what was added to the group.
  std::vector<double> tops;
  int32_t blocks = 0;
  std::vector<double> rest; ///< By slot: bytes less the block's largest.
  std::vector<int32_t> runs;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_BYTESLINE_H
