//===- ElementLoss.cpp - What these launches must be like -----------------===//
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
  check.counts(2, 1) && check.types("T:T") &&
      check.same(check.input(1), check.input(0), "the target") &&
      check.shape(check.output(0), "the loss", {});
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(3, 1) && check.types("T:T") &&
      check.same(check.input(1), check.input(0), "the target") &&
      check.shape(check.input(2), "the loss's gradient", {}) &&
      check.same(check.output(0), check.input(0), "the gradient");
  return check.status;
}

SignatureList elementLossSignatures() {
  static constexpr Signature list[] = {
      {"memplan.bce_with_logits", checkForward, {}},
      {"memplan.bce_with_logits_grad", checkBackward, overEither},
      {"memplan.mse_loss", checkForward, {}},
      {"memplan.mse_loss_grad", checkBackward, overEither},
  };
  return list;
}

} // namespace memplan::runtime::kernels
