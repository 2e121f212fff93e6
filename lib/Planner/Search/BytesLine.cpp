//===- BytesLine.cpp - Live bytes along a sequence of runs ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/BytesLine.h"
#include <algorithm>
#include <bit>
#include <cstring>

using namespace memplan;

/// Value of an empty slot or block: far below what adding can reach.
static constexpr double empty = -0x1p100;
static constexpr double leastBytes = -0x1p90;
static bool isEmpty(double bytes) { return bytes < leastBytes; }

void BytesLine::reset(int32_t slots, int32_t slotsPerBlock, double limitBytes) {
  blockBits = std::countr_zero(static_cast<uint32_t>(slotsPerBlock));
  limit = limitBytes;
  sumExcess = countOver = 0;
  blocks = slots >> blockBits;
  const int32_t numGroups = (blocks + (1 << groupBits) - 1) >> groupBits;
  groups.assign(numGroups, {0, empty, empty, 0});
  tops.assign(size_t(numGroups) << groupBits, empty);
  rest.assign(slots, empty);
  runs.assign(slots, -1);
}

/// Groups are stale afterwards.
void BytesLine::setTop(int32_t block, double top) {
  const double old = excess(block);
  sumExcess += std::max(top, 0.0) - std::max(old, 0.0);
  countOver += double(top > 0) - double(old > 0);
  // An empty block stays empty: what is taken off is lost in rounding.
  tops[block] = top - groups[groupOf(block)].added;
}

namespace {
/// Two numbers that are worked on at once. Compilers do not find such pairs
/// here by themselves: they may not reorder sums.
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t PairOfCounts __attribute__((vector_size(2 * sizeof(int64_t))));
} // namespace

static Pair pairAt(const double *first) {
  Pair pair;
  std::memcpy(&pair, first, sizeof(pair));
  return pair;
}
static Pair largerOf(Pair a, Pair b) { return a > b ? a : b; }
static Pair smallerOf(Pair a, Pair b) { return a < b ? a : b; }

static double largestOf(const double *first, const double *last) {
  Pair best[2] = {{empty, empty}, {empty, empty}};
  for (; last - first >= 4; first += 4)
    for (int i = 0; i < 2; ++i)
      best[i] = largerOf(best[i], pairAt(first + ptrdiff_t(2 * i)));
  double largest = empty;
  for (; first != last; ++first)
    largest = std::max(largest, *first);
  const Pair both = largerOf(best[0], best[1]);
  return std::max(largest, std::max(both[0], both[1]));
}

void BytesLine::refreshGroup(int32_t group) {
  Group &one = groups[group];
  const double *top = tops.data() + (size_t(group) << groupBits);
  constexpr Pair least = {leastBytes, leastBytes}, most = {-empty, -empty};
  Pair highs[2] = {-most, -most}, lows[2] = {most, most};
  PairOfCounts counts[2] = {};
  for (int first = 0; first < 1 << groupBits; first += 4)
    for (int i = 0; i < 2; ++i) {
      const Pair pair = pairAt(top + first + ptrdiff_t(2 * i));
      highs[i] = largerOf(highs[i], pair);
      lows[i] = smallerOf(lows[i], pair < least ? most : pair);
      counts[i] -= pair >= least; // True is -1.
    }
  const Pair highest = largerOf(highs[0], highs[1]),
             lowest = smallerOf(lows[0], lows[1]);
  const PairOfCounts both = counts[0] + counts[1];
  const double high = std::max(highest[0], highest[1]),
               low = std::min(lowest[0], lowest[1]);
  const int64_t count = both[0] + both[1];
  one.high = high + one.added;
  one.low = count > 0 ? low + one.added : empty;
  one.numBlocks = double(count);
}

/// Makes rest relative to the block's largest bytes again.
void BytesLine::refreshBlock(int32_t block) {
  double *slots = rest.data() + firstSlot(block);
  const double highest = largestOf(slots, slots + slotsPerBlock());
  if (highest == 0)
    return;
  if (isEmpty(highest))
    return setTop(block, empty);
  for (int32_t i = 0; i < slotsPerBlock(); ++i)
    slots[i] -= highest;
  setTop(block, excess(block) + highest);
}

void BytesLine::refresh(int32_t firstBlock, int32_t lastBlock) {
  for (int32_t block = firstBlock; block <= lastBlock; ++block)
    refreshBlock(block);
  for (int32_t g = groupOf(firstBlock); g <= groupOf(lastBlock); ++g)
    refreshGroup(g);
}

void BytesLine::put(int32_t slot, int32_t run, double bytes) {
  const int32_t block = blockOf(slot);
  runs[slot] = run;
  if (isEmpty(tops[block])) {
    setTop(block, bytes - limit);
    rest[slot] = 0;
    return refreshGroup(groupOf(block));
  }
  rest[slot] = bytes - limit - excess(block);
  refresh(block, block);
}

void BytesLine::clear(int32_t slot) {
  runs[slot] = -1;
  rest[slot] = empty;
  refresh(blockOf(slot), blockOf(slot));
}

void BytesLine::moveStale(int32_t from, int32_t to) {
  const double bytes = bytesAt(from);
  const int32_t run = runs[from];
  runs[from] = -1;
  rest[from] = empty;
  runs[to] = run;
  const int32_t block = blockOf(to);
  if (isEmpty(tops[block]))
    setTop(block, 0);
  rest[to] = bytes - limit - excess(block);
}

void BytesLine::addToSlots(int32_t block, int32_t first, int32_t last,
                           double bytes) {
  for (int32_t slot = first; slot <= last; ++slot)
    rest[slot] += bytes;
  refreshBlock(block);
}

/// To whole blocks of one group, which is stale afterwards.
void BytesLine::addToBlocks(int32_t first, int32_t last, double bytes) {
  if (first > last)
    return;
  const double added = groups[groupOf(first)].added;
  // Whole numbers add to the same sum in any order.
  const Pair addedToBoth = {added, added}, bytesOfBoth = {bytes, bytes};
  constexpr Pair zero = {0, 0};
  Pair excess[2] = {};
  PairOfCounts over[2] = {};
  double *top = tops.data() + first, *end = tops.data() + last + 1;
  for (; end - top >= 4; top += 4)
    for (int i = 0; i < 2; ++i) {
      double *at = top + ptrdiff_t(2 * i);
      const Pair one = pairAt(at), old = one + addedToBoth,
                 now = old + bytesOfBoth, sum = one + bytesOfBoth;
      std::memcpy(at, &sum, sizeof(sum));
      excess[i] += largerOf(now, zero) - largerOf(old, zero);
      over[i] += (old > zero) - (now > zero); // True is -1.
    }
  for (; top != end; ++top) {
    const double old = *top + added, now = old + bytes;
    *top += bytes;
    excess[0][0] += std::max(now, 0.0) - std::max(old, 0.0);
    over[0][0] += int64_t(now > 0) - int64_t(old > 0);
  }
  const Pair sum = excess[0] + excess[1];
  const PairOfCounts count = over[0] + over[1];
  sumExcess += sum[0] + sum[1];
  countOver += double(count[0] + count[1]);
}

void BytesLine::addToGroup(int32_t group, double bytes) {
  Group &one = groups[group];
  const double high = one.high + bytes, low = one.low + bytes;
  if (one.low > 0 && low > 0) {
    sumExcess += bytes * one.numBlocks;
  } else if (one.high > 0 || high > 0) {
    const int32_t first = group << groupBits;
    addToBlocks(first, first + (1 << groupBits) - 1, bytes);
    one.high = high;
    one.low = low;
    return;
  }
  one.added += bytes;
  one.high = high;
  one.low = low;
}

void BytesLine::add(int32_t first, int32_t last, double bytes) {
  if (first > last || bytes == 0)
    return;
  added += bytes * double(last - first + 1);
  const int32_t firstBlock = blockOf(first), lastBlock = blockOf(last);
  const int32_t firstGroup = groupOf(firstBlock),
                lastGroup = groupOf(lastBlock);
  if (firstBlock == lastBlock) {
    addToSlots(firstBlock, first, last, bytes);
    return refreshGroup(firstGroup);
  }
  addToSlots(firstBlock, first, firstSlot(firstBlock + 1) - 1, bytes);
  addToSlots(lastBlock, firstSlot(lastBlock), last, bytes);
  if (firstGroup == lastGroup) {
    addToBlocks(firstBlock + 1, lastBlock - 1, bytes);
    return refreshGroup(firstGroup);
  }
  addToBlocks(firstBlock + 1, ((firstGroup + 1) << groupBits) - 1, bytes);
  addToBlocks(lastGroup << groupBits, lastBlock - 1, bytes);
  refreshGroup(firstGroup);
  refreshGroup(lastGroup);
  for (int32_t group = firstGroup + 1; group < lastGroup; ++group)
    addToGroup(group, bytes);
}

double BytesLine::largest(int32_t first, int32_t last) const {
  if (first > last)
    return 0;
  const int32_t firstBlock = blockOf(first), lastBlock = blockOf(last);
  auto inBlock = [&](int32_t block, int32_t from, int32_t to) {
    return excess(block) + largestOf(rest.data() + from, rest.data() + to + 1);
  };
  if (firstBlock == lastBlock)
    return std::max(0.0, limit + inBlock(firstBlock, first, last));
  double best =
      std::max(inBlock(firstBlock, first, firstSlot(firstBlock + 1) - 1),
               inBlock(lastBlock, firstSlot(lastBlock), last));
  auto inGroup = [&](int32_t from, int32_t to) { // Blocks [from, to).
    if (from < to)
      best =
          std::max(best, groups[groupOf(from)].added +
                             largestOf(tops.data() + from, tops.data() + to));
  };
  const int32_t firstGroup = groupOf(firstBlock),
                lastGroup = groupOf(lastBlock);
  if (firstGroup == lastGroup) {
    inGroup(firstBlock + 1, lastBlock);
    return std::max(0.0, limit + best);
  }
  inGroup(firstBlock + 1, (firstGroup + 1) << groupBits);
  inGroup(lastGroup << groupBits, lastBlock);
  for (int32_t group = firstGroup + 1; group < lastGroup; ++group)
    best = std::max(best, groups[group].high);
  return std::max(0.0, limit + best);
}

double BytesLine::peakBytes() const {
  double best = empty;
  for (const Group &group : groups)
    best = std::max(best, group.high);
  return limit + best;
}

int32_t BytesLine::peakSlot(int32_t block) const {
  const int32_t first = firstSlot(block);
  return static_cast<int32_t>(
      std::max_element(rest.begin() + first,
                       rest.begin() + first + slotsPerBlock()) -
      rest.begin());
}
