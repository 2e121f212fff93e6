//===- GradientsShape.cpp - Shapes and reductions -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

// Names every size. Autodiff turns the batch dimension into -1, as only it
// knows which one that is.
LogicalResult ReshapeOp::buildGradients(OpBuilder &builder,
                                        ValueRange outputGrads,
                                        ArrayRef<bool> wanted,
                                        SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = ReshapeOp::create(builder, getLoc(), outputGrads[0],
                                      shapeOf(getInput()))
                        .getResult(0);
  return success();
}

LogicalResult TransposeOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  SmallVector<int64_t> inverse(getPerm().size());
  for (auto [to, from] : llvm::enumerate(getPerm()))
    inverse[from] = to;
  if (wanted[0])
    inputGrads[0] =
        TransposeOp::create(builder, getLoc(), outputGrads[0], inverse)
            .getResult(0);
  return success();
}

// A part that nothing reads has gradient zero.
LogicalResult SplitOp::buildGradients(OpBuilder &builder,
                                      ValueRange outputGrads,
                                      ArrayRef<bool> wanted,
                                      SmallVectorImpl<Value> &inputGrads) {
  if (!wanted[0])
    return success();
  SmallVector<Value> parts(outputGrads);
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (part)
      continue;
    auto type = cast<RankedTensorType>(getOutputAt(index).getType());
    part = ConstantOp::create(
               builder, getLoc(),
               DenseElementsAttr::get(
                   type, builder.getZeroAttr(type.getElementType())))
               .getResult(0);
  }
  inputGrads[0] =
      ConcatOp::create(builder, getLoc(), parts, getDim()).getResult(0);
  return success();
}

LogicalResult ConcatOp::buildGradients(OpBuilder &builder,
                                       ValueRange outputGrads,
                                       ArrayRef<bool> wanted,
                                       SmallVectorImpl<Value> &inputGrads) {
  SmallVector<int64_t> sizes;
  for (Value input : getInputs())
    sizes.push_back(shapeOf(input)[getDim()]);
  auto split =
      SplitOp::create(builder, getLoc(), outputGrads[0], getDim(), sizes);
  for (unsigned i = 0, e = wanted.size(); i < e; ++i)
    if (wanted[i])
      inputGrads[i] = split.getOutputAt(i);
  return success();
}

LogicalResult SliceOp::buildGradients(OpBuilder &builder,
                                      ValueRange outputGrads,
                                      ArrayRef<bool> wanted,
                                      SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] =
        SliceGradOp::create(builder, getLoc(), outputGrads[0], getDim(),
                            getStart(), shapeOf(getInput())[getDim()])
            .getResult(0);
  return success();
}

/// The sizes of `dims` in `shape`.
static SmallVector<int64_t> sizesOf(ArrayRef<int64_t> dims,
                                    ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return shape[dim]; });
}

LogicalResult ReduceSumOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  if (!wanted[0])
    return success();
  Value gradient = outputGrads[0];
  if (getKeepdims()) {
    SmallVector<int64_t> kept;
    for (auto [dim, size] : llvm::enumerate(shapeOf(gradient)))
      if (!llvm::is_contained(getDims(), int64_t(dim)))
        kept.push_back(size);
    gradient =
        ReshapeOp::create(builder, getLoc(), gradient, kept).getResult(0);
  }
  inputGrads[0] = BroadcastOp::create(builder, getLoc(), gradient, getDims(),
                                      sizesOf(getDims(), shapeOf(getInput())))
                      .getResult(0);
  return success();
}

LogicalResult ReduceMeanOp::buildGradients(OpBuilder &builder,
                                           ValueRange outputGrads,
                                           ArrayRef<bool> wanted,
                                           SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = ReduceMeanGradOp::create(
                        builder, getLoc(), outputGrads[0], getDims(),
                        sizesOf(getDims(), shapeOf(getInput())), getKeepdims())
                        .getResult(0);
  return success();
}

LogicalResult BroadcastOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = ReduceSumOp::create(builder, getLoc(), outputGrads[0],
                                        getDims(), /*keepdims=*/false)
                        .getResult(0);
  return success();
}
