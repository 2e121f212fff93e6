//===- VerifyBatches.h - A plan for every batch of a range ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_VERIFYBATCHES_H
#define MEMPLAN_LIB_PLAN_VERIFYBATCHES_H

#include "memplan/Plan/PlanVerifier.h"

namespace memplan {

/// Everything that verifyPlan() asks of a plan for a range of batches (also
/// plan_c21); `index` is of the step at the largest. O(storages^2).
llvm::Error verifyBatches(const GraphIndex &index, const Plan &plan,
                          std::optional<int64_t> limit, FirstRuns firstRuns);

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_VERIFYBATCHES_H
