//===- LateRuns.h - First runs that wait ------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ORDER_LATERUNS_H
#define MEMPLAN_LIB_PLANNER_ORDER_LATERUNS_H

#include "memplan/Planner/Order/OrderProblem.h"

namespace memplan {

/// `order` with first evaluations put off where that holds hardly more bytes:
/// - what makes a large value for an update alone, with that update, until it
///   fits beside what is live, if its operands are small beside it;
/// - any node until right before its first user, if operands that only wait
///   for it are no larger than what it makes. Where recomputation then drops
///   what lies between, its run was not redundant.
/// `order` itself where no value moves. O(edges log nodes).
std::vector<NodeId> runLate(const GraphIndex &index, std::vector<NodeId> order);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ORDER_LATERUNS_H
