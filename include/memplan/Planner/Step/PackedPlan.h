//===- PackedPlan.h - A plan and its bytes ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_PACKEDPLAN_H
#define MEMPLAN_PLANNER_STEP_PACKEDPLAN_H

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Streams/Streams.h"

namespace memplan {

/// What the option arena=none names, which is no row of the table. Plans are
/// without arenas. The budget limits their peak of live bytes, as a framework
/// with an allocator of its own has it. Solves nothing by itself.
const ArenaSolver &noArena();
inline bool hasArena(const ArenaSolver &solver) {
  return &solver != &noArena();
}

/// A list of actions with offsets, and the bytes that it takes. A schedule is a
/// list without copies.
struct PackedPlan {
  /// The plan, of status Feasible, with steps, arenas, cost, time and peak;
  /// verifyPlan() accepts it unless the host's budget is exceeded. The caller
  /// fills in solver, bound and proof.
  Plan plan;
  /// Fixed, caller's and arena bytes; without an arena, the peak.
  int64_t deviceBytes = 0;
  int64_t boundBytes = 0; ///< Part of these that any offsets need.
  int64_t hostBytes = 0;  ///< Bytes of the host arena, or live ones without it.

  bool fitsHost(const Graph &graph) const {
    return hostBytes <= graph.hostBudgetBytes.value_or(hostBytes);
  }
};

/// Runs of a list and their variants; none where all are the first.
Schedule scheduleOf(const std::vector<PlanAction> &actions);
/// In-place pairs by run.
InPlaceChoice inPlaceOf(const std::vector<PlanAction> &actions);

/// Offsets for all that the actions take, on the device and on the host. The
/// actions may use views, in-place chains, discards, donated inputs, copies and
/// several streams. Storages share bytes along happens-before only. An error
/// says which of them breaks a rule. A budget is not known here: compare
/// `deviceBytes` with it. Fewer than `enoughBytes` on the device, and than the
/// host's budget, are of no use: the arena solver ends there.
llvm::Expected<PackedPlan>
packActions(const GraphIndex &index, std::vector<PlanAction> actions,
            const ArenaSolver &solver, int64_t alignmentBytes,
            const SolveLimits &limits,
            std::optional<int64_t> enoughBytes = std::nullopt);

/// The same within that many device bytes and the host's budget. The arena
/// solver knows both, so that it looks for nothing else. Empty if it does not
/// come to that.
llvm::Expected<std::optional<PackedPlan>>
packActionsWithin(const GraphIndex &index, std::vector<PlanAction> actions,
                  int64_t deviceBytes, const ArenaSolver &solver,
                  int64_t alignmentBytes, const SolveLimits &limits);

/// The same for a list that scheduleStreams() or assignStreams() made. Storages
/// that do not meet in the list may share bytes. The waits that this takes are
/// added, which delays nothing. packActions() adds none and shares what is
/// ordered anyway.
llvm::Expected<PackedPlan> packInListOrder(const GraphIndex &index,
                                           const StreamList &list,
                                           const ArenaSolver &solver,
                                           int64_t alignmentBytes,
                                           const SolveLimits &limits);

/// The list with the arenas that it has, and with the waits that sharing their
/// bytes takes. `boundBytes` are those that any offsets need in the arena.
llvm::Expected<PackedPlan> waitForBytes(const GraphIndex &index,
                                        const StreamList &list,
                                        std::vector<PlanArena> arenas,
                                        int64_t boundBytes);

/// The arenas of a list for another one of the same jobs, at the same offsets.
/// `from` has the places of its jobs in the list before.
std::vector<PlanArena> moveArenas(const GraphIndex &index,
                                  const std::vector<PlanAction> &to,
                                  const std::vector<int32_t> &from,
                                  std::vector<PlanArena> arenas);

/// Gives the plan the bound that every node runs once, which holds with copies
/// too. Says whether that shows it to be optimal: no work and no waiting can be
/// saved.
void boundByRunOnce(const Graph &graph, Plan &plan);

/// Fixed, caller's and arena bytes of a plan on the device; without an arena,
/// its peak.
int64_t deviceBytesOf(const Graph &graph, const Plan &plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_PACKEDPLAN_H
