//===- ValueCut.h - What a first run leaves no room for ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_BOUNDS_VALUECUT_H
#define MEMPLAN_PLANNER_BOUNDS_VALUECUT_H

#include "memplan/Planner/Bounds/OrderRows.h"

namespace memplan {

/// Bytes at the first run of each op where all values stay to their last users.
std::vector<int64_t> bytesOfAll(const OrderRows &rows);

/// Ops at which most bytes are live where all values stay, the highest first:
/// all of a small step, of others `most` that lie apart.
std::vector<int32_t> highRows(const OrderRows &rows, size_t most);

/// What must be live at the first run of an op, in any plan in fixed order.
struct ValueCut {
  int32_t op = 0;
  int64_t bytes = 0;           ///< Resident ones included.
  std::vector<int32_t> values; ///< Besides what the op touches: a cheapest set
                               ///< from which all later inputs can be made.
};

/// Later ops read values that were made before. Each is live, or its producer
/// runs again and so can all that it reads. That is a cut of the least bytes
/// between these values and the ops that run once. A flow of them is the proof.
ValueCut cutAt(const OrderRows &rows, int32_t op);

/// The largest cut of the high rows.
ValueCut largestCut(const OrderRows &rows);

} // namespace memplan

#endif // MEMPLAN_PLANNER_BOUNDS_VALUECUT_H
