//===- ElementwiseOps.cpp - Arithmetic, masks and dropout -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static LogicalResult
inferBroadcast(const ShapeErrors &errors, Value lhs, Value rhs,
               SmallVectorImpl<RankedTensorType> &outputs) {
  ArrayRef<int64_t> shorter = shapeOf(lhs), longer = shapeOf(rhs);
  if (shorter.size() > longer.size())
    std::swap(shorter, longer);
  SmallVector<int64_t> shape(longer);
  size_t shift = longer.size() - shorter.size();
  for (auto [index, size] : llvm::enumerate(shorter)) {
    int64_t &other = shape[shift + index];
    if (size != other && size != 1 && other != 1)
      return errors.error("cannot broadcast ", lhs.getType(), " and ",
                          rhs.getType(), ": dimension ", shift + index,
                          " of the result would be both ", size, " and ",
                          other);
    other = std::max(size, other);
  }
  outputs.push_back(
      RankedTensorType::get(shape, ops::tensorOf(lhs).getElementType()));
  return success();
}

LogicalResult AddOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  return inferBroadcast(errors, adaptor.getLhs(), adaptor.getRhs(), outputs);
}
LogicalResult SubOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  return inferBroadcast(errors, adaptor.getLhs(), adaptor.getRhs(), outputs);
}
LogicalResult MulOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  return inferBroadcast(errors, adaptor.getLhs(), adaptor.getRhs(), outputs);
}
LogicalResult DivOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  return inferBroadcast(errors, adaptor.getLhs(), adaptor.getRhs(), outputs);
}

LogicalResult CastOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                   SmallVectorImpl<RankedTensorType> &outputs) {
  Value input = adaptor.getInput();
  FloatType element = ops::realTypeOf(input.getContext(), adaptor.getElement());
  if (!element)
    return errors.error("attribute 'element' is \"", adaptor.getElement(),
                        "\", but must be f32, bf16 or f16");
  outputs.push_back(RankedTensorType::get(shapeOf(input), element));
  return success();
}

LogicalResult ops::checkDropout(const ShapeErrors &errors, double p,
                                Value seed) {
  if (!(p >= 0 && p < 1))
    return errors.error("attribute 'p' is ", p, ", but must be in [0, 1)");
  if (shapeOf(seed) != ArrayRef<int64_t>{1})
    return errors.error("input 'seed' is ", seed.getType(),
                        ", but must have 1 element in 1 dimension");
  return success();
}

LogicalResult
DropoutOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                        SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(ops::checkDropout(errors, adaptor.getP(), adaptor.getSeed())))
    return failure();
  outputs.push_back(ops::tensorOf(adaptor.getInput()));
  return success();
}

LogicalResult
EncodeBF16Op::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  if (!ops::tensorOf(adaptor.getInput()).getElementType().isF32())
    return errors.error("input 'input' is ", adaptor.getInput().getType(),
                        ", but only f32 is encoded");
  SmallVector<int64_t> shape(shapeOf(adaptor.getInput()));
  shape.push_back(2);
  auto byte = IntegerType::get(adaptor.getInput().getContext(), 8);
  outputs.push_back(RankedTensorType::get(shape, byte));
  return success();
}

LogicalResult
DecodeBF16Op::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  ArrayRef<int64_t> shape = shapeOf(adaptor.getInput());
  if (shape.empty() || shape.back() != 2)
    return errors.error("input 'input' is ", adaptor.getInput().getType(),
                        ", but its last dimension must be the 2 bytes of an "
                        "element");
  auto element = Float32Type::get(adaptor.getInput().getContext());
  outputs.push_back(RankedTensorType::get(shape.drop_back(), element));
  return success();
}

//===----------------------------------------------------------------------===//
// Folds. Each gives the same bits (but for the quiet bit of a signalling NaN).
//===----------------------------------------------------------------------===//

/// Replaces `op` by `value` where `neutral` is the constant that changes no bit
/// of it.
static LogicalResult foldNeutral(Operation *op, Value value, Value other,
                                 float neutral,
                                 SmallVectorImpl<OpFoldResult> &results) {
  if (!mayFold(op) || !isSplat(other, neutral) ||
      value.getType() != op->getResultTypes()[0])
    return failure();
  results.push_back(value);
  return success();
}

// -0.0 and not 0.0: -0.0 + 0.0 is 0.0.
LogicalResult AddOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  return success(
      succeeded(foldNeutral(*this, getLhs(), getRhs(), -0.0f, results)) ||
      succeeded(foldNeutral(*this, getRhs(), getLhs(), -0.0f, results)));
}
LogicalResult AccumulateOp::fold(FoldAdaptor,
                                 SmallVectorImpl<OpFoldResult> &results) {
  return success(
      succeeded(foldNeutral(*this, getLhs(), getRhs(), -0.0f, results)) ||
      succeeded(foldNeutral(*this, getRhs(), getLhs(), -0.0f, results)));
}
LogicalResult SubOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  return foldNeutral(*this, getLhs(), getRhs(), 0.0f, results);
}
LogicalResult MulOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  return success(
      succeeded(foldNeutral(*this, getLhs(), getRhs(), 1.0f, results)) ||
      succeeded(foldNeutral(*this, getRhs(), getLhs(), 1.0f, results)));
}
LogicalResult DivOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  return foldNeutral(*this, getLhs(), getRhs(), 1.0f, results);
}

LogicalResult CastOp::fold(FoldAdaptor,
                           SmallVectorImpl<OpFoldResult> &results) {
  if (!mayFold(*this))
    return failure();
  Type wanted = ops::tensorOf(getOutput());
  // Wider and back again.
  auto inner = getInput().getDefiningOp<CastOp>();
  Value source = inner && mayFold(inner) && inner.getElement() == "f32"
                     ? inner.getInput()
                     : getInput();
  if (source.getType() != wanted)
    return failure();
  results.push_back(source);
  return success();
}

LogicalResult ScaleOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (!mayFold(*this) || getFactor() != 1.0)
    return failure();
  results.push_back(getInput());
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/ElementwiseOps.cpp.inc"
