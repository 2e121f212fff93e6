//===- UpdateOps.cpp - Optimizer updates ----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::tensorOf;

LogicalResult
SGDUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(tensorOf(adaptor.getParam()));
  return ops::checkSameType(errors, "grad", adaptor.getGrad(), "param",
                            adaptor.getParam());
}

LogicalResult
SGDMomentumUpdateOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.append(2, tensorOf(adaptor.getParam()));
  if (failed(ops::checkSameType(errors, "velocity", adaptor.getVelocity(),
                                "param", adaptor.getParam())))
    return failure();
  return ops::checkSameType(errors, "grad", adaptor.getGrad(), "param",
                            adaptor.getParam());
}

static LogicalResult checkStep(const ShapeErrors &errors, Value step) {
  if (ops::shapeOf(step) == ArrayRef<int64_t>{1})
    return success();
  return errors.error("input 'step' is ", step.getType(),
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
      failed(checkStep(errors, adaptor.getStep())));
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

LogicalResult
IncrementOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  outputs.push_back(tensorOf(adaptor.getStep()));
  return checkStep(errors, adaptor.getStep());
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/UpdateOps.cpp.inc"
