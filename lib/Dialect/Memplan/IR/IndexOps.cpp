//===- IndexOps.cpp - Places along a dimension ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;
using ops::tensorOf;

/// `axis` as a dimension of a tensor of `rank`.
static int64_t dimensionOf(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// The shape of `value` with `size` elements along `axis`.
static SmallVector<int64_t> resized(Value value, int64_t axis, int64_t size) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape[dimensionOf(axis, shape.size())] = size;
  return shape;
}

static LogicalResult checkShape(const ShapeErrors &errors, StringRef name,
                                Value value, ArrayRef<int64_t> shape,
                                StringRef otherName, Value other) {
  if (shapeOf(value) == shape)
    return success();
  return errors.error("input '", name, "' is ", value.getType(),
                      ", but must have the shape ", ops::listText(shape),
                      ", as '", otherName, "' is ", other.getType());
}

static LogicalResult checkSize(const ShapeErrors &errors, int64_t size) {
  if (size >= 1)
    return success();
  return errors.error("attribute 'size' is ", size, ", but must be at least 1");
}

LogicalResult TopKOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                   SmallVectorImpl<RankedTensorType> &outputs) {
  Value input = adaptor.getInput();
  if (failed(ops::checkAxis(errors, adaptor.getAxis(), "axis", input)))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(input);
  const int64_t length = shape[dimensionOf(adaptor.getAxis(), shape.size())];
  const int64_t k = adaptor.getK();
  if (k < 1 || k > length)
    return errors.error("attribute 'k' is ", k, ", but must be in [1, ", length,
                        "], the size of dimension ", adaptor.getAxis(), " of ",
                        input.getType());
  SmallVector<int64_t> chosen = resized(input, adaptor.getAxis(), k);
  outputs.push_back(
      RankedTensorType::get(chosen, tensorOf(input).getElementType()));
  outputs.push_back(
      RankedTensorType::get(chosen, IntegerType::get(input.getContext(), 64)));
  return success();
}

LogicalResult
GatherOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                       SmallVectorImpl<RankedTensorType> &outputs) {
  Value input = adaptor.getInput(), indices = adaptor.getIndices();
  if (failed(ops::checkAxis(errors, adaptor.getAxis(), "axis", input)))
    return failure();
  ArrayRef<int64_t> given = shapeOf(indices);
  if (given.size() != shapeOf(input).size())
    return errors.error("input 'indices' is ", indices.getType(),
                        ", but must have ", shapeOf(input).size(),
                        " dimensions, as 'input', which is ", input.getType());
  const int64_t count = given[dimensionOf(adaptor.getAxis(), given.size())];
  if (failed(checkShape(errors, "indices", indices,
                        resized(input, adaptor.getAxis(), count), "input",
                        input)))
    return failure();
  outputs.push_back(
      RankedTensorType::get(given, tensorOf(input).getElementType()));
  return success();
}

LogicalResult
GatherGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  Value indices = adaptor.getIndices(), grad = adaptor.getOutputGrad();
  if (failed(ops::checkAxis(errors, adaptor.getAxis(), "axis", indices)) ||
      failed(checkSize(errors, adaptor.getSize())) ||
      failed(checkShape(errors, "outputGrad", grad, shapeOf(indices), "indices",
                        indices)))
    return failure();
  outputs.push_back(RankedTensorType::get(
      resized(indices, adaptor.getAxis(), adaptor.getSize()),
      tensorOf(grad).getElementType()));
  return success();
}

LogicalResult
ScatterOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                        SmallVectorImpl<RankedTensorType> &outputs) {
  Value indices = adaptor.getIndices(), source = adaptor.getSource();
  if (failed(ops::checkAxis(errors, adaptor.getAxis(), "axis", indices)) ||
      failed(checkSize(errors, adaptor.getSize())) ||
      failed(checkShape(errors, "source", source, shapeOf(indices), "indices",
                        indices)))
    return failure();
  auto type = RankedTensorType::get(
      resized(indices, adaptor.getAxis(), adaptor.getSize()),
      tensorOf(source).getElementType());
  if (Value base = adaptor.getBase(); base && tensorOf(base) != type)
    return errors.error("input 'base' is ", base.getType(), ", but must be ",
                        type, ", the type of the output");
  outputs.push_back(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

LogicalResult TopKOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                     ArrayRef<bool> wanted,
                                     SmallVectorImpl<Value> &inputGrads) {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  if (wanted[0] && outputGrads[0])
    inputGrads[0] = ScatterOp::create(
                        builder, getLoc(), getIndices(), outputGrads[0],
                        /*base=*/Value(),
                        shape[dimensionOf(getAxis(), shape.size())], getAxis())
                        .getResult(0);
  return success();
}

LogicalResult GatherOp::buildGradients(OpBuilder &builder,
                                       ValueRange outputGrads,
                                       ArrayRef<bool> wanted,
                                       SmallVectorImpl<Value> &inputGrads) {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  if (wanted[0])
    inputGrads[0] = GatherGradOp::create(
                        builder, getLoc(), getIndices(), outputGrads[0],
                        shape[dimensionOf(getAxis(), shape.size())], getAxis())
                        .getResult(0);
  return success();
}

// Where two indices of a line are equal, both sources get the gradient of the
// element that only the last one gave. PyTorch does the same.
LogicalResult ScatterOp::buildGradients(OpBuilder &builder,
                                        ValueRange outputGrads,
                                        ArrayRef<bool> wanted,
                                        SmallVectorImpl<Value> &inputGrads) {
  if (wanted[1])
    inputGrads[1] = GatherOp::create(builder, getLoc(), outputGrads[0],
                                     getIndices(), getAxis())
                        .getResult(0);
  if (!getBase() || !wanted[2])
    return success();
  RankedTensorType type = tensorOf(getSource());
  Value zeros =
      ConstantOp::create(builder, getLoc(),
                         DenseElementsAttr::get(
                             type, builder.getZeroAttr(type.getElementType())))
          .getResult(0);
  inputGrads[2] = ScatterOp::create(builder, getLoc(), getIndices(), zeros,
                                    outputGrads[0], getSize(), getAxis())
                      .getResult(0);
  return success();
}

LogicalResult CumSumOp::buildGradients(OpBuilder &builder,
                                       ValueRange outputGrads,
                                       ArrayRef<bool> wanted,
                                       SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = CumSumOp::create(builder, getLoc(), outputGrads[0],
                                     getAxis(), !getReverse())
                        .getResult(0);
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/IndexOps.cpp.inc"
