//===- GradientsNorm.cpp - Gradients of normalizations and losses *- C++ --===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"

using namespace mlir;
using namespace mlir::memplan;

LogicalResult ops::refuseStatisticGradients(Operation *op,
                                            ValueRange outputGrads) {
  for (auto [index, gradient] : llvm::enumerate(outputGrads))
    if (index > 0 && gradient)
      return op->emitOpError()
             << "has no gradient through output " << index
             << "; only output 0 may lead from a parameter to the loss";
  if (!outputGrads[0])
    return op->emitOpError() << "got no gradient for output 0";
  return success();
}

template <typename GradOp>
static void takeWanted(GradOp gradient, ArrayRef<bool> wanted,
                       SmallVectorImpl<Value> &inputGrads) {
  for (unsigned i = 0; i < 3; ++i)
    if (wanted[i])
      inputGrads[i] = gradient.getOutputAt(i);
}

LogicalResult BatchNormOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  if (failed(ops::refuseStatisticGradients(*this, outputGrads)))
    return failure();
  takeWanted(BatchNormGradOp::create(builder, getLoc(), outputGrads[0],
                                     getInput(), getScale(), getOutputAt(1),
                                     getOutputAt(2)),
             wanted, inputGrads);
  return success();
}

LogicalResult LayerNormOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  if (failed(ops::refuseStatisticGradients(*this, outputGrads)))
    return failure();
  takeWanted(LayerNormGradOp::create(builder, getLoc(), outputGrads[0],
                                     getInput(), getScale(), getOutputAt(1),
                                     getOutputAt(2)),
             wanted, inputGrads);
  return success();
}

LogicalResult
CrossEntropyOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &inputGrads) {
  if (failed(ops::refuseStatisticGradients(*this, outputGrads)))
    return failure();
  if (!wanted[0])
    return success();
  auto gradient = CrossEntropyGradOp::create(builder, getLoc(), getLogits(),
                                             getLabels(), getOutputAt(1),
                                             outputGrads[0], getIgnoreIndex());
  gradient.setSum(getSum());
  inputGrads[0] = gradient.getResult(0);
  return success();
}

/// The second argument of these losses is data.
static LogicalResult refuseTargetGradient(Operation *op,
                                          ArrayRef<bool> wanted) {
  if (wanted[1])
    return op->emitOpError() << "has no gradient for its target, but the "
                                "target depends on a parameter";
  return success();
}

LogicalResult
BCEWithLogitsOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                ArrayRef<bool> wanted,
                                SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = BCEWithLogitsGradOp::create(builder, getLoc(), getLogits(),
                                                getTarget(), outputGrads[0])
                        .getResult(0);
  return refuseTargetGradient(*this, wanted);
}

LogicalResult MSELossOp::buildGradients(OpBuilder &builder,
                                        ValueRange outputGrads,
                                        ArrayRef<bool> wanted,
                                        SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = MSELossGradOp::create(builder, getLoc(), getPrediction(),
                                          getTarget(), outputGrads[0])
                        .getResult(0);
  return refuseTargetGradient(*this, wanted);
}
