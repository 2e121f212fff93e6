//===- CutFlow.h - What is kept across an op, and recomputed ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value that is made before an op and read after it is kept across the op,
// in one way or another, or its producer runs again, which needs its inputs. A
// least cut of this network is the cheapest choice for all values together
// (Picard, "Maximal closure of a graph", 1976).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_CUTFLOW_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_CUTFLOW_H

#include "memplan/Planner/Bounds/OrderRows.h"
#include "memplan/Support/MaxFlow.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

class CutFlow {
public:
  /// What keeping a value and running an op again count for, in whole units.
  using Units = llvm::function_ref<int64_t(int32_t)>;

  /// What a run needs beyond the values that `isKnown`, if it is there, names
  /// counts for nothing.
  CutFlow(const OrderRows &rows, int32_t op, Units keep, Units recompute,
          llvm::function_ref<bool(int32_t)> isKnown = {});

  /// Units of the cheapest choice.
  int64_t run() { return flow.run(); }
  /// After run(): values that it keeps, ascending.
  std::vector<int32_t> kept() const;

  /// A recomputed output leads to its op, and the op to each of its inputs.
  struct Link {
    int32_t op, value;
    bool isInput;
    int32_t arc;
  };
  llvm::ArrayRef<Link> links() const { return all; }
  /// After run(): units that pass the link, the multiplier of what it asks for.
  int64_t unitsOn(const Link &link) const { return flow.flowOn(link.arc); }

private:
  void need(int32_t first, Units keep, Units recompute,
            llvm::function_ref<bool(int32_t)> isKnown);

  const OrderRows &rows;
  const int32_t op;
  /// By value, where it is read, one more stands behind it; and by op, before
  /// its inputs. -1: none is needed.
  std::vector<int32_t> vertexOf, producerVertex;
  std::vector<Link> all;
  MaxFlow flow;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_CUTFLOW_H
