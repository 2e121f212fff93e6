//===- ReduceOps.cpp - Reductions and their opposites ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;

static RankedTensorType withShape(Value like, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, ops::tensorOf(like).getElementType());
}

/// `dims` rise strictly within [0, rank).
static LogicalResult checkDims(const ShapeErrors &errors,
                               ArrayRef<int64_t> dims, int64_t rank) {
  int64_t last = -1;
  for (int64_t dim : dims) {
    if (dim <= last || dim >= rank)
      return errors.error("attribute 'dims' is ", ops::listText(dims),
                          ", but must rise strictly within [0, ", rank, ")");
    last = dim;
  }
  return success();
}

static LogicalResult inferReduced(const ShapeErrors &errors, Value input,
                                  ArrayRef<int64_t> dims, bool keepDims,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  ArrayRef<int64_t> shape = shapeOf(input);
  if (failed(checkDims(errors, dims, shape.size())))
    return failure();
  SmallVector<int64_t> reduced;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!llvm::is_contained(dims, int64_t(dim)))
      reduced.push_back(size);
    else if (keepDims)
      reduced.push_back(1);
  }
  outputs.push_back(withShape(input, reduced));
  return success();
}

LogicalResult
ReduceSumOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  return inferReduced(errors, adaptor.getInput(), adaptor.getDims(),
                      adaptor.getKeepdims(), outputs);
}

LogicalResult
ReduceMeanOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  return inferReduced(errors, adaptor.getInput(), adaptor.getDims(),
                      adaptor.getKeepdims(), outputs);
}

/// The opposite of `inferReduced`: dimension `dims[k]` of the output has
/// `sizes[k]` elements.
static LogicalResult inferExpanded(const ShapeErrors &errors, Value input,
                                   ArrayRef<int64_t> dims,
                                   ArrayRef<int64_t> sizes, bool keepDims,
                                   SmallVectorImpl<RankedTensorType> &outputs) {
  ArrayRef<int64_t> shape = shapeOf(input);
  if (dims.size() != sizes.size())
    return errors.error("attribute 'dims' has ", dims.size(),
                        " elements, but 'sizes' has ", sizes.size());
  size_t rank = keepDims ? shape.size() : shape.size() + dims.size();
  if (failed(checkDims(errors, dims, rank)))
    return failure();
  SmallVector<int64_t> expanded;
  for (size_t dim = 0, next = 0, from = 0; dim < rank; ++dim) {
    if (next == dims.size() || dims[next] != int64_t(dim)) {
      expanded.push_back(shape[from++]);
      continue;
    }
    if (keepDims && shape[from++] != 1)
      return errors.error(
          "dimension ", dim, " of ", input.getType(),
          " must be 1, since 'dims' names it and there is 'keepdims'");
    if (sizes[next] < 1)
      return errors.error("attribute 'sizes' has ", sizes[next],
                          ", but must be at least 1");
    expanded.push_back(sizes[next++]);
  }
  outputs.push_back(withShape(input, expanded));
  return success();
}

LogicalResult
ReduceMeanGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                               SmallVectorImpl<RankedTensorType> &outputs) {
  return inferExpanded(errors, adaptor.getOutputGrad(), adaptor.getDims(),
                       adaptor.getSizes(), adaptor.getKeepdims(), outputs);
}

LogicalResult
BroadcastOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  return inferExpanded(errors, adaptor.getInput(), adaptor.getDims(),
                       adaptor.getSizes(), /*keepDims=*/false, outputs);
}

/// One number of all inputs.
static LogicalResult inferScalar(const ShapeErrors &errors, ValueRange inputs,
                                 SmallVectorImpl<RankedTensorType> &outputs) {
  if (inputs.empty())
    return errors.error("has no input, but must have at least 1");
  outputs.push_back(ops::statisticsOf(inputs.front(), {}));
  return success();
}

LogicalResult
GlobalNormOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  return inferScalar(errors, adaptor.getInputs(), outputs);
}

LogicalResult
NonFiniteOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  return inferScalar(errors, adaptor.getInputs(), outputs);
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/ReduceOps.cpp.inc"
