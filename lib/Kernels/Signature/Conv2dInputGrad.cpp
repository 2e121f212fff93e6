//===- Conv2dInputGrad.cpp - What these launches must be like -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static bool checkInputGrad(Checker &check, const memplan_launch_t *launch) {
  if (!check.types("T:T") || !checkConv2dAttributes(check, launch) ||
      !check.ints("output_padding", 2, 0, true) ||
      !checkConv2dShapes(check, launch, check.output(0), check.input(1),
                         check.input(0)))
    return false;
  // Several image sizes give one result size; the attribute says which is
  // meant.
  Conv2dGeometry g = conv2dGeometry(launch, launch->outputs[0],
                                    launch->inputs[1], launch->inputs[0]);
  Pair extra = pairAttribute(launch, "output_padding", 0);
  int64_t h = (g.ho - 1) * g.strides.h - 2 * g.padding.h +
              g.dilation.h * (g.kh - 1) + 1 + extra.h;
  int64_t w = (g.wo - 1) * g.strides.w - 2 * g.padding.w +
              g.dilation.w * (g.kw - 1) + 1 + extra.w;
  return check.shape(check.output(0), "the output",
                     g.channelsLast
                         ? std::initializer_list<int64_t>{g.n, h, w, g.c}
                         : std::initializer_list<int64_t>{g.n, g.c, h, w});
}

static memplan_status_t checkConv2dInputGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 1) && checkInputGrad(check, launch);
  return check.status;
}

static memplan_status_t checkConvTranspose2d(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 3, 1) && checkInputGrad(check, launch) &&
      (launch->input_count == 2 ||
       check.shape(check.input(2), "the bias",
                   {check.output(0).shape[channelDim(launch)]}));
  return check.status;
}

SignatureList conv2dInputGradSignatures() {
  static constexpr Signature list[] = {
      {"memplan.conv2d_input_grad", checkConv2dInputGrad, {}, sampleStrides},
      {"memplan.conv_transpose2d", checkConvTranspose2d, {}, sampleStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
