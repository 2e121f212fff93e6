//===- Update.cpp - What these launches must be like ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <span>

namespace memplan::runtime::kernels {

static bool needs(Checker &check, const memplan_launch_t *launch,
                  std::span<const char *const> names) {
  for (const char *name : names)
    if (!check.require(findAttribute(launch, name), "attribute '%s' is missing",
                       name))
      return false;
  return true;
}

/// Input `index`, where it is there, is a scalar.
static bool checkSkip(Checker &check, const memplan_launch_t *launch,
                      int index) {
  return launch->input_count <= index ||
         check.shape(check.input(index), "the scalar that skips", {});
}

/// The same, and the scalar behind it.
static bool checkScalars(Checker &check, const memplan_launch_t *launch,
                         int index) {
  return checkSkip(check, launch, index) &&
         (launch->input_count <= index + 1 ||
          check.shape(check.input(index + 1), "the scalar of the rate", {}));
}

static constexpr const char *sgdNeeds[] = {"lr"};
static constexpr const char *momentumNeeds[] = {"lr", "momentum"};
static constexpr const char *adamNeeds[] = {"lr", "beta1", "beta2", "epsilon"};
static constexpr const char *rmspropNeeds[] = {"lr", "alpha", "epsilon"};
static constexpr const char *rmspropMomentumNeeds[] = {"lr", "momentum",
                                                       "alpha", "epsilon"};
static constexpr const char *adagradNeeds[] = {"lr", "epsilon"};
static constexpr const char *lionNeeds[] = {"lr", "beta1", "beta2"};

/// Parameter, states and gradient all look alike; a scalar that skips the
/// update may follow, and one that multiplies its rate.
template <int states, const auto &names>
static memplan_status_t checkUpdate(const memplan_launch_t *launch) {
  static constexpr const char *letters[] = {"TTf:T", "TTTf:T", "TTTTf:T"};
  constexpr int inputs = states + 2;
  Checker check(launch);
  if (!check.counts(inputs, inputs + 2, states + 1) ||
      !check.types(letters[states]))
    return check.status;
  for (int i = 1; i < inputs; ++i)
    check.same(check.input(i), check.input(0), "an input");
  for (int o = 0; o <= states; ++o)
    check.same(check.output(o), check.input(0), "an output");
  checkScalars(check, launch, inputs) && needs(check, launch, names);
  return check.status;
}

static memplan_status_t checkAdam(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(5, 7, 3) || !check.types("TTTlTf:T"))
    return check.status;
  for (int i : {1, 2, 4})
    check.same(check.input(i), check.input(0), "an input");
  for (int o = 0; o < 3; ++o)
    check.same(check.output(o), check.input(0), "an output");
  check.shape(check.input(3), "the step", {1}) &&
      checkScalars(check, launch, 5) && needs(check, launch, adamNeeds);
  return check.status;
}

static memplan_status_t checkIncrement(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 2, 1) && check.types("lf:l") &&
      check.same(check.output(0), check.input(0), "the output") &&
      checkSkip(check, launch, 1);
  return check.status;
}

static memplan_status_t checkLossScale(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(3, 2) && check.types("flf:fl") &&
      check.shape(check.input(0), "the scale", {}) &&
      check.shape(check.input(1), "the count of good steps", {1}) &&
      check.shape(check.input(2), "what was not finite", {}) &&
      check.same(check.output(0), check.input(0), "the new scale") &&
      check.same(check.output(1), check.input(1), "the new count") &&
      check.require(intAttribute(launch, "growth_interval", 2000) >= 1,
                    "attribute 'growth_interval' must be at least 1");
  return check.status;
}

SignatureList updateSignatures() {
  static constexpr memplan_in_place_t overTwo[] = {{0, 0}, {1, 1}};
  static constexpr memplan_in_place_t overThree[] = {{0, 0}, {1, 1}, {2, 2}};
  static constexpr Signature list[] = {
      {"memplan.adagrad_update", checkUpdate<1, adagradNeeds>, overTwo},
      {"memplan.adam_update", checkAdam, overThree},
      {"memplan.adamw_update", checkAdam, overThree},
      {"memplan.increment", checkIncrement, overFirst},
      {"memplan.lion_update", checkUpdate<1, lionNeeds>, overTwo},
      {"memplan.loss_scale_update", checkLossScale, overTwo},
      {"memplan.rmsprop_momentum_update", checkUpdate<2, rmspropMomentumNeeds>,
       overThree},
      {"memplan.rmsprop_update", checkUpdate<1, rmspropNeeds>, overTwo},
      {"memplan.sgd_momentum_update", checkUpdate<1, momentumNeeds>, overTwo},
      {"memplan.sgd_update", checkUpdate<0, sgdNeeds>, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels
