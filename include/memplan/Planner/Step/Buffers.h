//===- Buffers.h - From actions to buffers, and offsets back ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arena problem knows bytes and times, a plan names tensors and nodes. This
// leads from one to the other and back:
//
//   StepBuffers buffers = makeBuffers(index, actions, 256);
//   Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
//   plan.arenas = makeArenas(buffers, *offsets);
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_BUFFERS_H
#define MEMPLAN_PLANNER_STEP_BUFFERS_H

#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Thresholds.h"

namespace memplan {

/// Everything that the program has to own, as buffers without an offset yet.
/// Donated inputs are among it: the program copies them in before its first
/// action, and others may take their bytes after the last user.
struct StepBuffers {
  ArenaProblem problem;
  /// One for each allocation: a live range under the tensor that took the
  /// storage, or the donated input. It lasts until the last output in place
  /// over it is over. One for each workspace above 0 bytes and each discarded
  /// output. Ordered by (stepBegin, kind, tensor or node).
  std::vector<Placement> placements;
  /// Buffer of `problem` that holds the placement, by place in `placements`.
  std::vector<int32_t> bufferOf;
  std::vector<TensorId> owns;     ///< The caller's tensors among it.
  std::vector<TensorId> hostOwns; ///< Tensors that lie on the host in between.
};

/// One buffer for each storage of a valid list of actions, copies and several
/// streams included. There is one for each donated input and one for each
/// workspace. The arena holds donated inputs and what of the caller's is
/// copied: such a tensor lies at the end where it lay at the beginning. Times
/// are those of the list. With more pairs of storages that meet on no queue,
/// buffers are live over all that they conflict with instead. O(actions * log
/// actions).
StepBuffers makeBuffers(const GraphIndex &index,
                        const std::vector<PlanAction> &actions,
                        int64_t alignmentBytes,
                        size_t mostPairs = mostUnorderedPairs);

/// The same for the actions that buildActions() makes of the live ranges of
/// `sharing`. There is one buffer for each of its storages, which is live
/// whenever one of its sharers is. Bytes of two storages may meet in the list:
/// the ordering edges of a parallel map do not cover that.
StepBuffers makeBuffers(const GraphIndex &index,
                        const std::vector<PlanAction> &actions,
                        const StorageMap &sharing, int64_t alignmentBytes);

/// All placements at the offsets of a plan for `buffers.problem`, in an arena
/// for each space, that of the device first and always there.
std::vector<PlanArena> makeArenas(const StepBuffers &buffers,
                                  const ArenaPlan &plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_BUFFERS_H
