//===- Stored.h - What an element is in memory ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_STORED_H
#define MEMPLAN_LIB_KERNELS_CUDA_STORED_H

#include "Block.h"

#include "memplan/Kernels/Bf16.h"
#include "memplan/Kernels/F16.h"

namespace memplan::runtime::cuda {

// Each kernel loads f32, and rounds once where it stores.
struct Bf16 {
  using Stored = uint16_t;
  MEMPLAN_DEVICE static float load(uint16_t bits) { return floatOfBf16(bits); }
  MEMPLAN_DEVICE static uint16_t store(float value) {
    return uint16_t(bf16Bits(value));
  }
};
struct F16 {
  using Stored = uint16_t;
  MEMPLAN_DEVICE static float load(uint16_t bits) { return floatOfF16(bits); }
  MEMPLAN_DEVICE static uint16_t store(float value) {
    return uint16_t(f16Bits(value));
  }
};
struct F32 {
  using Stored = float;
  MEMPLAN_DEVICE static float load(float value) { return value; }
  MEMPLAN_DEVICE static float store(float value) { return value; }
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_STORED_H
