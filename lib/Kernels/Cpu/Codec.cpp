//===- Codec.cpp - f32 in the bytes of bfloat16, and back -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.encode_bf16: y[i] = the bfloat16 nearest to x[i], ties to even
//   in x f32   out y i8, two bytes an element, the lower first
// memplan.decode_bf16: y[i] = the bfloat16 in the two bytes x[i]
//   in x i8    out y f32
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "memplan/Kernels/Bf16.h"

namespace memplan::runtime::cpu {

static memplan_status_t encode(const memplan_launch_t *launch) {
  const float *x = f32(launch->inputs[0]);
  auto *y = static_cast<unsigned char *>(launch->outputs[0].data);
  parallelFor(launch, elements(launch->inputs[0]), elementGrain,
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  const uint32_t bits = bf16Bits(x[i]);
                  y[2 * i] = static_cast<unsigned char>(bits);
                  y[2 * i + 1] = static_cast<unsigned char>(bits >> 8);
                }
              });
  return MEMPLAN_OK;
}

static memplan_status_t decode(const memplan_launch_t *launch) {
  const auto *x = static_cast<const unsigned char *>(launch->inputs[0].data);
  float *y = f32(launch->outputs[0]);
  parallelFor(launch, elements(launch->outputs[0]), elementGrain,
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i)
                  y[i] = floatOfBf16(x[2 * i] | uint32_t(x[2 * i + 1]) << 8);
              });
  return MEMPLAN_OK;
}

KernelList codecKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeKernel("memplan.decode_bf16", decode),
      makeKernel("memplan.encode_bf16", encode),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
