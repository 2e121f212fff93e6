//===- FirstFit.cpp - Each item into the lowest gap -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstFit.h"
#include "Rectangle.h"
#include "Tuning.h"
#include <algorithm>
#include <numeric>

using namespace memplan;

/// The gap for one item, found while what is taken goes by from below.
class FirstFit::Gaps {
public:
  Gaps(const PackPart &part, const PackItem &item, GapRule rule)
      : part(part), item(item), rule(rule), offset(part.nextOffset(item, 0)) {}

  /// True once the gap is found.
  bool pass(int64_t begin, int64_t end) {
    const int64_t spare = begin - offset - item.bytes;
    if (spare >= 0 && (!best || spare < bestSpare)) {
      best = offset;
      bestSpare = spare;
    }
    if (end > top) {
      top = end;
      offset = part.nextOffset(item, top);
    }
    return best && rule == GapRule::Lowest;
  }
  int64_t found() const { return best.value_or(offset); }

private:
  const PackPart &part;
  const PackItem &item;
  GapRule rule;
  int64_t top = 0;
  int64_t offset;
  std::optional<int64_t> best;
  int64_t bestSpare = 0;
};

/// Do they share a section?
bool FirstFit::meet(int32_t a, int32_t b) const {
  const auto x = part.spansOf(part.items[a]), y = part.spansOf(part.items[b]);
  for (std::size_t i = 0, k = 0; i < x.size() && k < y.size();) {
    if (x[i].begin < y[k].end && y[k].begin < x[i].end)
      return true;
    if (x[i].end < y[k].end)
      ++i;
    else
      ++k;
  }
  return false;
}

void FirstFit::findMeetings() {
  const std::size_t count = part.items.size();
  words = (count + 63) / 64;
  meetings.assign(count * words, 0);
  auto mark = [&](std::size_t a, std::size_t b) {
    meetings[a * words + b / 64] |= uint64_t(1) << b % 64;
    meetings[b * words + a / 64] |= uint64_t(1) << a % 64;
  };
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (meet(static_cast<int32_t>(a), static_cast<int32_t>(b)))
        mark(a, b);
  for (auto [a, b] : part.conflicts)
    mark(a, b);
}

void FirstFit::findPartners() {
  partnerBegin.resize(part.items.size() + 1);
  for (auto [a, b] : part.conflicts) {
    ++partnerBegin[a];
    ++partnerBegin[b];
  }
  std::partial_sum(partnerBegin.begin(), partnerBegin.end(),
                   partnerBegin.begin());
  partners.resize(2 * part.conflicts.size());
  for (auto [a, b] : part.conflicts) {
    partners[--partnerBegin[a]] = b;
    partners[--partnerBegin[b]] = a;
  }
}

int64_t FirstFit::gapAmongPlaced(int32_t i) {
  const PackItem &item = part.items[i];
  const uint64_t *row = &meetings[i * words];
  Gaps gaps(part, item, rule);
  for (int32_t other : byOffset)
    if (row[other / 64] >> other % 64 & 1 &&
        gaps.pass(placed[other], placed[other] + part.items[other].bytes))
      break;
  looked += 1 + static_cast<int64_t>(byOffset.size()) / 64;
  return gaps.found();
}

int64_t FirstFit::gapInTime(int32_t i) {
  const PackItem &item = part.items[i];
  ranges.clear();
  for (const SectionSpan &span : part.spansOf(item))
    taken->collect(span.begin, span.end, ranges);
  for (int32_t k = partnerBegin[i]; k < partnerBegin[i + 1]; ++k)
    if (const int64_t offset = placed[partners[k]]; offset >= 0)
      ranges.push_back({offset, offset + part.items[partners[k]].bytes});
  std::sort(ranges.begin(), ranges.end(),
            [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
  Gaps gaps(part, item, rule);
  for (ByteRange range : ranges)
    if (gaps.pass(range.begin, range.end))
      break;
  looked += tuning::looksOfCollecting +
            static_cast<int64_t>(ranges.size()) / tuning::rangesOfLook;
  return gaps.found();
}

void FirstFit::place(int32_t i, int64_t offset) {
  placed[i] = offset;
  if (isSmall()) {
    auto after = std::upper_bound(
        byOffset.begin(), byOffset.end(), offset,
        [&](int64_t value, int32_t other) { return value < placed[other]; });
    byOffset.insert(after, i);
    return;
  }
  const PackItem &item = part.items[i];
  for (const SectionSpan &span : part.spansOf(item))
    // With padding, which nothing can use, neighbours become one range.
    taken->occupy(span.begin, span.end,
                  {offset, alignUp(offset + item.bytes, grain)});
}

std::optional<int64_t> FirstFit::run(std::span<const int32_t> order,
                                     int64_t limit) {
  placed.assign(part.items.size(), -1);
  byOffset.clear();
  if (isSmall() && meetings.empty())
    findMeetings();
  if (!isSmall()) {
    taken.emplace(part.sections);
    if (partnerBegin.empty())
      findPartners();
  }
  int64_t height = 0;
  auto put = [&](int32_t i, int64_t offset) {
    place(i, offset);
    height = std::max(height, offset + part.items[i].bytes);
  };
  for (std::size_t i = 0; i < part.items.size(); ++i)
    if (part.items[i].fixedOffset)
      put(static_cast<int32_t>(i), *part.items[i].fixedOffset);
  for (int32_t i : order) {
    if (height > limit)
      return std::nullopt;
    if (!part.items[i].fixedOffset)
      put(i, isSmall() ? gapAmongPlaced(i) : gapInTime(i));
  }
  return height > limit ? std::nullopt : std::optional(height);
}
