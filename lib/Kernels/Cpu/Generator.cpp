//===- Generator.cpp - Values without an input ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.iota{size}: y[i] = i                       out y [size] i64
// memplan.constant{value}, of any element type: every element
//   is the number `value`, or the elements are the list
//   `value`; with an input, the elements are the input's
//   (the program's constants)
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include <cstring>

namespace memplan::runtime::cpu {

static memplan_status_t iota(const memplan_launch_t *launch) {
  int64_t *y = i64(launch->outputs[0]);
  for (int64_t i = 0; i < launch->outputs[0].shape[0]; ++i)
    y[i] = i;
  return MEMPLAN_OK;
}

/// Entry i of the attribute, whatever its kind.
template <typename T>
static T valueAt(const memplan_attribute_t &value, int64_t i) {
  if constexpr (sizeof(T) == 2) // A constructor makes these from f32.
    return T(valueAt<float>(value, i));
  else
    switch (value.kind) {
    case MEMPLAN_ATTRIBUTE_INT:
      return T(value.int_value);
    case MEMPLAN_ATTRIBUTE_FLOAT:
      return T(value.float_value);
    case MEMPLAN_ATTRIBUTE_INTS:
      return T(value.ints[i]);
    default:
      return T(value.floats[i]);
    }
}

template <typename T>
static void fillFrom(const memplan_attribute_t &value,
                     const memplan_tensor_t &out) {
  T *y = static_cast<T *>(out.data);
  for (int64_t i = 0; i < elements(out); ++i)
    y[i] = valueAt<T>(value, i);
}

static memplan_status_t constant(const memplan_launch_t *launch) {
  const memplan_tensor_t &out = launch->outputs[0];
  if (launch->input_count == 1) {
    if (out.data != launch->inputs[0].data)
      std::memcpy(out.data, launch->inputs[0].data,
                  size_t(elements(out) * elementBytes(out)));
    return MEMPLAN_OK;
  }
  const memplan_attribute_t &value = *findAttribute(launch, "value");
  switch (out.dtype) {
  case MEMPLAN_F32:
    fillFrom<float>(value, out);
    break;
  case MEMPLAN_BF16:
    fillFrom<Bf16>(value, out);
    break;
  case MEMPLAN_F16:
    fillFrom<F16>(value, out);
    break;
  case MEMPLAN_I64:
    fillFrom<int64_t>(value, out);
    break;
  default:
    fillFrom<int8_t>(value, out);
  }
  return MEMPLAN_OK;
}

KernelList generatorKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.constant", constant),
      makeKernel("memplan.iota", iota),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
