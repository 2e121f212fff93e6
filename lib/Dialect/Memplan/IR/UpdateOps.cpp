//===- UpdateOps.cpp - Optimizer updates ----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include <cmath>

using namespace mlir;
using namespace mlir::memplan;
using ops::tensorOf;

/// A step along something else than a finite, not negative rate turns every
/// parameter into NaN, or climbs the loss, without a word.
static LogicalResult checkRate(const ShapeErrors &errors, StringRef name,
                               double rate) {
  if (rate >= 0 && std::isfinite(rate))
    return success();
  return errors.error("attribute '", name, "' is ", rate,
                      ", but must be finite and not negative");
}

static LogicalResult checkDecay(const ShapeErrors &errors, StringRef name,
                                double beta) {
  if (beta >= 0 && beta < 1)
    return success();
  return errors.error("attribute '", name, "' is ", beta,
                      ", but must be in [0, 1)");
}

static LogicalResult checkScalar(const ShapeErrors &errors, StringRef name,
                                 Value value) {
  if (!value || ops::shapeOf(value).empty())
    return success();
  return errors.error("input '", name, "' is ", value.getType(),
                      ", but must be a scalar");
}

/// What all updates of parameters have.
template <typename Adaptor>
static LogicalResult checkRates(const ShapeErrors &errors, Adaptor adaptor) {
  return failure(
      failed(checkRate(errors, "lr", adaptor.getLr())) ||
      failed(checkRate(errors, "weight_decay", adaptor.getWeightDecay())) ||
      failed(checkScalar(errors, "skip", adaptor.getSkip())) ||
      failed(checkScalar(errors, "rate", adaptor.getRate())));
}

LogicalResult
SGDUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(tensorOf(adaptor.getParam()));
  if (failed(checkRates(errors, adaptor)))
    return failure();
  return ops::checkSameType(errors, "grad", adaptor.getGrad(), "param",
                            adaptor.getParam());
}

LogicalResult
SGDMomentumUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.append(2, tensorOf(adaptor.getParam()));
  if (failed(checkRates(errors, adaptor)) ||
      failed(checkRate(errors, "momentum", adaptor.getMomentum())) ||
      failed(ops::checkSameType(errors, "velocity", adaptor.getVelocity(),
                                "param", adaptor.getParam())))
    return failure();
  return ops::checkSameType(errors, "grad", adaptor.getGrad(), "param",
                            adaptor.getParam());
}

static LogicalResult checkCounter(const ShapeErrors &errors, StringRef name,
                                  Value counter) {
  if (ops::shapeOf(counter) == ArrayRef<int64_t>{1})
    return success();
  return errors.error("input '", name, "' is ", counter.getType(),
                      ", but must have 1 element in 1 dimension");
}

template <typename Adaptor>
static LogicalResult inferAdam(const ShapeErrors &errors, Adaptor adaptor,
                               SmallVectorImpl<RankedTensorType> &outputs) {
  Value param = adaptor.getParam();
  outputs.append(3, tensorOf(param));
  return failure(
      failed(ops::checkSameType(errors, "m", adaptor.getM(), "param", param)) ||
      failed(ops::checkSameType(errors, "v", adaptor.getV(), "param", param)) ||
      failed(ops::checkSameType(errors, "grad", adaptor.getGrad(), "param",
                                param)) ||
      failed(checkCounter(errors, "step", adaptor.getStep())) ||
      failed(checkRates(errors, adaptor)) ||
      failed(checkDecay(errors, "beta1", adaptor.getBeta1())) ||
      failed(checkDecay(errors, "beta2", adaptor.getBeta2())) ||
      failed(checkRate(errors, "epsilon", adaptor.getEpsilon())));
}

LogicalResult
AdamUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  return inferAdam(errors, adaptor, outputs);
}

LogicalResult
AdamWUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                            SmallVectorImpl<RankedTensorType> &outputs) {
  return inferAdam(errors, adaptor, outputs);
}

/// States and gradient have the type of the parameter; as many outputs as
/// there are states, and one.
static LogicalResult
inferLikeParam(const ShapeErrors &errors, Value param,
               ArrayRef<std::pair<StringRef, Value>> states, Value grad,
               SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.append(states.size() + 1, tensorOf(param));
  for (auto [name, state] : states)
    if (failed(ops::checkSameType(errors, name, state, "param", param)))
      return failure();
  return ops::checkSameType(errors, "grad", grad, "param", param);
}

LogicalResult
RMSpropUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  return failure(
      failed(inferLikeParam(errors, adaptor.getParam(), {{"v", adaptor.getV()}},
                            adaptor.getGrad(), outputs)) ||
      failed(checkRates(errors, adaptor)) ||
      failed(checkDecay(errors, "alpha", adaptor.getAlpha())) ||
      failed(checkRate(errors, "epsilon", adaptor.getEpsilon())));
}

LogicalResult RMSpropMomentumUpdateOp::inferOutputs(
    const ShapeErrors &errors, Adaptor adaptor,
    SmallVectorImpl<RankedTensorType> &outputs) {
  return failure(failed(inferLikeParam(errors, adaptor.getParam(),
                                       {{"v", adaptor.getV()},
                                        {"velocity", adaptor.getVelocity()}},
                                       adaptor.getGrad(), outputs)) ||
                 failed(checkRates(errors, adaptor)) ||
                 failed(checkRate(errors, "momentum", adaptor.getMomentum())) ||
                 failed(checkDecay(errors, "alpha", adaptor.getAlpha())) ||
                 failed(checkRate(errors, "epsilon", adaptor.getEpsilon())));
}

LogicalResult
AdagradUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  return failure(failed(inferLikeParam(errors, adaptor.getParam(),
                                       {{"sum", adaptor.getSum()}},
                                       adaptor.getGrad(), outputs)) ||
                 failed(checkRates(errors, adaptor)) ||
                 failed(checkRate(errors, "epsilon", adaptor.getEpsilon())));
}

LogicalResult
LionUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  return failure(
      failed(inferLikeParam(errors, adaptor.getParam(), {{"m", adaptor.getM()}},
                            adaptor.getGrad(), outputs)) ||
      failed(checkRates(errors, adaptor)) ||
      failed(checkDecay(errors, "beta1", adaptor.getBeta1())) ||
      failed(checkDecay(errors, "beta2", adaptor.getBeta2())));
}

LogicalResult
IncrementOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(tensorOf(adaptor.getStep()));
  return failure(failed(checkCounter(errors, "step", adaptor.getStep())) ||
                 failed(checkScalar(errors, "skip", adaptor.getSkip())));
}

/// A scale that grows is multiplied by more than 1, one that shrinks by less.
static LogicalResult checkFactor(const ShapeErrors &errors, StringRef name,
                                 double factor, bool grows) {
  if (std::isfinite(factor) && (grows ? factor > 1 : factor > 0 && factor < 1))
    return success();
  return errors.error("attribute '", name, "' is ", factor, ", but must be ",
                      grows ? "finite and above 1" : "in (0, 1)");
}

LogicalResult
LossScaleUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(tensorOf(adaptor.getScale()));
  outputs.push_back(tensorOf(adaptor.getGoodSteps()));
  if (adaptor.getGrowthInterval() < 1)
    return errors.error("attribute 'growth_interval' is ",
                        adaptor.getGrowthInterval(),
                        ", but must be at least 1");
  return failure(
      failed(checkScalar(errors, "scale", adaptor.getScale())) ||
      failed(checkCounter(errors, "goodSteps", adaptor.getGoodSteps())) ||
      failed(checkScalar(errors, "nonFinite", adaptor.getNonFinite())) ||
      failed(checkFactor(errors, "growth_factor", adaptor.getGrowthFactor(),
                         true)) ||
      failed(checkFactor(errors, "backoff_factor", adaptor.getBackoffFactor(),
                         false)));
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/UpdateOps.cpp.inc"
