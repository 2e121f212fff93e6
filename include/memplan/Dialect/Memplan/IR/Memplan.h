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

#include "memplan/Dialect/Memplan/IR/MemplanInterfaces.h.inc"

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/MemplanOps.h.inc"

namespace mlir::memplan {

/// Makes the memref form of `op`: the same operation and attributes on
/// `inputs`, writing `outs`, with `workspace` as scratch (null when the
/// operation needs none) and as run `run`.
Operation *createMemrefForm(OpBuilder &builder, PlannableOpInterface op,
                            ValueRange inputs, ValueRange outs, Value workspace,
                            int64_t run);

/// Makes a copy of the tensor form `op` on `inputs`, as run `run`. Result types
/// stay.
Operation *createRerun(OpBuilder &builder, PlannableOpInterface op,
                       ValueRange inputs, int64_t run);

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_MEMPLAN_H
