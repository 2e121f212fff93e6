//===- Buffers.h - From live ranges to buffers, and offsets back *- C++ -*-===//
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
//   StepBuffers buffers = makeBuffers(index, actions, storages, 256);
//   Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
//   plan.arenas = makeArenas(buffers, *offsets);
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_BUFFERS_H
#define MEMPLAN_PLANNER_STEP_BUFFERS_H

#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"

namespace memplan {

/// Everything that the program has to own, as buffers without an offset yet.
/// Donated inputs are among it: the program copies them in before its first
/// action, and others may take their bytes after the last reader.
struct StepBuffers {
  ArenaProblem problem;
  /// One for each allocation: a live range under the tensor that took the
  /// storage, or the donated input, until the last output in place over it is
  /// over. One for each workspace above 0 bytes and each discarded output.
  /// Ordered by (stepBegin, kind, tensor or node).
  std::vector<Placement> placements;
  /// Buffer of `problem` that holds the placement, by place in `placements`.
  std::vector<int32_t> bufferOf;
  std::vector<TensorId> owns;     ///< The caller's tensors among it.
  std::vector<TensorId> hostOwns; ///< Those that lie on the host in between.
};

/// One buffer for each storage, which is live whenever one of its sharers is,
/// one for each donated input and one for each workspace. `actions` are those
/// of buildActions() for the live ranges of `storages`; they say at which
/// action a run stands and in which variant. Times are those of the actions in
/// their order, so that bytes of two storages may meet: the ordering edges of a
/// parallel map do not cover that. O(actions * log actions).
StepBuffers makeBuffers(const GraphIndex &index,
                        const std::vector<PlanAction> &actions,
                        const StorageMap &storages, int64_t alignmentBytes);

/// The same for any valid list of actions, copies included, one buffer for each
/// storage. The arena holds donated inputs and what of the caller's is copied:
/// such a tensor lies at the end where it lay at the beginning. Times are again
/// those of the list, which is enough where one stream issues everything.
StepBuffers makeBuffers(const GraphIndex &index,
                        const std::vector<PlanAction> &actions,
                        int64_t alignmentBytes);

/// All placements at the offsets of a plan for `buffers.problem`, in an arena
/// for each space, that of the device first and always there.
std::vector<PlanArena> makeArenas(const StepBuffers &buffers,
                                  const ArenaPlan &plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_BUFFERS_H
