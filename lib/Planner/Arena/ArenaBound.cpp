//===- ArenaBound.cpp - Bytes that no packing is below --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Antichain.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Support/SortByKey.h"
#include <algorithm>
#include <map>

using namespace memplan;

namespace {
/// What is live when in one space.
struct LiveBytes {
  std::vector<WeightedRange> ranges; ///< Owners are places in the problem.
  std::vector<std::pair<int32_t, int32_t>> conflicts;
  int64_t highestFixedEnd = 0;
};
} // namespace

static void addRanges(const ArenaBuffer &buffer, int32_t place,
                      std::vector<WeightedRange> &ranges) {
  auto live = [&](int64_t begin, int64_t end) {
    if (begin < end)
      ranges.push_back({begin, end, buffer.bytes, place});
  };
  int64_t begin = buffer.begin;
  for (auto [gapBegin, gapEnd] : buffer.gaps) {
    live(begin, gapBegin);
    begin = gapEnd;
  }
  live(begin, buffer.end);
}

/// The most that is live at one step.
static int64_t findPeak(const std::vector<WeightedRange> &ranges) {
  // (time, +bytes or -bytes); at one time what ends goes first, since live
  // ranges are half open.
  std::vector<std::pair<int64_t, int64_t>> changes;
  changes.reserve(2 * ranges.size());
  for (const WeightedRange &range : ranges)
    changes.push_back({range.end, -range.weight});
  for (const WeightedRange &range : ranges)
    changes.push_back({range.begin, range.weight});
  sortByKey(changes, [](const auto &change) { return change.first; });
  int64_t liveBytes = 0, peak = 0;
  for (auto [time, change] : changes) {
    liveBytes += change;
    peak = std::max(peak, liveBytes);
  }
  return peak;
}

std::vector<std::pair<std::string, int64_t>>
ArenaProblem::lowerBoundBySpace() const {
  std::map<llvm::StringRef, LiveBytes> spaces;
  LiveBytes *space = nullptr;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const ArenaBuffer &buffer = buffers[i];
    if (!space || buffers[i - 1].space != buffer.space)
      space = &spaces[buffer.space];
    if (buffer.bytes == 0)
      continue;
    addRanges(buffer, static_cast<int32_t>(i), space->ranges);
    if (buffer.fixedOffset)
      space->highestFixedEnd =
          std::max(space->highestFixedEnd, *buffer.fixedOffset + buffer.bytes);
  }
  for (std::pair<int32_t, int32_t> pair : conflicts)
    spaces[buffers[pair.first].space].conflicts.push_back(pair);
  std::vector<std::pair<std::string, int64_t>> bounds;
  for (const auto &[name, live] : spaces) {
    int64_t bound = std::max(live.highestFixedEnd, findPeak(live.ranges));
    // Ranges of which none precedes another belong to buffers that conflict,
    // and those that are live at one step are such a set.
    if (!live.conflicts.empty())
      bound = std::max(
          bound, heaviestAntichain(live.ranges, live.conflicts).value_or(0));
    bounds.push_back({name.str(), bound});
  }
  return bounds;
}

int64_t ArenaProblem::lowerBoundBytes() const {
  int64_t sum = 0;
  for (const auto &[space, bytes] : lowerBoundBySpace())
    sum += bytes;
  return sum;
}
