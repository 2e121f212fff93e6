//===- Calls.h - Buffers across calls of one module -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_MEMREF_CALLS_H
#define MEMPLAN_LIB_MEMREF_CALLS_H

#include "Arenas.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::memplan {

/// Which functions of an operation call which, and what they do with buffers
/// that they are given.
class Calls {
public:
  /// Only functions below `root` are looked at, as a pass on it may.
  explicit Calls(Operation *root);

  /// Functions with a body, callees first where that is possible.
  ArrayRef<FunctionOpInterface> calleesFirst() const { return order; }

  /// Whether the function that is called neither keeps nor frees the operand;
  /// no, as long as note() has not heard of it.
  bool isSafe(OpOperand &use);
  /// Remembers what a function does with its arguments.
  void note(FunctionOpInterface function);

  /// Whether all that uses the function's symbol is calls below the root, and
  /// none is its own.
  bool canTakeArguments(FunctionOpInterface function);
  /// Gives each call of `function`, which has taken them as its first
  /// arguments, arenas of its own.
  void passArenas(FunctionOpInterface function, ArrayRef<MemRefArena> arenas);

private:
  FunctionOpInterface calleeOf(CallOpInterface call);
  void visit(FunctionOpInterface function);
  bool reaches(FunctionOpInterface from, FunctionOpInterface to);

  Operation *root;
  SymbolTableCollection symbols;
  std::vector<FunctionOpInterface> order;
  llvm::DenseMap<Operation *, SmallVector<CallOpInterface>> callsIn;
  llvm::DenseMap<Operation *, SmallVector<CallOpInterface>> callsOf;
  llvm::DenseMap<Operation *, llvm::BitVector> safe;
  llvm::DenseSet<Operation *> visited;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_MEMREF_CALLS_H
