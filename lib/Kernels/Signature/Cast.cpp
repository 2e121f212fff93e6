//===- Cast.cpp - What these launches must be like ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkCast(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("r:r") && check.allSame();
  return check.status;
}

SignatureList castSignatures() {
  static constexpr Signature list[] = {
      {"memplan.cast", checkCast, {}, anyStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
