//===- ShareStorages.h - Simulated sharing of storages ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SHARING_SHARESTORAGES_H
#define MEMPLAN_LIB_PLANNER_SHARING_SHARESTORAGES_H

#include "memplan/Planner/Sharing/SharingProblem.h"

namespace memplan {

llvm::Expected<StorageMap> solveNoSharing(const SharingProblem &problem,
                                          const SolveLimits &limits);
llvm::Expected<StorageMap> solveCounter(const SharingProblem &problem,
                                        const SolveLimits &limits);
llvm::Expected<StorageMap> solveColor(const SharingProblem &problem,
                                      const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SHARING_SHARESTORAGES_H
