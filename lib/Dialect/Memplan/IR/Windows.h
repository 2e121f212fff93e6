//===- Windows.h - Shapes of convolution and pooling ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_DIALECT_MEMPLAN_IR_WINDOWS_H
#define MEMPLAN_LIB_DIALECT_MEMPLAN_IR_WINDOWS_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"

namespace mlir::memplan {

/// How a window moves over an image, as pairs (height, width).
struct Window {
  ArrayRef<int64_t> kernel, strides, padding, dilation;

  /// All pairs have two elements in a range in which no sum below can overflow.
  LogicalResult check(const ShapeErrors &errors) const;
  /// The positions of the window in an image of `size` (height, width).
  LogicalResult shrink(const ShapeErrors &errors, ArrayRef<int64_t> size,
                       SmallVectorImpl<int64_t> &result) const;
  /// The image from which `shrink` makes `size`, with `outputPadding` of the
  /// rows that the stride leaves out.
  LogicalResult grow(const ShapeErrors &errors, ArrayRef<int64_t> size,
                     ArrayRef<int64_t> outputPadding,
                     SmallVectorImpl<int64_t> &result) const;
};

/// The sizes of an image [N,C,H,W] or a filter [O,C,kh,kw], or of [N,H,W,C] and
/// [O,kh,kw,C].
struct ImageShape {
  ImageShape(int64_t batch, int64_t channels, ArrayRef<int64_t> size)
      : batch(batch), channels(channels), height(size[0]), width(size[1]) {}
  /// The shape of `value`, which has four dimensions.
  ImageShape(Value value, bool channelsLast);

  RankedTensorType type(Type elementType, bool channelsLast) const;
  SmallVector<int64_t, 2> size() const { return {height, width}; }

  int64_t batch, channels, height, width;
};

/// `value` is an image, of four dimensions.
LogicalResult checkImage(const ShapeErrors &errors, Value value,
                         StringRef name);
/// `value` has one element for each of `size` channels.
LogicalResult checkVector(const ShapeErrors &errors, Value value,
                          StringRef name, int64_t size, StringRef what);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_IR_WINDOWS_H
