//===- Conv2dGeometry.h - The sizes of a two-dimensional convolution ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CONV2DGEOMETRY_H
#define MEMPLAN_LIB_KERNELS_CONV2DGEOMETRY_H

#include "Checker.h"

namespace memplan::runtime::kernels {

/// A convolution from an image [n, c, h, w] with a filter [o, c/groups, kh, kw]
/// to a result [n, o, ho, wo], or all three with channels last. Its two
/// gradients and the transposed convolution speak of the same convolution.
struct Conv2dGeometry {
  int64_t n = 0, c = 0, h = 0, w = 0;
  int64_t o = 0, kh = 0, kw = 0;
  int64_t ho = 0, wo = 0;
  int64_t groups = 1;
  bool channelsLast = false; ///< [n, h, w, c], [o, kh, kw, c/groups]
  Pair strides{1, 1}, padding{0, 0}, dilation{1, 1};

  int64_t channelsPerGroup() const { return c / groups; }
  int64_t outputsPerGroup() const { return o / groups; }
};

/// Elements from one index to the next of an image, filter or result, in the
/// order n, c, h, w.
struct Strides4 {
  int64_t n, c, h, w;
};
inline Strides4 denseStrides(int64_t c, int64_t h, int64_t w,
                             bool channelsLast) {
  return channelsLast ? Strides4{c * h * w, 1, w * c, c}
                      : Strides4{c * h * w, h * w, w, 1};
}

/// Attributes common to the convolutions: strides, padding, dilation >= 1, 0, 1
/// and groups >= 1.
bool checkConv2dAttributes(Checker &check, const memplan_launch_t *launch);

/// Reads the attributes and the three shapes.
Conv2dGeometry conv2dGeometry(const memplan_launch_t *launch,
                              const memplan_tensor_t &image,
                              const memplan_tensor_t &filter,
                              const memplan_tensor_t &result);

/// The three shapes fit each other: channels, groups, and ho and wo being what
/// the strides, padding and dilation make of h and w.
bool checkConv2dShapes(Checker &check, const memplan_launch_t *launch,
                       const memplan_tensor_t &image,
                       const memplan_tensor_t &filter,
                       const memplan_tensor_t &result);

/// Positions `x` of [0, results) for which x * stride + offset is in [0, size).
struct Span {
  int64_t begin, end;
};
inline Span validPositions(int64_t results, int64_t size, int64_t stride,
                           int64_t offset) {
  int64_t begin = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
  int64_t end = size > offset ? (size - offset + stride - 1) / stride : 0;
  end = end < results ? end : results;
  return {begin, end < begin ? begin : end};
}

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_CONV2DGEOMETRY_H
