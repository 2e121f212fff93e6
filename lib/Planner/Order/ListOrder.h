//===- ListOrder.h - An order of few live bytes -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ORDER_LISTORDER_H
#define MEMPLAN_LIB_PLANNER_ORDER_LISTORDER_H

#include "memplan/Planner/Order/OrderProblem.h"

namespace memplan {

/// The order of the program, or one by list scheduling that takes less.
llvm::Expected<OrderPlan> solveListOrder(const OrderProblem &problem,
                                         const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ORDER_LISTORDER_H
