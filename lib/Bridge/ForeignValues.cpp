//===- ForeignValues.cpp - Values that no run makes -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignValues.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::memplan;

/// Made from nothing and the same every time.
static bool isConstant(Operation *op) {
  return op && op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
         op->getNumResults() == 1 && !isa<PlannableOpInterface>(op) &&
         isMemoryEffectFree(op);
}

bool mlir::memplan::isFreeConstant(Operation *op) {
  return isConstant(op) && !isa<ShapedType>(op->getResult(0).getType());
}

bool mlir::memplan::isResidentConstant(Operation *op) {
  return isConstant(op) && op->hasTrait<OpTrait::ConstantLike>() &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

bool mlir::memplan::isShapeOnly(Operation *op) {
  auto plannable = dyn_cast_or_null<PlannableOpInterface>(op);
  return plannable && !plannable.hasContents();
}

bool mlir::memplan::isNoRun(Operation *op) {
  return isFreeConstant(op) || isResidentConstant(op) || isShapeOnly(op);
}

SmallVector<unsigned> mlir::memplan::operandsRead(Operation *op) {
  if (auto plannable = dyn_cast<PlannableOpInterface>(op))
    return readOperands(plannable);
  return llvm::to_vector(llvm::seq<unsigned>(op->getNumOperands()));
}

SmallVector<Value> mlir::memplan::capturedValues(Operation *op) {
  llvm::SetVector<Value, SmallVector<Value>> values;
  // The operation may stand in a block that no region holds yet.
  op->walk([&](Operation *inner) {
    if (inner == op)
      return;
    for (Value operand : inner->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      Operation *around = argument ? argument.getOwner()->getParentOp()
                                   : operand.getDefiningOp();
      if (!around || !op->isAncestor(around))
        values.insert(operand);
    }
  });
  return values.takeVector();
}
