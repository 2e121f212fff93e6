//===- ArenaVerify.cpp - What an arena problem and its plans must be ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with the solvers. Integers only; O(n log n).
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

using namespace memplan;

static std::string inSpace(const std::string &space) {
  return space.empty() ? "" : " of space '" + space + "'";
}

/// Plays time forward with the live buffers of each space ordered by offset. As
/// long as they are disjoint, a buffer that appears can overlap only its two
/// neighbours. Buffers without an offset are skipped.
static llvm::Error
findOverlap(const std::vector<ArenaBuffer> &buffers,
            const std::vector<std::optional<int64_t>> &offsets,
            const char *constraint) {
  std::vector<std::tuple<int64_t, bool, size_t>>
      events; // (time, appears, buffer): what dies goes first
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].bytes == 0 || !offsets[i])
      continue;
    std::vector<int64_t> turns = {buffers[i].begin};
    for (auto [gapBegin, gapEnd] : buffers[i].gaps)
      turns.insert(turns.end(), {gapBegin, gapEnd});
    turns.push_back(buffers[i].end);
    for (size_t k = 0; k < turns.size(); k += 2)
      if (turns[k] != turns[k + 1]) {
        events.push_back({turns[k], true, i});
        events.push_back({turns[k + 1], false, i});
      }
  }
  std::sort(events.begin(), events.end());
  std::map<std::pair<std::string, int64_t>, size_t>
      live; // (space, offset) -> buffer
  for (auto [time, appears, i] : events) {
    const ArenaBuffer &buffer = buffers[i];
    std::pair key(buffer.space, *offsets[i]);
    if (!appears) {
      live.erase(key);
      continue;
    }
    auto check = [&, time = time, i = i](size_t other) -> llvm::Error {
      int64_t begin = std::max(*offsets[i], *offsets[other]);
      int64_t end = std::min(*offsets[i] + buffer.bytes,
                             *offsets[other] + buffers[other].bytes);
      if (buffers[other].space != buffer.space || begin >= end)
        return llvm::Error::success();
      return violation(constraint,
                       "buffers '{0}' ({1} bytes) and '{2}' ({3} bytes){4} "
                       "share bytes [{5}, {6}) at step {7}",
                       buffers[other].id, buffers[other].bytes, buffer.id,
                       buffer.bytes, inSpace(buffer.space), begin, end, time);
    };
    auto above = live.lower_bound(key);
    if (above != live.end())
      if (llvm::Error error = check(above->second))
        return error;
    if (above != live.begin())
      if (llvm::Error error = check(std::prev(above)->second))
        return error;
    live.emplace_hint(above, key, i);
  }
  return llvm::Error::success();
}

static llvm::Error checkBuffer(const ArenaBuffer &buffer,
                               int64_t alignmentBytes) {
  if (buffer.bytes < 0)
    return violation("arena_i1", "buffer '{0}' has {1} bytes", buffer.id,
                     buffer.bytes);
  if (buffer.begin >= buffer.end)
    return violation("arena_i1",
                     "buffer '{0}' lives during [{1}, {2}), which is empty",
                     buffer.id, buffer.begin, buffer.end);
  if (buffer.alignmentBytes <= 0 || buffer.alignmentBytes > int64_t(1) << 31)
    return violation("arena_i2",
                     "buffer '{0}' has an alignment of {1} bytes; it must be "
                     "between 1 and 2^31",
                     buffer.id, buffer.alignmentBytes);
  int64_t last = buffer.begin;
  for (auto [begin, end] : buffer.gaps) {
    if (begin < last || begin >= end || end > buffer.end)
      return violation("arena_i3",
                       "gap [{1}, {2}) of buffer '{0}' is empty, out of order, "
                       "or outside its live range [{3}, {4})",
                       buffer.id, begin, end, buffer.begin, buffer.end);
    last = end;
  }
  if (!buffer.fixedOffset)
    return llvm::Error::success();
  for (int64_t alignment : {alignmentBytes, buffer.alignmentBytes})
    if (*buffer.fixedOffset < 0 || *buffer.fixedOffset % alignment != 0)
      return violation("arena_i4",
                       "buffer '{0}' is fixed at offset {1}, which is negative "
                       "or no multiple of {2}",
                       buffer.id, *buffer.fixedOffset, alignment);
  return llvm::Error::success();
}

llvm::Error ArenaProblem::check() const {
  if (alignmentBytes <= 0 || alignmentBytes > int64_t(1) << 31 ||
      !llvm::isPowerOf2_64(alignmentBytes))
    return violation(
        "arena_i2",
        "an alignment of {0} bytes is not a power of two between 1 and 2^31",
        alignmentBytes);
  if (budgetBytes && *budgetBytes < 0)
    return violation("arena_i6", "the budget of {0} bytes is negative",
                     *budgetBytes);
  constexpr int64_t limit = int64_t(1) << 62;
  int64_t highestFixedEnd = 0, room = limit;
  llvm::StringSet<> ids;
  std::vector<std::optional<int64_t>> fixed;
  for (const ArenaBuffer &buffer : buffers) {
    if (!ids.insert(buffer.id).second)
      return violation("arena_i1", "two buffers have the id '{0}'", buffer.id);
    if (llvm::Error error = checkBuffer(buffer, alignmentBytes))
      return error;
    fixed.push_back(buffer.fixedOffset);
    int64_t padding =
        std::lcm(alignmentBytes, buffer.alignmentBytes); // At most 2^62.
    if (buffer.bytes >= room || padding >= room - buffer.bytes ||
        buffer.fixedOffset.value_or(0) >= room - buffer.bytes)
      return violation(
          "arena_i6",
          "at buffer '{0}' ({1} bytes) the bytes add up to 2^62 or more",
          buffer.id, buffer.bytes);
    room -= buffer.bytes + padding;
    if (buffer.fixedOffset)
      highestFixedEnd =
          std::max(highestFixedEnd, *buffer.fixedOffset + buffer.bytes);
  }
  if (highestFixedEnd >= room)
    return violation("arena_i6",
                     "fixed buffers reach up to byte {0}, which with all other "
                     "bytes is 2^62 or more",
                     highestFixedEnd);
  return findOverlap(buffers, fixed, "arena_i5");
}

/// A plan without offsets: is the reason given a true one?
static llvm::Error verifyRefusal(const ArenaProblem &problem,
                                 const ArenaPlan &plan) {
  if (!plan.offsets.empty())
    return violation("arena_c4", "status '{0}' comes with {1} offsets",
                     statusName(plan.report.status), plan.offsets.size());
  if (!problem.budgetBytes)
    return violation("arena_c4", "status '{0}' without a budget",
                     statusName(plan.report.status));
  if (plan.report.status == SolveStatus::NoPlan)
    return llvm::Error::success();
  for (const auto &[space, bytes] : problem.lowerBoundBySpace())
    if (bytes > *problem.budgetBytes)
      return llvm::Error::success();
  return violation("arena_c4",
                   "status 'infeasible', while no space's lower bound exceeds "
                   "the budget of {0} bytes",
                   *problem.budgetBytes);
}

llvm::Error ArenaProblem::verify(const ArenaPlan &plan) const {
  if (plan.report.status == SolveStatus::Infeasible ||
      plan.report.status == SolveStatus::NoPlan)
    return verifyRefusal(*this, plan);
  if (plan.offsets.size() != buffers.size())
    return violation("arena_c1", "{0} offsets for {1} buffers",
                     plan.offsets.size(), buffers.size());
  std::vector<std::optional<int64_t>> offsets(plan.offsets.begin(),
                                              plan.offsets.end());
  std::map<std::string, int64_t> heights;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const ArenaBuffer &buffer = buffers[i];
    int64_t offset = plan.offsets[i];
    if (offset < 0 ||
        offset > std::numeric_limits<int64_t>::max() - buffer.bytes ||
        offset % alignmentBytes != 0 || offset % buffer.alignmentBytes != 0)
      return violation("arena_c1",
                       "buffer '{0}' ({1} bytes) at offset {2}, which is "
                       "negative, too large, or no multiple "
                       "of its alignments {3} and {4}",
                       buffer.id, buffer.bytes, offset, alignmentBytes,
                       buffer.alignmentBytes);
    if (buffer.fixedOffset && *buffer.fixedOffset != offset)
      return violation(
          "arena_c1",
          "buffer '{0}' at offset {1} belongs at its fixed offset {2}",
          buffer.id, offset, *buffer.fixedOffset);
    int64_t &height = heights[buffer.space];
    if (buffer.bytes > 0)
      height = std::max(height, offset + buffer.bytes);
  }
  if (llvm::Error error = findOverlap(buffers, offsets, "arena_c2"))
    return error;
  int64_t peak = 0;
  for (const auto &[space, height] : heights) {
    if (budgetBytes && height > *budgetBytes)
      return violation(
          "arena_c3",
          "buffers{0} reach up to byte {1}, above the budget of {2} bytes",
          inSpace(space), height, *budgetBytes);
    if (llvm::AddOverflow(peak, height, peak))
      return violation(
          "arena_c3",
          "the heights of all spaces add up to more than 2^63 bytes");
  }
  if (peak != plan.peakBytes)
    return violation("arena_c3",
                     "the plan says a peak of {0} bytes, its offsets give {1}",
                     plan.peakBytes, peak);
  if (plan.report.status == SolveStatus::Optimal && peak != lowerBoundBytes())
    return violation(
        "arena_c4",
        "status 'optimal' at {0} bytes, while the lower bound is {1}", peak,
        lowerBoundBytes());
  return llvm::Error::success();
}
