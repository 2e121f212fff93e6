//===- PlanBatches.h - One plan for every batch of a range ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_PLANBATCHES_H
#define MEMPLAN_PLANNER_STEP_PLANBATCHES_H

#include "memplan/Planner/Step/MaxBatch.h"

namespace memplan {

/// The plan at one batch, beside a plan that was made for that batch alone by
/// the same options.
struct ComparedBatch {
  int64_t batch = 0;
  int64_t deviceBytes = 0; ///< What a budget limits.
  int64_t arenaBytes = 0;
  double time = 0;
  bool hasOwn = false; ///< Whether there is a plan for that batch alone.
  int64_t ownDeviceBytes = 0;
  int64_t ownArenaBytes = 0;
  double ownTime = 0;
};

struct BatchPlan {
  Graph graph; ///< The step at the largest batch.
  /// The plan of the whole range (Plan::batches), verified; without steps where
  /// there is no plan for the largest batch.
  Plan plan;
  /// The largest batch, half of it, and the least; each once.
  std::vector<ComparedBatch> compared;
};

/// One plan for the batches from `least` to `most`. What is computed again and
/// in which order is planned for the largest one. Where a plan of a smaller one
/// is no slower at the largest, it is taken instead. There the plan takes at
/// most a thousandth more in its arena than one made for it alone, within the
/// budget. It does so only where that saves ten times the share at others.
/// Errors where the bytes of a tensor are not affine in the batch.
llvm::Expected<BatchPlan> planBatches(const StepAtBatch &stepAt, int64_t least,
                                      int64_t most, const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_PLANBATCHES_H
