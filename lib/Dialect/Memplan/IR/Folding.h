//===- Folding.h - When a fold is allowed -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_DIALECT_MEMPLAN_IR_FOLDING_H
#define MEMPLAN_LIB_DIALECT_MEMPLAN_IR_FOLDING_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"

namespace mlir::memplan {

/// A plan decides which operations run and which values live. What it has
/// touched (memref form, recomputations) is never folded.
bool mayFold(Operation *op);

/// True where `value` is a `memplan.constant` all of whose elements have the
/// bits of `element`.
bool isSplat(Value value, float element);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_IR_FOLDING_H
