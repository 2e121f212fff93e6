//===- ArenaProblem.h - Byte offsets in one arena ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_ARENA_ARENAPROBLEM_H
#define MEMPLAN_PLANNER_ARENA_ARENAPROBLEM_H

#include "memplan/Planner/Problem.h"

namespace memplan {

struct ArenaPlan;

/// A buffer that is live at steps [begin, end), except in its gaps.
struct ArenaBuffer {
  std::string id; ///< For messages and files; unique.
  int64_t bytes = 0;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t alignmentBytes = 1;
  std::optional<int64_t> fixedOffset;
  /// Half open, inside [begin, end), ascending, disjoint.
  std::vector<std::pair<int64_t, int64_t>> gaps;
  std::string space; ///< Buffers of different spaces never conflict.
};

/// Gives every buffer a byte offset so that buffers live together never share a
/// byte.
///
/// Input constraints, tested by check():
/// - arena_i1: bytes >= 0 and begin < end for every buffer; unique ids
/// - arena_i2: alignments (the buffer's and alignmentBytes) are positive, at
///   most 2^31, and alignmentBytes is a power of two
/// - arena_i3: gaps lie inside the live range, ascending and disjoint
/// - arena_i4: fixed offsets are non-negative and aligned
/// - arena_i5: fixed buffers of one space that are live at a common step use
///   disjoint byte ranges
/// - arena_i6: all bytes, each padded to its alignment, and the highest fixed
///   end add up to less than 2^62; budgetBytes is non-negative
/// Solution constraints, tested by verify():
/// - arena_c1: one offset per buffer, non-negative, aligned, equal to its fixed
///   offset
/// - arena_c2: buffers of one space that are live at a common step use disjoint
///   byte ranges
/// - arena_c3: peakBytes is the sum over spaces of the largest offset + bytes,
///   and each space is within budgetBytes if set
/// - arena_c4: the status holds: Optimal at peakBytes == lowerBoundBytes();
///   Infeasible and NoPlan without offsets; Infeasible where some space's lower
///   bound is above budgetBytes
struct ArenaProblem {
  std::vector<ArenaBuffer> buffers;
  int64_t alignmentBytes = 1; ///< Applies to every buffer, besides its own.
  std::optional<int64_t> budgetBytes;

  llvm::Error check() const;
  llvm::Error verify(const ArenaPlan &plan) const;
  /// Largest sum of live bytes over all steps, or the highest end of a fixed
  /// buffer (of each space, added). No plan is smaller. O(n log n).
  int64_t lowerBoundBytes() const;
  /// The same for each space, which is what budgetBytes limits. Sorted by the
  /// spaces' names.
  std::vector<std::pair<std::string, int64_t>> lowerBoundBySpace() const;
};

struct ArenaPlan {
  /// Bytes, same order as ArenaProblem::buffers; empty if Infeasible or NoPlan.
  std::vector<int64_t> offsets;
  /// If NoPlan: what was reached, above the budget.
  int64_t peakBytes = 0;
  SolveReport report; ///< Its bound is lowerBoundBytes().
};

using ArenaSolver = Solver<ArenaProblem, ArenaPlan>;
/// A budget that is not met is a plan without offsets, not an error.
std::span<const ArenaSolver> arenaSolvers();

} // namespace memplan

#endif // MEMPLAN_PLANNER_ARENA_ARENAPROBLEM_H
