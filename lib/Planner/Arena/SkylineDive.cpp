//===- SkylineDive.cpp - Packing the lowest valley first ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own; the lowest position first is Burke, Kendall and
// Whitwell, "A New Placement Heuristic for the Orthogonal Stock-Cutting
// Problem", 2004, here with the position in time given.
// Guaranteed: valid offsets. No order has a constant ratio to the optimum.
//
//===----------------------------------------------------------------------===//

#include "SkylineDive.h"
#include <algorithm>
#include <numeric>

using namespace memplan;

static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();

SkylineDive::SkylineDive(std::span<const Rectangle> items, int32_t points)
    : items(items), points(points), finder(items, points) {
  grain = 0;
  for (const Rectangle &item : items)
    grain = std::gcd(grain, item.alignment);
  grain = std::max<int64_t>(grain, 1);
  ranks.resize(items.size());
  spans.resize(points);
  placed.resize(items.size());
}

int64_t SkylineDive::heightBefore(const Span &span) const {
  return span.before < 0 ? unbounded : spans[span.before].height;
}

int64_t SkylineDive::heightAfter(const Span &span) const {
  return span.last == points ? unbounded : spans[span.last].height;
}

void SkylineDive::mergeWithEqualNeighbours(int32_t &at) {
  if (heightAfter(spans[at]) == spans[at].height)
    spans[at].last = spans[spans[at].last].last;
  if (heightBefore(spans[at]) == spans[at].height) {
    const int32_t last = spans[at].last;
    at = spans[at].before;
    spans[at].last = last;
  }
  if (spans[at].last < points)
    spans[spans[at].last].before = at;
}

/// Raises the item's part of the valley at `at` to `top`, and moves on to what
/// is left of the valley, or else to the item's part.
void SkylineDive::put(int32_t &at, const Rectangle &item, int64_t top) {
  const Span valley = spans[at];
  int32_t middle = item.first;
  spans[middle] = {item.last, item.first > at ? at : valley.before, top};
  if (item.first > at)
    spans[at].last = item.first;
  if (item.last < valley.last) {
    spans[item.last] = {valley.last, middle, valley.height};
    if (valley.last < points)
      spans[valley.last].before = item.last;
  }
  mergeWithEqualNeighbours(middle);
  if (item.first == at)
    at = item.last < valley.last ? item.last : middle;
}

std::optional<int64_t> SkylineDive::run(std::span<const int32_t> order,
                                        int64_t limit) {
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    ranks[order[rank]] = static_cast<int32_t>(rank);
  finder.reset(ranks);
  if (points > 0)
    spans[0] = {points, -1, 0};
  int64_t height = 0;
  std::size_t left = items.size();
  for (int32_t at = 0; left > 0;) {
    Span &span = spans[at];
    const int64_t before = heightBefore(span), after = heightAfter(span);
    if (span.height > std::min(before, after)) {
      at = before < after ? span.before : span.last; // Downhill.
      continue;
    }
    ++looked;
    const int32_t rank = finder.best(at, span.last);
    if (rank == ItemFinder::none) {
      span.height = std::min(before, after);
      mergeWithEqualNeighbours(at);
      continue;
    }
    const int32_t chosen = order[rank];
    const Rectangle &item = items[chosen];
    const int64_t offset = alignUp(span.height, item.alignment);
    if (item.bytes > limit - offset)
      return std::nullopt;
    placed[chosen] = offset;
    height = std::max(height, offset + item.bytes);
    finder.remove(chosen);
    --left;
    put(at, item, alignUp(offset + item.bytes, grain));
  }
  return height;
}
