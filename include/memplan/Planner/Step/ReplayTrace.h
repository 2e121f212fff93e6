//===- ReplayTrace.h - From what ran to a plan ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: MegEngine's articles on DTR: a step that always runs the same
// sequence can be planned statically, which took 10.9 % less than its pool.
// Here the sequence is improved before it is planned, and a plan that starts
// from the graph alone is tried beside it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_REPLAYTRACE_H
#define MEMPLAN_PLANNER_STEP_REPLAYTRACE_H

#include "memplan/Plan/Trace.h"
#include "memplan/Planner/Options.h"

namespace memplan {

/// What a pool takes for a sequence, and what offsets that are chosen with the
/// sequence in hand take.
struct TraceBytes {
  /// Highest end of a block: best fit, rounded to 512 bytes, without a limit.
  int64_t poolBytes = 0;
  /// The same in the run itself: its high-water mark, or its addresses. Unset
  /// where the trace has neither.
  std::optional<int64_t> tracedBytes;
  int64_t liveBytes = 0;  ///< Most bytes at one step.
  int64_t arenaBytes = 0; ///< Bytes of static offsets. Never above poolBytes.
};
/// `index` adds the scratch of the nodes, of which traces say nothing; null:
/// there is none.
llvm::Expected<TraceBytes> measureTrace(const Trace &trace,
                                        const GraphIndex *index,
                                        const PlanOptions &options);

/// The runs with less. Recomputations that are not needed within `limitBytes`
/// of live bytes are left out, and the others stand right before their first
/// user. Values are freed after their last one. Costs no more than the
/// schedule, and takes no more live bytes than the limit or, if that is more,
/// than the schedule does. `effort` limits the changes that are tried; 0: a
/// default. O(effort * runs).
Schedule improveRuns(const GraphIndex &index, const Schedule &schedule,
                     bool inPlace, int64_t limitBytes, int64_t effort);

/// A trace, and what became of it. Every plan is verified. Each costs no more
/// and takes no more device bytes than the one before, with two exceptions. It
/// may take more bytes where the budget allows that, and may cost more to take
/// fewer.
struct ReplayedTrace {
  Plan packed;   ///< The sequence as it ran, with static offsets.
  Plan improved; ///< With improveRuns(); the packed one where that is no gain.
  /// The cheapest of three: the improved one, what planStep() makes for the
  /// budget from the graph, and a search that starts from the improved one.
  Plan planned;
};
/// Without a budget that of the options is what the packed trace takes. Where
/// the pool of the run took less, since it moved tensors, it is that. Errors:
/// the trace is not of this graph, or no complete step of it; those of
/// planStep().
llvm::Expected<ReplayedTrace>
replayTrace(const Graph &graph, const Trace &trace, const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_REPLAYTRACE_H
