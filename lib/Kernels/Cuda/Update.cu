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

/// The scalar after the `inputs` operands of an update, or null.
static const float *skipOf(const Call &call, int inputs) {
  return call.launch->input_count > inputs ? call.in(inputs) : nullptr;
}

MEMPLAN_HOST_DEVICE static inline bool isSkipped(const float *skip) {
  return skip && *skip != 0;
}

/// In: the parameter, its states, the gradient. Out: the parameter, its states.
template <int states, typename Step> struct UpdateElement {
  Step step;
  const float *skip;

  MEMPLAN_DEVICE void operator()(const float *in, float *out) const {
    if (isSkipped(skip)) {
      for (int k = 0; k <= states; ++k)
        out[k] = in[k];
      return;
    }
    float state[states + 1];
    for (int k = 0; k < states; ++k)
      state[k] = in[k + 1];
    out[0] = step(in[0], in[states + 1], state);
    for (int k = 0; k < states; ++k)
      out[k + 1] = state[k];
  }
};

/// The gradient is input number `gradient`; Adam has one before it that is no
/// state.
template <int states, typename Step>
static memplan_status_t updateBy(const Call &call, const Step &step,
                                 int gradient) {
  int inputs[states + 2];
  for (int k = 0; k <= states; ++k)
    inputs[k] = k;
  inputs[states + 1] = gradient;
  return forEachElement<states + 1>(
      call, inputs,
      UpdateElement<states, Step>{step, skipOf(call, gradient + 1)});
}

template <typename Step> static memplan_status_t update(const Call &call) {
  return updateBy<Step::states>(call, Step(call.launch), Step::states + 1);
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
  const float *skip = skipOf(call, 5);
  forEach(call, 1, [=] MEMPLAN_DEVICE(int64_t) {
    if (isSkipped(skip))
      return;
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
      call,
      AdamOnDevice{AdamStep(call.launch, decoupled),
                   call.workspace<AdamRates>()},
      4);
}

static memplan_status_t increment(const Call &call) {
  const int64_t *x = call.ints(0);
  int64_t *y = kernels::i64(call.output(0));
  const float *skip = skipOf(call, 1);
  // Unsigned: the largest number wraps instead of being undefined.
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    y[i] = int64_t(uint64_t(x[i]) + (isSkipped(skip) ? 0 : 1));
  });
  return MEMPLAN_OK;
}

static memplan_status_t lossScaleUpdate(const Call &call) {
  const ScaleStep step(call.launch);
  const float *scale = call.in(0), *nonFinite = call.in(2);
  const int64_t *good = call.ints(1);
  float *newScale = call.out(0);
  int64_t *newGood = kernels::i64(call.output(1));
  forEach(call, 1, [=] MEMPLAN_DEVICE(int64_t) {
    float nextScale = *scale;
    int64_t nextGood = *good;
    step(*nonFinite, nextScale, nextGood);
    *newScale = nextScale;
    *newGood = nextGood;
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
      {"memplan.loss_scale_update", lossScaleUpdate},
      {"memplan.rmsprop_momentum_update", update<RmspropStep<true>>},
      {"memplan.rmsprop_update", update<RmspropStep<false>>},
      {"memplan.sgd_momentum_update", update<MomentumStep>},
      {"memplan.sgd_update", update<SgdStep>},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
