//===- Refusals.h - What the bridge cannot see ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_REFUSALS_H
#define MEMPLAN_LIB_BRIDGE_REFUSALS_H

#include "memplan/Bridge/GraphView.h"

namespace mlir::memplan {

/// The function has one block, ends in func.return and is not planned yet.
LogicalResult checkIsPlannable(func::FuncOp function);

/// The type of `value`, which diagnostics call `what`, is a ranked tensor of
/// static shape and known element size.
LogicalResult checkType(func::FuncOp function, Value value, const Twine &what);

/// The operation is no control flow and no call, has effects that the planner
/// can order, and touches such types only.
LogicalResult checkOperation(func::FuncOp function, Operation *op);

/// Says that an operation does not implement the planning interface, and what
/// a host has to register. Always fails.
LogicalResult refuseUnknown(Operation *op, const Twine &consequence);

/// Attributes that decide what an operation computes, in name order: its own,
/// and discardable ones of other dialects, without run index, workspace size
/// and the segments of outputs and workspace.
DictionaryAttr computedAttributes(Operation *op);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_REFUSALS_H
