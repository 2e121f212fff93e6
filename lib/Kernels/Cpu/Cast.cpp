//===- Cast.cpp - From one real element type to another -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memplan.cast: y[i] = the element of y's type nearest to x[i], ties to even
//   in x   out y, both f32, bf16 or f16
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

namespace memplan::runtime::cpu {

template <typename From, typename To>
static memplan_status_t convert(const memplan_launch_t *launch) {
  const From *x = dataOf<From>(launch->inputs[0]);
  To *y = dataOf<To>(launch->outputs[0]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                y[i] = To(float(x[i]));
            });
  return MEMPLAN_OK;
}

template <typename From>
static memplan_status_t convertFrom(const memplan_launch_t *launch) {
  switch (launch->outputs[0].dtype) {
  case MEMPLAN_BF16:
    return convert<From, Bf16>(launch);
  case MEMPLAN_F16:
    return convert<From, F16>(launch);
  default:
    return convert<From, float>(launch);
  }
}

static memplan_status_t cast(const memplan_launch_t *launch) {
  switch (launch->inputs[0].dtype) {
  case MEMPLAN_BF16:
    return convertFrom<Bf16>(launch);
  case MEMPLAN_F16:
    return convertFrom<F16>(launch);
  default:
    return convertFrom<float>(launch);
  }
}

KernelList castKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.cast", inRows<cast>),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
