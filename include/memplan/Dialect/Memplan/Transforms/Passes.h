//===- Passes.h - Passes on the memplan dialect alone -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_TRANSFORMS_PASSES_H
#define MEMPLAN_DIALECT_MEMPLAN_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::memplan {

/// Gives every argument marked `memplan.batch` the batch size `batch` and
/// infers `function` anew. Reports its own errors, after which the types of
/// `function` are as they were.
LogicalResult setBatch(func::FuncOp function, int64_t batch);

/// The batch that the function is of: the size of dimension `memplan.batch` of
/// its first argument that has this attribute; nothing where none has.
std::optional<int64_t> batchOf(func::FuncOp function);

/// Whether `memplan-fuse` has made the operation take what follows it.
bool isFused(Operation *op);
/// Takes a fused operation apart.
void splitFused(Operation *op);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_TRANSFORMS_PASSES_H
