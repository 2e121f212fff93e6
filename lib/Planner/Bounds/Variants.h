//===- Variants.h - Variants of an op at a row's multiplier -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_VARIANTS_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_VARIANTS_H

#include "memplan/Planner/Model/ContractedStep.h"

namespace memplan {

/// The least of cost and weighted workspace over the variants of an op. Its
/// least workspace counts elsewhere; leaves the bytes beyond it.
template <typename Number, typename CostOf>
Number cheapestVariant(const StepOp &op, Number multiplier, CostOf costOf,
                       int64_t &bytesMore) {
  const int64_t least = op.variants.back().workspaceBytes;
  bool first = true;
  Number best = 0;
  for (const NodeVariant &variant : op.variants) {
    const Number cost = costOf(variant.cost) +
                        multiplier * Number(variant.workspaceBytes - least);
    if (first || cost < best) {
      best = cost;
      bytesMore = variant.workspaceBytes - least;
    }
    first = false;
  }
  return best;
}

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_VARIANTS_H
