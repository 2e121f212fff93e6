//===- GreedyArena.h - Offsets one buffer after another ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_GREEDYARENA_H
#define MEMPLAN_LIB_PLANNER_ARENA_GREEDYARENA_H

#include "memplan/Planner/Arena/ArenaProblem.h"

namespace memplan {

llvm::Expected<ArenaPlan> solveBestFit(const ArenaProblem &problem,
                                       const SolveLimits &limits);
llvm::Expected<ArenaPlan> solveGreedyBySize(const ArenaProblem &problem,
                                            const SolveLimits &limits);

/// The lowest of the two and of a search for better orders, space by space.
llvm::Expected<ArenaPlan> solveAutoArena(const ArenaProblem &problem,
                                         const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_GREEDYARENA_H
