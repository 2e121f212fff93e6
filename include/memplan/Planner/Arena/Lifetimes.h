//===- Lifetimes.h - From plan steps to buffers and back --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps of a plan say when bytes are taken and given back. This turns them into
// buffers for the arena solvers, and the solvers' offsets into placements:
//
//   StepLifetimes lifetimes = makeArenaProblem(index, steps, 256);
//   Expected<ArenaPlan> offsets = solve(lifetimes.problem, solver, limits);
//   plan.arenas = {makeArena(lifetimes, *offsets)};
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_ARENA_LIFETIMES_H
#define MEMPLAN_PLANNER_ARENA_LIFETIMES_H

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"

namespace memplan {

/// Everything that the program has to own, as buffers without an offset yet.
struct StepLifetimes {
  ArenaProblem problem;
  /// One for each live range of a storage that the step makes, under the tensor
  /// that took it, until the step that gives it back: outputs in place on it
  /// included. One for each workspace above 0 bytes and each discarded output.
  /// Ordered by (stepBegin, kind, tensor or node).
  std::vector<Placement> placements;
  /// Buffer of `problem` that holds the placement, by place in `placements`.
  std::vector<int32_t> bufferOf;
};

/// Buffers of steps that replay without error: one for each placement. Storage
/// that the caller owns is left out, also where an output is in place on a
/// donated input. O(steps * arity).
StepLifetimes makeArenaProblem(const GraphIndex &index,
                               const std::vector<PlanAction> &steps,
                               int64_t alignmentBytes);

/// As above, with one buffer for each storage of `storages`, which is live
/// whenever one of its sharers is. Workspaces have buffers of their own. Fails
/// where a live range of the steps has no storage in `storages`, which must
/// have been made for the schedule that the steps run. Lifetimes are those of
/// the steps in their order, so that bytes of two storages may meet: the
/// ordering edges of a parallel map do not cover that.
llvm::Expected<StepLifetimes>
makeArenaProblem(const GraphIndex &index, const std::vector<PlanAction> &steps,
                 int64_t alignmentBytes, const StorageMap &storages);

/// The device arena with all placements at the offsets of a plan for
/// `lifetimes.problem`.
PlanArena makeArena(const StepLifetimes &lifetimes, const ArenaPlan &plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_ARENA_LIFETIMES_H
