//===- Activations.cu - Activation functions --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The equations are those of the plain kernels of the same names.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include <cstring>

namespace memplan::runtime::cuda {

MEMPLAN_DEVICE static float logistic(float x) {
  return 1.0f / (1.0f + ::expf(-x));
}

static memplan_status_t relu(const Call &call) {
  return unary(call, [] MEMPLAN_DEVICE(float x) { return x < 0 ? 0.0f : x; });
}

static memplan_status_t reluGrad(const Call &call) {
  return binary(
      call, [] MEMPLAN_DEVICE(float y, float dy) { return y > 0 ? dy : 0.0f; });
}

static memplan_status_t clamp(const Call &call) {
  float low = float(floatAttribute(call.launch, "min", 0));
  float high = float(floatAttribute(call.launch, "max", 0));
  return unary(call, [=] MEMPLAN_DEVICE(float x) {
    float atLeast = x < low ? low : x;
    return atLeast > high ? high : atLeast;
  });
}

static memplan_status_t clampGrad(const Call &call) {
  float low = float(floatAttribute(call.launch, "min", 0));
  float high = float(floatAttribute(call.launch, "max", 0));
  return binary(call, [=] MEMPLAN_DEVICE(float y, float dy) {
    return y > low && y < high ? dy : 0.0f;
  });
}

static memplan_status_t sigmoid(const Call &call) {
  return unary(call, [] MEMPLAN_DEVICE(float x) { return logistic(x); });
}

static memplan_status_t sigmoidGrad(const Call &call) {
  return binary(call, [] MEMPLAN_DEVICE(float y, float dy) {
    return dy * (y * (1.0f - y));
  });
}

static memplan_status_t tanhForward(const Call &call) {
  return unary(call, [] MEMPLAN_DEVICE(float x) { return ::tanhf(x); });
}

static memplan_status_t tanhGrad(const Call &call) {
  return binary(call, [] MEMPLAN_DEVICE(float y, float dy) {
    return dy * (1.0f - y * y);
  });
}

static memplan_status_t silu(const Call &call) {
  return unary(call, [] MEMPLAN_DEVICE(float x) { return x * logistic(x); });
}

static memplan_status_t siluGrad(const Call &call) {
  return binary(call, [] MEMPLAN_DEVICE(float x, float dy) {
    float s = logistic(x);
    return dy * (s * (1.0f + x * (1.0f - s)));
  });
}

static bool usesTanh(const Call &call) {
  const memplan_attribute_t *mode = findAttribute(call.launch, "approximate");
  return mode && mode->kind == MEMPLAN_ATTRIBUTE_STRING &&
         std::strcmp(mode->string, "tanh") == 0;
}

static constexpr float sqrtHalf = 0.70710678118654752f;
static constexpr float sqrtTwoOverPi = 0.79788456080286536f;
static constexpr float inverseSqrtTwoPi = 0.39894228040143268f;
static constexpr float cubic = 0.044715f;

static memplan_status_t gelu(const Call &call) {
  if (usesTanh(call))
    return unary(call, [] MEMPLAN_DEVICE(float x) {
      float u = sqrtTwoOverPi * (x + cubic * x * x * x);
      return 0.5f * x * (1.0f + ::tanhf(u));
    });
  return unary(call, [] MEMPLAN_DEVICE(float x) {
    return 0.5f * x * (1.0f + ::erff(x * sqrtHalf));
  });
}

static memplan_status_t geluGrad(const Call &call) {
  if (usesTanh(call))
    return binary(call, [] MEMPLAN_DEVICE(float x, float dy) {
      float t = ::tanhf(sqrtTwoOverPi * (x + cubic * x * x * x));
      float du = sqrtTwoOverPi * (1.0f + 3.0f * cubic * x * x);
      return dy * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * du);
    });
  return binary(call, [] MEMPLAN_DEVICE(float x, float dy) {
    float cdf = 0.5f * (1.0f + ::erff(x * sqrtHalf));
    float pdf = inverseSqrtTwoPi * ::expf(-0.5f * x * x);
    return dy * (cdf + x * pdf);
  });
}

KernelTable activationKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.clamp", clamp},      {"memplan.clamp_grad", clampGrad},
      {"memplan.gelu", gelu},        {"memplan.gelu_grad", geluGrad},
      {"memplan.relu", relu},        {"memplan.relu_grad", reluGrad},
      {"memplan.sigmoid", sigmoid},  {"memplan.sigmoid_grad", sigmoidGrad},
      {"memplan.silu", silu},        {"memplan.silu_grad", siluGrad},
      {"memplan.tanh", tanhForward}, {"memplan.tanh_grad", tanhGrad},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
