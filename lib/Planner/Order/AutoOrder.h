//===- AutoOrder.h - The order that is taken by default ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ORDER_AUTOORDER_H
#define MEMPLAN_LIB_PLANNER_ORDER_AUTOORDER_H

#include "memplan/Planner/Order/OrderProblem.h"

namespace memplan {

/// Early updates where they take fewer bytes without recomputation, else source
/// order: packed, at the peak, or in the sum over all runs. Late runs of that
/// order where they take no more and recomputation costs less.
llvm::Expected<OrderPlan> solveAutoOrder(const OrderProblem &problem,
                                         const SolveLimits &limits);
/// Late runs of early updates or source order, whichever takes fewer bytes.
llvm::Expected<OrderPlan> solveLateRuns(const OrderProblem &problem,
                                        const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ORDER_AUTOORDER_H
