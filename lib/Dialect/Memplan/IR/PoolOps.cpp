//===- PoolOps.cpp - Pooling ----------------------------------------------===//
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

static RankedTensorType resized(Value image, bool channelsLast,
                                ArrayRef<int64_t> size,
                                Type elementType = Type()) {
  const ImageShape shape(image, channelsLast);
  return ImageShape(shape.batch, shape.channels, size)
      .type(elementType ? elementType : ops::tensorOf(image).getElementType(),
            channelsLast);
}

/// PyTorch's rule, without which a window could lie in the padding alone.
static LogicalResult checkPoolWindow(const ShapeErrors &errors,
                                     const Window &window) {
  if (failed(window.check(errors)))
    return failure();
  for (int i = 0; i < 2; ++i)
    if (window.padding[i] > window.kernel[i] / 2)
      return errors.error("attribute 'padding' has ", window.padding[i],
                          ", but must be at most half of kernel ",
                          window.kernel[i]);
  return success();
}

/// A position in the window must fit into i8.
static LogicalResult checkMaxWindow(const ShapeErrors &errors,
                                    const Window &window) {
  if (failed(checkPoolWindow(errors, window)))
    return failure();
  if (window.kernel[0] * window.kernel[1] <= 127)
    return success();
  return errors.error(
      "attribute 'kernel' has ", window.kernel[0], "x", window.kernel[1],
      " elements, but the position of one of at most 127 fits into i8");
}

/// The gradient's image has the size in which the window has as many positions
/// as `outputGrad`.
static LogicalResult checkImageSize(const ShapeErrors &errors,
                                    const Window &window,
                                    ArrayRef<int64_t> size,
                                    const ImageShape &outputGrad) {
  if (size[0] < 1 || size[1] < 1)
    return errors.error("attribute 'input_size' is ", size[0], "x", size[1],
                        ", but must be at least 1x1");
  SmallVector<int64_t> positions;
  if (failed(window.shrink(errors, size, positions)))
    return failure();
  if (outputGrad.size() == positions)
    return success();
  return errors.error("input 'outputGrad' has size ", outputGrad.height, "x",
                      outputGrad.width, ", but the window has ", positions[0],
                      "x", positions[1], " positions in 'input_size' ", size[0],
                      "x", size[1]);
}

static const int64_t noDilation[] = {1, 1};

LogicalResult
MaxPool2DOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  Window window{adaptor.getKernel(), adaptor.getStrides(), adaptor.getPadding(),
                adaptor.getDilation()};
  SmallVector<int64_t> size;
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkMaxWindow(errors, window)) ||
      failed(window.shrink(
          errors,
          ImageShape(adaptor.getInput(), adaptor.getChannelsLast()).size(),
          size)))
    return failure();
  Type position = IntegerType::get(adaptor.getInput().getContext(), 8);
  outputs.push_back(
      resized(adaptor.getInput(), adaptor.getChannelsLast(), size));
  outputs.push_back(
      resized(adaptor.getInput(), adaptor.getChannelsLast(), size, position));
  return success();
}

LogicalResult
MaxPool2DGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  Window window{adaptor.getKernel(), adaptor.getStrides(), adaptor.getPadding(),
                adaptor.getDilation()};
  if (failed(checkImage(errors, adaptor.getOutputGrad(), "outputGrad")) ||
      failed(checkMaxWindow(errors, window)) ||
      failed(checkImageSize(
          errors, window, adaptor.getInputSize(),
          ImageShape(adaptor.getOutputGrad(), adaptor.getChannelsLast()))))
    return failure();
  if (shapeOf(adaptor.getIndices()) != shapeOf(adaptor.getOutputGrad()))
    return errors.error("input 'indices' is ", adaptor.getIndices().getType(),
                        ", but must have the shape of 'outputGrad', which is ",
                        adaptor.getOutputGrad().getType());
  outputs.push_back(resized(adaptor.getOutputGrad(), adaptor.getChannelsLast(),
                            adaptor.getInputSize()));
  return success();
}

LogicalResult
AvgPool2DOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  Window window{adaptor.getKernel(), adaptor.getStrides(), adaptor.getPadding(),
                noDilation};
  SmallVector<int64_t> size;
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkPoolWindow(errors, window)) ||
      failed(window.shrink(
          errors,
          ImageShape(adaptor.getInput(), adaptor.getChannelsLast()).size(),
          size)))
    return failure();
  outputs.push_back(
      resized(adaptor.getInput(), adaptor.getChannelsLast(), size));
  return success();
}

LogicalResult
AvgPool2DGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  Window window{adaptor.getKernel(), adaptor.getStrides(), adaptor.getPadding(),
                noDilation};
  if (failed(checkImage(errors, adaptor.getOutputGrad(), "outputGrad")) ||
      failed(checkPoolWindow(errors, window)) ||
      failed(checkImageSize(
          errors, window, adaptor.getInputSize(),
          ImageShape(adaptor.getOutputGrad(), adaptor.getChannelsLast()))))
    return failure();
  outputs.push_back(resized(adaptor.getOutputGrad(), adaptor.getChannelsLast(),
                            adaptor.getInputSize()));
  return success();
}

static LogicalResult inferAdaptive(const ShapeErrors &errors, Value image,
                                   bool channelsLast, StringRef imageName,
                                   StringRef sizeName, ArrayRef<int64_t> size,
                                   SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, image, imageName)))
    return failure();
  if (size[0] < 1 || size[1] < 1)
    return errors.error("attribute '", sizeName, "' is ", size[0], "x", size[1],
                        ", but must be at least 1x1");
  outputs.push_back(resized(image, channelsLast, size));
  return success();
}

LogicalResult
AdaptiveAvgPool2DOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  return inferAdaptive(errors, adaptor.getInput(), adaptor.getChannelsLast(),
                       "input", "output_size", adaptor.getOutputSize(),
                       outputs);
}

LogicalResult AdaptiveAvgPool2DGradOp::inferOutputs(
    const ShapeErrors &errors, Adaptor adaptor,
    SmallVectorImpl<RankedTensorType> &outputs) {
  return inferAdaptive(errors, adaptor.getOutputGrad(),
                       adaptor.getChannelsLast(), "outputGrad", "input_size",
                       adaptor.getInputSize(), outputs);
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/PoolOps.cpp.inc"
