//===- ForeignOps.cpp - Planning operations of other dialects -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The defaults of the planning interface. They read what MLIR's own interfaces
// say and keep memplan's facts in discardable attributes, so that nothing is
// asked of an operation that another dialect defines.
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::memplan;

/// The operation as one in destination style whose destinations follow its
/// inputs; null for any other.
static DestinationStyleOpInterface inDestinationStyle(Operation *op) {
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  if (!style)
    return nullptr;
  unsigned next = style.getNumDpsInputs();
  for (OpOperand &init : style.getDpsInitsMutable())
    if (init.getOperandNumber() != next++)
      return nullptr;
  return style;
}

unsigned ops::defaultNumInputs(Operation *op) {
  DestinationStyleOpInterface style = inDestinationStyle(op);
  return style ? style.getNumDpsInputs() : op->getNumOperands();
}

unsigned ops::defaultNumOutputs(Operation *op) {
  DestinationStyleOpInterface style = inDestinationStyle(op);
  return style ? style.getNumDpsInits() : op->getNumResults();
}

Value ops::defaultOutput(Operation *op, unsigned index) {
  if (op->getNumResults() != 0)
    return op->getResult(index);
  return inDestinationStyle(op).getDpsInitOperand(index)->get();
}

bool ops::defaultIsMemrefForm(Operation *op) {
  return op->getNumResults() == 0 &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
}

std::optional<unsigned> ops::defaultDestination(Operation *op, unsigned index) {
  DestinationStyleOpInterface style = inDestinationStyle(op);
  if (!style || index >= unsigned(style.getNumDpsInits()))
    return std::nullopt;
  return style.getDpsInitOperand(index)->getOperandNumber();
}

/// Bytes of a value; 0 for a scalar.
static int64_t bytesOf(Value value) {
  return std::max<int64_t>(byteSizeOf(value.getType()), 0);
}

int64_t ops::defaultFlops(Operation *op) {
  auto plannable = cast<PlannableOpInterface>(op);
  if (plannable.getNumOutputs() == 0 || plannable.getBytesMoved() == 0)
    return 0;
  auto type = dyn_cast<ShapedType>(plannable.getOutputAt(0).getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

int64_t ops::defaultBytesMoved(Operation *op) {
  auto plannable = cast<PlannableOpInterface>(op);
  int64_t bytes = 0;
  bool isView = plannable.getNumOutputs() != 0;
  for (unsigned i = 0, n = plannable.getNumOutputs(); i < n; ++i) {
    bytes = addBytes(bytes, bytesOf(plannable.getOutputAt(i)));
    isView &= plannable.getViewSource(i).has_value();
  }
  if (isView)
    return 0;
  for (unsigned operand : readOperands(plannable))
    bytes = addBytes(bytes, bytesOf(op->getOperand(operand)));
  return bytes;
}

int64_t ops::defaultRunIndex(Operation *op) {
  auto run = op->getAttrOfType<IntegerAttr>(kRunAttrName);
  return run ? run.getInt() : 0;
}

static void markRun(OpBuilder &builder, Operation *op, int64_t run) {
  if (run != 0)
    op->setDiscardableAttr(kRunAttrName, builder.getI64IntegerAttr(run));
  else
    op->removeDiscardableAttr(kRunAttrName);
}

Operation *ops::createDestinationForm(OpBuilder &builder, Operation *op,
                                      ValueRange inputs, ValueRange outs,
                                      int64_t run) {
  SmallVector<Value> operands(inputs);
  llvm::append_range(operands, outs);
  Operation *made = mlir::clone(builder, op, TypeRange(), operands);
  markRun(builder, made, run);
  return made;
}

Operation *ops::cloneAsRun(OpBuilder &builder, Operation *op,
                           ValueRange operands, int64_t run) {
  Operation *made = mlir::clone(builder, op, op->getResultTypes(), operands);
  markRun(builder, made, run);
  return made;
}

SmallVector<unsigned> mlir::memplan::readOperands(PlannableOpInterface op) {
  SmallVector<unsigned> operands =
      llvm::to_vector(llvm::seq<unsigned>(op.getNumInputs()));
  for (unsigned i = 0, n = op.getNumOutputs(); i < n; ++i)
    if (std::optional<unsigned> destination = op.getDestinationOperand(i);
        destination && op.isDestinationRead(i))
      operands.push_back(*destination);
  return operands;
}
