//===- ModelSupport.h - What the models share -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_MODELS_MODELSUPPORT_H
#define MEMPLAN_LIB_BRIDGE_MODELS_MODELSUPPORT_H

#include "memplan/Bridge/Models/Models.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"

namespace mlir::memplan::models {

/// Elements of a value of static shape; 0 for any other.
inline int64_t elementsOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

/// Operands of the type of result `index`: an elementwise operation reads each
/// element before it writes the one in its place.
inline SmallVector<unsigned> operandsOfResultType(Operation *op,
                                                  unsigned index) {
  SmallVector<unsigned> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getType() == op->getResult(index).getType())
      operands.push_back(operand.getOperandNumber());
  return operands;
}

} // namespace mlir::memplan::models

#endif // MEMPLAN_LIB_BRIDGE_MODELS_MODELSUPPORT_H
