//===- ScaledPart.cpp - A part in whole units and at one capacity ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledPart.h"
#include "../Tuning.h"
#include <algorithm>
#include <numeric>
#include <utility>

using namespace memplan;

/// Every buffer of a packing that cannot sink rests on a sum of sizes, aligned.
/// If all sizes are multiples of all alignments, such sums are multiples of the
/// sizes' common divisor; else they are of the alignments'.
static int64_t findUnit(const PackPart &part) {
  int64_t sizes = part.allocationBytes.value_or(0), alignments = sizes;
  int64_t leastCommon = 1;
  for (const PackItem &item : part.items) {
    sizes = std::gcd(sizes, item.bytes);
    if (item.fixedOffset)
      sizes = std::gcd(sizes, *item.fixedOffset);
    alignments = std::gcd(alignments, item.alignment);
    if (leastCommon <= int64_t(1) << 31)
      leastCommon = std::lcm(leastCommon, item.alignment);
  }
  return leastCommon <= int64_t(1) << 31 && sizes % leastCommon == 0
             ? sizes
             : alignments;
}

static int64_t roundUp(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit;
}

/// False where there are too many.
static bool addSections(const PackPart &part, ScaledPart &scaled) {
  for (const PackItem &item : part.items) {
    const std::span<const SectionSpan> spans = part.spansOf(item);
    for (SectionSpan span : spans) {
      if (scaled.sectionsOf.numbers.size() + size_t(span.end - span.begin) >
          tuning::mostEntries)
        return false;
      for (int32_t section = span.begin; section < span.end; ++section)
        scaled.sectionsOf.numbers.push_back(section);
    }
    scaled.sectionsOf.endList();
    scaled.hulls.push_back({spans.front().begin, spans.back().end});
  }
  return true;
}

static bool addConflicts(const PackPart &part, ScaledPart &scaled) {
  std::vector<std::vector<int32_t>> further(part.items.size());
  for (auto [a, b] : part.conflicts) {
    further[a].push_back(b);
    further[b].push_back(a);
    const SectionSpan first = scaled.hulls[a], second = scaled.hulls[b];
    scaled.hulls[a] = scaled.hulls[b] = {std::min(first.begin, second.begin),
                                         std::max(first.end, second.end)};
  }
  std::vector<std::vector<int32_t>> members(part.sections),
      starts(part.sections);
  for (int32_t i = 0; i < scaled.count; ++i) {
    for (int32_t section : scaled.sectionsOf.of(i))
      members[section].push_back(i);
    for (SectionSpan span : part.spansOf(part.items[i]))
      starts[span.begin].push_back(i);
  }
  std::vector<int32_t> seenBy(part.items.size(), -1);
  for (int32_t i = 0; i < scaled.count; ++i) {
    seenBy[i] = i;
    auto add = [&](int32_t other) {
      if (std::exchange(seenBy[other], i) != i)
        scaled.conflicts.numbers.push_back(other);
    };
    // What meets a span lives where it begins or begins in it.
    for (SectionSpan span : part.spansOf(part.items[i])) {
      for (int32_t other : members[span.begin])
        add(other);
      for (int32_t section = span.begin + 1; section < span.end; ++section)
        for (int32_t other : starts[section])
          add(other);
    }
    for (int32_t other : further[i])
      add(other);
    if (scaled.conflicts.numbers.size() > tuning::mostEntries)
      return false;
    scaled.conflicts.endList();
  }
  return true;
}

std::optional<ScaledPart> ScaledPart::make(const PackPart &part) {
  ScaledPart scaled;
  scaled.unitBytes = findUnit(part);
  scaled.count = static_cast<int32_t>(part.items.size());
  scaled.sections = part.sections;
  scaled.allocation = part.allocationBytes.value_or(0) / scaled.unitBytes;
  for (const PackItem &item : part.items) {
    scaled.bytes.push_back(item.bytes);
    scaled.steps.push_back(item.steps);
    scaled.sizes.push_back(roundUp(item.bytes, scaled.unitBytes));
    scaled.alignments.push_back(
        std::max<int64_t>(1, item.alignment / scaled.unitBytes));
    scaled.fixed.push_back(
        item.fixedOffset ? *item.fixedOffset / scaled.unitBytes : -1);
  }
  if (!addSections(part, scaled) || !addConflicts(part, scaled))
    return std::nullopt;
  return scaled;
}

int64_t ScaledPart::capacity(int64_t heightBytes) const {
  int64_t highest = 0;
  for (int32_t i = 0; i < count; ++i)
    if (bytes[i] <= heightBytes)
      highest =
          std::max(highest, (heightBytes - bytes[i]) / unitBytes + sizes[i]);
  return highest;
}

std::vector<int64_t> ScaledPart::latestOffsets(int64_t heightBytes) const {
  std::vector<int64_t> latest;
  for (int32_t i = 0; i < count; ++i) {
    int64_t offset =
        bytes[i] > heightBytes ? -1 : (heightBytes - bytes[i]) / unitBytes;
    if (fixed[i] >= 0 && fixed[i] <= offset)
      offset = fixed[i];
    else if (fixed[i] >= 0)
      offset = -1;
    latest.push_back(offset);
  }
  return latest;
}
