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

/// What is known of a space besides its name. A space that no entry names has
/// the problem's budget and one allocation of any size.
struct ArenaSpace {
  std::string name;
  std::optional<int64_t> budgetBytes; ///< Instead of the problem's.
  /// Largest size of one allocation. The space is then made of allocations of
  /// that many bytes, one after the other; a buffer lies in one of them.
  std::optional<int64_t> allocationBytes;
  /// Packings of up to so many bytes are as good as lower ones: solvers that
  /// look for lower ones end there.
  std::optional<int64_t> enoughBytes = {};
};

/// Gives every buffer a byte offset so that buffers that conflict never share a
/// byte. Two buffers of one space conflict where they are live at a common
/// step, or where `conflicts` names the pair.
///
/// An order that is no line, such as the happens-before of several streams, is
/// given by two things. One is a line that agrees with it, from which the steps
/// are taken. The other is the pairs that do not meet in that line but are not
/// ordered either.
///
/// Input constraints, tested by check():
/// - arena_i1: bytes >= 0 and begin < end for every buffer; unique ids
/// - arena_i2: alignments (the buffer's and alignmentBytes) are positive, at
///   most 2^31, and alignmentBytes is a power of two
/// - arena_i3: gaps lie inside the live range, ascending and disjoint
/// - arena_i4: fixed offsets are non-negative and aligned, and lie in one
///   allocation
/// - arena_i5: fixed buffers that conflict use disjoint byte ranges
/// - arena_i6: all bytes, each padded to its alignment and counted twice where
///   allocations end, and the highest fixed end add up to less than 2^62.
///   Budgets are non-negative
/// - arena_i7: no two spaces have one name; an allocation holds every buffer of
///   its space and is a multiple of its alignments
/// - arena_i8: a further conflict is between two different buffers of one space
/// Solution constraints, tested by verify():
/// - arena_c1: one offset per buffer, non-negative, aligned, equal to its fixed
///   offset
/// - arena_c2: buffers that conflict use disjoint byte ranges
/// - arena_c3: peakBytes is the sum over spaces of the largest offset + bytes,
///   and each space is within its budget if it has one
/// - arena_c4: the status holds. Optimal at peakBytes == report.bound, which is
///   lowerBoundBytes() or has the proof `search`. Infeasible and NoPlan without
///   offsets. Infeasible where some space's lower bound is above its budget or
///   the proof is `search`
/// - arena_c5: no buffer crosses the end of an allocation
struct ArenaProblem {
  std::vector<ArenaBuffer> buffers;
  int64_t alignmentBytes = 1; ///< Applies to every buffer, besides its own.
  /// Budget of each space that has none of its own.
  std::optional<int64_t> budgetBytes;
  std::vector<ArenaSpace> spaces;
  /// Pairs of places in `buffers`, in any order; repeated pairs do no harm.
  std::vector<std::pair<int32_t, int32_t>> conflicts;

  llvm::Error check() const;
  llvm::Error verify(const ArenaPlan &plan) const;
  /// Bytes of a set of buffers of which each two conflict, or the highest end
  /// of a fixed buffer (of each space, added). No plan is smaller. Without
  /// further conflicts it is the largest sum of live bytes over all steps, in
  /// O(n log n). With them, it is the heaviest such set wherever not to
  /// conflict is to be ordered, by a flow.
  int64_t lowerBoundBytes() const;
  /// The same for each space, which is what budgets limit. Sorted by the
  /// spaces' names.
  std::vector<std::pair<std::string, int64_t>> lowerBoundBySpace() const;
  /// Null where nothing is known of it besides its name.
  const ArenaSpace *findSpace(llvm::StringRef name) const;
  std::optional<int64_t> budgetOf(llvm::StringRef space) const;
};

struct ArenaPlan {
  /// Bytes, same order as ArenaProblem::buffers; empty if Infeasible or NoPlan.
  std::vector<int64_t> offsets;
  /// If NoPlan: what was reached, above the budget.
  int64_t peakBytes = 0;
  /// The report's bound is lowerBoundBytes(), or higher with the proof
  /// `search`.
  SolveReport report;
};

using ArenaSolver = Solver<ArenaProblem, ArenaPlan>;
/// A budget that is not met is a plan without offsets, not an error.
std::span<const ArenaSolver> arenaSolvers();

} // namespace memplan

#endif // MEMPLAN_PLANNER_ARENA_ARENAPROBLEM_H
