//===- Simulator.h - Replays a plan, trusting nothing -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_SIMULATOR_H
#define MEMPLAN_GRAPH_SIMULATOR_H

#include "memplan/Graph/Plan.h"

namespace memplan {

struct Replay {
  double cost = 0;
  int64_t peakBytes = 0;
  int32_t peakStep = 0;
  std::vector<int64_t> bytesAtStep; ///< Live bytes while each step executes.
  std::vector<int32_t> runsOfNode;
};

/// Replays the steps of a plan on the graph, or says which step breaks which rule. Integers only.
llvm::Expected<Replay> replayPlan(const GraphIndex &index, const Plan &plan);

/// replayPlan plus everything that a plan claims: peak, cost, bound, status, arenas (alignment, no
/// shared byte, inside the arena, budget). Shares no code with planners or with buildSteps. One compute stream.
///   plan_c1   one action a step, ids in range            plan_c7   versions of written tensors
///   plan_c2   inputs resident when a node runs           plan_c8   frees only of what may be freed and is resident
///   plan_c3   outputs not yet resident, or discarded     plan_c9   copies: own event, waited for, versions of host
///   copies plan_c4   in place: allowed, equal bytes, last read  plan_c10  resident at the end: outputs, caller's
///   tensors plan_c5   every node runs; once where rerun is illegal  plan_c11  arena placements cover every residence
///   and scratch, disjoint, aligned, inside plan_c6   collectives in source order                plan_c12  peak, cost,
///   bound and budget hold
llvm::Error verifyPlan(const GraphIndex &index, const Plan &plan, std::optional<int64_t> budgetBytes = std::nullopt);

} // namespace memplan

#endif // MEMPLAN_GRAPH_SIMULATOR_H
