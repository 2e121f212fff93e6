//===- EarlyUpdates.h - Updates where they free most ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ORDER_EARLYUPDATES_H
#define MEMPLAN_LIB_PLANNER_ORDER_EARLYUPDATES_H

#include "memplan/Planner/Order/OrderProblem.h"

namespace memplan {

llvm::Expected<OrderPlan> solveEarlyUpdates(const OrderProblem &problem,
                                            const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ORDER_EARLYUPDATES_H
