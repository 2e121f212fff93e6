//===- AvgPool.cpp - What these launches must be like ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Pool2dGeometry.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkForward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") &&
      checkPool2d(check, launch, check.input(0), check.output(0));
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") &&
      checkInputSize(check, launch, check.output(0)) &&
      checkPool2d(check, launch, check.output(0), check.input(0));
  return check.status;
}

SignatureList avgPoolSignatures() {
  static constexpr Signature list[] = {
      {"memplan.avg_pool2d", checkForward, {}, sampleStrides},
      {"memplan.avg_pool2d_grad", checkBackward, {}, sampleStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
