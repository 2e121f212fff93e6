//===- IrTampering.h - Programs that somebody else has changed --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_FUZZ_IRTAMPERING_H
#define MEMPLAN_TEST_FUZZ_IRTAMPERING_H

#include "Tampering.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace memplan::fuzz {

/// Changes a function so that much of what comes out still parses: other
/// operands of the same type, operations twice, in another order or gone,
/// other markers.
class IrTampering {
public:
  IrTampering(Tampering &tampering, mlir::func::FuncOp function)
      : tampering(tampering), function(function),
        builder(function.getContext()) {}

  void changeOnce();

private:
  mlir::Operation *anyOperation();
  /// One that is made before the operation; null if there is none.
  mlir::Value anyValue(mlir::Type type, mlir::Operation *before);
  void changeOperand(mlir::Operation *op);
  void duplicate(mlir::Operation *op);
  void erase(mlir::Operation *op);
  void move(mlir::Operation *op);
  void markOperation(mlir::Operation *op);
  void markBoundary();
  /// Of the kind that the marker holds, mostly.
  mlir::Attribute anyAttribute(mlir::StringRef marker);

  Tampering &tampering;
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
};

} // namespace memplan::fuzz

#endif // MEMPLAN_TEST_FUZZ_IRTAMPERING_H
