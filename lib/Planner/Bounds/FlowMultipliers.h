//===- FlowMultipliers.h - Multipliers by largest flows ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_FLOWMULTIPLIERS_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_FLOWMULTIPLIERS_H

#include "PeakDual.h"

namespace memplan {

/// Good multipliers where the rows of the model lie so far apart that hardly a
/// value matters at two of them. At one row they are the best ones: what is
/// kept and recomputed for a multiplier of bytes is a least cut, and the flow
/// that proves it has the multipliers of all needs. `ofRow`, by row, is where
/// the search for the multiplier of bytes begins. Rows less than so many ops
/// `apart` from one that has multipliers, and those that would lower the bound
/// of `dual`, get none.
PeakMultipliers multipliersByFlow(const PeakModel &model, PeakDual &dual,
                                  llvm::ArrayRef<double> ofRow, int32_t apart);

/// The multipliers of needs that the flows at these multipliers of bytes have.
PeakMultipliers multipliersOfFlows(const PeakModel &model,
                                   llvm::ArrayRef<double> ofRow);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_FLOWMULTIPLIERS_H
