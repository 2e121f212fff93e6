//===- CrossEntropy.cpp - What these launches must be like ----------------===//
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
  check.counts(2, 2) && check.types("Tl:Pf") &&
      check.rank(check.input(0), "the logits", 2) &&
      check.shape(check.input(1), "the labels", {check.input(0).shape[0]}) &&
      check.shape(check.output(0), "the loss", {}) &&
      check.shape(check.output(1), "logsumexp", {check.input(0).shape[0]});
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(4, 1) && check.types("TlfP:T") &&
      check.rank(check.input(0), "the logits", 2) &&
      check.shape(check.input(1), "the labels", {check.input(0).shape[0]}) &&
      check.shape(check.input(2), "logsumexp", {check.input(0).shape[0]}) &&
      check.shape(check.input(3), "the loss's gradient", {}) &&
      check.same(check.output(0), check.input(0), "the logits' gradient");
  return check.status;
}

SignatureList crossEntropySignatures() {
  static constexpr Signature list[] = {
      {"memplan.cross_entropy", checkForward, {}},
      {"memplan.cross_entropy_grad", checkBackward, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels
