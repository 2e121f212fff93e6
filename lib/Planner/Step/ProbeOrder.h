//===- ProbeOrder.h - Which order recomputes for less -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PROBEORDER_H
#define MEMPLAN_LIB_PLANNER_STEP_PROBEORDER_H

#include "memplan/Graph/Graph.h"

namespace memplan {

/// Whether quick plans cost clearly less with first runs in the one order than
/// in the other. Looked at for three budgets that follow from the graph, so
/// that the choice is the same for all budgets.
bool costsLess(const GraphIndex &index, bool inPlace,
               const std::vector<NodeId> &one,
               const std::vector<NodeId> &other);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PROBEORDER_H
