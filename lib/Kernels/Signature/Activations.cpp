//===- Activations.cpp - What these launches must be like -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <cstring>

namespace memplan::runtime::kernels {

static memplan_status_t checkUnary(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") && check.allSame();
  return check.status;
}

static memplan_status_t checkGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 1) && check.types("T:T") && check.allSame();
  return check.status;
}

static memplan_status_t checkClampRange(const memplan_launch_t *launch,
                                        memplan_status_t status) {
  Checker check(launch);
  if (status == MEMPLAN_OK)
    check.require(findAttribute(launch, "min") && findAttribute(launch, "max"),
                  "attributes 'min' and 'max' are needed");
  return status == MEMPLAN_OK ? check.status : status;
}

static memplan_status_t checkClamp(const memplan_launch_t *launch) {
  return checkClampRange(launch, checkUnary(launch));
}

static memplan_status_t checkClampGrad(const memplan_launch_t *launch) {
  return checkClampRange(launch, checkGrad(launch));
}

static memplan_status_t checkGeluMode(const memplan_launch_t *launch,
                                      memplan_status_t status) {
  Checker check(launch);
  const memplan_attribute_t *mode = findAttribute(launch, "approximate");
  if (status == MEMPLAN_OK && mode)
    check.require(mode->kind == MEMPLAN_ATTRIBUTE_STRING &&
                      (std::strcmp(mode->string, "tanh") == 0 ||
                       std::strcmp(mode->string, "none") == 0),
                  "attribute 'approximate' is neither \"none\" nor \"tanh\"");
  return status == MEMPLAN_OK ? check.status : status;
}

static memplan_status_t checkGelu(const memplan_launch_t *launch) {
  return checkGeluMode(launch, checkUnary(launch));
}

static memplan_status_t checkGeluGrad(const memplan_launch_t *launch) {
  return checkGeluMode(launch, checkGrad(launch));
}

SignatureList activationSignatures() {
  static constexpr Signature list[] = {
      {"memplan.clamp", checkClamp, overFirst, anyStrides},
      {"memplan.clamp_grad", checkClampGrad, overEither, anyStrides},
      {"memplan.gelu", checkGelu, overFirst},
      {"memplan.gelu_grad", checkGeluGrad, overEither},
      {"memplan.relu", checkUnary, overFirst, anyStrides},
      {"memplan.relu_grad", checkGrad, overEither, anyStrides},
      {"memplan.sigmoid", checkUnary, overFirst, anyStrides},
      {"memplan.sigmoid_grad", checkGrad, overEither, anyStrides},
      {"memplan.silu", checkUnary, overFirst, anyStrides},
      {"memplan.silu_grad", checkGrad, overEither, anyStrides},
      {"memplan.tanh", checkUnary, overFirst, anyStrides},
      {"memplan.tanh_grad", checkGrad, overEither, anyStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
