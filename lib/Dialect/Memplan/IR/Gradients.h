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

} // namespace mlir::memplan::ops

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_IR_GRADIENTS_H
