//===- CausalMask.cpp - What these launches must be like ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkMask(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") && check.allSame() &&
      check.require(check.input(0).rank >= 2, "the input has rank %d",
                    check.input(0).rank) &&
      check.require(findAttribute(launch, "fill"),
                    "attribute 'fill' is missing");
  return check.status;
}

SignatureList causalMaskSignatures() {
  static constexpr Signature list[] = {
      {"memplan.causal_mask", checkMask, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels
