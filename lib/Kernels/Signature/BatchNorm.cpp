//===- BatchNorm.cpp - What these launches must be like -------------------===//
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
  if (!check.counts(3, 4) || !check.types("TPP:Tf") ||
      !check.require(check.input(0).rank >= 2, "the input has rank %d",
                     check.input(0).rank))
    return check.status;
  int64_t c = check.input(0).shape[1];
  check.shape(check.input(1), "the scale", {c}) &&
      check.shape(check.input(2), "the bias", {c}) &&
      check.same(check.output(0), check.input(0), "the output") &&
      check.shape(check.output(1), "the mean", {c}) &&
      check.shape(check.output(2), "invstd", {c}) &&
      check.shape(check.output(3), "the variance", {c}) &&
      check.require(findAttribute(launch, "epsilon"),
                    "attribute 'epsilon' is missing");
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(5, 3) || !check.types("TTPff:TPP") ||
      !check.require(check.input(1).rank >= 2, "the input has rank %d",
                     check.input(1).rank))
    return check.status;
  int64_t c = check.input(1).shape[1];
  check.same(check.input(0), check.input(1), "the output's gradient") &&
      check.same(check.output(0), check.input(1), "the input's gradient");
  for (int i = 2; i < 5; ++i)
    check.shape(check.input(i), "a vector of channels", {c});
  for (int o = 1; o < 3; ++o)
    check.shape(check.output(o), "a gradient of channels", {c});
  return check.status;
}

static memplan_status_t checkUpdate(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(4, 2) && check.types("TTff:T") && check.allSame() &&
      check.require(findAttribute(launch, "momentum"),
                    "attribute 'momentum' is missing");
  return check.status;
}

SignatureList batchNormSignatures() {
  static constexpr memplan_in_place_t overRunning[] = {{0, 0}, {1, 1}};
  static constexpr Signature list[] = {
      {"memplan.batch_norm", checkForward, overFirst, sampleStrides},
      {"memplan.batch_norm_grad", checkBackward, overEither, twoSampleStrides},
      {"memplan.batch_norm_update_stats", checkUpdate, overRunning},
  };
  return list;
}

} // namespace memplan::runtime::kernels
