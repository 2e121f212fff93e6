//===- Memplan.h - The memplan dialect --------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_MEMPLAN_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_MEMPLAN_H

#include "memplan/Dialect/Memplan/IR/Markers.h"
#include "memplan/Dialect/Memplan/IR/OpSupport.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace mlir {
class PatternRewriter;
} // namespace mlir

#include "memplan/Dialect/Memplan/IR/MemplanInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "memplan/Dialect/Memplan/IR/MemplanAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "memplan/Dialect/Memplan/IR/MemplanTypes.h.inc"

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/MemplanOps.h.inc"

namespace mlir::memplan {

/// The operands whose contents a run reads, in either form: the inputs, then
/// the destinations that are not only overwritten.
SmallVector<unsigned> readOperands(PlannableOpInterface op);

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_MEMPLAN_H
