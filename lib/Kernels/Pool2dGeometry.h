//===- Pool2dGeometry.h - The windows of two-dimensional pooling ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_POOL2DGEOMETRY_H
#define MEMPLAN_LIB_KERNELS_POOL2DGEOMETRY_H

#include "Checker.h"

#include <algorithm>

namespace memplan::runtime::kernels {

/// Windows over planes [h, w] that give planes [ho, wo]; one plane is a channel
/// of a sample.
struct Pool2dGeometry {
  int64_t planes, h, w, ho, wo;
  int64_t interleaved; ///< planes whose pixels alternate in memory
  Pair kernel, strides, padding, dilation;

  Pool2dGeometry(const memplan_launch_t *launch, const memplan_tensor_t &image,
                 const memplan_tensor_t &pooled)
      : planes(image.shape[0] * image.shape[channelDim(launch)]),
        h(image.shape[heightDim(launch)]),
        w(image.shape[heightDim(launch) + 1]),
        ho(pooled.shape[heightDim(launch)]),
        wo(pooled.shape[heightDim(launch) + 1]),
        interleaved(hasChannelsLast(launch) ? image.shape[3] : 1),
        kernel(pairAttribute(launch, "kernel", 1)),
        strides(pairAttribute(launch, "strides", 1)),
        padding(pairAttribute(launch, "padding", 0)),
        dilation(pairAttribute(launch, "dilation", 1)) {}
};

/// The element at which a plane begins, of planes of `pixels`.
inline int64_t firstPixel(int64_t plane, int64_t pixels, int64_t interleaved) {
  return plane / interleaved * interleaved * pixels + plane % interleaved;
}

/// `image` has the samples and channels of `other`, and `h` rows of `w` pixels.
inline bool checkImageLike(Checker &check, const memplan_launch_t *launch,
                           const memplan_tensor_t &image, const char *name,
                           const memplan_tensor_t &other, int64_t h,
                           int64_t w) {
  const int64_t n = other.shape[0], c = other.shape[channelDim(launch)];
  return hasChannelsLast(launch) ? check.shape(image, name, {n, h, w, c})
                                 : check.shape(image, name, {n, c, h, w});
}

/// Kernel, strides, padding and dilation are sound, and the shapes fit them.
inline bool checkPool2d(Checker &check, const memplan_launch_t *launch,
                        const memplan_tensor_t &image,
                        const memplan_tensor_t &pooled) {
  if (!check.rank(image, "the image", 4) ||
      !check.rank(pooled, "the pooled image", 4) ||
      !check.ints("kernel", 2, 1, false) ||
      !check.ints("strides", 2, 1, true) ||
      !check.ints("padding", 2, 0, true) || !check.ints("dilation", 2, 1, true))
    return false;
  Pool2dGeometry g(launch, image, pooled);
  Pair window{(g.kernel.h - 1) * g.dilation.h + 1,
              (g.kernel.w - 1) * g.dilation.w + 1};
  // More padding would make windows without any pixel.
  if (!check.require(2 * g.padding.h <= window.h && 2 * g.padding.w <= window.w,
                     "the padding is more than half of the window"))
    return false;
  auto size = [](int64_t size, int64_t kernel, int64_t stride, int64_t padding,
                 int64_t dilation) {
    int64_t room = size + 2 * padding - dilation * (kernel - 1) - 1;
    return room < 0 ? int64_t(-1) : room / stride + 1;
  };
  return checkImageLike(
      check, launch, pooled, "the pooled image", image,
      size(g.h, g.kernel.h, g.strides.h, g.padding.h, g.dilation.h),
      size(g.w, g.kernel.w, g.strides.w, g.padding.w, g.dilation.w));
}

/// For gradients: the attribute `input_size` names the image's height and
/// width.
inline bool checkInputSize(Checker &check, const memplan_launch_t *launch,
                           const memplan_tensor_t &image) {
  if (!check.rank(image, "the image", 4) ||
      !check.ints("input_size", 2, 0, false))
    return false;
  Pair size = pairAttribute(launch, "input_size", 0);
  const int64_t *last = image.shape + heightDim(launch);
  return check.require(
      size.h == last[0] && size.w == last[1],
      "attribute 'input_size' differs from the output's height and width");
}

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_POOL2DGEOMETRY_H
