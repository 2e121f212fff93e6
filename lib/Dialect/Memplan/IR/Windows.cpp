//===- Windows.cpp - Shapes of convolution and pooling --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace mlir;
using namespace mlir::memplan;

// Dimensions and attributes stay below this, so that their products with each
// other fit into int64_t.
static constexpr int64_t largest = int64_t(1) << 30;

static LogicalResult checkPair(const ShapeErrors &errors, StringRef name,
                               ArrayRef<int64_t> pair, int64_t smallest) {
  if (pair.size() != 2)
    return errors.error("attribute '", name, "' has ", pair.size(),
                        " elements, but must have 2 (height, width)");
  for (int64_t value : pair)
    if (value < smallest || value > largest)
      return errors.error("attribute '", name, "' has ", value,
                          ", but must be in [", smallest, ", ", largest, "]");
  return success();
}

LogicalResult Window::check(const ShapeErrors &errors) const {
  return failure(failed(checkPair(errors, "kernel", kernel, 1)) ||
                 failed(checkPair(errors, "strides", strides, 1)) ||
                 failed(checkPair(errors, "padding", padding, 0)) ||
                 failed(checkPair(errors, "dilation", dilation, 1)));
}

LogicalResult Window::shrink(const ShapeErrors &errors, ArrayRef<int64_t> size,
                             SmallVectorImpl<int64_t> &result) const {
  if (failed(check(errors)))
    return failure();
  for (int i = 0; i < 2; ++i) {
    StringRef axis = i == 0 ? "height" : "width";
    if (size[i] > largest)
      return errors.error("image ", axis, " is ", size[i],
                          ", but must be at most ", largest);
    int64_t reach = dilation[i] * (kernel[i] - 1) + 1;
    int64_t padded = size[i] + 2 * padding[i];
    if (padded < reach)
      return errors.error("window of ", axis, " ", reach, " (kernel ",
                          kernel[i], ", dilation ", dilation[i],
                          ") is larger than the padded image of ", axis, " ",
                          padded);
    result.push_back((padded - reach) / strides[i] + 1);
  }
  return success();
}

LogicalResult Window::grow(const ShapeErrors &errors, ArrayRef<int64_t> size,
                           ArrayRef<int64_t> outputPadding,
                           SmallVectorImpl<int64_t> &result) const {
  if (failed(check(errors)) ||
      failed(checkPair(errors, "output_padding", outputPadding, 0)))
    return failure();
  for (int i = 0; i < 2; ++i) {
    StringRef axis = i == 0 ? "height" : "width";
    if (size[i] > largest)
      return errors.error("image ", axis, " is ", size[i],
                          ", but must be at most ", largest);
    if (outputPadding[i] >= std::max(strides[i], dilation[i]))
      return errors.error("attribute 'output_padding' has ", outputPadding[i],
                          " for ", axis, ", but must be less than stride ",
                          strides[i], " or dilation ", dilation[i]);
    int64_t grown = (size[i] - 1) * strides[i] - 2 * padding[i] +
                    dilation[i] * (kernel[i] - 1) + 1 + outputPadding[i];
    if (grown < 1)
      return errors.error("computes an image of ", axis, " ", grown,
                          ", but it must be at least 1");
    result.push_back(grown);
  }
  return success();
}

ImageShape::ImageShape(Value value, bool channelsLast)
    : batch(ops::shapeOf(value)[0]),
      channels(ops::shapeOf(value)[channelsLast ? 3 : 1]),
      height(ops::shapeOf(value)[channelsLast ? 1 : 2]),
      width(ops::shapeOf(value)[channelsLast ? 2 : 3]) {}

RankedTensorType ImageShape::type(Type elementType, bool channelsLast) const {
  return channelsLast ? RankedTensorType::get({batch, height, width, channels},
                                              elementType)
                      : RankedTensorType::get({batch, channels, height, width},
                                              elementType);
}

LogicalResult memplan::checkImage(const ShapeErrors &errors, Value value,
                                  StringRef name) {
  if (ops::shapeOf(value).size() == 4)
    return success();
  return errors.error("input '", name, "' is ", value.getType(),
                      ", but must have 4 dimensions");
}

LogicalResult memplan::checkVector(const ShapeErrors &errors, Value value,
                                   StringRef name, int64_t size,
                                   StringRef what) {
  if (ops::shapeOf(value) == ArrayRef(size))
    return success();
  return errors.error("input '", name, "' is ", value.getType(),
                      ", but must have one element for each of the ", size, " ",
                      what);
}
