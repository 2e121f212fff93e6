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
  int64_t peakBytes = 0;
  int32_t peakStep = 0;
  std::vector<int64_t> bytesAtStep; ///< Live bytes while each step executes.
  std::vector<int32_t> runsOfNode;
};

/// Replays the steps of a plan on the graph, or says which step breaks which
/// rule. Integers only.
llvm::Expected<Replay> replayPlan(const GraphIndex &index, const Plan &plan);

/// replayPlan plus everything that a plan claims. Shares no code with planners
/// or with buildActions. One compute stream. The budget is `budgetBytes`, else
/// the plan's own.
/// - plan_c1: one action a step, ids in range
/// - plan_c2: inputs are resident when a node runs
/// - plan_c3: outputs are not yet resident, or discarded
/// - plan_c4: in place: listed by the node, the storage is large enough and may
///   go, and no other input of the node lies in it
/// - plan_c5: every node runs; once where a rerun is illegal
/// - plan_c6: collectives and opaque nodes run in source order
/// - plan_c7: written tensors are read and written in the version that source
///   order gives
/// - plan_c8: frees name what is resident and may be freed
/// - plan_c9: copies have their own event, are waited for, and bring back the
///   current version; host copies fit the graph's host budget
/// - plan_c10: resident at the end in their last version: outputs, parameters,
///   states, inputs that are not donated
/// - plan_c11: arena placements cover every live range and scratch and nothing
///   else, are disjoint, aligned and inside, and the arena fits the budget
///   beside the caller's bytes
/// - plan_c12: peak, cost, time, bound, status and budget hold
llvm::Error verifyPlan(const GraphIndex &index, const Plan &plan,
                       std::optional<int64_t> budgetBytes = std::nullopt);

} // namespace memplan

#endif // MEMPLAN_PLAN_PLANVERIFIER_H
