//===- Activations.cpp - Activation functions and their gradients ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Elementwise over tensors of one shape. A gradient reads the forward
// output where that is enough (relu, clamp, sigmoid, tanh), else the forward
// input. Every output may be any of its inputs: an element is read before it is
// written.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

#include <cstring>

namespace memplan::runtime::cpu {

template <typename T, typename F>
static memplan_status_t unary(const memplan_launch_t *launch, const F &f) {
  const T *x = dataOf<T>(launch->inputs[0]);
  T *y = dataOf<T>(launch->outputs[0]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                y[i] = T(f(x[i]));
            });
  return MEMPLAN_OK;
}

template <typename T, typename F>
static memplan_status_t binary(const memplan_launch_t *launch, const F &f) {
  const T *a = dataOf<T>(launch->inputs[0]);
  const T *b = dataOf<T>(launch->inputs[1]);
  T *y = dataOf<T>(launch->outputs[0]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                y[i] = T(f(a[i], b[i]));
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
template <typename T>
static memplan_status_t relu(const memplan_launch_t *launch) {
  return unary<T>(launch,
                  [](float x) MEMPLAN_INLINE { return x < 0 ? 0.0f : x; });
}

template <typename T>
static memplan_status_t reluGrad(const memplan_launch_t *launch) {
  return binary<T>(launch, [](float y, float dy)
                               MEMPLAN_INLINE { return y > 0 ? dy : 0.0f; });
}

template <typename T>
static memplan_status_t clamp(const memplan_launch_t *launch) {
  float low = float(floatAttribute(launch, "min", 0));
  float high = float(floatAttribute(launch, "max", 0));
  return unary<T>(launch, [=](float x) MEMPLAN_INLINE {
    float atLeast = x < low ? low : x;
    return atLeast > high ? high : atLeast;
  });
}

// The output tells whether the input was strictly inside; at the ends the
// gradient is 0.
template <typename T>
static memplan_status_t clampGrad(const memplan_launch_t *launch) {
  float low = float(floatAttribute(launch, "min", 0));
  float high = float(floatAttribute(launch, "max", 0));
  return binary<T>(launch, [=](float y, float dy) MEMPLAN_INLINE {
    // Not &&: a branch would keep the loop from becoming vectors.
    return ((y > low) & (y < high)) ? dy : 0.0f;
  });
}

//===----------------------------------------------------------------------===//
// sigmoid, tanh, silu
//===----------------------------------------------------------------------===//

template <typename T>
static memplan_status_t sigmoid(const memplan_launch_t *launch) {
  return unary<T>(launch, [](float x) MEMPLAN_INLINE { return logistic(x); });
}

template <typename T>
static memplan_status_t sigmoidGrad(const memplan_launch_t *launch) {
  return binary<T>(launch, [](float y, float dy) MEMPLAN_INLINE {
    return dy * (y * (1.0f - y));
  });
}

template <typename T>
static memplan_status_t tanhForward(const memplan_launch_t *launch) {
  return unary<T>(launch, [](float x) MEMPLAN_INLINE { return tanhOf(x); });
}

template <typename T>
static memplan_status_t tanhGrad(const memplan_launch_t *launch) {
  return binary<T>(launch, [](float y, float dy)
                               MEMPLAN_INLINE { return dy * (1.0f - y * y); });
}

template <typename T>
static memplan_status_t silu(const memplan_launch_t *launch) {
  return unary<T>(launch,
                  [](float x) MEMPLAN_INLINE { return x * logistic(x); });
}

template <typename T>
static memplan_status_t siluGrad(const memplan_launch_t *launch) {
  return binary<T>(launch, [](float x, float dy) MEMPLAN_INLINE {
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

/// 1 + tanh(u) is twice the logistic function of 2u.
MEMPLAN_INLINE static inline float geluShare(float x) {
  return logistic(2.0f * sqrtTwoOverPi * (x + cubic * x * x * x));
}

template <typename T>
static memplan_status_t gelu(const memplan_launch_t *launch) {
  if (usesTanh(launch))
    return unary<T>(launch,
                    [](float x) MEMPLAN_INLINE { return x * geluShare(x); });
  return unary<T>(launch, [](float x) MEMPLAN_INLINE {
    return 0.5f * x * (1.0f + erfOf(x * sqrtHalf));
  });
}

template <typename T>
static memplan_status_t geluGrad(const memplan_launch_t *launch) {
  if (usesTanh(launch))
    return binary<T>(launch, [](float x, float dy) MEMPLAN_INLINE {
      float share = geluShare(x);
      float du = sqrtTwoOverPi * (1.0f + 3.0f * cubic * x * x);
      return dy * (share + 2.0f * x * (share * (1.0f - share)) * du);
    });
  return binary<T>(launch, [](float x, float dy) MEMPLAN_INLINE {
    float cdf = 0.5f * (1.0f + erfOf(x * sqrtHalf));
    float pdf = inverseSqrtTwoPi * expOf(-0.5f * x * x);
    return dy * (cdf + x * pdf);
  });
}

KernelList activationKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.clamp", inRows<MEMPLAN_TYPED(clamp)>),
      makeTyped("memplan.clamp_grad", inRows<MEMPLAN_TYPED(clampGrad)>),
      makeTyped("memplan.gelu", MEMPLAN_TYPED(gelu)),
      makeTyped("memplan.gelu_grad", MEMPLAN_TYPED(geluGrad)),
      makeTyped("memplan.relu", inRows<MEMPLAN_TYPED(relu)>),
      makeTyped("memplan.relu_grad", inRows<MEMPLAN_TYPED(reluGrad)>),
      makeTyped("memplan.sigmoid", inRows<MEMPLAN_TYPED(sigmoid)>),
      makeTyped("memplan.sigmoid_grad", inRows<MEMPLAN_TYPED(sigmoidGrad)>),
      makeTyped("memplan.silu", inRows<MEMPLAN_TYPED(silu)>),
      makeTyped("memplan.silu_grad", inRows<MEMPLAN_TYPED(siluGrad)>),
      makeTyped("memplan.tanh", inRows<MEMPLAN_TYPED(tanhForward)>),
      makeTyped("memplan.tanh_grad", inRows<MEMPLAN_TYPED(tanhGrad)>),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
