//===- ElementLoss.cpp - Losses that are means over elements --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.mse_loss: mean of (p - t)^2             in p, t   out loss []
// memplan.bce_with_logits: mean of max(x, 0) - x t + log(1 + exp(-|x|))
//                                                 in x, t   out loss []
// memplan.mse_loss_grad: 2 (p - t) dloss / n;  memplan.bce_with_logits_grad:
//   (sigmoid(x) - t) dloss / n    in p or x, t, dloss []   out may be p, x or t
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

#include <cmath>

namespace memplan::runtime::cpu {

template <typename T, typename F>
static memplan_status_t meanOf(const memplan_launch_t *launch, const F &f) {
  const T *a = dataOf<T>(launch->inputs[0]);
  const T *b = dataOf<T>(launch->inputs[1]);
  int64_t count = elements(launch->inputs[0]);
  double sum =
      vectorSum(launch, count, [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
        double sum = 0;
        for (int64_t i = begin; i < end; ++i)
          sum += f(a[i], b[i]);
        return sum;
      });
  *dataOf<T>(launch->outputs[0]) = T(float(sum / double(count)));
  return MEMPLAN_OK;
}

template <typename T, typename F>
static memplan_status_t gradOf(const memplan_launch_t *launch, const F &f) {
  const T *a = dataOf<T>(launch->inputs[0]);
  const T *b = dataOf<T>(launch->inputs[1]);
  T *out = dataOf<T>(launch->outputs[0]);
  int64_t count = elements(launch->inputs[0]);
  float factor = *dataOf<T>(launch->inputs[2]) / float(count);
  parallelFor(launch, count, elementGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      out[i] = T(f(a[i], b[i]) * factor);
  });
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t mse(const memplan_launch_t *launch) {
  return meanOf<T>(launch, [](float p, float t) MEMPLAN_INLINE {
    double d = double(p) - t;
    return d * d;
  });
}

template <typename T>
static memplan_status_t mseGrad(const memplan_launch_t *launch) {
  return gradOf<T>(launch, [](float p, float t) { return 2.0f * (p - t); });
}

template <typename T>
static memplan_status_t bce(const memplan_launch_t *launch) {
  return meanOf<T>(launch, [](float x, float t) MEMPLAN_INLINE {
    return double(x > 0 ? x : 0.0f) - double(x) * t +
           std::log1p(std::exp(-std::fabs(double(x))));
  });
}

template <typename T>
static memplan_status_t bceGrad(const memplan_launch_t *launch) {
  return gradOf<T>(launch, [](float x, float t) {
    return 1.0f / (1.0f + std::exp(-x)) - t;
  });
}

KernelList elementLossKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.bce_with_logits", MEMPLAN_TYPED(bce)),
      makeTyped("memplan.bce_with_logits_grad", MEMPLAN_TYPED(bceGrad)),
      makeTyped("memplan.mse_loss", MEMPLAN_TYPED(mse)),
      makeTyped("memplan.mse_loss_grad", MEMPLAN_TYPED(mseGrad)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
