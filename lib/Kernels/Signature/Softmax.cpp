//===- Softmax.cpp - What these launches must be like ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkForward(const memplan_launch_t *launch) {
  Checker check(launch);
  int axis = 0;
  check.counts(1, 1) && check.types("T:T") && check.allSame() &&
      check.dimension("axis", check.input(0).rank, axis);
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  int axis = 0;
  check.counts(2, 1) && check.types("T:T") && check.allSame() &&
      check.dimension("axis", check.input(0).rank, axis);
  return check.status;
}

SignatureList softmaxSignatures() {
  static constexpr Signature list[] = {
      {"memplan.softmax", checkForward, overFirst},
      {"memplan.softmax_grad", checkBackward, overEither},
  };
  return list;
}

} // namespace memplan::runtime::kernels
