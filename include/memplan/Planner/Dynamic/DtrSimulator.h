//===- DtrSimulator.h - DTR on a graph, without running it ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Kirisame et al., "Dynamic tensor rematerialization", ICLR 2021, and
// the simulator of its authors. The accounting is theirs: what is evicted here,
// for which clock and in which order, is what is evicted there.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_DYNAMIC_DTRSIMULATOR_H
#define MEMPLAN_PLANNER_DYNAMIC_DTRSIMULATOR_H

#include "memplan/Plan/Trace.h"
#include "memplan/Planner/Dynamic/DtrPolicy.h"

namespace memplan {

/// One thing that a simulated run did.
struct DtrStep {
  bool isCompute = true; ///< Else the storages of `tensors` were given back.
  NodeId node;           ///< Compute
  bool isRecomputation = false; ///< Compute
  /// Base tensors: made by a compute, given back otherwise.
  std::vector<TensorId> tensors;
  /// Compute: outputs of a recomputation that were live, and are made in
  /// scratch.
  std::vector<TensorId> discard;
  /// Where `tensors` lie; only with DtrMemory::Pool.
  std::vector<int64_t> addresses;
  double clock = 0; ///< When it began; the first op begins at 1.
};

enum class DtrEnd {
  Done,
  OutOfMemory, ///< Nothing was left that could be evicted.
  Thrashing,   ///< Recomputations cost more than the policy's limit.
};

struct DtrRun {
  DtrEnd end = DtrEnd::Done;
  std::vector<DtrStep> steps;
  double clock = 1;             ///< 1 + the cost of all runs.
  double recomputationCost = 0; ///< Cost of runs after the first of a node.
  int64_t evictions = 0, recomputations = 0;
  /// The caller's tensors, fixed bytes and the most that was live beside them,
  /// workspaces included.
  int64_t peakBytes = 0;
  /// With DtrMemory::Pool: the highest end of a block, and how often all blocks
  /// were moved together because nothing else was left to do.
  int64_t highWaterBytes = 0, compactions = 0;
  // Where it ended early:
  std::optional<NodeId> node; ///< The op that did not fit, or was in progress.
  int64_t neededBytes = 0;    ///< What it asked for ...
  int64_t pinnedBytes = 0;    ///< ... beside what could not be evicted.
};

/// Runs the nodes in source order with `budgetBytes` for fixed bytes, the
/// caller's tensors and values; unset: all that it takes. In-place pairs are
/// not taken, as in the original. Deterministic. Errors: the budget does not
/// hold what the caller owns; nodes write parts of others' storages.
llvm::Expected<DtrRun> simulateDtr(const GraphIndex &index,
                                   const DtrPolicy &policy,
                                   std::optional<int64_t> budgetBytes);

/// What the run did, as a runtime would have recorded it. Views have no bytes
/// of their own; addresses are there where there was a pool.
Trace makeTrace(const GraphIndex &index, const DtrRun &run);

/// "ran out of memory at node 3 'conv': ..."; empty for Done.
std::string describeEnd(const Graph &graph, const DtrRun &run);

} // namespace memplan

#endif // MEMPLAN_PLANNER_DYNAMIC_DTRSIMULATOR_H
