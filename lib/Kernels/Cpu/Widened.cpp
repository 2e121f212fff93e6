//===- Widened.cpp - Kernels of f32 on operands of 16 bits ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

namespace memplan::runtime::cpu {

static constexpr int mostOperands = 32;

/// Bytes of the f32 copy of an operand.
static int64_t copyBytes(const memplan_tensor_t &tensor) {
  constexpr int64_t alignment = 64;
  const int64_t bytes = elements(tensor) * int64_t(sizeof(float));
  return (bytes + alignment - 1) / alignment * alignment;
}

memplan_status_t prepareWidened(const memplan_launch_t *launch,
                                memplan_prepared_t *prepared) {
  if (memplan_status_t status = checkLaunch(launch, prepared))
    return status;
  const int count = launch->input_count + launch->output_count;
  int64_t bytes = 0;
  for (int i = 0; i < count; ++i)
    bytes += isHalf(operandOf(launch, i)) ? copyBytes(operandOf(launch, i)) : 0;
  if (bytes > 0 && count > mostOperands)
    return fail(launch, MEMPLAN_UNAVAILABLE,
                "%d operands, some of 16 bits; %d at most", count,
                mostOperands);
  prepared->workspace_bytes = bytes;
  return MEMPLAN_OK;
}

/// Calls copy(dense element, element of the operand, elements) for each run of
/// memory.
template <typename Copy>
static void eachRun(const memplan_launch_t *launch, int operand,
                    const Copy &copy) {
  const memplan_tensor_t &tensor = operandOf(launch, operand);
  const int dims = gapDims(launch, operand);
  const int64_t length = product(tensor, dims, tensor.rank);
  for (int64_t run = 0, runs = product(tensor, 0, dims); run < runs; ++run) {
    int64_t element = 0, rest = run;
    for (int d = dims - 1; d >= 0; --d) {
      element += rest % tensor.shape[d] * strideOf(launch, operand, d);
      rest /= tensor.shape[d];
    }
    copy(run * length, element, length);
  }
}

template <typename To, typename From>
static void convert(const memplan_launch_t *launch, To *to, const From *from,
                    int64_t count) {
  vectorFor(launch, count, elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                to[i] = To(float(from[i]));
            });
}

template <typename T>
static void copyIn(const memplan_launch_t *launch, int operand, float *to) {
  const T *from = dataOf<T>(operandOf(launch, operand));
  eachRun(launch, operand, [&](int64_t dense, int64_t element, int64_t count) {
    convert(launch, to + dense, from + element, count);
  });
}

template <typename T>
static void copyOut(const memplan_launch_t *launch, int operand,
                    const float *from) {
  T *to = dataOf<T>(operandOf(launch, operand));
  eachRun(launch, operand, [&](int64_t dense, int64_t element, int64_t count) {
    convert(launch, to + element, from + dense, count);
  });
}

memplan_status_t launchWidened(const memplan_launch_t *launch,
                               LaunchFunction kernel) {
  const int count = launch->input_count + launch->output_count;
  memplan_tensor_t tensors[mostOperands];
  const int64_t *strides[mostOperands];
  auto *room = static_cast<char *>(launch->workspace);
  for (int i = 0; i < count; ++i) {
    tensors[i] = operandOf(launch, i);
    strides[i] = stridesOf(launch, i);
    if (!isHalf(tensors[i]))
      continue;
    auto *copy = reinterpret_cast<float *>(room);
    room += copyBytes(tensors[i]);
    if (i < launch->input_count)
      tensors[i].dtype == MEMPLAN_BF16 ? copyIn<Bf16>(launch, i, copy)
                                       : copyIn<F16>(launch, i, copy);
    tensors[i].data = copy;
    tensors[i].dtype = MEMPLAN_F32;
    strides[i] = nullptr;
  }
  memplan_launch_t wide = *launch;
  wide.inputs = tensors;
  wide.outputs = tensors + launch->input_count;
  wide.strides = launch->strides ? strides : nullptr;
  if (memplan_status_t status = kernel(&wide))
    return status;
  for (int i = launch->input_count; i < count; ++i) {
    const memplan_tensor_t &tensor = operandOf(launch, i);
    const float *copy = f32(tensors[i]);
    if (tensor.dtype == MEMPLAN_BF16)
      copyOut<Bf16>(launch, i, copy);
    else if (tensor.dtype == MEMPLAN_F16)
      copyOut<F16>(launch, i, copy);
  }
  return MEMPLAN_OK;
}

} // namespace memplan::runtime::cpu
