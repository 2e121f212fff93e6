//===- BatchArena.cpp - Offsets for every batch of a range ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order of the buffers decides for each two that conflict which one lies
// below; every packing that is pushed down arises from such an order. What
// orders are tried comes from packings at several batches: what lies low there
// comes first. From the best of them on, one buffer after another is moved to
// another place in the order. Only a buffer of a stack that reaches the top can
// lower it, so that one of these is drawn.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/BatchArena.h"
#include "BatchStack.h"
#include "Tuning.h"
#include "memplan/Support/Random.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <set>

using namespace memplan;

llvm::Error BatchArenaProblem::check() const {
  if (llvm::Error error = atMost.check())
    return error;
  if (breakpoints.empty() || breakpoints.front() < 1 ||
      !llvm::is_sorted(breakpoints, std::less_equal<int64_t>()))
    return llvm::createStringError(
        "the breakpoints of a range of batches ascend from 1 or more");
  const int64_t samples = breakpoints.back() - breakpoints.front();
  if (bytesPerSample.size() != atMost.buffers.size())
    return llvm::createStringError(
        llvm::Twine(bytesPerSample.size()) + " bytes per sample for " +
        llvm::Twine(atMost.buffers.size()) + " buffers");
  for (size_t i = 0; i < bytesPerSample.size(); ++i) {
    const ArenaBuffer &buffer = atMost.buffers[i];
    if (buffer.fixedOffset || buffer.alignmentBytes != 1)
      return llvm::createStringError(
          "buffer '" + buffer.id +
          "' has an offset or an alignment of its own, which a range of "
          "batches cannot keep");
    const int64_t perSample = bytesPerSample[i];
    if (perSample < 0 || (samples > 0 && perSample > buffer.bytes / samples))
      return llvm::createStringError(
          "buffer '" + buffer.id + "' has " + llvm::Twine(buffer.bytes) +
          " bytes at batch " + llvm::Twine(breakpoints.back()) + " and " +
          llvm::Twine(perSample) + " for each sample");
  }
  for (const ArenaSpace &space : atMost.spaces)
    if (space.allocationBytes)
      return llvm::createStringError("space '" + space.name +
                                     "' is made of allocations, which a range "
                                     "of batches cannot keep");
  return llvm::Error::success();
}

ArenaProblem BatchArenaProblem::at(int64_t batch) const {
  ArenaProblem problem = atMost;
  for (size_t i = 0; i < bytesPerSample.size(); ++i)
    problem.buffers[i].bytes -=
        bytesPerSample[i] * (breakpoints.back() - batch);
  return problem;
}

/// The steps at which a buffer is live, as half open ranges.
static std::vector<std::pair<int64_t, int64_t>>
liveSteps(const ArenaBuffer &buffer) {
  std::vector<std::pair<int64_t, int64_t>> steps;
  int64_t begin = buffer.begin;
  for (auto [gapBegin, gapEnd] : buffer.gaps) {
    steps.push_back({begin, gapBegin});
    begin = gapEnd;
  }
  steps.push_back({begin, buffer.end});
  return steps;
}

static bool shareAStep(const ArenaBuffer &a, const ArenaBuffer &b) {
  for (auto [begin, end] : liveSteps(a))
    for (auto [otherBegin, otherEnd] : liveSteps(b))
      if (std::max(begin, otherBegin) < std::min(end, otherEnd))
        return true;
  return false;
}

llvm::Error BatchArenaProblem::verify(const BatchArenaPlan &plan) const {
  const std::vector<ArenaBuffer> &buffers = atMost.buffers;
  if (plan.offsets.size() != buffers.size())
    return llvm::createStringError("not one list of offsets for each buffer");
  for (size_t i = 0; i < buffers.size(); ++i) {
    const std::vector<int64_t> &offsets = plan.offsets[i];
    if (offsets.size() != breakpoints.size())
      return llvm::createStringError("not one offset for each breakpoint");
    for (size_t b = 1; b < offsets.size(); ++b)
      if ((offsets[b] - offsets[b - 1]) %
              ((breakpoints[b] - breakpoints[b - 1]) * atMost.alignmentBytes) !=
          0)
        return llvm::createStringError(
            "buffer '" + buffers[i].id + "' moves from " +
            llvm::Twine(offsets[b - 1]) + " to " + llvm::Twine(offsets[b]) +
            ", not by a multiple of the alignment for each sample");
  }
  // As one problem at each breakpoint, and for each pair in the same order at
  // all of them.
  const std::vector<BatchSpace> spaces = batchSpaces(*this, plan);
  for (size_t b = 0; b < breakpoints.size(); ++b) {
    ArenaPlan end;
    const ArenaProblem problem = at(breakpoints[b]);
    for (size_t i = 0; i < buffers.size(); ++i)
      end.offsets.push_back(plan.offsets[i][b]);
    for (const BatchSpace &space : spaces)
      end.peakBytes += space.bytes[b];
    end.report.bound = double(problem.lowerBoundBytes());
    if (llvm::Error error = problem.verify(end))
      return error;
  }
  const std::set<std::pair<int32_t, int32_t>> conflicts(
      atMost.conflicts.begin(), atMost.conflicts.end());
  auto conflict = [&](int32_t a, int32_t b) {
    return buffers[a].space == buffers[b].space && buffers[a].bytes > 0 &&
           buffers[b].bytes > 0 &&
           (conflicts.count({a, b}) != 0 || conflicts.count({b, a}) != 0 ||
            shareAStep(buffers[a], buffers[b]));
  };
  // Disjoint at each breakpoint by what was verified above: only where they
  // change places is one of them not below the other all the way.
  for (int32_t i = 0; i < int32_t(buffers.size()); ++i)
    for (int32_t j = i + 1; j < int32_t(buffers.size()); ++j) {
      bool isBelow = false, isAbove = false;
      for (size_t b = 0; b < breakpoints.size(); ++b) {
        isBelow |= plan.offsets[i][b] < plan.offsets[j][b];
        isAbove |= plan.offsets[i][b] > plan.offsets[j][b];
      }
      if (isBelow && isAbove && conflict(i, j))
        return llvm::createStringError("buffers '" + buffers[i].id + "' and '" +
                                       buffers[j].id +
                                       "' conflict and change places between "
                                       "breakpoints");
    }
  return llvm::Error::success();
}

std::vector<BatchSpace> memplan::batchSpaces(const BatchArenaProblem &problem,
                                             const BatchArenaPlan &plan) {
  std::vector<BatchSpace> spaces;
  for (size_t i = 0; i < plan.offsets.size(); ++i) {
    const ArenaBuffer &buffer = problem.atMost.buffers[i];
    auto space = llvm::find_if(spaces, [&](const BatchSpace &each) {
      return each.space == buffer.space;
    });
    if (space == spaces.end())
      space = spaces.insert(
          space,
          {buffer.space, std::vector<int64_t>(problem.breakpoints.size())});
    for (size_t b = 0; b < problem.breakpoints.size(); ++b)
      if (const int64_t bytes = buffer.bytes - problem.bytesPerSample[i] *
                                                   (problem.breakpoints.back() -
                                                    problem.breakpoints[b]);
          bytes > 0)
        space->bytes[b] = std::max(space->bytes[b], plan.offsets[i][b] + bytes);
  }
  // A buffer of which nothing is left takes no bytes, wherever it lies.
  for (BatchSpace &space : spaces)
    for (size_t b = 1; b < space.bytes.size(); ++b)
      space.bytes[b] = std::max(space.bytes[b], space.bytes[b - 1]);
  return spaces;
}

namespace {
/// Moves buffers in an order as long as that helps.
class OrderSearch {
public:
  OrderSearch(BatchStack &stack, std::vector<int64_t> mostHeights)
      : stack(stack), mostHeights(std::move(mostHeights)) {}

  /// Bytes at the breakpoints above what any packing takes, as shares of that.
  /// What the largest batch takes too much counts much more.
  double judge(llvm::ArrayRef<int32_t> order) {
    stack.place(order);
    double sum = 0;
    for (size_t p = 0; p < stack.numPoints(); ++p)
      for (size_t s = 0; s < stack.numSpaces(); ++s)
        sum += excess(p, s) > 0
                   ? (isLargest(p) ? tuning::mostWeight : 1.0) *
                         double(excess(p, s)) /
                         double(std::max<int64_t>(1, stack.bound(p, s)))
                   : 0.0;
    return sum;
  }

  double improve(std::vector<int32_t> &order, int64_t work) {
    double best = judge(order);
    std::vector<int32_t> tried;
    for (const int64_t until = stack.work() + work;
         stack.work() < until && best > 0;) {
      tried = order;
      if (!move(tried))
        break;
      const double score = judge(tried);
      if (score > best) {
        stack.place(order);
        continue;
      }
      best = score;
      order.swap(tried);
    }
    return best;
  }

private:
  bool isLargest(size_t point) const { return point + 1 == stack.numPoints(); }

  /// Excess of the last order.
  int64_t excess(size_t point, size_t space) const {
    return stack.height(point, space) -
           (isLargest(point) ? mostHeights[space] : stack.bound(point, space));
  }

  /// Somewhere else with one of those that reach the top. The stack is that of
  /// the order.
  bool move(std::vector<int32_t> &order) {
    std::vector<std::pair<size_t, size_t>> high;
    for (size_t p = 0; p < stack.numPoints(); ++p)
      for (size_t s = 0; s < stack.numSpaces(); ++s)
        if (excess(p, s) > 0)
          high.push_back({p, s});
    if (high.empty())
      return false;
    auto [point, space] = high[size_t(random.below(int32_t(high.size())))];
    const std::vector<int32_t> column = stack.column(point, space);
    const int32_t moved = column[size_t(random.below(int32_t(column.size())))];
    const auto from = llvm::find(order, moved) - order.begin();
    order.erase(order.begin() + from);
    ptrdiff_t to = 0;
    switch (random.below(4)) {
    case 0:
      break; // To the ground.
    case 1:
      to = ptrdiff_t(order.size());
      break;
    case 2: // Beside another of the same stack.
      to = llvm::find(order,
                      column[size_t(random.below(int32_t(column.size())))]) -
           order.begin();
      break;
    default:
      to = random.below(int32_t(order.size()) + 1);
    }
    order.insert(order.begin() + to, moved);
    return true;
  }

  BatchStack &stack;
  std::vector<int64_t> mostHeights; ///< By space, at the largest batch.
  Random random{1};
};
} // namespace

/// What lies low comes first.
static std::vector<int32_t> orderOf(const std::vector<int64_t> &offsets) {
  std::vector<int32_t> order(offsets.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return std::pair(offsets[a], a) < std::pair(offsets[b], b);
  });
  return order;
}

llvm::Expected<BatchArenaPlan>
memplan::packBatches(const BatchArenaProblem &problem,
                     llvm::ArrayRef<std::vector<int64_t>> starts,
                     int64_t effort) {
  if (llvm::Error error = problem.check())
    return error;
  // The ends and the middle are judged, which says enough of the others.
  BatchArenaProblem judged = problem;
  const std::vector<int64_t> &all = problem.breakpoints;
  judged.breakpoints = {all.front()};
  for (size_t b = all.size() > 2 ? all.size() - 2 : 1; b < all.size(); ++b)
    judged.breakpoints.push_back(all[b]);
  BatchStack stack(judged);
  struct Candidate {
    double score;
    std::vector<int32_t> order;
  };
  std::vector<Candidate> candidates;
  stack.place(orderOf(starts.front()));
  std::vector<int64_t> mostHeights;
  for (size_t s = 0; s < stack.numSpaces(); ++s)
    mostHeights.push_back(stack.height(stack.numPoints() - 1, s) +
                          problem.slackBytes);
  OrderSearch search(stack, mostHeights);
  for (const std::vector<int64_t> &offsets : starts) {
    std::vector<int32_t> order = orderOf(offsets);
    const double score = search.judge(order);
    candidates.push_back({score, std::move(order)});
  }
  // Of equal ones the earlier.
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t c = 0; c < candidates.size(); ++c)
    ranked.push_back({candidates[c].score, c});
  llvm::sort(ranked);
  ranked.resize(std::min(ranked.size(), tuning::mostImproved));
  const int64_t work = (effort > 0 ? effort * tuning::workOfBatchEffort
                                   : tuning::workOfBatches) /
                       int64_t(ranked.size());
  std::vector<int32_t> best = orderOf(starts.front());
  double bestScore = search.judge(best);
  for (auto [startScore, place] : ranked) {
    Candidate &candidate = candidates[place];
    const double score = search.improve(candidate.order, work);
    stack.place(candidate.order);
    bool isWithin = true;
    for (size_t s = 0; s < stack.numSpaces(); ++s)
      isWithin &= stack.height(stack.numPoints() - 1, s) <= mostHeights[s];
    if (!isWithin || score >= bestScore)
      continue;
    bestScore = score;
    best = candidate.order;
    if (bestScore == 0)
      break;
  }
  BatchStack final(problem);
  final.place(best);
  BatchArenaPlan plan = final.plan();
  if (llvm::Error error = problem.verify(plan))
    return invalidPlan("batches", std::move(error));
  return plan;
}
