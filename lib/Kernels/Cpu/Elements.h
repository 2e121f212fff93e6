//===- Elements.h - Elements of 16 bits in loops over f32 -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is one template by the type of its elements. It loads them as f32,
// computes in f32 or wider and rounds once, where it stores a result.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_ELEMENTS_H
#define MEMPLAN_LIB_KERNELS_CPU_ELEMENTS_H

#include "Kernel.h"

#include "memplan/Kernels/Bf16.h"
#include "memplan/Kernels/F16.h"

namespace memplan::runtime::cpu {

struct Bf16 {
  uint16_t bits;

  Bf16() = default;
  explicit Bf16(float value) : bits(uint16_t(bf16Bits(value))) {}
  operator float() const { return floatOfBf16(bits); }
};

struct F16 {
  uint16_t bits;

  F16() = default;
  explicit F16(float value) : bits(uint16_t(f16Bits(value))) {}
  operator float() const { return floatOfF16(bits); }
};

template <typename T> T *dataOf(const memplan_tensor_t &tensor) {
  return static_cast<T *>(tensor.data);
}

inline bool isHalf(const memplan_tensor_t &tensor) {
  return tensor.dtype == MEMPLAN_BF16 || tensor.dtype == MEMPLAN_F16;
}

/// The 16-bit type of an operand, f32 where no operand has one.
inline int32_t elementType(const memplan_launch_t *launch) {
  for (int i = 0; i < launch->input_count + launch->output_count; ++i)
    if (isHalf(operandOf(launch, i)))
      return operandOf(launch, i).dtype;
  return MEMPLAN_F32;
}

/// Runs the one of three kernels that is for the elements of the launch.
template <LaunchFunction f32, LaunchFunction bf16, LaunchFunction f16>
memplan_status_t byElement(const memplan_launch_t *launch) {
  switch (elementType(launch)) {
  case MEMPLAN_BF16:
    return bf16(launch);
  case MEMPLAN_F16:
    return f16(launch);
  default:
    return f32(launch);
  }
}

/// A row for a template by the type T of the elements.
#define MEMPLAN_TYPED(KERNEL)                                                  \
  byElement<KERNEL<float>, KERNEL<Bf16>, KERNEL<F16>>

/// For a template by T and by the type P of parameters, which is T or f32;
/// input number `parameter` has it.
template <int parameter, LaunchFunction wide, LaunchFunction same>
memplan_status_t byParameter(const memplan_launch_t *launch) {
  return launch->inputs[parameter].dtype == MEMPLAN_F32 ? wide(launch)
                                                        : same(launch);
}
#define MEMPLAN_TYPED_WITH(KERNEL, PARAMETER)                                  \
  byElement<KERNEL<float, float>,                                              \
            byParameter<PARAMETER, KERNEL<Bf16, float>, KERNEL<Bf16, Bf16>>,   \
            byParameter<PARAMETER, KERNEL<F16, float>, KERNEL<F16, F16>>>

//===----------------------------------------------------------------------===//
// Kernels of f32 on copies
//===----------------------------------------------------------------------===//

/// Asks for room for f32 copies of the operands of 16 bits, and of images and
/// filters with channels last, which become those with channels in dimension 1.
memplan_status_t prepareWidened(const memplan_launch_t *launch,
                                memplan_prepared_t *prepared);
/// Runs a kernel of f32 on such copies, in the workspace.
memplan_status_t launchWidened(const memplan_launch_t *launch,
                               LaunchFunction kernel);

template <LaunchFunction kernel>
memplan_status_t widened(const memplan_launch_t *launch) {
  return elementType(launch) == MEMPLAN_F32 && !hasChannelsLast(launch)
             ? kernel(launch)
             : launchWidened(launch, kernel);
}

/// A row for a kernel of f32 that adds up in its outputs, where 16 bits would
/// lose most of a sum.
template <LaunchFunction kernel>
constexpr memplan_kernel_t makeWidened(const char *name) {
  return {name, prepareWidened, widened<kernel>, nullptr, nullptr, 0};
}

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_ELEMENTS_H
