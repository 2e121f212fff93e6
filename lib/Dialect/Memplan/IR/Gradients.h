//===- Gradients.h - What gradients of several families need ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_DIALECT_MEMPLAN_IR_GRADIENTS_H
#define MEMPLAN_LIB_DIALECT_MEMPLAN_IR_GRADIENTS_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"

namespace mlir::memplan::ops {

/// Sums `gradient` over the dimensions along which a value of `type` was
/// broadcast.
Value reduceTo(OpBuilder &builder, Location loc, Value gradient, Type type);

/// Refuses gradients of any output but the first. Statistics are saved for the
/// backward pass; a loss that depends on them otherwise would need a gradient
/// through them.
LogicalResult refuseStatisticGradients(Operation *op, ValueRange outputGrads);

} // namespace mlir::memplan::ops

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_IR_GRADIENTS_H
