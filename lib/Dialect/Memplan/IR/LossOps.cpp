//===- LossOps.cpp - Losses -----------------------------------------------===//
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
using ops::tensorOf;

static RankedTensorType scalarOf(Value like) {
  return RankedTensorType::get({}, tensorOf(like).getElementType());
}

static LogicalResult checkScalar(const ShapeErrors &errors, Value value) {
  if (shapeOf(value).empty())
    return success();
  return errors.error("input 'lossGrad' is ", value.getType(),
                      ", but must have no dimension");
}

static LogicalResult checkRows(const ShapeErrors &errors, Value logits,
                               Value perRow, StringRef name) {
  if (shapeOf(logits).size() != 2)
    return errors.error("input 'logits' is ", logits.getType(),
                        ", but must have 2 dimensions");
  return checkVector(errors, perRow, name, shapeOf(logits)[0],
                     "rows of 'logits'");
}

LogicalResult
CrossEntropyOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                             SmallVectorImpl<RankedTensorType> &outputs) {
  Value logits = adaptor.getLogits();
  if (failed(checkRows(errors, logits, adaptor.getLabels(), "labels")))
    return failure();
  outputs.push_back(scalarOf(logits));
  outputs.push_back(ops::statisticsOf(logits, shapeOf(logits)[0]));
  return success();
}

LogicalResult
CrossEntropyGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                 SmallVectorImpl<RankedTensorType> &outputs) {
  Value logits = adaptor.getLogits();
  if (failed(checkRows(errors, logits, adaptor.getLabels(), "labels")) ||
      failed(checkRows(errors, logits, adaptor.getLogsumexp(), "logsumexp")) ||
      failed(checkScalar(errors, adaptor.getLossGrad())))
    return failure();
  outputs.push_back(tensorOf(logits));
  return success();
}

LogicalResult
BCEWithLogitsOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(scalarOf(adaptor.getLogits()));
  return ops::checkSameType(errors, "target", adaptor.getTarget(), "logits",
                            adaptor.getLogits());
}

LogicalResult
BCEWithLogitsGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(tensorOf(adaptor.getLogits()));
  if (failed(checkScalar(errors, adaptor.getLossGrad())))
    return failure();
  return ops::checkSameType(errors, "target", adaptor.getTarget(), "logits",
                            adaptor.getLogits());
}

LogicalResult
MSELossOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                        SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(scalarOf(adaptor.getPrediction()));
  return ops::checkSameType(errors, "target", adaptor.getTarget(), "prediction",
                            adaptor.getPrediction());
}

LogicalResult
MSELossGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                            SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(tensorOf(adaptor.getPrediction()));
  if (failed(checkScalar(errors, adaptor.getLossGrad())))
    return failure();
  return ops::checkSameType(errors, "target", adaptor.getTarget(), "prediction",
                            adaptor.getPrediction());
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/LossOps.cpp.inc"
