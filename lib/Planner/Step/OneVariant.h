//===- OneVariant.h - All runs of a node in one variant ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two implementations of a convolution add in different orders, so that their
// results differ in the last bits. A value that a plan recomputes must be the
// one that it freed, bit for bit. Solvers count with any variant at any run,
// which bounds from below what a plan may cost; the plans of a step are held to
// one variant a node before they are packed, priced and compared.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_ONEVARIANT_H
#define MEMPLAN_LIB_PLANNER_STEP_ONEVARIANT_H

#include "PlanningContext.h"

namespace memplan {

/// Gives every run of a node the variant of least workspace that any of them
/// has, so that live bytes do not rise anywhere. Cost, peak and status of the
/// plan are measured again where that changes a run.
void takeOneVariant(const GraphIndex &index, RematPlan &plan);

/// The same for a list of actions, whose cost is not known here, without those
/// that are in vain.
std::vector<PlanAction> usefulInOneVariant(const StepContext &context,
                                           std::vector<PlanAction> actions);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_ONEVARIANT_H
