//===- Update.cpp - What these launches must be like ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <initializer_list>

namespace memplan::runtime::kernels {

/// Inputs and outputs all look like the parameter.
static bool allLikeParam(Checker &check, int inputs, int outputs) {
  return check.counts(inputs, outputs) && check.allF32() && check.allSame();
}

static bool needs(Checker &check, const memplan_launch_t *launch,
                  std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (!check.require(findAttribute(launch, name), "attribute '%s' is missing",
                       name))
      return false;
  return true;
}

static memplan_status_t checkSgd(const memplan_launch_t *launch) {
  Checker check(launch);
  allLikeParam(check, 2, 1) && needs(check, launch, {"lr"});
  return check.status;
}

static memplan_status_t checkMomentum(const memplan_launch_t *launch) {
  Checker check(launch);
  allLikeParam(check, 3, 2) && needs(check, launch, {"lr", "momentum"});
  return check.status;
}

static memplan_status_t checkRmsprop(const memplan_launch_t *launch) {
  Checker check(launch);
  allLikeParam(check, 3, 2) && needs(check, launch, {"lr", "alpha", "epsilon"});
  return check.status;
}

static memplan_status_t checkRmspropMomentum(const memplan_launch_t *launch) {
  Checker check(launch);
  allLikeParam(check, 4, 3) &&
      needs(check, launch, {"lr", "momentum", "alpha", "epsilon"});
  return check.status;
}

static memplan_status_t checkAdagrad(const memplan_launch_t *launch) {
  Checker check(launch);
  allLikeParam(check, 3, 2) && needs(check, launch, {"lr", "epsilon"});
  return check.status;
}

static memplan_status_t checkLion(const memplan_launch_t *launch) {
  Checker check(launch);
  allLikeParam(check, 3, 2) && needs(check, launch, {"lr", "beta1", "beta2"});
  return check.status;
}

static memplan_status_t checkAdam(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(5, 3) ||
      !check.types({MEMPLAN_F32, MEMPLAN_F32, MEMPLAN_F32, MEMPLAN_I64}, {}))
    return check.status;
  for (int i : {1, 2, 4})
    check.same(check.input(i), check.input(0), "an input");
  for (int o = 0; o < 3; ++o)
    check.same(check.output(o), check.input(0), "an output");
  check.shape(check.input(3), "the step", {1}) &&
      needs(check, launch, {"lr", "beta1", "beta2", "epsilon"});
  return check.status;
}

static memplan_status_t checkIncrement(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types({MEMPLAN_I64}, {MEMPLAN_I64}) &&
      check.same(check.output(0), check.input(0), "the output");
  return check.status;
}

SignatureList updateSignatures() {
  static constexpr memplan_in_place_t overTwo[] = {{0, 0}, {1, 1}};
  static constexpr memplan_in_place_t overThree[] = {{0, 0}, {1, 1}, {2, 2}};
  static constexpr Signature list[] = {
      {"memplan.adagrad_update", checkAdagrad, overTwo},
      {"memplan.adam_update", checkAdam, overThree},
      {"memplan.adamw_update", checkAdam, overThree},
      {"memplan.increment", checkIncrement, overFirst},
      {"memplan.lion_update", checkLion, overTwo},
      {"memplan.rmsprop_momentum_update", checkRmspropMomentum, overThree},
      {"memplan.rmsprop_update", checkRmsprop, overTwo},
      {"memplan.sgd_momentum_update", checkMomentum, overTwo},
      {"memplan.sgd_update", checkSgd, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels
