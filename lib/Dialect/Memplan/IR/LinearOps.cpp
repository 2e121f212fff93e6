//===- LinearOps.cpp - Matrix products and table look-up ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;

/// The type of a product, from the adaptor of an operation that multiplies.
template <typename Adaptor>
static LogicalResult inferProduct(const ShapeErrors &errors, Adaptor adaptor,
                                  RankedTensorType &output) {
  if (failed(ops::checkRank(errors, adaptor.getLhs(), "lhs", 2)) ||
      failed(ops::checkRank(errors, adaptor.getRhs(), "rhs", 2)) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), adaptor.getLhs())))
    return failure();
  SmallVector<int64_t> lhs(shapeOf(adaptor.getLhs())),
      rhs(shapeOf(adaptor.getRhs()));
  if (adaptor.getTransposeLhs())
    std::swap(lhs.back(), lhs[lhs.size() - 2]);
  if (adaptor.getTransposeRhs())
    std::swap(rhs.back(), rhs[rhs.size() - 2]);
  if (lhs.back() != rhs[rhs.size() - 2])
    return errors.error(
        "multiplies ", lhs.back(), " columns of 'lhs' with ",
        rhs[rhs.size() - 2],
        " rows of 'rhs' (after transposes): ", adaptor.getLhs().getType(),
        " and ", adaptor.getRhs().getType());
  if (rhs.size() > 2 &&
      ArrayRef(lhs).drop_back(2) != ArrayRef(rhs).drop_back(2))
    return errors.error("leading dimensions of 'lhs' and 'rhs' differ: ",
                        adaptor.getLhs().getType(), " and ",
                        adaptor.getRhs().getType());
  lhs.back() = rhs.back();
  output = RankedTensorType::get(
      lhs, ops::tensorOf(adaptor.getLhs()).getElementType());
  return success();
}

/// The same where all rows of `lhs` meet one matrix, so that they are one
/// matrix themselves.
template <typename Adaptor>
static LogicalResult inferOneProduct(const ShapeErrors &errors, Adaptor adaptor,
                                     RankedTensorType &output) {
  if (shapeOf(adaptor.getRhs()).size() > 2 ||
      (adaptor.getTransposeLhs() && shapeOf(adaptor.getLhs()).size() > 2))
    return errors.error("is of one product, but 'lhs' and 'rhs' are ",
                        adaptor.getLhs().getType(), " and ",
                        adaptor.getRhs().getType());
  return inferProduct(errors, adaptor, output);
}

LogicalResult
MatmulOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                       SmallVectorImpl<RankedTensorType> &outputs) {
  RankedTensorType output;
  if (failed(inferProduct(errors, adaptor, output)) ||
      (adaptor.getBias() &&
       failed(checkVector(errors, adaptor.getBias(), "bias",
                          output.getShape().back(), "output columns"))))
    return failure();
  outputs.push_back(output);
  return success();
}

LogicalResult
MatmulGeluOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  RankedTensorType output;
  if (failed(inferOneProduct(errors, adaptor, output)) ||
      failed(checkVector(errors, adaptor.getBias(), "bias",
                         output.getShape().back(), "output columns")))
    return failure();
  outputs.assign(2, output);
  return success();
}

LogicalResult
MatmulGeluGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                               SmallVectorImpl<RankedTensorType> &outputs) {
  RankedTensorType output;
  if (failed(inferOneProduct(errors, adaptor, output)))
    return failure();
  if (ops::tensorOf(adaptor.getPreactivation()) != output)
    return errors.error("input 'preactivation' is ",
                        adaptor.getPreactivation().getType(),
                        ", but the product is ", output);
  outputs.push_back(output);
  outputs.push_back(RankedTensorType::get({output.getShape().back()},
                                          output.getElementType()));
  return success();
}

LogicalResult
MatmulBiasGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                               SmallVectorImpl<RankedTensorType> &outputs) {
  RankedTensorType output;
  if (failed(inferOneProduct(errors, adaptor, output)))
    return failure();
  if (output.getRank() > 2)
    return errors.error("input 'lhs' is ", adaptor.getLhs().getType(),
                        ", but must have 2 dimensions");
  outputs.push_back(output);
  outputs.push_back(
      RankedTensorType::get({output.getDimSize(adaptor.getSumRhs() ? 1 : 0)},
                            output.getElementType()));
  return success();
}

static LogicalResult checkTable(const ShapeErrors &errors, Value table) {
  if (shapeOf(table).size() == 2)
    return success();
  return errors.error("input 'table' is ", table.getType(),
                      ", but must have 2 dimensions");
}

LogicalResult
EmbeddingOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkTable(errors, adaptor.getTable())))
    return failure();
  SmallVector<int64_t> shape(shapeOf(adaptor.getIds()));
  shape.push_back(shapeOf(adaptor.getTable())[1]);
  outputs.push_back(RankedTensorType::get(
      shape, ops::tensorOf(adaptor.getTable()).getElementType()));
  return success();
}

LogicalResult
EmbeddingGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  ArrayRef<int64_t> grad = shapeOf(adaptor.getOutputGrad());
  if (grad.empty() || grad.drop_back() != shapeOf(adaptor.getIds()))
    return errors.error("input 'outputGrad' is ",
                        adaptor.getOutputGrad().getType(),
                        ", but must have the dimensions of 'ids', which is ",
                        adaptor.getIds().getType(), ", and one more");
  if (adaptor.getNumEmbeddings() < 1)
    return errors.error("attribute 'num_embeddings' is ",
                        adaptor.getNumEmbeddings(), ", but must be at least 1");
  outputs.push_back(RankedTensorType::get(
      {int64_t(adaptor.getNumEmbeddings()), grad.back()},
      ops::tensorOf(adaptor.getOutputGrad()).getElementType()));
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/LinearOps.cpp.inc"
