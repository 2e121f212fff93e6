//===- Activations.cpp - Activation functions and their gradients ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Elementwise f32 over tensors of one shape. A gradient reads the forward
// output where that is enough (relu, clamp, sigmoid, tanh), else the forward
// input. Every output may be any of its inputs: an element is read before it is
// written.
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"

#include <cmath>
#include <cstring>

namespace memplan::runtime::cpu {

/// For functions of the C library, which no loop can take as vectors.
template <typename F>
static memplan_status_t unaryCalls(const memplan_launch_t *launch, const F &f) {
  const float *x = f32(launch->inputs[0]);
  float *y = f32(launch->outputs[0]);
  parallelFor(launch, elements(launch->outputs[0]), elementGrain / 8,
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i)
                  y[i] = f(x[i]);
              });
  return MEMPLAN_OK;
}

template <typename F>
static memplan_status_t binaryCalls(const memplan_launch_t *launch,
                                    const F &f) {
  const float *a = f32(launch->inputs[0]);
  const float *b = f32(launch->inputs[1]);
  float *y = f32(launch->outputs[0]);
  parallelFor(launch, elements(launch->outputs[0]), elementGrain / 8,
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i)
                  y[i] = f(a[i], b[i]);
              });
  return MEMPLAN_OK;
}

template <typename F>
static memplan_status_t unary(const memplan_launch_t *launch, const F &f) {
  const float *x = f32(launch->inputs[0]);
  float *y = f32(launch->outputs[0]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                y[i] = f(x[i]);
            });
  return MEMPLAN_OK;
}

template <typename F>
static memplan_status_t binary(const memplan_launch_t *launch, const F &f) {
  const float *a = f32(launch->inputs[0]);
  const float *b = f32(launch->inputs[1]);
  float *y = f32(launch->outputs[0]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                y[i] = f(a[i], b[i]);
            });
  return MEMPLAN_OK;
}

MEMPLAN_INLINE static inline float logistic(float x) {
  return 1.0f / (1.0f + expOf(-x));
}

//===----------------------------------------------------------------------===//
// relu, clamp
//===----------------------------------------------------------------------===//

// A NaN goes through, as anywhere else.
static memplan_status_t relu(const memplan_launch_t *launch) {
  return unary(launch, [](float x) MEMPLAN_INLINE { return x < 0 ? 0.0f : x; });
}

static memplan_status_t reluGrad(const memplan_launch_t *launch) {
  return binary(launch, [](float y, float dy)
                            MEMPLAN_INLINE { return y > 0 ? dy : 0.0f; });
}

static memplan_status_t clamp(const memplan_launch_t *launch) {
  float low = float(floatAttribute(launch, "min", 0));
  float high = float(floatAttribute(launch, "max", 0));
  return unary(launch, [=](float x) MEMPLAN_INLINE {
    float atLeast = x < low ? low : x;
    return atLeast > high ? high : atLeast;
  });
}

// The output tells whether the input was strictly inside; at the ends the
// gradient is 0.
static memplan_status_t clampGrad(const memplan_launch_t *launch) {
  float low = float(floatAttribute(launch, "min", 0));
  float high = float(floatAttribute(launch, "max", 0));
  return binary(launch, [=](float y, float dy) MEMPLAN_INLINE {
    // Not &&: a branch would keep the loop from becoming vectors.
    return ((y > low) & (y < high)) ? dy : 0.0f;
  });
}

//===----------------------------------------------------------------------===//
// sigmoid, tanh, silu
//===----------------------------------------------------------------------===//

static memplan_status_t sigmoid(const memplan_launch_t *launch) {
  return unary(launch, [](float x) MEMPLAN_INLINE { return logistic(x); });
}

static memplan_status_t sigmoidGrad(const memplan_launch_t *launch) {
  return binary(launch, [](float y, float dy)
                            MEMPLAN_INLINE { return dy * (y * (1.0f - y)); });
}

static memplan_status_t tanhForward(const memplan_launch_t *launch) {
  return unaryCalls(launch, [](float x) { return std::tanh(x); });
}

static memplan_status_t tanhGrad(const memplan_launch_t *launch) {
  return binary(launch, [](float y, float dy)
                            MEMPLAN_INLINE { return dy * (1.0f - y * y); });
}

static memplan_status_t silu(const memplan_launch_t *launch) {
  return unary(launch, [](float x) MEMPLAN_INLINE { return x * logistic(x); });
}

static memplan_status_t siluGrad(const memplan_launch_t *launch) {
  return binary(launch, [](float x, float dy) MEMPLAN_INLINE {
    float s = logistic(x);
    return dy * (s * (1.0f + x * (1.0f - s)));
  });
}

//===----------------------------------------------------------------------===//
// gelu
//===----------------------------------------------------------------------===//

static bool usesTanh(const memplan_launch_t *launch) {
  const memplan_attribute_t *mode = findAttribute(launch, "approximate");
  return mode && mode->kind == MEMPLAN_ATTRIBUTE_STRING &&
         std::strcmp(mode->string, "tanh") == 0;
}

static constexpr float sqrtHalf = 0.70710678118654752f;

static constexpr float sqrtTwoOverPi = 0.79788456080286536f;

static constexpr float inverseSqrtTwoPi = 0.39894228040143268f;

static constexpr float cubic = 0.044715f;

static memplan_status_t gelu(const memplan_launch_t *launch) {
  if (usesTanh(launch))
    return unaryCalls(launch, [](float x) {
      float u = sqrtTwoOverPi * (x + cubic * x * x * x);
      return 0.5f * x * (1.0f + std::tanh(u));
    });
  return unaryCalls(launch, [](float x) {
    return 0.5f * x * (1.0f + std::erf(x * sqrtHalf));
  });
}

static memplan_status_t geluGrad(const memplan_launch_t *launch) {
  if (usesTanh(launch))
    return binaryCalls(launch, [](float x, float dy) {
      float t = std::tanh(sqrtTwoOverPi * (x + cubic * x * x * x));
      float du = sqrtTwoOverPi * (1.0f + 3.0f * cubic * x * x);
      return dy * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * du);
    });
  return binaryCalls(launch, [](float x, float dy) {
    float cdf = 0.5f * (1.0f + std::erf(x * sqrtHalf));
    float pdf = inverseSqrtTwoPi * std::exp(-0.5f * x * x);
    return dy * (cdf + x * pdf);
  });
}

KernelList activationKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeKernel("memplan.clamp", inRows<clamp>),
      makeKernel("memplan.clamp_grad", inRows<clampGrad>),
      makeKernel("memplan.gelu", gelu),
      makeKernel("memplan.gelu_grad", geluGrad),
      makeKernel("memplan.relu", inRows<relu>),
      makeKernel("memplan.relu_grad", inRows<reluGrad>),
      makeKernel("memplan.sigmoid", inRows<sigmoid>),
      makeKernel("memplan.sigmoid_grad", inRows<sigmoidGrad>),
      makeKernel("memplan.silu", inRows<silu>),
      makeKernel("memplan.silu_grad", inRows<siluGrad>),
      makeKernel("memplan.tanh", inRows<tanhForward>),
      makeKernel("memplan.tanh_grad", inRows<tanhGrad>),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
