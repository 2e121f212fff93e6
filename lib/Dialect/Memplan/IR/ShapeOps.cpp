//===- ShapeOps.cpp - Views and data movement -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;
using ops::tensorOf;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static RankedTensorType withShape(Value like, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, tensorOf(like).getElementType());
}

/// Unlike an axis of a softmax, `dim` counts from the front: it is compared and
/// computed with.
static LogicalResult checkDim(const ShapeErrors &errors, int64_t dim,
                              Value value) {
  int64_t rank = shapeOf(value).size();
  if (dim >= 0 && dim < rank)
    return success();
  return errors.error("attribute 'dim' is ", dim, ", but must be in [0, ", rank,
                      ") for ", value.getType());
}

LogicalResult
ReshapeOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                        SmallVectorImpl<RankedTensorType> &outputs) {
  SmallVector<int64_t> shape(adaptor.getShape());
  int64_t total = ops::elements(adaptor.getInput()), known = 1;
  int64_t *open = nullptr;
  for (int64_t &size : shape) {
    if (size == -1 && !open) {
      open = &size;
      continue;
    }
    if (size < 1)
      return errors.error(
          "attribute 'shape' has ", size,
          ", but its dimensions must be at least 1, and one of them may be -1");
    known = ops::multiplyBytes(known, size);
  }
  if (open ? total % known != 0 : total != known)
    return errors.error("cannot reshape ", adaptor.getInput().getType(), " (",
                        total, " elements) to ",
                        ops::listText(adaptor.getShape()), " (",
                        open ? "a multiple of " : "", known, " elements)");
  if (open)
    *open = total / known;
  outputs.push_back(withShape(adaptor.getInput(), shape));
  return success();
}

LogicalResult
SplitOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                      SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkDim(errors, adaptor.getDim(), adaptor.getInput())))
    return failure();
  SmallVector<int64_t> shape(shapeOf(adaptor.getInput()));
  int64_t full = shape[adaptor.getDim()], sum = 0;
  for (int64_t size : adaptor.getSizes()) {
    if (size < 1)
      return errors.error("attribute 'sizes' has ", size,
                          ", but every part must have at least 1 element");
    sum = ops::addBytes(sum, size);
    shape[adaptor.getDim()] = size;
    outputs.push_back(withShape(adaptor.getInput(), shape));
  }
  if (sum == full)
    return success();
  return errors.error("attribute 'sizes' adds up to ", sum, ", but dimension ",
                      adaptor.getDim(), " of the input is ", full);
}

LogicalResult
SliceOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                      SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkDim(errors, adaptor.getDim(), adaptor.getInput())))
    return failure();
  SmallVector<int64_t> shape(shapeOf(adaptor.getInput()));
  int64_t full = shape[adaptor.getDim()], start = adaptor.getStart(),
          size = adaptor.getSize();
  if (start < 0 || size < 1 || start > full || size > full - start)
    return errors.error("takes ", size, " elements from ", start,
                        " on, but dimension ", adaptor.getDim(),
                        " of the input is ", full);
  shape[adaptor.getDim()] = size;
  outputs.push_back(withShape(adaptor.getInput(), shape));
  return success();
}

LogicalResult
SliceGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  Value grad = adaptor.getOutputGrad();
  if (failed(checkDim(errors, adaptor.getDim(), grad)))
    return failure();
  SmallVector<int64_t> shape(shapeOf(grad));
  int64_t full = adaptor.getFullSize(), start = adaptor.getStart(),
          size = shape[adaptor.getDim()];
  if (start < 0 || start > full || size > full - start)
    return errors.error("puts ", size, " elements from ", start,
                        " on, but 'full_size' is ", full);
  shape[adaptor.getDim()] = full;
  outputs.push_back(withShape(grad, shape));
  return success();
}

LogicalResult
TransposeOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  ArrayRef<int64_t> shape = shapeOf(adaptor.getInput()),
                    perm = adaptor.getPerm();
  if (!isPermutationVector(perm) || perm.size() != shape.size())
    return errors.error("attribute 'perm' is ", ops::listText(perm),
                        ", but must be a permutation of the ", shape.size(),
                        " dimensions of ", adaptor.getInput().getType());
  SmallVector<int64_t> permuted;
  for (int64_t dim : perm)
    permuted.push_back(shape[dim]);
  outputs.push_back(withShape(adaptor.getInput(), permuted));
  return success();
}

LogicalResult
ConcatOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                       SmallVectorImpl<RankedTensorType> &outputs) {
  if (adaptor.getInputs().empty())
    return errors.error("must have at least 1 input");
  Value first = adaptor.getInputs().front();
  int64_t dim = adaptor.getDim(), sum = 0;
  if (failed(checkDim(errors, dim, first)))
    return failure();
  RankedTensorType type = tensorOf(first);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [index, input] : llvm::enumerate(adaptor.getInputs())) {
    ArrayRef<int64_t> other = shapeOf(input);
    if (tensorOf(input).getElementType() != type.getElementType() ||
        other.size() != shape.size() ||
        other.take_front(dim) != type.getShape().take_front(dim) ||
        other.drop_front(dim + 1) != type.getShape().drop_front(dim + 1))
      return errors.error("input #", index, " is ", input.getType(),
                          ", but must agree with input #0, which is ",
                          first.getType(), ", in all but dimension ", dim);
    sum = ops::addBytes(sum, other[dim]);
  }
  shape[dim] = sum;
  outputs.push_back(withShape(first, shape));
  return success();
}

LogicalResult IotaOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                   SmallVectorImpl<RankedTensorType> &outputs) {
  if (adaptor.getSize() < 1)
    return errors.error("attribute 'size' is ", adaptor.getSize(),
                        ", but must be at least 1");
  MLIRContext *context = adaptor.getSizeAttr().getContext();
  outputs.push_back(RankedTensorType::get({int64_t(adaptor.getSize())},
                                          IntegerType::get(context, 64)));
  return success();
}

LogicalResult
ConstantOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                         SmallVectorImpl<RankedTensorType> &outputs) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  auto isValueType = [](Type element) {
    return ops::isRealType(element) || element.isInteger(64) ||
           element.isInteger(8);
  };
  if (!type || !ops::isDense(type, isValueType))
    return errors.error("attribute 'value' is of type ",
                        adaptor.getValue().getType(),
                        ", but must be a statically shaped tensor of f32, "
                        "bf16, f16, i64 or i8");
  if (!isa<DenseElementsAttr>(adaptor.getValue()))
    return errors.error(
        "attribute 'value' must hold its elements: 'dense<...>'");
  outputs.push_back(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::fold(FoldAdaptor,
                              SmallVectorImpl<OpFoldResult> &results) {
  if (!mayFold(*this))
    return failure();
  if (getInput().getType() == getOutput().getType()) {
    results.push_back(getInput());
    return success();
  }
  auto inner = getInput().getDefiningOp<ReshapeOp>();
  if (!inner || !mayFold(inner))
    return failure();
  getInputMutable().assign(inner.getInput());
  return success();
}

LogicalResult TransposeOp::fold(FoldAdaptor,
                                SmallVectorImpl<OpFoldResult> &results) {
  if (!mayFold(*this))
    return failure();
  if (llvm::equal(getPerm(), llvm::seq<int64_t>(0, getPerm().size()))) {
    results.push_back(getInput());
    return success();
  }
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (!inner || !mayFold(inner))
    return failure();
  SmallVector<int64_t> composed;
  for (int64_t dim : getPerm())
    composed.push_back(inner.getPerm()[dim]);
  setPerm(composed);
  getInputMutable().assign(inner.getInput());
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/ShapeOps.cpp.inc"
