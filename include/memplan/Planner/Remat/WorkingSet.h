//===- WorkingSet.h - What a single node needs ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_WORKINGSET_H
#define MEMPLAN_PLANNER_REMAT_WORKINGSET_H

#include "memplan/Planner/Remat/RematProblem.h"

namespace memplan {

/// Bytes that no plan can do without while a node runs, or at the end of the
/// step.
struct WorkingSet {
  int64_t bytes = 0;          ///< Fixed and caller's bytes included.
  std::optional<NodeId> node; ///< Unset: the end of the step.
  std::vector<TensorId>
      tensors; ///< Base tensors that must be there, besides the caller's.
};

/// The largest one: a node's inputs, outputs (those that may take an input's
/// storage for free) and workspace, or all outputs of the step at its end.
/// Valid for any order and any recomputation.
WorkingSet largestWorkingSet(const GraphIndex &index, bool inPlace);

/// Least live-byte budget that the solver meets, by at most `probes` bisection
/// steps between the working set and the peak without recomputation: known to
/// work, not minimal. Empty if even that peak does not work.
std::optional<int64_t> leastWorkingBudget(const RematProblem &problem,
                                          const RematSolver &solver,
                                          const SolveLimits &limits,
                                          int probes = 8);

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_WORKINGSET_H
