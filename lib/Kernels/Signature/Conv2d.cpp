//===- Conv2d.cpp - What these launches must be like ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkConv2d(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 3, 1) && check.types("T:T") &&
      checkConv2dAttributes(check, launch) &&
      checkConv2dShapes(check, launch, check.input(0), check.input(1),
                        check.output(0)) &&
      (launch->input_count == 2 ||
       check.shape(check.input(2), "the bias", {check.input(1).shape[0]}));
  return check.status;
}

SignatureList conv2dSignatures() {
  static constexpr Signature list[] = {
      {"memplan.conv2d", checkConv2d, {}, sampleStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
