//===- BatchPlan.h - One plan for a range of batches ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan with Plan::batches has tensors and scratch that are affine in the
// batch, and offsets that are so between two breakpoints. That one storage ends
// below another is an inequality of two such functions. It holds between the
// breakpoints where it holds at both, so that the verifier looks at these only
// (plan_c21).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_BATCHPLAN_H
#define MEMPLAN_PLAN_BATCHPLAN_H

#include "memplan/Plan/Plan.h"
#include "llvm/Support/Error.h"

namespace memplan {

/// Hash of what the steps at all batches of the range have in common, and of
/// their bytes at the largest. `graph` is the step at `batch`. Costs, scratch
/// and variants are left out.
std::string hashStep(const Graph &graph, const BatchRange &range,
                     int64_t batch);

/// The step with the bytes that the range has for them at `batch`. `most` is
/// the step at the largest batch. Costs stay.
Graph graphAtBatch(const Graph &most, const BatchRange &range, int64_t batch);

/// The plan of one batch, to be verified as any other: `index` is of the step
/// at that batch. Errors where the plan is not for this batch, is of another
/// step, or has less scratch than a node takes.
llvm::Expected<Plan> planAtBatch(const GraphIndex &index, const Plan &plan,
                                 int64_t batch);

} // namespace memplan

#endif // MEMPLAN_PLAN_BATCHPLAN_H
