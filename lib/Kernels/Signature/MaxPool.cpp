//===- MaxPool.cpp - What these launches must be like ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Pool2dGeometry.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static bool indicesFit(Checker &check, const memplan_launch_t *launch) {
  Pair kernel = pairAttribute(launch, "kernel", 1);
  return check.require(kernel.h * kernel.w <= 127,
                       "a window of %lld pixels has no i8 index; 127 at most",
                       static_cast<long long>(kernel.h * kernel.w));
}

static memplan_status_t checkForward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 2) && check.types("T:Tb") &&
      checkPool2d(check, launch, check.input(0), check.output(0)) &&
      check.same(check.output(1), check.output(0), "the indices") &&
      indicesFit(check, launch);
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 1) && check.types("Tb:T") &&
      checkInputSize(check, launch, check.output(0)) &&
      checkPool2d(check, launch, check.output(0), check.input(0)) &&
      check.same(check.input(1), check.input(0), "the indices") &&
      indicesFit(check, launch);
  return check.status;
}

SignatureList maxPoolSignatures() {
  static constexpr Signature list[] = {
      {"memplan.max_pool2d", checkForward, {}, sampleStrides},
      {"memplan.max_pool2d_grad", checkBackward, {}, sampleStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
