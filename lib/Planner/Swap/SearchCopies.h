//===- SearchCopies.h - Copies where they cost the least time ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_SEARCHCOPIES_H
#define MEMPLAN_LIB_PLANNER_SWAP_SEARCHCOPIES_H

#include "memplan/Planner/Swap/SwapProblem.h"

namespace memplan {

llvm::Expected<SwapPlan> solveSearchCopies(const SwapProblem &problem,
                                           const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_SEARCHCOPIES_H
