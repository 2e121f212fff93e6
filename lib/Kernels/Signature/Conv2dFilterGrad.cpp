//===- Conv2dFilterGrad.cpp - What these launches must be like ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkFilterGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  if (check.counts(2, 1) && check.types("T:T") &&
      checkConv2dAttributes(check, launch) &&
      check.ints("kernel", 2, 1, true) &&
      checkConv2dShapes(check, launch, check.input(0), check.output(0),
                        check.input(1))) {
    Pair kernel = pairAttribute(launch, "kernel", 0);
    const Conv2dGeometry g =
        conv2dGeometry(launch, check.input(0), check.output(0), check.input(1));
    check.require(!findAttribute(launch, "kernel") ||
                      (kernel.h == g.kh && kernel.w == g.kw),
                  "attribute 'kernel' differs from the height and width of the "
                  "output");
  }
  return check.status;
}

SignatureList conv2dFilterGradSignatures() {
  static constexpr Signature list[] = {
      {"memplan.conv2d_filter_grad",
       checkFilterGrad,
       {},
       StridedOperands{3, 0, 1}},
  };
  return list;
}

} // namespace memplan::runtime::kernels
