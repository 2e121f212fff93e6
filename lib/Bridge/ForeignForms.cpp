//===- ForeignForms.cpp - Other dialects in the planned form --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignForms.h"
#include "ForeignValues.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::memplan;

Value NoRunCopies::copyOf(Value value) {
  Value &copy = copies[value];
  if (!copy) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointToStart(body);
    copy = builder.clone(*value.getDefiningOp())->getResult(0);
  }
  return copy;
}

Value NoRunCopies::bufferOf(Value value) {
  Value &buffer = buffers[value];
  if (!buffer) {
    Value copy = copyOf(value);
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfter(copy.getDefiningOp());
    auto type = cast<RankedTensorType>(value.getType());
    buffer = bufferization::ToBufferOp::create(
        builder, value.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()), copy,
        /*read_only=*/true);
  }
  return buffer;
}

void NoRunCopies::replaceCaptures(Operation *op) {
  for (Value value : capturedValues(op))
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
      if (op->isProperAncestor(use.getOwner()))
        use.set(copyOf(value));
}

Operation *mlir::memplan::createOnTensors(OpBuilder &builder,
                                          PlannableOpInterface op,
                                          ValueRange operands, ValueRange outs,
                                          int64_t run) {
  SmallVector<Value> tensors;
  for (auto [operand, old] : llvm::zip_equal(operands, op->getOperands())) {
    if (!isa<MemRefType>(operand.getType())) {
      tensors.push_back(operand);
      continue;
    }
    tensors.push_back(bufferization::ToTensorOp::create(
        builder, op.getLoc(), old.getType(), operand, /*restrict=*/true,
        /*writable=*/llvm::is_contained(outs, operand)));
  }
  Operation *made = op.createRecomputation(builder, tensors, run);
  for (auto [result, out] : llvm::zip_equal(made->getResults(), outs))
    bufferization::MaterializeInDestinationOp::create(
        builder, op.getLoc(), /*result=*/Type(), result, out, /*restrict=*/true,
        /*writable=*/true);
  return made;
}
