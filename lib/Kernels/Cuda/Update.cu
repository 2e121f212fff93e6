//===- Update.cu - Optimizer updates ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../UpdateSteps.h"
#include "Launch.h"

namespace memplan::runtime::cuda {

using namespace kernels;

/// step(param, grad, states) for each element.
template <int states, typename Step>
static memplan_status_t forEachElement(const Call &call, const Step &step) {
  static_assert(states <= 2);
  const float *grad = call.in(call.launch->input_count - 1);
  const float *param = call.in(0), *first = call.in(1), *second = call.in(2);
  float *newParam = call.out(0);
  float *newFirst = states > 0 ? call.out(1) : nullptr;
  float *newSecond = states > 1 ? call.out(2) : nullptr;
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    // No `if constexpr`: nvcc lets none be the first use of a capture.
    float state[2] = {};
    if (states > 0)
      state[0] = first[i];
    if (states > 1)
      state[1] = second[i];
    newParam[i] = step(param[i], grad[i], state);
    if (states > 0)
      newFirst[i] = state[0];
    if (states > 1)
      newSecond[i] = state[1];
  });
  return MEMPLAN_OK;
}

template <typename Step> static memplan_status_t update(const Call &call) {
  return forEachElement<Step::states>(call, Step(call.launch));
}

static memplan_status_t prepareAdam(Device &, const memplan_launch_t *,
                                    memplan_prepared_t *prepared) {
  prepared->workspace_bytes = sizeof(AdamRates);
  return MEMPLAN_OK;
}

/// One thread leaves the rates of this step in the workspace.
static void computeRates(const Call &call) {
  double lr = floatAttribute(call.launch, "lr", 0);
  double beta1 = floatAttribute(call.launch, "beta1", 0.9);
  double beta2 = floatAttribute(call.launch, "beta2", 0.999);
  const int64_t *number = call.ints(3);
  AdamRates *rates = call.workspace<AdamRates>();
  int32_t *fault = call.device.fault;
  forEach(call, 1, [=] MEMPLAN_DEVICE(int64_t) {
    if (*number < 1)
      raiseFault(fault, StepBelowOne);
    *rates = AdamRates::at(*number, lr, beta1, beta2);
  });
}

/// AdamStep with the rates of the workspace.
struct AdamOnDevice {
  AdamStep step;
  const AdamRates *rates;

  MEMPLAN_STEP float operator()(float param, float grad, float *state) const {
    return step(param, grad, state, *rates);
  }
};

template <bool decoupled> static memplan_status_t adam(const Call &call) {
  computeRates(call);
  return forEachElement<AdamStep::states>(
      call, AdamOnDevice{AdamStep(call.launch, decoupled),
                         call.workspace<AdamRates>()});
}

static memplan_status_t increment(const Call &call) {
  const int64_t *x = call.ints(0);
  int64_t *y = kernels::i64(call.output(0));
  // Unsigned: the largest number wraps instead of being undefined.
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    y[i] = int64_t(uint64_t(x[i]) + 1);
  });
  return MEMPLAN_OK;
}

KernelTable updateKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.adagrad_update", update<AdagradStep>},
      {"memplan.adam_update", adam<false>, prepareAdam},
      {"memplan.adamw_update", adam<true>, prepareAdam},
      {"memplan.increment", increment},
      {"memplan.lion_update", update<LionStep>},
      {"memplan.rmsprop_momentum_update", update<RmspropStep<true>>},
      {"memplan.rmsprop_update", update<RmspropStep<false>>},
      {"memplan.sgd_momentum_update", update<MomentumStep>},
      {"memplan.sgd_update", update<SgdStep>},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
