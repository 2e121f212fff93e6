//===- NormOps.cpp - Batch and layer normalization ------------------------===//
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

/// An operand and its name, for checks over several.
using NamedOperand = std::pair<StringRef, Value>;

static LogicalResult checkVectors(const ShapeErrors &errors,
                                  ArrayRef<NamedOperand> operands, int64_t size,
                                  StringRef what) {
  for (auto [name, value] : operands)
    if (failed(checkVector(errors, value, name, size, what)))
      return failure();
  return success();
}

static LogicalResult checkEpsilon(const ShapeErrors &errors, double epsilon) {
  if (epsilon > 0 && epsilon < 1)
    return success();
  return errors.error("attribute 'epsilon' is ", epsilon,
                      ", but must be between 0 and 1");
}

LogicalResult
BatchNormOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  Value input = adaptor.getInput();
  if (failed(ops::checkRank(errors, input, "input", 2)) ||
      failed(checkEpsilon(errors, adaptor.getEpsilon())))
    return failure();
  int64_t channels = shapeOf(input)[1];
  if (failed(checkVectors(
          errors, {{"scale", adaptor.getScale()}, {"bias", adaptor.getBias()}},
          channels, "channels")))
    return failure();
  if (ops::elements(input) == channels)
    return errors.error(
        "input 'input' is ", input.getType(),
        ", but the variance of a channel needs more than 1 element");
  outputs.push_back(tensorOf(input));
  outputs.append(3, ops::statisticsOf(input, {channels}));
  return success();
}

LogicalResult
BatchNormGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  Value input = adaptor.getInput();
  if (failed(ops::checkRank(errors, input, "input", 2)) ||
      failed(ops::checkSameType(errors, "outputGrad", adaptor.getOutputGrad(),
                                "input", input)))
    return failure();
  int64_t channels = shapeOf(input)[1];
  if (failed(checkVectors(errors,
                          {{"scale", adaptor.getScale()},
                           {"mean", adaptor.getMean()},
                           {"invstd", adaptor.getInvstd()}},
                          channels, "channels")))
    return failure();
  outputs.push_back(tensorOf(input));
  outputs.append(2, tensorOf(adaptor.getScale()));
  return success();
}

LogicalResult BatchNormUpdateStatsOp::inferOutputs(
    const ShapeErrors &errors, Adaptor adaptor,
    SmallVectorImpl<RankedTensorType> &outputs) {
  Value first = adaptor.getRunningMean();
  if (shapeOf(first).size() != 1)
    return errors.error("input 'runningMean' is ", first.getType(),
                        ", but must have 1 dimension");
  if (!(adaptor.getMomentum() >= 0 && adaptor.getMomentum() <= 1))
    return errors.error("attribute 'momentum' is ", adaptor.getMomentum(),
                        ", but must be in [0, 1]");
  for (auto [name, value] : {NamedOperand("mean", adaptor.getMean()),
                             NamedOperand("variance", adaptor.getVariance())})
    if (shapeOf(value) != shapeOf(first))
      return errors.error("input '", name, "' is ", value.getType(),
                          ", but must have the shape of 'runningMean', which "
                          "is ",
                          first.getType());
  if (failed(ops::checkSameType(errors, "runningVar", adaptor.getRunningVar(),
                                "runningMean", first)))
    return failure();
  outputs.append(2, tensorOf(first));
  return success();
}

LogicalResult
LayerNormOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  Value input = adaptor.getInput();
  if (failed(ops::checkRank(errors, input, "input", 1)) ||
      failed(checkEpsilon(errors, adaptor.getEpsilon())) ||
      failed(checkVectors(
          errors, {{"scale", adaptor.getScale()}, {"bias", adaptor.getBias()}},
          shapeOf(input).back(), "elements of a row")))
    return failure();
  outputs.push_back(tensorOf(input));
  outputs.append(2, ops::statisticsOf(input, shapeOf(input).drop_back()));
  return success();
}

LogicalResult
LayerNormGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  Value input = adaptor.getInput();
  if (failed(ops::checkRank(errors, input, "input", 1)) ||
      failed(ops::checkSameType(errors, "outputGrad", adaptor.getOutputGrad(),
                                "input", input)) ||
      failed(checkVectors(errors, {{"scale", adaptor.getScale()}},
                          shapeOf(input).back(), "elements of a row")))
    return failure();
  for (auto [name, value] : {NamedOperand("mean", adaptor.getMean()),
                             NamedOperand("rstd", adaptor.getRstd())})
    if (shapeOf(value) != shapeOf(input).drop_back())
      return errors.error(
          "input '", name, "' is ", value.getType(),
          ", but must have the leading dimensions of 'input', which is ",
          input.getType());
  outputs.push_back(tensorOf(input));
  outputs.append(2, tensorOf(adaptor.getScale()));
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/NormOps.cpp.inc"
