//===- TensorLinks.h - Tensors in a planned function ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_TENSORLINKS_H
#define MEMPLAN_LIB_BRIDGE_TENSORLINKS_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::memplan {

/// What connects operations that stay on tensors with the bytes of a planned
/// function: `bufferization.to_tensor` before the operation that reads it,
/// `bufferization.materialize_in_destination` right after the one that made the
/// value, and `bufferization.to_buffer` of a constant.
class TensorLinks {
public:
  TensorLinks(unsigned arguments, AddressMap &addresses, SymbolicMemory &memory)
      : next(arguments), addresses(addresses), memory(memory) {}

  /// True for a link, a constant or a shape, which are then accounted for;
  /// false for anything else. Reports links in wrong places.
  FailureOr<bool> visit(Operation *op);

  /// The memref whose bytes the tensor shows; null for a constant. Fails for a
  /// tensor that was taken before another operation ran, or otherwise made.
  FailureOr<Value> sourceOf(Value tensor, Operation *user) const;

  /// Where the results of `op` are stored, in their order.
  FailureOr<SmallVector<Value>> destinationsOf(Operation *op);

  /// Memory changes: an operation ran, or bytes were copied.
  void ran() { ++moment; }

private:
  int64_t moment = 0;
  unsigned next; ///< Number of the memory of the next constant.
  AddressMap &addresses;
  SymbolicMemory &memory;
  llvm::DenseMap<Value, int64_t> takenAt; ///< By tensor, its moment.
  llvm::DenseSet<Operation *> stores;     ///< Stores of operations so far.
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_TENSORLINKS_H
