//===- ArenaVerify.cpp - What an arena problem and its plans must be ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with the solvers. Integers only; O(n log n) and one look at
// each further conflict.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Support/SortByKey.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace memplan;

static std::string inSpace(const std::string &space) {
  return space.empty() ? "" : " of space '" + space + "'";
}

/// As of two buffers of one space that conflict; `when` says why.
static llvm::Error overlap(const ArenaBuffer &a, int64_t offsetOfA,
                           const ArenaBuffer &b, int64_t offsetOfB,
                           const char *constraint, const std::string &when) {
  const int64_t begin = std::max(offsetOfA, offsetOfB);
  const int64_t end = std::min(offsetOfA + a.bytes, offsetOfB + b.bytes);
  if (begin >= end)
    return llvm::Error::success();
  return violation(constraint,
                   "buffers '{0}' ({1} bytes) and '{2}' ({3} bytes){4} share "
                   "bytes [{5}, {6}) {7}",
                   a.id, a.bytes, b.id, b.bytes, inSpace(a.space), begin, end,
                   when);
}

namespace {
/// A buffer appears or dies.
struct Turn {
  int64_t time;
  int32_t buffer;
  bool appears;
};
} // namespace

/// In time; at one time what dies goes first, then by buffer. Buffers without
/// an offset are skipped.
static std::vector<Turn>
listTurns(const std::vector<ArenaBuffer> &buffers,
          const std::vector<std::optional<int64_t>> &offsets) {
  std::vector<Turn> turns, births;
  turns.reserve(2 * buffers.size());
  births.reserve(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].bytes == 0 || !offsets[i])
      continue;
    auto live = [&](int64_t begin, int64_t end) {
      if (begin == end)
        return;
      births.push_back({begin, static_cast<int32_t>(i), true});
      turns.push_back({end, static_cast<int32_t>(i), false});
    };
    int64_t begin = buffers[i].begin;
    for (auto [gapBegin, gapEnd] : buffers[i].gaps) {
      live(begin, gapBegin);
      begin = gapEnd;
    }
    live(begin, buffers[i].end);
  }
  turns.insert(turns.end(), births.begin(), births.end());
  sortByKey(turns, [](const Turn &turn) { return turn.time; });
  return turns;
}

/// By buffer, a number for each space.
static std::vector<int32_t>
numberSpaces(const std::vector<ArenaBuffer> &buffers) {
  std::vector<int32_t> numbers(buffers.size());
  llvm::StringMap<int32_t> known;
  for (size_t i = 0; i < buffers.size(); ++i)
    numbers[i] =
        i > 0 && buffers[i].space == buffers[i - 1].space
            ? numbers[i - 1]
            : known.try_emplace(buffers[i].space, known.size()).first->second;
  return numbers;
}

/// Plays time forward with the live buffers of each space ordered by offset. As
/// long as they are disjoint, a buffer that appears can overlap only its two
/// neighbours.
static llvm::Error
findOverlapInTime(const std::vector<ArenaBuffer> &buffers,
                  const std::vector<std::optional<int64_t>> &offsets,
                  const char *constraint) {
  const std::vector<int32_t> spaces = numberSpaces(buffers);
  std::map<std::pair<int32_t, int64_t>, int32_t>
      live; // (space, offset) -> buffer
  for (const Turn &turn : listTurns(buffers, offsets)) {
    const int32_t i = turn.buffer;
    const std::pair key(spaces[i], *offsets[i]);
    if (!turn.appears) {
      live.erase(key);
      continue;
    }
    auto areApart = [&](int32_t other) {
      return spaces[other] != spaces[i] ||
             *offsets[other] + buffers[other].bytes <= *offsets[i] ||
             *offsets[i] + buffers[i].bytes <= *offsets[other];
    };
    auto above = live.lower_bound(key);
    for (auto other :
         {above, above == live.begin() ? live.end() : std::prev(above)})
      if (other != live.end() && !areApart(other->second))
        return overlap(buffers[other->second], *offsets[other->second],
                       buffers[i], *offsets[i], constraint,
                       llvm::formatv("at step {0}", turn.time));
    live.emplace_hint(above, key, i);
  }
  return llvm::Error::success();
}

/// Buffers without an offset are skipped.
static llvm::Error
findOverlap(const ArenaProblem &problem,
            const std::vector<std::optional<int64_t>> &offsets,
            const char *constraint) {
  if (llvm::Error error =
          findOverlapInTime(problem.buffers, offsets, constraint))
    return error;
  for (auto [a, b] : problem.conflicts)
    if (offsets[a] && offsets[b])
      if (llvm::Error error =
              overlap(problem.buffers[a], *offsets[a], problem.buffers[b],
                      *offsets[b], constraint, "and are a further conflict"))
        return error;
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

static llvm::Error checkSpaces(const ArenaProblem &problem) {
  llvm::StringSet<> names;
  for (const ArenaSpace &space : problem.spaces) {
    if (!names.insert(space.name).second)
      return violation("arena_i7", "two spaces have the name '{0}'",
                       space.name);
    if (space.budgetBytes && *space.budgetBytes < 0)
      return violation("arena_i6",
                       "the budget of {0} bytes of space '{1}' is negative",
                       *space.budgetBytes, space.name);
    if (space.allocationBytes && *space.allocationBytes <= 0)
      return violation("arena_i7",
                       "space '{0}' has allocations of {1} bytes; they must "
                       "be positive",
                       space.name, *space.allocationBytes);
  }
  return llvm::Error::success();
}

static llvm::Error checkInAllocation(const ArenaBuffer &buffer,
                                     int64_t alignment,
                                     int64_t allocationBytes) {
  if (buffer.bytes > allocationBytes)
    return violation(
        "arena_i7", "buffer '{0}' has {1} bytes, an allocation{2} at most {3}",
        buffer.id, buffer.bytes, inSpace(buffer.space), allocationBytes);
  if (allocationBytes % alignment != 0)
    return violation("arena_i7",
                     "an allocation of {0} bytes{1} is no multiple of {2}, to "
                     "which buffer '{3}' is aligned",
                     allocationBytes, inSpace(buffer.space), alignment,
                     buffer.id);
  if (buffer.fixedOffset &&
      *buffer.fixedOffset % allocationBytes > allocationBytes - buffer.bytes)
    return violation("arena_i4",
                     "buffer '{0}' ({1} bytes) is fixed at offset {2}, where "
                     "it crosses the end of an allocation of {3} bytes",
                     buffer.id, buffer.bytes, *buffer.fixedOffset,
                     allocationBytes);
  return llvm::Error::success();
}

static llvm::Error checkConflict(const std::vector<ArenaBuffer> &buffers,
                                 int32_t a, int32_t b) {
  for (int32_t place : {a, b})
    if (place < 0 || static_cast<size_t>(place) >= buffers.size())
      return violation("arena_i8", "a further conflict names buffer {0} of {1}",
                       place, buffers.size());
  if (a == b)
    return violation("arena_i8", "buffer '{0}' conflicts with itself",
                     buffers[a].id);
  if (buffers[a].space != buffers[b].space)
    return violation("arena_i8",
                     "buffers '{0}' and '{1}' conflict, but are of the spaces "
                     "'{2}' and '{3}'",
                     buffers[a].id, buffers[b].id, buffers[a].space,
                     buffers[b].space);
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
  if (llvm::Error error = checkSpaces(*this))
    return error;
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
    // What stands before the end of an allocation because a buffer would cross
    // it is less than that buffer.
    const ArenaSpace *space = findSpace(buffer.space);
    const bool hasAllocations = space && space->allocationBytes;
    if (hasAllocations)
      if (llvm::Error error =
              checkInAllocation(buffer, padding, *space->allocationBytes))
        return error;
    if (buffer.bytes >= room ||
        (hasAllocations && buffer.bytes >= (room -= buffer.bytes)) ||
        padding >= room - buffer.bytes ||
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
  for (auto [a, b] : conflicts)
    if (llvm::Error error = checkConflict(buffers, a, b))
      return error;
  return findOverlap(*this, fixed, "arena_i5");
}

/// A plan without offsets: is the reason given a true one?
static llvm::Error verifyRefusal(const ArenaProblem &problem,
                                 const ArenaPlan &plan) {
  if (!plan.offsets.empty())
    return violation("arena_c4", "status '{0}' comes with {1} offsets",
                     statusName(plan.report.status), plan.offsets.size());
  std::set<llvm::StringRef> names;
  for (const ArenaBuffer &buffer : problem.buffers)
    names.insert(buffer.space);
  if (std::none_of(names.begin(), names.end(), [&](llvm::StringRef name) {
        return problem.budgetOf(name).has_value();
      }))
    return violation("arena_c4", "status '{0}' without a budget",
                     statusName(plan.report.status));
  if (plan.report.status == SolveStatus::NoPlan ||
      plan.report.proof == "search")
    return llvm::Error::success();
  for (const auto &[space, bytes] : problem.lowerBoundBySpace())
    if (bytes > problem.budgetOf(space).value_or(bytes))
      return llvm::Error::success();
  return violation("arena_c4", "status 'infeasible', while no space's lower "
                               "bound exceeds its budget");
}

/// Where the plan is said to be optimal.
static llvm::Error verifyOptimal(const ArenaProblem &problem,
                                 const ArenaPlan &plan) {
  const int64_t bound = problem.lowerBoundBytes();
  const bool isSearched = plan.report.proof == "search" &&
                          plan.report.bound == double(plan.peakBytes);
  if (plan.peakBytes == bound || (isSearched && plan.peakBytes > bound))
    return llvm::Error::success();
  return violation("arena_c4",
                   "status 'optimal' at {0} bytes, while the lower bound is "
                   "{1}",
                   plan.peakBytes, bound);
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
    const ArenaSpace *space = findSpace(buffer.space);
    if (space && space->allocationBytes &&
        offset % *space->allocationBytes >
            *space->allocationBytes - buffer.bytes)
      return violation("arena_c5",
                       "buffer '{0}' ({1} bytes) at offset {2} crosses the "
                       "end of an allocation of {3} bytes",
                       buffer.id, buffer.bytes, offset,
                       *space->allocationBytes);
    int64_t &height = heights[buffer.space];
    if (buffer.bytes > 0)
      height = std::max(height, offset + buffer.bytes);
  }
  if (llvm::Error error = findOverlap(*this, offsets, "arena_c2"))
    return error;
  int64_t peak = 0;
  for (const auto &[space, height] : heights) {
    const std::optional<int64_t> budget = budgetOf(space);
    if (budget && height > *budget)
      return violation(
          "arena_c3",
          "buffers{0} reach up to byte {1}, above the budget of {2} bytes",
          inSpace(space), height, *budget);
    if (llvm::AddOverflow(peak, height, peak))
      return violation(
          "arena_c3",
          "the heights of all spaces add up to more than 2^63 bytes");
  }
  if (peak != plan.peakBytes)
    return violation("arena_c3",
                     "the plan says a peak of {0} bytes, its offsets give {1}",
                     plan.peakBytes, peak);
  return plan.report.status == SolveStatus::Optimal ? verifyOptimal(*this, plan)
                                                    : llvm::Error::success();
}
