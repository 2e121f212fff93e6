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

/// Windows over planes [h, w] that give planes [ho, wo].
struct Pool2dGeometry {
  int64_t planes, h, w, ho, wo;
  Pair kernel, strides, padding, dilation;

  Pool2dGeometry(const memplan_launch_t *launch, const memplan_tensor_t &image,
                 const memplan_tensor_t &pooled)
      : planes(image.shape[0] * image.shape[1]), h(image.shape[2]),
        w(image.shape[3]), ho(pooled.shape[2]), wo(pooled.shape[3]),
        kernel(pairAttribute(launch, "kernel", 1)),
        strides(pairAttribute(launch, "strides", 1)),
        padding(pairAttribute(launch, "padding", 0)),
        dilation(pairAttribute(launch, "dilation", 1)) {}
};

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
  return check.shape(
      pooled, "the pooled image",
      {image.shape[0], image.shape[1],
       size(g.h, g.kernel.h, g.strides.h, g.padding.h, g.dilation.h),
       size(g.w, g.kernel.w, g.strides.w, g.padding.w, g.dilation.w)});
}

/// For gradients: the attribute `input_size` names the image's last dimensions.
inline bool checkInputSize(Checker &check, const memplan_launch_t *launch,
                           const memplan_tensor_t &image) {
  if (!check.rank(image, "the image", 4) ||
      !check.ints("input_size", 2, 0, false))
    return false;
  Pair size = pairAttribute(launch, "input_size", 0);
  return check.require(
      size.h == image.shape[2] && size.w == image.shape[3],
      "attribute 'input_size' differs from the output's last dimensions");
}

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_POOL2DGEOMETRY_H
