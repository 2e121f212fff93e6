//===- Reasons.h - Which placements a conclusion rests on -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reason is a set of placed items: as long as they lie where they do, the
// conclusion holds, whatever else is placed. One is kept for each item, for
// going no lower than it does; another is gathered for the next conclusion.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_EXACT_REASONS_H
#define MEMPLAN_LIB_PLANNER_ARENA_EXACT_REASONS_H

#include "../Tuning.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan {

class Reasons {
public:
  /// Nothing is placed, and all items rest on nothing. Where reasons are not
  /// kept, everything is taken to rest on all that is placed.
  void reset(int32_t count, bool isKept) {
    words = isKept ? (count + 63) / 64 : 0;
    placed.assign(words, 0);
    gathered.assign(words, 0);
    kept.assign(size_t(words) * count, 0);
    former.clear();
  }
  static constexpr int32_t mostItems = tuning::mostReasonedItems;

  void setPlaced(int32_t item, bool isPlaced) {
    if (words == 0)
      return;
    const uint64_t bit = uint64_t(1) << (item & 63);
    placed[item >> 6] =
        isPlaced ? placed[item >> 6] | bit : placed[item >> 6] & ~bit;
  }

  // What is gathered.
  void clear() { std::fill(gathered.begin(), gathered.end(), 0); }
  void addItem(int32_t item) {
    if (words)
      gathered[item >> 6] |= uint64_t(1) << (item & 63);
  }
  void addReasonOf(int32_t item) {
    const uint64_t *from = kept.data() + size_t(item) * words;
    for (int32_t word = 0; word < words; ++word)
      gathered[word] |= from[word];
  }
  void addAllPlaced() { gathered = placed; }
  /// Takes the item out; false if it was not in.
  bool takeOut(int32_t item) {
    if (words == 0)
      return true;
    const uint64_t bit = uint64_t(1) << (item & 63);
    const bool isIn = gathered[item >> 6] & bit;
    gathered[item >> 6] &= ~bit;
    return isIn;
  }

  /// What is gathered becomes the item's reason.
  void keep(int32_t item) {
    const auto at = kept.begin() + std::ptrdiff_t(item) * words;
    uint64_t used = 0;
    for (int32_t word = 0; word < words; ++word)
      if (at[word]) {
        former.push_back(at[word]);
        used |= uint64_t(1) << word;
      }
    former.push_back(used);
    std::copy(gathered.begin(), gathered.end(), at);
  }
  /// Undoes the last keep(), which was of that item.
  void restore(int32_t item) {
    const uint64_t used = takeLast();
    for (int32_t word = words - 1; word >= 0; --word)
      kept[size_t(item) * words + word] = used >> word & 1 ? takeLast() : 0;
  }

private:
  static_assert(mostItems <= 64 * 64, "a word tells which words are used");
  uint64_t takeLast() {
    const uint64_t last = former.back();
    former.pop_back();
    return last;
  }

  int32_t words = 0;
  std::vector<uint64_t> placed, gathered;
  std::vector<uint64_t> kept; ///< By item.
  /// What was kept before, a stack: the words that are not zero, then a mask
  /// of which they are. Most words are zero: a reason is a few items of
  /// thousands.
  std::vector<uint64_t> former;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_EXACT_REASONS_H
