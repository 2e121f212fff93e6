//===- BytesLine.cpp - Live bytes along a sequence of runs ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Search/BytesLine.h"
#include <algorithm>
#include <bit>

using namespace memplan;

/// Of an empty slot or block: far below what adding can reach.
static constexpr double empty = -0x1p100;
static bool isEmpty(double bytes) { return bytes < -0x1p90; }

void BytesLine::reset(int32_t slots, int32_t slotsPerBlock, double limitBytes) {
  blockBits = std::countr_zero(static_cast<uint32_t>(slotsPerBlock));
  limit = limitBytes;
  sumExcess = countOver = 0;
  tops.assign(slots >> blockBits, empty);
  rest.assign(slots, empty);
  runs.assign(slots, -1);
}

void BytesLine::setTop(int32_t block, double top) {
  const double old = tops[block];
  sumExcess += std::max(top, 0.0) - std::max(old, 0.0);
  countOver += double(top > 0) - double(old > 0);
  tops[block] = top;
}

static double largestOf(const double *first, const double *last) {
  double best[4] = {empty, empty, empty, empty};
  for (; last - first >= 4; first += 4)
    for (int lane = 0; lane < 4; ++lane)
      best[lane] = std::max(best[lane], first[lane]);
  for (; first != last; ++first)
    best[0] = std::max(best[0], *first);
  return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

void BytesLine::refresh(int32_t firstBlock, int32_t lastBlock) {
  for (int32_t block = firstBlock; block <= lastBlock; ++block) {
    double *slots = rest.data() + firstSlot(block);
    const double highest = largestOf(slots, slots + slotsPerBlock());
    if (highest == 0)
      continue;
    if (isEmpty(highest)) {
      setTop(block, empty);
      continue;
    }
    // An empty slot stays empty: what is taken off is lost in rounding.
    for (int32_t i = 0; i < slotsPerBlock(); ++i)
      slots[i] -= highest;
    setTop(block, tops[block] + highest);
  }
}

void BytesLine::put(int32_t slot, int32_t run, double bytes) {
  const int32_t block = blockOf(slot);
  runs[slot] = run;
  if (isEmpty(tops[block])) {
    setTop(block, bytes - limit);
    rest[slot] = 0;
    return;
  }
  rest[slot] = bytes - limit - tops[block];
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
  rest[to] = bytes - limit - tops[block];
}

void BytesLine::addToBlock(int32_t block, int32_t first, int32_t last,
                           double bytes) {
  for (int32_t slot = first; slot <= last; ++slot)
    rest[slot] += bytes;
  refresh(block, block);
}

void BytesLine::add(int32_t first, int32_t last, double bytes) {
  if (first > last || bytes == 0)
    return;
  const int32_t firstBlock = blockOf(first), lastBlock = blockOf(last);
  if (firstBlock == lastBlock)
    return addToBlock(firstBlock, first, last, bytes);
  addToBlock(firstBlock, first, firstSlot(firstBlock + 1) - 1, bytes);
  addToBlock(lastBlock, firstSlot(lastBlock), last, bytes);
  // Four lanes, which compilers turn into vectors; whole numbers add to the
  // same sum in any order.
  double excess[4] = {}, over[4] = {};
  double *top = tops.data() + firstBlock + 1, *end = tops.data() + lastBlock;
  auto addTo = [&](double &one, int lane) {
    const double old = one, now = one + bytes;
    one = now;
    excess[lane] += (now > 0 ? now : 0.0) - (old > 0 ? old : 0.0);
    over[lane] += (now > 0 ? 1.0 : 0.0) - (old > 0 ? 1.0 : 0.0);
  };
  for (; end - top >= 4; top += 4)
    for (int lane = 0; lane < 4; ++lane)
      addTo(top[lane], lane);
  for (; top != end; ++top)
    addTo(*top, 0);
  sumExcess += (excess[0] + excess[1]) + (excess[2] + excess[3]);
  countOver += (over[0] + over[1]) + (over[2] + over[3]);
}

double BytesLine::largest(int32_t first, int32_t last) const {
  if (first > last)
    return 0;
  const int32_t firstBlock = blockOf(first), lastBlock = blockOf(last);
  auto inBlock = [&](int32_t block, int32_t from, int32_t to) {
    return tops[block] + largestOf(rest.data() + from, rest.data() + to + 1);
  };
  if (firstBlock == lastBlock)
    return std::max(0.0, limit + inBlock(firstBlock, first, last));
  double best =
      std::max(inBlock(firstBlock, first, firstSlot(firstBlock + 1) - 1),
               inBlock(lastBlock, firstSlot(lastBlock), last));
  best = std::max(
      best, largestOf(tops.data() + firstBlock + 1, tops.data() + lastBlock));
  return std::max(0.0, limit + best);
}

double BytesLine::peakBytes() const {
  return limit + largestOf(tops.data(), tops.data() + tops.size());
}

int32_t BytesLine::peakSlot(int32_t block) const {
  const int32_t first = firstSlot(block);
  return static_cast<int32_t>(
      std::max_element(rest.begin() + first,
                       rest.begin() + first + slotsPerBlock()) -
      rest.begin());
}
