//===- Placements.h - Do the arenas hold what the replay found? -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_PLACEMENTS_H
#define MEMPLAN_LIB_PLAN_PLACEMENTS_H

#include "Replay.h"

namespace memplan {

/// Checks the arenas of a plan (plan_c11, plan_c15, plan_c16) against what the
/// replay found. The limit is that of the device.
llvm::Error verifyArenas(const GraphIndex &index, const Plan &plan,
                         const ReplayMachine &machine,
                         std::optional<int64_t> limit);

/// Checks that two storages that are live at once lie in the same order in a
/// plan's arenas at every breakpoint of its batches (plan_c21). The plan passed
/// verifyArenas() at each.
llvm::Error verifySameOrder(const GraphIndex &index, const Plan &plan,
                            const ReplayMachine &machine);

/// Checks what the host arena owns: the replay believes it.
llvm::Error verifyHosted(const GraphIndex &index, const Plan &plan);

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_PLACEMENTS_H
