//===- GradientsElementwise.cpp - Activations, arithmetic -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::reduceTo;

// Where the derivative follows from the output alone, the gradient reads the
// output: then the input may be overwritten by it.
#define MEMPLAN_GRADIENT_FROM(OpName, VALUE, ...)                              \
  LogicalResult OpName##Op::buildGradients(                                    \
      OpBuilder &builder, ValueRange outputGrads, ArrayRef<bool> wanted,       \
      SmallVectorImpl<Value> &inputGrads) {                                    \
    if (wanted[0])                                                             \
      inputGrads[0] =                                                          \
          OpName##GradOp::create(builder, getLoc(), VALUE,                     \
                                 outputGrads[0] __VA_OPT__(, ) __VA_ARGS__)    \
              .getResult(0);                                                   \
    return success();                                                          \
  }
MEMPLAN_GRADIENT_FROM(Relu, getOutputAt(0))
MEMPLAN_GRADIENT_FROM(Clamp, getOutputAt(0), getMin(), getMax())
MEMPLAN_GRADIENT_FROM(Sigmoid, getOutputAt(0))
MEMPLAN_GRADIENT_FROM(Tanh, getOutputAt(0))
MEMPLAN_GRADIENT_FROM(Softmax, getOutputAt(0), getAxis())
MEMPLAN_GRADIENT_FROM(Gelu, getInput(), getApproximate())
MEMPLAN_GRADIENT_FROM(Silu, getInput())
#undef MEMPLAN_GRADIENT_FROM

Value ops::reduceTo(OpBuilder &builder, Location loc, Value gradient,
                    Type type) {
  ArrayRef<int64_t> from = cast<ShapedType>(gradient.getType()).getShape();
  ArrayRef<int64_t> to = cast<ShapedType>(type).getShape();
  size_t extra = from.size() - to.size();
  if (extra > 0)
    gradient =
        ReduceSumOp::create(builder, loc, gradient,
                            llvm::to_vector(llvm::seq<int64_t>(0, extra)),
                            /*keepdims=*/false)
            .getResult(0);
  SmallVector<int64_t> stretched;
  for (auto [dim, size] : llvm::enumerate(to))
    if (size == 1 && from[extra + dim] != 1)
      stretched.push_back(dim);
  if (!stretched.empty())
    gradient = ReduceSumOp::create(builder, loc, gradient, stretched,
                                   /*keepdims=*/true)
                   .getResult(0);
  return gradient;
}

static Value negate(OpBuilder &builder, Location loc, Value value) {
  return ScaleOp::create(builder, loc, value, -1.0).getResult(0);
}

LogicalResult AddOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &inputGrads) {
  for (unsigned i = 0; i < 2; ++i)
    if (wanted[i])
      inputGrads[i] =
          reduceTo(builder, getLoc(), outputGrads[0], getOperand(i).getType());
  return success();
}

LogicalResult AccumulateOp::buildGradients(OpBuilder &builder,
                                           ValueRange outputGrads,
                                           ArrayRef<bool> wanted,
                                           SmallVectorImpl<Value> &inputGrads) {
  for (unsigned i = 0; i < 2; ++i)
    if (wanted[i])
      inputGrads[i] = outputGrads[0];
  return success();
}

LogicalResult SubOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] =
        reduceTo(builder, getLoc(), outputGrads[0], getLhs().getType());
  // Reduced before it is negated: the smaller tensor is the cheaper one.
  if (wanted[1])
    inputGrads[1] =
        negate(builder, getLoc(),
               reduceTo(builder, getLoc(), outputGrads[0], getRhs().getType()));
  return success();
}

LogicalResult MulOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &inputGrads) {
  for (unsigned i = 0; i < 2; ++i) {
    if (!wanted[i])
      continue;
    Value product =
        MulOp::create(builder, getLoc(), outputGrads[0], getOperand(1 - i))
            .getResult(0);
    inputGrads[i] =
        reduceTo(builder, getLoc(), product, getOperand(i).getType());
  }
  return success();
}

// y = a / b: da = dy / b, db = -dy * y / b.
LogicalResult DivOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &inputGrads) {
  Location loc = getLoc();
  if (!wanted[0] && !wanted[1])
    return success();
  Value quotient =
      DivOp::create(builder, loc, outputGrads[0], getRhs()).getResult(0);
  if (wanted[0])
    inputGrads[0] = reduceTo(builder, loc, quotient, getLhs().getType());
  if (wanted[1]) {
    Value product =
        MulOp::create(builder, loc, quotient, getOutputAt(0)).getResult(0);
    inputGrads[1] = negate(builder, loc,
                           reduceTo(builder, loc, product, getRhs().getType()));
  }
  return success();
}

LogicalResult CastOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                     ArrayRef<bool> wanted,
                                     SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = CastOp::create(builder, getLoc(), outputGrads[0],
                                   ops::realNameOf(getInput()))
                        .getResult(0);
  return success();
}

LogicalResult ScaleOp::buildGradients(OpBuilder &builder,
                                      ValueRange outputGrads,
                                      ArrayRef<bool> wanted,
                                      SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] =
        ScaleOp::create(builder, getLoc(), outputGrads[0], getFactor())
            .getResult(0);
  return success();
}

// A masked element does not depend on the input.
LogicalResult CausalMaskOp::buildGradients(OpBuilder &builder,
                                           ValueRange outputGrads,
                                           ArrayRef<bool> wanted,
                                           SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = CausalMaskOp::create(builder, getLoc(), outputGrads[0], 0.0)
                        .getResult(0);
  return success();
}

// The mask is a function of the seed, so the gradient draws it again instead of
// keeping it.
LogicalResult DropoutOp::buildGradients(OpBuilder &builder,
                                        ValueRange outputGrads,
                                        ArrayRef<bool> wanted,
                                        SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] = DropoutOp::create(builder, getLoc(), outputGrads[0],
                                      getSeed(), getP(), getSalt())
                        .getResult(0);
  return success();
}
