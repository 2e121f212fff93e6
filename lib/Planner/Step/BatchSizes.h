//===- BatchSizes.h - Bytes as functions of the batch -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_BATCHSIZES_H
#define MEMPLAN_LIB_PLANNER_STEP_BATCHSIZES_H

#include "memplan/Planner/Step/MaxBatch.h"

namespace memplan {

/// The step at the ends of a range and in its middle, and its bytes between.
struct BatchSteps {
  /// By batch, largest first, each as it stands. At batch 1 slices may be views
  /// that are none at others.
  std::vector<std::pair<int64_t, Graph>> steps;
  BatchRange range;

  const Graph &most() const { return steps.front().second; }
};

/// Reads off what each sample adds to a tensor at the two ends, and looks at
/// the middle. Scratch has no formula: it is asked for at every batch, or at
/// 128 of them, and covered by the lowest affine function that meets the
/// largest. Errors name a tensor that is not affine.
llvm::Expected<BatchSteps> readBatchSizes(const StepAtBatch &stepAt,
                                          int64_t least, int64_t most);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_BATCHSIZES_H
