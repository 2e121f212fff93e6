//===- BatchStack.cpp - Buffers in an order, at breakpoints ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchStack.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace memplan;

static int64_t ceilDivide(int64_t value, int64_t by) {
  return (value + by - 1) / by;
}

BatchStack::BatchStack(const BatchArenaProblem &problem) : problem(problem) {
  const int64_t grain = problem.atMost.alignmentBytes;
  const std::vector<ArenaBuffer> &buffers = problem.atMost.buffers;
  std::vector<std::string> spaces;
  for (const ArenaBuffer &buffer : buffers) {
    auto space = llvm::find(spaces, buffer.space);
    spaceOf.push_back(static_cast<int32_t>(space - spaces.begin()));
    if (space == spaces.end())
      spaces.push_back(buffer.space);
  }
  numberOfSpaces = spaces.size();
  for (int64_t batch : problem.breakpoints) {
    Point &point = points.emplace_back();
    if (points.size() > 1)
      point.samples = batch - problem.breakpoints[points.size() - 2];
    const int64_t missing = problem.breakpoints.back() - batch;
    for (size_t i = 0; i < buffers.size(); ++i) {
      // Rounded up at the largest batch, and what a sample adds is rounded
      // down: that is enough at every batch, and no more than needed at the
      // largest.
      point.units.push_back(ceilDivide(buffers[i].bytes, grain) -
                            problem.bytesPerSample[i] / grain * missing);
      point.bytes.push_back(buffers[i].bytes -
                            problem.bytesPerSample[i] * missing);
    }
    point.offsets.resize(buffers.size());
    point.below.resize(buffers.size());
    point.heights.resize(spaces.size());
    point.tops.resize(spaces.size());
    point.bounds.resize(spaces.size());
    for (const auto &[space, bound] : problem.at(batch).lowerBoundBySpace())
      point.bounds[size_t(llvm::find(spaces, space) - spaces.begin())] = bound;
  }
  findConflicts();
  rank.resize(buffers.size());
}

static bool meet(const ArenaBuffer &a, const ArenaBuffer &b) {
  const int64_t begin = std::max(a.begin, b.begin),
                end = std::min(a.end, b.end);
  if (begin >= end || a.space != b.space)
    return false;
  if (a.gaps.empty() && b.gaps.empty())
    return true;
  // A step that lies in no gap of either, if there is one, is `begin` or the
  // end of a gap.
  auto isLiveAt = [&](int64_t step) {
    return step >= begin && step < end &&
           llvm::none_of(
               a.gaps,
               [&](auto gap) {
                 return gap.first <= step && step < gap.second;
               }) &&
           llvm::none_of(
               b.gaps,
               [&](auto gap) {
                 return gap.first <= step && step < gap.second;
               });
  };
  auto isLiveBehind = [&](auto gap) { return isLiveAt(gap.second); };
  return isLiveAt(begin) || llvm::any_of(a.gaps, isLiveBehind) ||
         llvm::any_of(b.gaps, isLiveBehind);
}

void BatchStack::findConflicts() {
  const std::vector<ArenaBuffer> &buffers = problem.atMost.buffers;
  std::vector<std::pair<int32_t, int32_t>> pairs;
  auto add = [&](int32_t a, int32_t b) {
    if (points.back().units[a] == 0 || points.back().units[b] == 0)
      return;
    pairs.push_back({a, b});
    pairs.push_back({b, a});
  };
  std::vector<int32_t> byBegin(buffers.size()), open;
  std::iota(byBegin.begin(), byBegin.end(), 0);
  llvm::sort(byBegin, [&](int32_t a, int32_t b) {
    return std::pair(buffers[a].begin, a) < std::pair(buffers[b].begin, b);
  });
  for (int32_t next : byBegin) {
    llvm::erase_if(open, [&](int32_t other) {
      return buffers[other].end <= buffers[next].begin;
    });
    for (int32_t other : open)
      if (meet(buffers[other], buffers[next]))
        add(other, next);
    open.push_back(next);
  }
  for (auto [a, b] : problem.atMost.conflicts)
    add(a, b);
  llvm::sort(pairs);
  pairs.erase(llvm::unique(pairs), pairs.end());
  partnerEnds.resize(buffers.size());
  for (auto [a, b] : pairs) {
    partners.push_back(b);
    ++partnerEnds[a];
  }
  std::partial_sum(partnerEnds.begin(), partnerEnds.end(), partnerEnds.begin());
}

void BatchStack::place(llvm::ArrayRef<int32_t> order) {
  // Up to where it is the last order, nothing changes.
  const size_t same = size_t(
      std::mismatch(placed.begin(), placed.end(), order.begin(), order.end())
          .first -
      placed.begin());
  placed.assign(order.begin(), order.end());
  for (size_t i = same; i < order.size(); ++i)
    rank[order[i]] = static_cast<int32_t>(i);
  for (size_t p = points.size(); p-- > 0;) {
    for (int32_t next : order.drop_front(same))
      placeOne(p, next);
    findHeights(points[p]);
  }
}

void BatchStack::placeOne(size_t number, int32_t next) {
  Point &point = points[number];
  int64_t low = 0;
  int32_t rests = -1;
  const int32_t begin = next == 0 ? 0 : partnerEnds[next - 1];
  for (int32_t k = begin; k < partnerEnds[next]; ++k) {
    const int32_t other = partners[k];
    const int64_t top = point.offsets[other] + point.units[other];
    if (rank[other] < rank[next] && top > low) {
      low = top;
      rests = other;
    }
  }
  looked += partnerEnds[next] - begin + 1;
  // Each sample adds whole units up to the next breakpoint: it lies at its
  // lowest place, or above by less units than there are samples.
  if (number + 1 < points.size()) {
    const Point &above = points[number + 1];
    low = above.offsets[next] -
          (above.offsets[next] - low) / above.samples * above.samples;
  }
  point.offsets[next] = low;
  point.below[next] = rests;
}

void BatchStack::findHeights(Point &point) const {
  std::fill(point.heights.begin(), point.heights.end(), 0);
  std::fill(point.tops.begin(), point.tops.end(), -1);
  for (size_t i = 0; i < rank.size(); ++i) {
    const int64_t top =
        point.offsets[i] * problem.atMost.alignmentBytes + point.bytes[i];
    const int32_t space = spaceOf[i];
    if (point.bytes[i] > 0 && top > point.heights[space]) {
      point.heights[space] = top;
      point.tops[space] = static_cast<int32_t>(i);
    }
  }
}

std::vector<int32_t> BatchStack::column(size_t point, size_t space) const {
  std::vector<int32_t> list;
  for (int32_t next = points[point].tops[space]; next >= 0;
       next = points[point].below[next])
    list.push_back(next);
  return list;
}

BatchArenaPlan BatchStack::plan() const {
  BatchArenaPlan plan;
  plan.offsets.resize(rank.size());
  for (const Point &point : points)
    for (size_t i = 0; i < rank.size(); ++i)
      plan.offsets[i].push_back(point.offsets[i] *
                                problem.atMost.alignmentBytes);
  return plan;
}
