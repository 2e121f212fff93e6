//===- LayerNorm.cpp - What these launches must be like -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

/// `tensor` has one value per row of x.
static bool perRow(Checker &check, const memplan_tensor_t &tensor,
                   const memplan_tensor_t &x, const char *what) {
  return check.shapeIs(tensor, what, {x.shape, size_t(x.rank - 1)});
}

static memplan_status_t checkForward(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(3, 3) || !check.types("TPP:Tf") ||
      !check.require(check.input(0).rank >= 1, "the input has rank 0"))
    return check.status;
  const memplan_tensor_t &x = check.input(0);
  int64_t d = x.shape[x.rank - 1];
  check.shape(check.input(1), "the scale", {d}) &&
      check.shape(check.input(2), "the bias", {d}) &&
      check.same(check.output(0), x, "the output") &&
      perRow(check, check.output(1), x, "the mean") &&
      perRow(check, check.output(2), x, "rstd") &&
      check.require(findAttribute(launch, "epsilon"),
                    "attribute 'epsilon' is missing");
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(5, 3) || !check.types("TTPff:TPP") ||
      !check.require(check.input(1).rank >= 1, "the input has rank 0"))
    return check.status;
  const memplan_tensor_t &x = check.input(1);
  int64_t d = x.shape[x.rank - 1];
  check.same(check.input(0), x, "the output's gradient") &&
      check.shape(check.input(2), "the scale", {d}) &&
      perRow(check, check.input(3), x, "the mean") &&
      perRow(check, check.input(4), x, "rstd") &&
      check.same(check.output(0), x, "the input's gradient") &&
      check.shape(check.output(1), "the scale's gradient", {d}) &&
      check.shape(check.output(2), "the bias's gradient", {d});
  return check.status;
}

SignatureList layerNormSignatures() {
  static constexpr Signature list[] = {
      {"memplan.layer_norm", checkForward, overFirst},
      {"memplan.layer_norm_grad", checkBackward, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels
