//===- InferAgain.h - Types after operands have changed ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_DIALECT_MEMPLAN_TRANSFORMS_INFERAGAIN_H
#define MEMPLAN_LIB_DIALECT_MEMPLAN_TRANSFORMS_INFERAGAIN_H

#include "mlir/IR/Operation.h"

namespace mlir::memplan {

/// Gives the results of `op`, which infers its types, the types that follow
/// from its operands and attributes.
LogicalResult inferAgain(Operation *op);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_TRANSFORMS_INFERAGAIN_H
