//===- GreedyArena.cpp - Offsets one buffer after another -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
// Inference", 2020, as in TensorFlow Lite's arena planner (by size), and the
// layout of IREE's slices (in program order).
// Idea: take the buffers in a fixed order. Of the gaps that buffers placed
// before leave during the buffer's life, take the one with the fewest bytes to
// spare; if none is large enough, go on top of them.
// Complexity: O(n (log n + r log r)) where r is the number of separate byte
// ranges that are taken during a buffer's life (few, since neighbours merge).
// Guaranteed: a valid plan. Neither order has a constant ratio to the optimum.
//
//===----------------------------------------------------------------------===//

#include "GreedyArena.h"
#include "OccupiedRanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace memplan;

namespace {
using Interval = std::pair<int64_t, int64_t>;

std::vector<Interval> liveIntervals(const ArenaBuffer &buffer) {
  std::vector<Interval> intervals;
  int64_t begin = buffer.begin;
  for (auto [gapBegin, gapEnd] : buffer.gaps) {
    if (begin < gapBegin)
      intervals.push_back({begin, gapBegin});
    begin = gapEnd;
  }
  if (begin < buffer.end)
    intervals.push_back({begin, buffer.end});
  return intervals;
}

/// Where a buffer may begin.
struct Rules {
  int64_t alignment = 1;
  std::optional<int64_t> allocationBytes; ///< A multiple of the alignment.

  int64_t next(int64_t offset, int64_t bytes) const {
    offset = (offset + alignment - 1) / alignment * alignment;
    if (allocationBytes && offset % *allocationBytes > *allocationBytes - bytes)
      offset = (offset / *allocationBytes + 1) * *allocationBytes;
    return offset;
  }
};

/// One space while it fills.
class Space {
public:
  /// Two intervals intersect just where one contains the begin of the other, so
  /// begins are all the points needed.
  explicit Space(std::vector<int64_t> begins)
      : begins(std::move(begins)), taken(countPoints()) {}

  /// Lowest offset in the tightest gap that is free during the whole life of
  /// the buffer. `others`: bytes that it must not take besides.
  int64_t findBestGap(const ArenaBuffer &buffer, const Rules &rules,
                      std::span<const ByteRange> others) {
    ranges.assign(others.begin(), others.end());
    for (Interval interval : liveIntervals(buffer))
      taken.collect(point(interval.first), point(interval.second), ranges);
    std::sort(ranges.begin(), ranges.end(),
              [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
    int64_t top = 0;
    std::optional<int64_t> best;
    int64_t bestSpare = 0;
    for (ByteRange range : ranges) {
      int64_t offset = rules.next(top, buffer.bytes);
      int64_t spare = range.begin - offset - buffer.bytes;
      if (spare >= 0 && (!best || spare < bestSpare)) {
        best = offset;
        bestSpare = spare;
      }
      top = std::max(top, range.end);
    }
    return best ? *best : rules.next(top, buffer.bytes);
  }

  void place(const ArenaBuffer &buffer, int64_t offset) {
    for (Interval interval : liveIntervals(buffer))
      taken.occupy(point(interval.first), point(interval.second),
                   {offset, offset + buffer.bytes});
    height = std::max(height, offset + buffer.bytes);
  }

  int64_t heightBytes() const { return height; }

private:
  int32_t countPoints() {
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    return static_cast<int32_t>(begins.size());
  }
  int32_t point(int64_t time) const {
    return static_cast<int32_t>(
        std::lower_bound(begins.begin(), begins.end(), time) - begins.begin());
  }

  std::vector<int64_t> begins; ///< Ascending; index = point in time.
  OccupiedRanges taken;
  std::vector<ByteRange> ranges; ///< Scratch of findBestGap.
  int64_t height = 0;
};
} // namespace

static std::map<std::string, Space> makeSpaces(const ArenaProblem &problem) {
  std::map<std::string, std::vector<int64_t>> begins;
  for (const ArenaBuffer &buffer : problem.buffers) {
    std::vector<int64_t> &times = begins[buffer.space];
    for (Interval interval : liveIntervals(buffer))
      times.push_back(interval.first);
  }
  std::map<std::string, Space> spaces;
  for (auto &[name, times] : begins)
    spaces.emplace(name, Space(std::move(times)));
  return spaces;
}

void memplan::reportPacking(const ArenaProblem &problem,
                            const std::map<std::string, int64_t> &heights,
                            ArenaPlan &plan) {
  int64_t bound = problem.lowerBoundBytes();
  plan.peakBytes = 0;
  for (const auto &[name, height] : heights)
    plan.peakBytes += height;
  plan.report.bound = static_cast<double>(bound);
  plan.report.proof = "exact";
  plan.report.status =
      plan.peakBytes == bound ? SolveStatus::Optimal : SolveStatus::Feasible;
  for (const auto &[name, bytes] : problem.lowerBoundBySpace()) {
    const std::optional<int64_t> budget = problem.budgetOf(name);
    if (bytes <= budget.value_or(bytes))
      continue;
    plan.report.status = SolveStatus::Infeasible;
    plan.report.note = llvm::formatv(
        "{0} bytes are live at {3}{1}, above the {2} bytes of the budget",
        bytes, name.empty() ? "" : " in space '" + name + "'", *budget,
        problem.conflicts.empty() ? "one step" : "once");
    plan.offsets.clear();
    return;
  }
  for (const auto &[name, height] : heights) {
    const std::optional<int64_t> budget = problem.budgetOf(name);
    if (height <= budget.value_or(height))
      continue;
    plan.report.status = SolveStatus::NoPlan;
    plan.report.note = llvm::formatv(
        "the best plan found takes {0} bytes{1}, above the {2} bytes of the "
        "budget",
        height, name.empty() ? "" : " in space '" + name + "'", *budget);
    plan.offsets.clear();
    return;
  }
}

/// By buffer: those that it conflicts with besides those it meets.
static std::vector<std::vector<int32_t>>
listConflicts(const ArenaProblem &problem) {
  std::vector<std::vector<int32_t>> lists;
  if (!problem.conflicts.empty())
    lists.resize(problem.buffers.size());
  for (auto [a, b] : problem.conflicts) {
    lists[a].push_back(b);
    lists[b].push_back(a);
  }
  return lists;
}

static Rules rulesOf(const ArenaProblem &problem, const ArenaBuffer &buffer) {
  Rules rules;
  rules.alignment = std::lcm(problem.alignmentBytes, buffer.alignmentBytes);
  if (const ArenaSpace *space = problem.findSpace(buffer.space))
    rules.allocationBytes = space->allocationBytes;
  return rules;
}

/// Places the fixed buffers, then the others in the given order.
static ArenaPlan placeInOrder(const ArenaProblem &problem,
                              const std::vector<size_t> &order) {
  std::map<std::string, Space> spaces = makeSpaces(problem);
  ArenaPlan plan;
  plan.offsets.assign(problem.buffers.size(), 0);
  const std::vector<std::vector<int32_t>> conflicts = listConflicts(problem);
  std::vector<bool> isPlaced(problem.buffers.size());
  std::vector<ByteRange> others;
  for (bool fixed : {true, false})
    for (size_t i : order) {
      const ArenaBuffer &buffer = problem.buffers[i];
      if (buffer.fixedOffset.has_value() != fixed)
        continue;
      Space &space = spaces.at(buffer.space);
      others.clear();
      if (!conflicts.empty())
        for (int32_t other : conflicts[i])
          if (isPlaced[other])
            others.push_back(
                {plan.offsets[other],
                 plan.offsets[other] + problem.buffers[other].bytes});
      if (fixed)
        plan.offsets[i] = *buffer.fixedOffset;
      else if (buffer.bytes > 0)
        plan.offsets[i] =
            space.findBestGap(buffer, rulesOf(problem, buffer), others);
      if (buffer.bytes == 0)
        continue;
      space.place(buffer, plan.offsets[i]);
      isPlaced[i] = true;
    }
  std::map<std::string, int64_t> heights;
  for (const auto &[name, space] : spaces)
    heights[name] = space.heightBytes();
  reportPacking(problem, heights, plan);
  return plan;
}

static std::vector<size_t> countUp(size_t count) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t(0));
  return order;
}

llvm::Expected<ArenaPlan> memplan::solveBestFit(const ArenaProblem &problem,
                                                const SolveLimits &) {
  std::vector<size_t> order = countUp(problem.buffers.size());
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tuple(problem.buffers[a].begin, a) <
           std::tuple(problem.buffers[b].begin, b);
  });
  return placeInOrder(problem, order);
}

llvm::Expected<ArenaPlan>
memplan::solveGreedyBySize(const ArenaProblem &problem, const SolveLimits &) {
  std::vector<size_t> order = countUp(problem.buffers.size());
  llvm::sort(order, [&](size_t a, size_t b) {
    const ArenaBuffer &x = problem.buffers[a], &y = problem.buffers[b];
    return std::tuple(-x.bytes, x.begin, a) < std::tuple(-y.bytes, y.begin, b);
  });
  return placeInOrder(problem, order);
}
