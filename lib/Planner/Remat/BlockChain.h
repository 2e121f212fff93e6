//===- BlockChain.h - The forward pass as a chain of blocks -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_REMAT_BLOCKCHAIN_H
#define MEMPLAN_LIB_PLANNER_REMAT_BLOCKCHAIN_H

#include "memplan/Planner/Remat/StageGraph.h"

namespace memplan {

/// Forward ops between two articulation points, the second one included: all
/// that later blocks read is made by the last op.
struct Block {
  int32_t first = 0, last = 0; ///< Ops; those between them may be others' too.
  std::vector<int32_t> ops;    ///< Forward ops, ascending.
  double cost = 0;             ///< Cost of running all ops that may run again.
  double insideCost = 0;       ///< The same, if its output is live already.
  int64_t outputBytes = 0;     ///< What the last op makes.
  int64_t keptBytes = 0; ///< What the backward pass reads, and the output.
  /// Most bytes made in the block while it runs: all of it kept, or freed as
  /// soon as the block allows. The input is not counted.
  int64_t peakKept = 0, peakFreed = 0;
  /// Stage in which the backward pass first reads what was made inside.
  int32_t back = 0;
  /// The backward pass reads the output before it reads what was made inside.
  bool outputIsBack = false;
  /// Most bytes beside those of blocks in the stages from `back` until the
  /// block before comes back, and in stage `back` before it runs.
  int64_t besideWhile = 0, besideBefore = 0;
};

/// The blocks between articulation points, the last one up to the loss; one
/// block where there is none. O(ops + values + edges).
std::vector<Block> makeBlocks(const StageGraph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_REMAT_BLOCKCHAIN_H
