//===- LossOps.cpp - Losses -----------------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "Windows.h"

#include "mlir/IR/PatternMatch.h"

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
  outputs.push_back(adaptor.getWideLoss() ? ops::statisticsOf(logits, {})
                                          : scalarOf(logits));
  outputs.push_back(ops::statisticsOf(logits, shapeOf(logits)[0]));
  return success();
}

/// The cast from 16 bits to f32 that makes `value`, or null.
static CastOp wideningOf(Value value) {
  auto cast = value.getDefiningOp<CastOp>();
  const bool widens = cast && mayFold(cast) &&
                      tensorOf(value).getElementType().isF32() &&
                      !tensorOf(cast.getInput()).getElementType().isF32();
  return widens ? cast : CastOp();
}

/// A loss in f32 of widened logits reads them as they are.
LogicalResult CrossEntropyOp::canonicalize(CrossEntropyOp op,
                                           PatternRewriter &rewriter) {
  CastOp widening = wideningOf(op.getLogits());
  if (!widening || !mayFold(op))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.getLogitsMutable().assign(widening.getInput());
    op.setWideLoss(true);
  });
  return success();
}

/// The gradient of widened logits that is cast back is rounded where it is
/// computed.
LogicalResult CastOp::canonicalize(CastOp op, PatternRewriter &rewriter) {
  auto gradient = op.getInput().getDefiningOp<CrossEntropyGradOp>();
  CastOp widening = gradient ? wideningOf(gradient.getLogits()) : CastOp();
  if (!widening || !gradient->hasOneUse() || !mayFold(op) ||
      !mayFold(gradient) ||
      widening.getInput().getType() != op.getOutputAt(0).getType())
    return failure();
  auto made = CrossEntropyGradOp::create(
      rewriter, gradient.getLoc(), widening.getInput(), gradient.getLabels(),
      gradient.getLogsumexp(), gradient.getLossGrad(),
      gradient.getIgnoreIndex());
  made.setSum(gradient.getSum());
  made->setDiscardableAttrs(gradient->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, made.getResult(0));
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
