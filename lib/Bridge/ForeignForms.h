//===- ForeignForms.h - Other dialects in the planned form ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_FOREIGNFORMS_H
#define MEMPLAN_LIB_BRIDGE_FOREIGNFORMS_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"

namespace mlir::memplan {

/// Copies, into the body of a planned function, what no run makes.
class NoRunCopies {
public:
  explicit NoRunCopies(Block *body) : body(body) {}

  /// The copy of a constant or of a shape.
  Value copyOf(Value value);
  /// The copy of a constant tensor as memory that is only read.
  Value bufferOf(Value value);
  /// Lets the regions of `op` use the copies.
  void replaceCaptures(Operation *op);

private:
  Block *body;
  llvm::DenseMap<Value, Value> copies, buffers;
};

/// Makes a run of an operation that has no memref form: it reads tensors from
/// those of `operands` that are memrefs, and its results are stored in `outs`.
/// A tensor is writable where a result goes over it.
Operation *createOnTensors(OpBuilder &builder, PlannableOpInterface op,
                           ValueRange operands, ValueRange outs, int64_t run);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_FOREIGNFORMS_H
