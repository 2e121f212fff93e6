//===- UpdateSteps.h - What optimizers do to one element --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One definition for all backends. A step is made on the host from the
// attributes of a launch, and scaleRate() multiplies its learning rate. Called
// with an element of the parameter, of the gradient and of each of its `states`
// states, it writes the new states and returns the new parameter. The formulas
// are those of the operations; see UpdateOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_UPDATESTEPS_H
#define MEMPLAN_LIB_KERNELS_UPDATESTEPS_H

#include "Operands.h"

#include "memplan/Kernels/HostDevice.h"

#include <cmath>

/// Mark of steps, which must become part of each instruction set's copy of a
/// loop.
#define MEMPLAN_STEP MEMPLAN_HOST_DEVICE __attribute__((always_inline))

namespace memplan::runtime::kernels {

inline float singleAttribute(const memplan_launch_t *launch, const char *name,
                             double otherwise) {
  return float(floatAttribute(launch, name, otherwise));
}

/// A running mean keeps `keep` of the old value and takes `take` of the new.
struct MeanRates {
  float keep, take;
  MeanRates(const memplan_launch_t *launch, const char *name,
            double otherwise) {
    double rate = floatAttribute(launch, name, otherwise);
    keep = float(rate);
    take = float(1 - rate);
  }
};

struct SgdStep {
  static constexpr int states = 0;
  float lr, decay;

  explicit SgdStep(const memplan_launch_t *launch)
      : lr(singleAttribute(launch, "lr", 0)),
        decay(singleAttribute(launch, "weight_decay", 0)) {}

  MEMPLAN_STEP void scaleRate(float by) { lr *= by; }
  MEMPLAN_STEP float operator()(float param, float grad, float *) const {
    return param - lr * (grad + decay * param);
  }
};

/// The state is the velocity.
struct MomentumStep {
  static constexpr int states = 1;
  float lr, momentum, decay;
  bool nesterov;

  explicit MomentumStep(const memplan_launch_t *launch)
      : lr(singleAttribute(launch, "lr", 0)),
        momentum(singleAttribute(launch, "momentum", 0)),
        decay(singleAttribute(launch, "weight_decay", 0)),
        nesterov(intAttribute(launch, "nesterov", 0) != 0) {}

  MEMPLAN_STEP void scaleRate(float by) { lr *= by; }
  MEMPLAN_STEP float operator()(float param, float grad, float *state) const {
    float d = grad + decay * param;
    float velocity = momentum * state[0] + d;
    state[0] = velocity;
    return param - lr * (nesterov ? d + momentum * velocity : velocity);
  }
};

/// What depends on the number of the step alone: the learning rate over
/// 1 - beta1^step, and the root of 1 - beta2^step.
struct AdamRates {
  float rate, root;

  MEMPLAN_HOST_DEVICE static AdamRates at(int64_t step, double lr, double beta1,
                                          double beta2) {
    return {float(lr / (1 - ::pow(beta1, double(step)))),
            float(::sqrt(1 - ::pow(beta2, double(step))))};
  }
};

/// Adam, or with `decoupled` AdamW. The states are the means of the gradient
/// and of its square.
struct AdamStep {
  static constexpr int states = 2;
  MeanRates first, second;
  float epsilon, shrink, added;
  double decay; ///< of a step, before it is scaled

  AdamStep(const memplan_launch_t *launch, bool decoupled)
      : first(launch, "beta1", 0.9), second(launch, "beta2", 0.999),
        epsilon(singleAttribute(launch, "epsilon", 1e-8)) {
    double lr = floatAttribute(launch, "lr", 0);
    const double wanted = floatAttribute(launch, "weight_decay", 0);
    decay = decoupled ? lr * wanted : 0;
    shrink = float(1 - decay);
    added = decoupled ? 0.0f : float(wanted);
  }

  /// The rates of the step are scaled where they are made.
  MEMPLAN_STEP void scaleRate(float by) {
    shrink = float(1 - decay * double(by));
  }
  MEMPLAN_STEP float operator()(float param, float grad, float *state,
                                const AdamRates &rates) const {
    float d = grad + added * param;
    float mean = first.keep * state[0] + first.take * d;
    float square = second.keep * state[1] + second.take * (d * d);
    state[0] = mean;
    state[1] = square;
    return shrink * param -
           rates.rate * (mean / (::sqrtf(square) / rates.root + epsilon));
  }
};

/// The states are the mean of the square and, with momentum, the velocity.
template <bool withVelocity> struct RmspropStep {
  static constexpr int states = withVelocity ? 2 : 1;
  float lr, momentum, decay, epsilon;
  MeanRates square;

  explicit RmspropStep(const memplan_launch_t *launch)
      : lr(singleAttribute(launch, "lr", 0)),
        momentum(singleAttribute(launch, "momentum", 0)),
        decay(singleAttribute(launch, "weight_decay", 0)),
        epsilon(singleAttribute(launch, "epsilon", 1e-8)),
        square(launch, "alpha", 0.99) {}

  MEMPLAN_STEP void scaleRate(float by) { lr *= by; }
  MEMPLAN_STEP float operator()(float param, float grad, float *state) const {
    float d = grad + decay * param;
    float v = square.keep * state[0] + square.take * (d * d);
    float step = d / (::sqrtf(v) + epsilon);
    state[0] = v;
    if constexpr (withVelocity) {
      step = momentum * state[1] + step;
      state[1] = step;
    }
    return param - lr * step;
  }
};

/// The state is the sum of the squares.
struct AdagradStep {
  static constexpr int states = 1;
  float lr, decay, epsilon;

  explicit AdagradStep(const memplan_launch_t *launch)
      : lr(singleAttribute(launch, "lr", 0)),
        decay(singleAttribute(launch, "weight_decay", 0)),
        epsilon(singleAttribute(launch, "epsilon", 1e-10)) {}

  MEMPLAN_STEP void scaleRate(float by) { lr *= by; }
  MEMPLAN_STEP float operator()(float param, float grad, float *state) const {
    float d = grad + decay * param;
    float sum = state[0] + d * d;
    state[0] = sum;
    return param - lr * (d / (::sqrtf(sum) + epsilon));
  }
};

/// The state is the mean of the gradient.
struct LionStep {
  static constexpr int states = 1;
  MeanRates first, second;
  float lr, shrink;
  double decay; ///< of a step, before it is scaled

  explicit LionStep(const memplan_launch_t *launch)
      : first(launch, "beta1", 0.9), second(launch, "beta2", 0.99) {
    double rate = floatAttribute(launch, "lr", 0);
    lr = float(rate);
    decay = rate * floatAttribute(launch, "weight_decay", 0);
    shrink = float(1 - decay);
  }

  MEMPLAN_STEP void scaleRate(float by) {
    lr *= by;
    shrink = float(1 - decay * double(by));
  }
  MEMPLAN_STEP float operator()(float param, float grad, float *state) const {
    float toward = first.keep * state[0] + first.take * grad;
    // A NaN stays one.
    float step = toward > 0 ? lr : toward < 0 ? -lr : 0.0f * toward;
    state[0] = second.keep * state[0] + second.take * grad;
    return shrink * param - step;
  }
};

/// memplan.loss_scale_update on its two states.
struct ScaleStep {
  float growth, backoff;
  int64_t interval;

  explicit ScaleStep(const memplan_launch_t *launch)
      : growth(singleAttribute(launch, "growth_factor", 2)),
        backoff(singleAttribute(launch, "backoff_factor", 0.5)),
        interval(intAttribute(launch, "growth_interval", 2000)) {}

  MEMPLAN_STEP void operator()(float nonFinite, float &scale,
                               int64_t &good) const {
    if (nonFinite != 0) {
      scale *= backoff;
      good = 0;
    } else if (++good >= interval) {
      const float grown = scale * growth;
      scale = grown - grown == 0 ? grown : scale;
      good = 0;
    }
  }
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_UPDATESTEPS_H
