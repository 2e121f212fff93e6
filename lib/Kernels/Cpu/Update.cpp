//===- Update.cpp - Optimizer updates -------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each output is the new version of the operand of its number and may be, and
// in planned programs is, that operand itself. The operands are the parameter,
// its states and the gradient, as UpdateSteps.h has them; for Adam the
// number of this update comes before the gradient, step: [1] i64, counted from
// 1. memplan.increment: step + 1
// Errors: MEMPLAN_INVALID_ARGUMENT for a step below 1.
//
//===----------------------------------------------------------------------===//

#include "../UpdateSteps.h"
#include "Elements.h"
#include "Vectors.h"

#include <cstring>

namespace memplan::runtime::cpu {

/// step(param, grad, states) for each element.
template <typename T, int states, typename Step>
static memplan_status_t forEachElement(const memplan_launch_t *launch,
                                       const Step &step) {
  static_assert(states <= 2);
  const T *grad = dataOf<T>(launch->inputs[launch->input_count - 1]);
  const T *param = dataOf<T>(launch->inputs[0]);
  const T *first = states > 0 ? dataOf<T>(launch->inputs[1]) : nullptr;
  const T *second = states > 1 ? dataOf<T>(launch->inputs[2]) : nullptr;
  T *newParam = dataOf<T>(launch->outputs[0]);
  T *newFirst = states > 0 ? dataOf<T>(launch->outputs[1]) : nullptr;
  T *newSecond = states > 1 ? dataOf<T>(launch->outputs[2]) : nullptr;
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i) {
                float state[2];
                if constexpr (states > 0)
                  state[0] = first[i];
                if constexpr (states > 1)
                  state[1] = second[i];
                newParam[i] = T(step(param[i], grad[i], state));
                if constexpr (states > 0)
                  newFirst[i] = T(state[0]);
                if constexpr (states > 1)
                  newSecond[i] = T(state[1]);
              }
            });
  return MEMPLAN_OK;
}

template <typename T, typename Step>
static memplan_status_t update(const memplan_launch_t *launch) {
  return forEachElement<T, Step::states>(launch, Step(launch));
}

template <typename T, bool decoupled>
static memplan_status_t adam(const memplan_launch_t *launch) {
  int64_t number = *i64(launch->inputs[3]);
  if (number < 1)
    return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                "the step is %lld; updates are counted from 1",
                static_cast<long long>(number));
  AdamRates rates = AdamRates::at(number, floatAttribute(launch, "lr", 0),
                                  floatAttribute(launch, "beta1", 0.9),
                                  floatAttribute(launch, "beta2", 0.999));
  AdamStep step(launch, decoupled);
  return forEachElement<T, AdamStep::states>(
      launch, [=](float param, float grad, float *state)
                  MEMPLAN_INLINE { return step(param, grad, state, rates); });
}

static memplan_status_t increment(const memplan_launch_t *launch) {
  const int64_t *x = i64(launch->inputs[0]);
  int64_t *y = i64(launch->outputs[0]);
  // Unsigned: the largest number wraps instead of being undefined.
  for (int64_t i = 0; i < elements(launch->outputs[0]); ++i)
    y[i] = int64_t(uint64_t(x[i]) + 1);
  return MEMPLAN_OK;
}

/// As torch.amp.GradScaler has it; a scale that would be infinite stays.
static memplan_status_t lossScaleUpdate(const memplan_launch_t *launch) {
  const ScaleStep step(launch);
  float scale = *f32(launch->inputs[0]);
  int64_t good = *i64(launch->inputs[1]);
  step(*f32(launch->inputs[2]), scale, good);
  *f32(launch->outputs[0]) = scale;
  *i64(launch->outputs[1]) = good;
  return MEMPLAN_OK;
}

/// Attributes with the learning rate multiplied by a scalar.
struct RatedAttributes {
  static constexpr int32_t most = 16;
  memplan_attribute_t list[most];

  memplan_status_t take(const memplan_launch_t *launch, float rate) {
    if (launch->attribute_count > most)
      return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                  "an update has %d attributes; %d are allowed",
                  launch->attribute_count, most);
    for (int32_t i = 0; i < launch->attribute_count; ++i) {
      list[i] = launch->attributes[i];
      if (std::strcmp(list[i].name, "lr") == 0)
        list[i].float_value *= double(rate);
    }
    return MEMPLAN_OK;
  }
};

/// The update `launched` of `inputs` operands, which a further one, a scalar,
/// may skip: output k is then its old version, input k. Another scalar
/// multiplies the learning rate.
template <LaunchFunction launched, int inputs>
static memplan_status_t skippable(const memplan_launch_t *launch) {
  if (launch->input_count == inputs)
    return launched(launch);
  if (*f32(launch->inputs[inputs]) == 0) {
    memplan_launch_t update = *launch;
    update.input_count = inputs;
    RatedAttributes attributes;
    if (launch->input_count > inputs + 1) {
      if (memplan_status_t status =
              attributes.take(launch, *f32(launch->inputs[inputs + 1]));
          status != MEMPLAN_OK)
        return status;
      update.attributes = attributes.list;
    }
    return launched(&update);
  }
  for (int k = 0; k < launch->output_count; ++k)
    if (launch->outputs[k].data != launch->inputs[k].data)
      std::memcpy(launch->outputs[k].data, launch->inputs[k].data,
                  size_t(elements(launch->outputs[k]) *
                         elementBytes(launch->outputs[k])));
  return MEMPLAN_OK;
}

template <typename Step> static constexpr LaunchFunction updates() {
  return skippable<
      byElement<update<float, Step>, update<Bf16, Step>, update<F16, Step>>,
      Step::states + 2>;
}

template <bool decoupled> static constexpr LaunchFunction adams() {
  return skippable<byElement<adam<float, decoupled>, adam<Bf16, decoupled>,
                             adam<F16, decoupled>>,
                   5>;
}

KernelList updateKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.adagrad_update", updates<AdagradStep>()),
      makeTyped("memplan.adam_update", adams<false>()),
      makeTyped("memplan.adamw_update", adams<true>()),
      makeKernel("memplan.increment", skippable<increment, 1>),
      makeTyped("memplan.lion_update", updates<LionStep>()),
      makeKernel("memplan.loss_scale_update", lossScaleUpdate),
      makeTyped("memplan.rmsprop_momentum_update",
                updates<RmspropStep<true>>()),
      makeTyped("memplan.rmsprop_update", updates<RmspropStep<false>>()),
      makeTyped("memplan.sgd_momentum_update", updates<MomentumStep>()),
      makeTyped("memplan.sgd_update", updates<SgdStep>()),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
