//===- LiveSetSearch.h - Shortest paths over what is live -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_LIVESETSEARCH_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_LIVESETSEARCH_H

#include "LiveSetBound.h"
#include <atomic>

namespace memplan {

/// What a search through all sets of live values found.
struct LiveSetAnswer {
  enum class Outcome {
    Cheapest,   ///< `cost` bounds all plans in fixed order; `sequence` has it.
    Impossible, ///< Nothing fits in fixed order.
    Stopped,    ///< More states than allowed, or too many values.
  };
  Outcome outcome = Outcome::Stopped;
  double cost = 0;
  std::vector<int32_t> sequence; ///< Ops; may need more bytes than counted.
  int32_t firstRuns =
      0; ///< First evaluations that were done in the furthest state.
};

/// Shortest paths over (first runs done, values live): any op may run again at
/// any time. Exact memory at every run, but for what outputs over inputs save,
/// storages larger than what lies in them, and views that die with their base:
/// all count least. Values are dropped only where a run needs their bytes.
/// `bound` guides the search and cuts what it proves to cost too much. Gives up
/// after `mostStates` or once `stop` is set, and where a plan would cost
/// `cutoff` or more says so by Cheapest with that cost and no sequence.
LiveSetAnswer searchLiveSets(const OrderRows &rows, int64_t budgetBytes,
                             double cutoff, const LiveSetBound &bound,
                             int64_t mostStates,
                             const std::atomic<bool> *stop = nullptr);

/// Consecutive first runs, and what an answer at rows says about them.
struct Segment {
  int32_t begin = 0, end = 0; ///< First runs done before it and after it.
  LiveSet before{}, after{};  ///< Values that are there then.
  std::vector<char> mayRun;   ///< By op: it may run again within.
};

/// The cheapest runs of a segment (Cheapest; its cost counts all ops once), or
/// that none keep the budget (Impossible); without a sequence where that costs
/// `cutoff` or more. Less before, more after and fewer ops that may run again
/// never make it cheaper.
LiveSetAnswer searchSegment(const OrderRows &rows, int64_t budgetBytes,
                            const Segment &segment, double cutoff,
                            int64_t mostStates);

/// Whether nothing fits in fixed order, whatever it costs: a plan that has one
/// (Cheapest, of no particular cost), Impossible, or Stopped. Keeps the largest
/// live sets only, so that it gets much further than a search for the cheapest.
LiveSetAnswer searchAnyPlan(const OrderRows &rows, int64_t budgetBytes,
                            int64_t mostStates,
                            const std::atomic<bool> *stop = nullptr);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_LIVESETSEARCH_H
