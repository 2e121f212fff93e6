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
#include <map>

namespace memplan {

llvm::Expected<ArenaPlan> solveBestFit(const ArenaProblem &problem,
                                       const SolveLimits &limits);
llvm::Expected<ArenaPlan> solveGreedyBySize(const ArenaProblem &problem,
                                            const SolveLimits &limits);
llvm::Expected<ArenaPlan> solveGreedyByBreadth(const ArenaProblem &problem,
                                               const SolveLimits &limits);
llvm::Expected<ArenaPlan> solveXlaArena(const ArenaProblem &problem,
                                        const SolveLimits &limits);
/// limits.effort swaps in each part, 500 if that is 0; at least one packing.
llvm::Expected<ArenaPlan> solveHillClimbArena(const ArenaProblem &problem,
                                              const SolveLimits &limits);

/// Orders, then a search that leaves nothing out; see Exact/. `exact` proves an
/// optimum, or that a budget cannot hold; where a budget is set it ends with
/// the first packing within. `auto` does the same with little work. Both end
/// after limits.effort placements, or after their built-in work if that is 0,
/// and at a stop or the time limit; each part is packed once anyhow.
llvm::Expected<ArenaPlan> solveExactArena(const ArenaProblem &problem,
                                          const SolveLimits &limits);
llvm::Expected<ArenaPlan> solveAutoArena(const ArenaProblem &problem,
                                         const SolveLimits &limits);

/// Dives by several ranks, merged items, first fit, and blame; see
/// PartSearch.h. The search ends after limits.effort orders, or after its
/// built-in work if that is 0, and at a stop or the time limit; each part is
/// packed once anyhow.
llvm::Expected<ArenaPlan> solveSearchArena(const ArenaProblem &problem,
                                           const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_GREEDYARENA_H
