//===- GradientsConv.cpp - Gradients of convolutions and pooling *- C++ ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace mlir;
using namespace mlir::memplan;

/// Height and width of an image or filter.
static SmallVector<int64_t, 2> imageSize(Value value, bool channelsLast) {
  return ImageShape(value, channelsLast).size();
}

/// The output of an operation that allows TF32 where the forward pass does.
template <typename Made> static Value allowingTf32(Made made, bool tf32) {
  made.setTf32(tf32);
  return made.getResult(0);
}

/// The bias [O] of a convolution is added to every pixel of every sample.
static Value buildBiasGradient(OpBuilder &builder, Location loc,
                               Value outputGrad, bool channelsLast) {
  const int64_t height = channelsLast ? 1 : 2;
  return ReduceSumOp::create(builder, loc, outputGrad,
                             ArrayRef<int64_t>{0, height, height + 1},
                             /*keepdims=*/false)
      .getResult(0);
}

LogicalResult Conv2DOp::buildGradients(OpBuilder &builder,
                                       ValueRange outputGrads,
                                       ArrayRef<bool> wanted,
                                       SmallVectorImpl<Value> &inputGrads) {
  Location loc = getLoc();
  Value outputGrad = outputGrads[0];
  if (getRelu())
    outputGrad = ReluGradOp::create(builder, loc, getOutputAt(0), outputGrad)
                     .getResult(0);
  if (wanted[0]) {
    // A stride that does not divide the padded size leaves rows that no window
    // reaches; their number is what the transposed convolution has to add.
    const bool last = getChannelsLast();
    const SmallVector<int64_t, 2> grad = imageSize(outputGrad, last),
                                  kernel = imageSize(getFilter(), last),
                                  image = imageSize(getInput(), last);
    SmallVector<int64_t, 2> outputPadding;
    for (unsigned i = 0; i < 2; ++i) {
      int64_t reached = (grad[i] - 1) * getStrides()[i] - 2 * getPadding()[i] +
                        getDilation()[i] * (kernel[i] - 1) + 1;
      outputPadding.push_back(image[i] - reached);
    }
    inputGrads[0] = allowingTf32(
        Conv2DInputGradOp::create(
            builder, loc, outputGrad, getFilter(), getStrides(), getPadding(),
            getDilation(), getGroups(), getChannelsLast(), outputPadding),
        getTf32());
  }
  if (wanted[1])
    inputGrads[1] = allowingTf32(
        Conv2DFilterGradOp::create(builder, loc, getInput(), outputGrad,
                                   getStrides(), getPadding(), getDilation(),
                                   getGroups(), getChannelsLast(),
                                   imageSize(getFilter(), getChannelsLast())),
        getTf32());
  if (getBias() && wanted[2])
    inputGrads[2] =
        buildBiasGradient(builder, loc, outputGrad, getChannelsLast());
  return success();
}

// The transposed convolution is the input gradient of a convolution with the
// same filter, so its own gradients are that convolution and the filter
// gradient with the two images exchanged.
LogicalResult
ConvTranspose2DOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                  ArrayRef<bool> wanted,
                                  SmallVectorImpl<Value> &inputGrads) {
  Location loc = getLoc();
  Value outputGrad = outputGrads[0];
  if (wanted[0])
    inputGrads[0] = allowingTf32(
        Conv2DOp::create(builder, loc, outputGrad, getFilter(),
                         /*bias=*/Value(), getStrides(), getPadding(),
                         getDilation(), getGroups(), getChannelsLast()),
        getTf32());
  if (wanted[1])
    inputGrads[1] = allowingTf32(
        Conv2DFilterGradOp::create(builder, loc, outputGrad, getInput(),
                                   getStrides(), getPadding(), getDilation(),
                                   getGroups(), getChannelsLast(),
                                   imageSize(getFilter(), getChannelsLast())),
        getTf32());
  if (getBias() && wanted[2])
    inputGrads[2] =
        buildBiasGradient(builder, loc, outputGrad, getChannelsLast());
  return success();
}

LogicalResult MaxPool2DOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] =
        MaxPool2DGradOp::create(
            builder, getLoc(), outputGrads[0], getOutputAt(1), getKernel(),
            getStrides(), getPadding(), getDilation(),
            imageSize(getInput(), getChannelsLast()), getChannelsLast())
            .getResult(0);
  return success();
}

LogicalResult AvgPool2DOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] =
        AvgPool2DGradOp::create(
            builder, getLoc(), outputGrads[0], getKernel(), getStrides(),
            getPadding(), getCountIncludePad(),
            imageSize(getInput(), getChannelsLast()), getChannelsLast())
            .getResult(0);
  return success();
}

LogicalResult
AdaptiveAvgPool2DOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &inputGrads) {
  if (wanted[0])
    inputGrads[0] =
        AdaptiveAvgPool2DGradOp::create(
            builder, getLoc(), outputGrads[0],
            imageSize(getInput(), getChannelsLast()), getChannelsLast())
            .getResult(0);
  return success();
}
