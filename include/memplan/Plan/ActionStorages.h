//===- ActionStorages.h - What a list of actions takes ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any valid list of actions says which bytes are taken, until when, and by what
// they are touched. It follows what has to come after what because of that.
// Planners read it here; the plan verifier finds the same in its own way.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_ACTIONSTORAGES_H
#define MEMPLAN_PLAN_ACTIONSTORAGES_H

#include "memplan/Plan/Plan.h"
#include "memplan/Schedule/Liveness.h"
#include "llvm/ADT/SmallVector.h"

namespace memplan {

/// Bytes from the action that takes them to the one that gives them back. They
/// are of a base tensor with its views and what is put in place over it, of a
/// copy on the host, or scratch.
struct ActionStorage {
  Placement placement; ///< Without an offset.
  int64_t bytes = 0;
  MemorySpace space = MemorySpace::Device;
  bool isInitial = false; ///< The caller's, there before the first action.
  /// What lies there at the end, in place over what took it.
  TensorId last;
  /// Runs and copies that make, read or write it or a view of it, by place in
  /// the list: ascending, each once.
  std::vector<int32_t> users;
};

struct ActionStorages {
  /// In the order in which they are taken, the caller's tensors first.
  std::vector<ActionStorage> all;
  /// By action: earlier runs and copies that must have ended before it begins,
  /// since it uses what they make, or replaces what they use. What these come
  /// after in turn may be left out. Ascending, each once.
  std::vector<llvm::SmallVector<int32_t, 4>> after;
  /// By action: earlier runs and copies that must stand before it in any list,
  /// though they may still run. They use a tensor that it makes again, or are
  /// the first to use one that it makes and discards.
  std::vector<llvm::SmallVector<int32_t, 4>> renames;
};

/// O(actions * arity). The list must be one that replayPlan() accepts, were all
/// actions on one stream.
ActionStorages findStorages(const GraphIndex &index,
                            const std::vector<PlanAction> &actions);

/// The caller's tensors whose first copy fetches them: they live on the host
/// between steps.
std::vector<TensorId> findHosted(const GraphIndex &index,
                                 const std::vector<PlanAction> &actions);

} // namespace memplan

#endif // MEMPLAN_PLAN_ACTIONSTORAGES_H
