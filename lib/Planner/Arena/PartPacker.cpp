//===- PartPacker.cpp - One part, packed by an order ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartPacker.h"
#include <algorithm>

using namespace memplan;

static bool isPlainPart(const PackPart &part) {
  return !part.allocationBytes && part.conflicts.empty() &&
         std::none_of(
             part.items.begin(), part.items.end(), [](const PackItem &item) {
               return item.fixedOffset || item.lastSpan != item.firstSpan + 1;
             });
}

static std::vector<Rectangle> rectanglesOf(const PackPart &part) {
  std::vector<Rectangle> rectangles;
  rectangles.reserve(part.items.size());
  for (const PackItem &item : part.items) {
    const std::span<const SectionSpan> spans = part.spansOf(item);
    rectangles.push_back({spans.front().begin, spans.back().end, item.bytes,
                          item.alignment, item.steps});
  }
  return rectangles;
}

PartPacker::PartPacker(const PackPart &part)
    : plain(isPlainPart(part)), items(rectanglesOf(part)),
      ranked(items, part.sections), skyline(items, part.sections), fit(part) {}

std::optional<int64_t> PartPacker::dive(std::span<const int32_t> order,
                                        int64_t limit) {
  // What falls may end lower than the dive.
  const std::optional<int64_t> height =
      skyline.run(order, plain ? limit : unlimited);
  if (plain) {
    if (height)
      placed = skyline.offsets();
    return height;
  }
  std::vector<std::pair<int64_t, int32_t>> byOffset; // And by place in order.
  for (int32_t item : order)
    byOffset.push_back({skyline.offsets()[item], int32_t(byOffset.size())});
  std::sort(byOffset.begin(), byOffset.end());
  std::vector<int32_t> fall;
  for (auto [offset, place] : byOffset)
    fall.push_back(order[place]);
  return firstFit(fall, limit);
}

std::optional<int64_t> PartPacker::firstFit(std::span<const int32_t> order,
                                            int64_t limit) {
  const std::optional<int64_t> height = fit.run(order, limit);
  if (height)
    placed = fit.offsets();
  return height;
}
