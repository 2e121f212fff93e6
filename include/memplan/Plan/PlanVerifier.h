//===- PlanVerifier.h - Replays a plan, trusting nothing --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_PLANVERIFIER_H
#define MEMPLAN_PLAN_PLANVERIFIER_H

#include "memplan/Plan/Plan.h"

namespace memplan {

struct Replay {
  double cost = 0;
  double time = 0; ///< When the last queue is done.
  int64_t peakBytes = 0;
  int32_t peakStep = 0;
  int64_t hostPeakBytes = 0;        ///< Most bytes of copies on the host.
  std::vector<int64_t> bytesAtStep; ///< Live bytes while each step executes.
  /// When each run and copy ends; of a wait, when its stream goes on. A free
  /// has the time of the action before it.
  std::vector<double> endAtStep;
  std::vector<int32_t> runsOfNode;
};

/// Replays the actions of a plan on the graph, or says which step breaks which
/// rule. O(actions * arity) on one stream; a wait costs the number of queues.
llvm::Expected<Replay> replayPlan(const GraphIndex &index, const Plan &plan);

/// What is asked of the order in which nodes run for the first time.
enum class FirstRuns {
  AnyOrder,
  SourceOrder, ///< But nodes that only make views run where they like.
};

/// replayPlan plus everything that a plan claims. Shares no code with planners
/// or with buildActions. The budget is `budgetBytes`, else the plan's own.
/// docs/Planner/Plan.md says more of each constraint.
/// - plan_c1: one action a step; ids, streams and variants in range; at most
///   256 streams
/// - plan_c2: what a node reads, writes or views is resident when it runs
/// - plan_c3: outputs are not yet resident, or discarded
/// - plan_c4: in place: listed by the node, the storage is large enough and may
///   go, and no other input of the node lies in it
/// - plan_c5: every node runs; once where a recomputation is illegal
/// - plan_c6: collectives and opaque nodes run in source order
/// - plan_c7: written tensors are read and written in the version that source
///   order gives
/// - plan_c8: frees name what is resident and may be freed
/// - plan_c9: copies have an event, are waited for, and bring back the current
///   version. Until the first wait their tensor is not freed and, on its way
///   out, neither overwritten nor evicted again
/// - plan_c10: resident at the end in their last version: outputs, parameters,
///   states, inputs that are not donated; what lives on the host is so there
/// - plan_c11: one arena a space. Its placements cover every storage and
///   scratch and nothing else, are aligned and inside. The device arena fits
///   the budget beside the caller's bytes. Its live bytes, where it says them,
///   are the most that are live at one step
/// - plan_c12: peak, cost and time are those of the replay; the peak fits the
///   budget
/// - plan_c13: an event is signalled by one step, and waits stand after it
/// - plan_c14: a user happens after what made the bytes, what writes
///   after all users of what it replaces, drop_host after all copies
/// - plan_c15: storages share bytes only where the first is given back in the
///   list before, and all its users happen before all of the second
/// - plan_c16: copies on the host, and what lives there, fit the host budget,
///   in sum and as an arena. Only copies that exist are dropped, and nothing
///   that lives on the host is
/// - plan_c17: where asked for, nodes run for the first time in source order,
///   those aside that only make views and may run again
/// - plan_c18: bound, bound space, proof, budgets and status agree with the
///   cost. A bound on the time names a space and is not above the time
/// - plan_c19: a plan without steps has none. Infeasible means a budget below
///   bound_bytes, and an exact proof in any order a witness that needs so many
/// - plan_c21: of a plan for a range of batches: breakpoints ascend. Bytes do
///   not shrink with the batch. Between breakpoints each sample adds a multiple
///   of the alignment to an offset. The plan is right at each breakpoint. Two
///   storages that are live at once lie in the same order at all of them. It
///   then is right at each batch between.
/// - plan_c22: where runs are on several streams, none has runs of nodes that
///   communicate and of others
llvm::Error verifyPlan(const GraphIndex &index, const Plan &plan,
                       std::optional<int64_t> budgetBytes = std::nullopt,
                       FirstRuns firstRuns = FirstRuns::AnyOrder);

/// Checks what is asked of plans made here beyond verifyPlan():
/// - plan_c20: some of the bytes that the latest run of a node made are used,
///   copied out or kept before it runs again. At the end that holds where it
///   ran more than once. In source order the first run may be there for the
///   order alone
llvm::Error verifyUseful(const GraphIndex &index, const Plan &plan,
                         FirstRuns firstRuns = FirstRuns::AnyOrder);

} // namespace memplan

#endif // MEMPLAN_PLAN_PLANVERIFIER_H
