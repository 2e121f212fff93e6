//===- Witnesses.h - The largest tensors that leave no room -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_WITNESSES_H
#define MEMPLAN_PLAN_WITNESSES_H

#include "memplan/Plan/Plan.h"

#include "llvm/ADT/STLExtras.h"

namespace memplan {

/// Text of a message about the tensors that a plan without steps gives as its
/// reason. A step may hold hundreds, and the largest say most. The plan has
/// them all.
struct Witnesses {
  std::vector<TensorId> largest; ///< the larger first
  size_t others = 0;
  int64_t otherBytes = 0;

  static constexpr size_t mostNamed = 8;
  Witnesses(const Graph &graph, const Plan &plan)
      : largest(plan.witnessTensors) {
    llvm::sort(largest, [&](TensorId a, TensorId b) {
      return std::pair(-graph[a].bytes, a.index) <
             std::pair(-graph[b].bytes, b.index);
    });
    for (; largest.size() > mostNamed; largest.pop_back(), ++others)
      otherBytes += graph[largest.back()].bytes;
  }
};

} // namespace memplan

#endif // MEMPLAN_PLAN_WITNESSES_H
