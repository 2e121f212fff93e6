//===- RunOrder.h - Which runs precede which --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SHARING_RUNORDER_H
#define MEMPLAN_LIB_PLANNER_SHARING_RUNORDER_H

#include "memplan/Schedule/Liveness.h"
#include "llvm/ADT/BitVector.h"

namespace memplan {

/// Runs that must end before a run starts, by run, ascending: producers of what
/// it reads; for written tensors the write before it and, where it writes, all
/// users of the version before; the collective before a collective.
std::vector<std::vector<int32_t>> findRunEdges(const GraphIndex &index,
                                               const Schedule &schedule);

/// Ancestors of runs, built run by run while edges into the newest one are
/// still being added. Takes runs^2 / 8 bytes.
class RunOrder {
public:
  explicit RunOrder(size_t runs) : runs(runs) {}

  /// Starts the next run with its edges from earlier ones.
  void startRun(const std::vector<int32_t> &predecessors);
  /// Is `run` an ancestor of the newest run, or that run itself?
  bool precedesNewest(int32_t run) const;
  void addEdgeToNewest(int32_t before);

private:
  size_t runs;
  std::vector<llvm::BitVector> ancestors; ///< By run.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SHARING_RUNORDER_H
