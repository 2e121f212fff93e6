//===- Update.cu - Optimizer updates ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

namespace memplan::runtime::cuda {

static memplan_status_t sgd(const Call &call) {
  float lr = float(floatAttribute(call.launch, "lr", 0));
  float decay = float(floatAttribute(call.launch, "weight_decay", 0));
  const float *param = call.in(0), *grad = call.in(1);
  float *out = call.out(0);
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    out[i] = param[i] - lr * (grad[i] + decay * param[i]);
  });
  return MEMPLAN_OK;
}

static memplan_status_t momentum(const Call &call) {
  float lr = float(floatAttribute(call.launch, "lr", 0));
  float keep = float(floatAttribute(call.launch, "momentum", 0));
  float decay = float(floatAttribute(call.launch, "weight_decay", 0));
  bool nesterov = intAttribute(call.launch, "nesterov", 0) != 0;
  const float *param = call.in(0), *velocity = call.in(1), *grad = call.in(2);
  float *newParam = call.out(0), *newVelocity = call.out(1);
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    float d = grad[i] + decay * param[i];
    float v = keep * velocity[i] + d;
    newVelocity[i] = v;
    newParam[i] = param[i] - lr * (nesterov ? d + keep * v : v);
  });
  return MEMPLAN_OK;
}

/// What depends on the step alone: the learning rate over 1 - beta1^step, and
/// the root of 1 - beta2^step. One thread leaves them in the workspace.
struct AdamRates {
  float rate, root;
};

static memplan_status_t prepareAdam(Device &, const memplan_launch_t *,
                                    memplan_prepared_t *prepared) {
  prepared->workspace_bytes = sizeof(AdamRates);
  return MEMPLAN_OK;
}

static void computeRates(const Call &call, double beta1, double beta2) {
  double lr = floatAttribute(call.launch, "lr", 0);
  const int64_t *step = call.ints(3);
  AdamRates *rates = call.workspace<AdamRates>();
  int32_t *fault = call.device.fault;
  forEach(call, 1, [=] MEMPLAN_DEVICE(int64_t) {
    if (*step < 1)
      raiseFault(fault, StepBelowOne);
    rates->rate = float(lr / (1 - ::pow(beta1, double(*step))));
    rates->root = float(::sqrt(1 - ::pow(beta2, double(*step))));
  });
}

static memplan_status_t adamWith(const Call &call, bool decoupled) {
  double lr = floatAttribute(call.launch, "lr", 0);
  double decay = floatAttribute(call.launch, "weight_decay", 0);
  double beta1 = floatAttribute(call.launch, "beta1", 0.9);
  double beta2 = floatAttribute(call.launch, "beta2", 0.999);
  float b1 = float(beta1), rest1 = float(1 - beta1);
  float b2 = float(beta2), rest2 = float(1 - beta2);
  float epsilon = float(floatAttribute(call.launch, "epsilon", 1e-8));
  float shrink = decoupled ? float(1 - lr * decay) : 1.0f;
  float added = decoupled ? 0.0f : float(decay);
  computeRates(call, beta1, beta2);
  const AdamRates *rates = call.workspace<AdamRates>();
  const float *param = call.in(0), *m = call.in(1), *v = call.in(2);
  const float *grad = call.in(4);
  float *newParam = call.out(0), *newM = call.out(1), *newV = call.out(2);
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    float d = grad[i] + added * param[i];
    float mean = b1 * m[i] + rest1 * d;
    float square = b2 * v[i] + rest2 * (d * d);
    newM[i] = mean;
    newV[i] = square;
    newParam[i] =
        shrink * param[i] -
        rates->rate * (mean / (::sqrtf(square) / rates->root + epsilon));
  });
  return MEMPLAN_OK;
}

static memplan_status_t adam(const Call &call) { return adamWith(call, false); }
static memplan_status_t adamW(const Call &call) { return adamWith(call, true); }

template <bool withVelocity> static memplan_status_t rmsprop(const Call &call) {
  float lr = float(floatAttribute(call.launch, "lr", 0));
  float keep = float(floatAttribute(call.launch, "momentum", 0));
  float decay = float(floatAttribute(call.launch, "weight_decay", 0));
  double alpha = floatAttribute(call.launch, "alpha", 0.99);
  float a = float(alpha), rest = float(1 - alpha);
  float epsilon = float(floatAttribute(call.launch, "epsilon", 1e-8));
  const float *param = call.in(0), *v = call.in(1);
  const float *velocity = withVelocity ? call.in(2) : nullptr;
  const float *grad = call.in(withVelocity ? 3 : 2);
  float *newParam = call.out(0), *newV = call.out(1);
  float *newVelocity = withVelocity ? call.out(2) : nullptr;
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    float d = grad[i] + decay * param[i];
    float square = a * v[i] + rest * (d * d);
    float step = d / (::sqrtf(square) + epsilon);
    newV[i] = square;
    if (newVelocity) {
      step = keep * velocity[i] + step;
      newVelocity[i] = step;
    }
    newParam[i] = param[i] - lr * step;
  });
  return MEMPLAN_OK;
}

static memplan_status_t adagrad(const Call &call) {
  float lr = float(floatAttribute(call.launch, "lr", 0));
  float decay = float(floatAttribute(call.launch, "weight_decay", 0));
  float epsilon = float(floatAttribute(call.launch, "epsilon", 1e-10));
  const float *param = call.in(0), *sum = call.in(1), *grad = call.in(2);
  float *newParam = call.out(0), *newSum = call.out(1);
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    float d = grad[i] + decay * param[i];
    float square = sum[i] + d * d;
    newSum[i] = square;
    newParam[i] = param[i] - lr * (d / (::sqrtf(square) + epsilon));
  });
  return MEMPLAN_OK;
}

static memplan_status_t lion(const Call &call) {
  double rate = floatAttribute(call.launch, "lr", 0);
  double beta1 = floatAttribute(call.launch, "beta1", 0.9);
  double beta2 = floatAttribute(call.launch, "beta2", 0.99);
  float lr = float(rate);
  float shrink =
      float(1 - rate * floatAttribute(call.launch, "weight_decay", 0));
  float b1 = float(beta1), rest1 = float(1 - beta1);
  float b2 = float(beta2), rest2 = float(1 - beta2);
  const float *param = call.in(0), *m = call.in(1), *grad = call.in(2);
  float *newParam = call.out(0), *newM = call.out(1);
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    float d = grad[i], mean = m[i];
    float toward = b1 * mean + rest1 * d;
    // A NaN stays one.
    float step = toward > 0 ? lr : toward < 0 ? -lr : 0.0f * toward;
    newM[i] = b2 * mean + rest2 * d;
    newParam[i] = shrink * param[i] - step;
  });
  return MEMPLAN_OK;
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
      {"memplan.adagrad_update", adagrad},
      {"memplan.adam_update", adam, prepareAdam},
      {"memplan.adamw_update", adamW, prepareAdam},
      {"memplan.increment", increment},
      {"memplan.lion_update", lion},
      {"memplan.rmsprop_momentum_update", rmsprop<true>},
      {"memplan.rmsprop_update", rmsprop<false>},
      {"memplan.sgd_momentum_update", momentum},
      {"memplan.sgd_update", sgd},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
