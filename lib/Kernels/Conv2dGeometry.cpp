//===- Conv2dGeometry.cpp - The sizes of a two-dimensional convolution ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv2dGeometry.h"

namespace memplan::runtime::kernels {

bool checkConv2dAttributes(Checker &check, const memplan_launch_t *launch) {
  return check.ints("strides", 2, 1, true) &&
         check.ints("padding", 2, 0, true) &&
         check.ints("dilation", 2, 1, true) &&
         check.require(
             intAttribute(launch, "groups", 1) >= 1,
             "attribute 'groups' is %lld",
             static_cast<long long>(intAttribute(launch, "groups", 1)));
}

Conv2dGeometry conv2dGeometry(const memplan_launch_t *launch,
                              const memplan_tensor_t &image,
                              const memplan_tensor_t &filter,
                              const memplan_tensor_t &result) {
  Conv2dGeometry g;
  g.channelsLast = hasChannelsLast(launch);
  const int height = g.channelsLast ? 1 : 2;
  g.n = image.shape[0];
  g.c = image.shape[channelDim(launch)];
  g.h = image.shape[height];
  g.w = image.shape[height + 1];
  g.o = filter.shape[0];
  g.kh = filter.shape[height];
  g.kw = filter.shape[height + 1];
  g.ho = result.shape[height];
  g.wo = result.shape[height + 1];
  g.groups = intAttribute(launch, "groups", 1);
  g.strides = pairAttribute(launch, "strides", 1);
  g.padding = pairAttribute(launch, "padding", 0);
  g.dilation = pairAttribute(launch, "dilation", 1);
  return g;
}

/// floor((size + 2 padding - dilation (kernel - 1) - 1) / stride) + 1, or -1
/// when the window does not fit.
static int64_t convolvedSize(int64_t size, int64_t kernel, int64_t stride,
                             int64_t padding, int64_t dilation) {
  int64_t room = size + 2 * padding - dilation * (kernel - 1) - 1;
  return room < 0 ? -1 : room / stride + 1;
}

bool checkConv2dShapes(Checker &check, const memplan_launch_t *launch,
                       const memplan_tensor_t &image,
                       const memplan_tensor_t &filter,
                       const memplan_tensor_t &result) {
  if (!check.rank(image, "the image", 4) ||
      !check.rank(filter, "the filter", 4) ||
      !check.rank(result, "the result", 4))
    return false;
  Conv2dGeometry g = conv2dGeometry(launch, image, filter, result);
  if (!check.require(g.c % g.groups == 0 && g.o % g.groups == 0,
                     "%lld channels and %lld filters do not divide into %lld "
                     "groups",
                     static_cast<long long>(g.c), static_cast<long long>(g.o),
                     static_cast<long long>(g.groups)))
    return false;
  int64_t ho = convolvedSize(g.h, g.kh, g.strides.h, g.padding.h, g.dilation.h);
  int64_t wo = convolvedSize(g.w, g.kw, g.strides.w, g.padding.w, g.dilation.w);
  const int64_t cg = g.c / g.groups;
  return g.channelsLast
             ? check.shape(filter, "the filter", {g.o, g.kh, g.kw, cg}) &&
                   check.shape(result, "the result", {g.n, ho, wo, g.o})
             : check.shape(filter, "the filter", {g.o, cg, g.kh, g.kw}) &&
                   check.shape(result, "the result", {g.n, g.o, ho, wo});
}

} // namespace memplan::runtime::kernels
