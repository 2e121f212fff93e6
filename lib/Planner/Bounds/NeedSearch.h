//===- NeedSearch.h - What must be live before, back to nothing -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_NEEDSEARCH_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_NEEDSEARCH_H

#include "LiveSetBound.h"
#include <atomic>

namespace memplan {

/// Whether a budget is enough for every op.
struct NeedAnswer {
  enum class Outcome {
    Plan,       ///< `sequence`, of no particular cost.
    Impossible, ///< Nothing fits in fixed order.
    Unknown,    ///< More sets than allowed, or too many values.
  };
  Outcome outcome = Outcome::Unknown;
  /// Ops, first runs in source order; may need more bytes than counted.
  std::vector<int32_t> sequence;
  /// Impossible: one that cannot run.
  int32_t op = -1;
};

/// Goes back from each op: before it runs, its inputs are live; one of them
/// was made last, and before that the others were live, and its inputs; and
/// so on, up to what is live when the op before has run. What does not matter
/// to the op is left out, so that there are few sets. Where no run is limited
/// to once, a budget is enough if and only if it is enough for every op by
/// itself. Bytes as in LiveSetSearch.h. Gives an op up after
/// `mostSets`, and all after a few of those.
NeedAnswer searchNeeds(const OrderRows &rows, int64_t budgetBytes,
                       int64_t mostSets,
                       const std::atomic<bool> *stop = nullptr);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_NEEDSEARCH_H
