//===- SegmentCuts.h - Memory within a block, as cuts -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model of peaks knows memory at its rows only. What happens between two rows
// is a small problem of its own: is there a sequence of runs that begins with
// what stays across the first row, ends with what stays across the second, and
// repeats only the ops that the answer repeats? If there is none, that is a row
// over what stays and what runs again that every plan obeys (a cover cut of the
// working sets of the block; docs/Planner/Remat.md, `milp`).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_SEGMENTCUTS_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_SEGMENTCUTS_H

#include "LiveSetSearch.h"

namespace memplan {

/// Every plan has one of the `absent` values there at the first row, runs one
/// of the `idle` ops again between the rows, or lacks one of the `kept` values
/// at the second row; or it pays `cost` or more between the rows, beyond one
/// cheapest run of each op.
struct SegmentCut {
  int32_t first = -1; ///< The op whose first run is the first row; -1: none.
  int32_t second = 0; ///< Op of the second row, or the end of the step.
  std::vector<int32_t> absent; ///< Values.
  std::vector<int32_t> idle;   ///< Ops.
  std::vector<int32_t> kept;   ///< Values.
  double cost = 0;             ///< 0: it cannot.
};

struct SegmentAnswer {
  /// Runs that do what the answer says, memory kept at all of them; empty
  /// where some block has none, or has not been decided.
  std::vector<int32_t> sequence;
  /// Cuts of the blocks of one op that have none, or cost more than is said.
  std::vector<SegmentCut> cuts;
  /// Rows of the other ones: the op that cannot be reached, or stands between
  /// two runs again of another one, as a row that divides the block.
  std::vector<int32_t> rows;
};

/// Looks at each block of an answer: what stays, by place, and which ops run
/// again, by block. Steps with more values than a LiveSet holds get nothing.
SegmentAnswer runSegments(const PeakModel &model, llvm::ArrayRef<Stay> stays,
                          const std::vector<std::vector<int32_t>> &runs);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_SEGMENTCUTS_H
