//===- CostModel.h - Costs that options ask for, in the IR ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_COSTMODEL_H
#define MEMPLAN_LIB_TRANSFORMS_COSTMODEL_H

#include "memplan/Bridge/GraphView.h"
#include "memplan/Profile/CostModel.h"

namespace mlir::memplan {

/// Writes the model's costs as `memplan.cost`, so that every later pass sees
/// the same ones; what an operation without the attribute costs is the roofline
/// of the reference device. With a profile also `workspace_bytes` of the
/// fastest variant, and the others as `memplan.variants`. Says in a remark how
/// many operations the profile lacks; these get the roofline's cost.
void applyCostModel(const core::CostModel &model, func::FuncOp function);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_TRANSFORMS_COSTMODEL_H
