//===- Dropout.cpp - What these launches must be like ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkDropout(const memplan_launch_t *launch) {
  Checker check(launch);
  double p = floatAttribute(launch, "p", -1);
  check.counts(2, 1) && check.types("Tl:T") &&
      check.shape(check.input(1), "the seed", {1}) &&
      check.same(check.output(0), check.input(0), "the output") &&
      check.require(p >= 0 && p <= 1, "attribute 'p' is %g or missing", p);
  return check.status;
}

SignatureList dropoutSignatures() {
  static constexpr Signature list[] = {
      {"memplan.dropout", checkDropout, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels
