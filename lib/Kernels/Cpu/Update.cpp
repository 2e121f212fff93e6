//===- Update.cpp - Optimizer updates -------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each output is the new version of the operand of its number and may be, and
// in planned programs is, that operand itself. g is the gradient. All f32,
// except step: [1] i64, the number of this update, counted from 1.
// memplan.sgd_update{lr, weight_decay}:  in param, grad
//   param -= lr (g + weight_decay param)
// memplan.sgd_momentum_update{lr, momentum, weight_decay, nesterov}:
//   in param, velocity, grad.   d = g + weight_decay param;
//   velocity = momentum velocity + d;
//   param -= lr (nesterov ? d + momentum velocity : velocity)
// memplan.adam_update{lr, beta1, beta2, epsilon, weight_decay}:
//   in param, m, v, step, grad.   d = g + weight_decay param;
//   m = beta1 m + (1 - beta1) d;  v = beta2 v + (1 - beta2) d^2;
//   param -= lr / (1 - beta1^step) m / (sqrt(v) / sqrt(1 - beta2^step) +
//   epsilon)
// memplan.adamw_update: the same with d = g, after param *= 1 - lr weight_decay
// memplan.increment: step + 1
// Errors: MEMPLAN_INVALID_ARGUMENT for a step below 1.
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"

#include <cmath>

namespace memplan::runtime::cpu {

//===----------------------------------------------------------------------===//
// sgd
//===----------------------------------------------------------------------===//

static memplan_status_t sgd(const memplan_launch_t *launch) {
  float lr = float(floatAttribute(launch, "lr", 0));
  float decay = float(floatAttribute(launch, "weight_decay", 0));
  const float *param = f32(launch->inputs[0]), *grad = f32(launch->inputs[1]);
  float *out = f32(launch->outputs[0]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                out[i] = param[i] - lr * (grad[i] + decay * param[i]);
            });
  return MEMPLAN_OK;
}

static memplan_status_t momentum(const memplan_launch_t *launch) {
  float lr = float(floatAttribute(launch, "lr", 0));
  float keep = float(floatAttribute(launch, "momentum", 0));
  float decay = float(floatAttribute(launch, "weight_decay", 0));
  bool nesterov = intAttribute(launch, "nesterov", 0) != 0;
  const float *param = f32(launch->inputs[0]);
  const float *velocity = f32(launch->inputs[1]);
  const float *grad = f32(launch->inputs[2]);
  float *newParam = f32(launch->outputs[0]);
  float *newVelocity = f32(launch->outputs[1]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i) {
                float d = grad[i] + decay * param[i];
                float v = keep * velocity[i] + d;
                newVelocity[i] = v;
                newParam[i] = param[i] - lr * (nesterov ? d + keep * v : v);
              }
            });
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// adam, adamw
//===----------------------------------------------------------------------===//

static memplan_status_t adamWith(const memplan_launch_t *launch,
                                 bool decoupled) {
  int64_t step = *i64(launch->inputs[3]);
  if (step < 1)
    return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                "the step is %lld; updates are counted from 1",
                static_cast<long long>(step));
  double lr = floatAttribute(launch, "lr", 0);
  double decay = floatAttribute(launch, "weight_decay", 0);
  double beta1 = floatAttribute(launch, "beta1", 0.9);
  double beta2 = floatAttribute(launch, "beta2", 0.999);
  float b1 = float(beta1), rest1 = float(1 - beta1);
  float b2 = float(beta2), rest2 = float(1 - beta2);
  float epsilon = float(floatAttribute(launch, "epsilon", 1e-8));
  float rate = float(lr / (1 - std::pow(beta1, double(step))));
  float root = float(std::sqrt(1 - std::pow(beta2, double(step))));
  float shrink = decoupled ? float(1 - lr * decay) : 1.0f;
  float added = decoupled ? 0.0f : float(decay);
  const float *param = f32(launch->inputs[0]), *m = f32(launch->inputs[1]);
  const float *v = f32(launch->inputs[2]), *grad = f32(launch->inputs[4]);
  float *newParam = f32(launch->outputs[0]), *newM = f32(launch->outputs[1]);
  float *newV = f32(launch->outputs[2]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i) {
                float d = grad[i] + added * param[i];
                float mean = b1 * m[i] + rest1 * d;
                float square = b2 * v[i] + rest2 * (d * d);
                newM[i] = mean;
                newV[i] = square;
                newParam[i] =
                    shrink * param[i] -
                    rate * (mean / (std::sqrt(square) / root + epsilon));
              }
            });
  return MEMPLAN_OK;
}

static memplan_status_t adam(const memplan_launch_t *launch) {
  return adamWith(launch, false);
}

static memplan_status_t adamW(const memplan_launch_t *launch) {
  return adamWith(launch, true);
}

// RMSprop, with g = grad + decay * param: v' = alpha v + (1 - alpha) g^2,
// step = g / (sqrt(v') + epsilon), or with momentum the velocity
// momentum * velocity + step.
//   in  param, v, velocity (momentum only), grad   out  param, v, velocity

template <bool withVelocity>
static memplan_status_t rmsprop(const memplan_launch_t *launch) {
  float lr = float(floatAttribute(launch, "lr", 0));
  float keep = float(floatAttribute(launch, "momentum", 0));
  float decay = float(floatAttribute(launch, "weight_decay", 0));
  double alpha = floatAttribute(launch, "alpha", 0.99);
  float a = float(alpha), rest = float(1 - alpha);
  float epsilon = float(floatAttribute(launch, "epsilon", 1e-8));
  const float *param = f32(launch->inputs[0]), *v = f32(launch->inputs[1]);
  const float *velocity = withVelocity ? f32(launch->inputs[2]) : nullptr;
  const float *grad = f32(launch->inputs[withVelocity ? 3 : 2]);
  float *newParam = f32(launch->outputs[0]), *newV = f32(launch->outputs[1]);
  float *newVelocity = withVelocity ? f32(launch->outputs[2]) : nullptr;
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i) {
                float d = grad[i] + decay * param[i];
                float square = a * v[i] + rest * (d * d);
                float step = d / (std::sqrt(square) + epsilon);
                newV[i] = square;
                if constexpr (withVelocity) {
                  step = keep * velocity[i] + step;
                  newVelocity[i] = step;
                }
                newParam[i] = param[i] - lr * step;
              }
            });
  return MEMPLAN_OK;
}

// Adagrad, with g = grad + decay * param: sum' = sum + g^2,
// param' = param - lr g / (sqrt(sum') + epsilon).
//   in  param, sum, grad   out  param, sum

static memplan_status_t adagrad(const memplan_launch_t *launch) {
  float lr = float(floatAttribute(launch, "lr", 0));
  float decay = float(floatAttribute(launch, "weight_decay", 0));
  float epsilon = float(floatAttribute(launch, "epsilon", 1e-10));
  const float *param = f32(launch->inputs[0]), *sum = f32(launch->inputs[1]);
  const float *grad = f32(launch->inputs[2]);
  float *newParam = f32(launch->outputs[0]), *newSum = f32(launch->outputs[1]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i) {
                float d = grad[i] + decay * param[i];
                float square = sum[i] + d * d;
                newSum[i] = square;
                newParam[i] =
                    param[i] - lr * (d / (std::sqrt(square) + epsilon));
              }
            });
  return MEMPLAN_OK;
}

// Lion: param' = (1 - lr decay) param - lr sign(beta1 m + (1 - beta1) grad),
// m' = beta2 m + (1 - beta2) grad.
//   in  param, m, grad   out  param, m

static memplan_status_t lion(const memplan_launch_t *launch) {
  double rate = floatAttribute(launch, "lr", 0);
  double beta1 = floatAttribute(launch, "beta1", 0.9);
  double beta2 = floatAttribute(launch, "beta2", 0.99);
  float lr = float(rate);
  float shrink = float(1 - rate * floatAttribute(launch, "weight_decay", 0));
  float b1 = float(beta1), rest1 = float(1 - beta1);
  float b2 = float(beta2), rest2 = float(1 - beta2);
  const float *param = f32(launch->inputs[0]), *m = f32(launch->inputs[1]);
  const float *grad = f32(launch->inputs[2]);
  float *newParam = f32(launch->outputs[0]), *newM = f32(launch->outputs[1]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i) {
                float d = grad[i], mean = m[i];
                float toward = b1 * mean + rest1 * d;
                float step = toward > 0 ? lr : toward < 0 ? -lr : 0.0f * toward;
                newM[i] = b2 * mean + rest2 * d;
                newParam[i] = shrink * param[i] - step;
              }
            });
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// increment
//===----------------------------------------------------------------------===//

static memplan_status_t increment(const memplan_launch_t *launch) {
  const int64_t *x = i64(launch->inputs[0]);
  int64_t *y = i64(launch->outputs[0]);
  // Unsigned: the largest number wraps instead of being undefined.
  for (int64_t i = 0; i < elements(launch->outputs[0]); ++i)
    y[i] = int64_t(uint64_t(x[i]) + 1);
  return MEMPLAN_OK;
}

KernelList updateKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeKernel("memplan.adagrad_update", adagrad),
      makeKernel("memplan.adam_update", adam),
      makeKernel("memplan.adamw_update", adamW),
      makeKernel("memplan.increment", increment),
      makeKernel("memplan.lion_update", lion),
      makeKernel("memplan.rmsprop_momentum_update", rmsprop<true>),
      makeKernel("memplan.rmsprop_update", rmsprop<false>),
      makeKernel("memplan.sgd_momentum_update", momentum),
      makeKernel("memplan.sgd_update", sgd),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
