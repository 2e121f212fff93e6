//===- WorkingSet.h - What a single node needs ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_MODEL_WORKINGSET_H
#define MEMPLAN_PLANNER_MODEL_WORKINGSET_H

#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// Bytes that no plan can do without while a node runs, or at the end of the
/// step.
struct WorkingSet {
  int64_t bytes = 0;          ///< Fixed and caller's bytes included.
  std::optional<NodeId> node; ///< Unset: the begin or the end of the step.
  std::vector<TensorId>
      tensors; ///< Base tensors that must be live, besides the caller's.
};

/// The largest one. A node has its inputs, outputs (an output over an input
/// adds what it is larger by) and the least workspace of its variants. The step
/// has all outputs at its end, and the caller's tensors at its start. Valid for
/// any order, any recomputation and any plan that verifyPlan() accepts, whose
/// host owns no more than `hosted`. That is live only where a node uses it.
WorkingSet largestWorkingSet(const GraphIndex &index, bool inPlace,
                             llvm::ArrayRef<TensorId> hosted = {});

/// By tensor: bytes of the largest storage that a base tensor may lie in, by
/// way of outputs over inputs (0 for views). O(tensors + edges).
std::vector<int64_t> largestStorageBytes(const GraphIndex &index);
/// Whether some plan may put the pair's output over its input. The storage can
/// be large enough, may be freed, and is read by no other name.
bool mayTakeStorage(const GraphIndex &index, NodeId node,
                    const InPlacePair &pair,
                    llvm::ArrayRef<int64_t> storageBytes);

} // namespace memplan

#endif // MEMPLAN_PLANNER_MODEL_WORKINGSET_H
