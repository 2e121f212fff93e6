//===- Update.cu - Optimizer updates ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../UpdateSteps.h"
#include "Elements.h"

namespace memplan::runtime::cuda {

using namespace kernels;

/// In: the parameter, its states, the gradient. Out: the parameter, its states.
template <int states, typename Step> struct UpdateElement {
  Step step;

  MEMPLAN_DEVICE void operator()(const float *in, float *out) const {
    float state[states + 1];
    for (int k = 0; k < states; ++k)
      state[k] = in[k + 1];
    out[0] = step(in[0], in[states + 1], state);
    for (int k = 0; k < states; ++k)
      out[k + 1] = state[k];
  }
};

/// The gradient is the last input; Adam has one before it that is no state.
template <int states, typename Step>
static memplan_status_t updateBy(const Call &call, const Step &step) {
  int inputs[states + 2];
  for (int k = 0; k <= states; ++k)
    inputs[k] = k;
  inputs[states + 1] = call.launch->input_count - 1;
  return forEachElement<states + 1>(call, inputs,
                                    UpdateElement<states, Step>{step});
}

template <typename Step> static memplan_status_t update(const Call &call) {
  return updateBy<Step::states>(call, Step(call.launch));
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
  return updateBy<AdamStep::states>(
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
