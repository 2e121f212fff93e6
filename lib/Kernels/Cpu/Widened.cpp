//===- Widened.cpp - Kernels of f32 on operands of 16 bits ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

#include <algorithm>
#include <cstring>

namespace memplan::runtime::cpu {

static constexpr int mostOperands = 32, mostAttributes = 16;

/// An image or filter whose channels come last.
static bool isReordered(const memplan_launch_t *launch, int operand) {
  return hasChannelsLast(launch) && operandOf(launch, operand).rank == 4;
}
static bool isCopied(const memplan_launch_t *launch, int operand) {
  return isHalf(operandOf(launch, operand)) || isReordered(launch, operand);
}

/// What an operand is copied to: integers stay what they are.
static memplan_dtype copyType(const memplan_tensor_t &tensor) {
  return memplan_dtype(tensor.dtype == MEMPLAN_I8 ? MEMPLAN_I8 : MEMPLAN_F32);
}

/// Bytes of the copy of an operand.
static int64_t copyBytes(const memplan_tensor_t &tensor) {
  constexpr int64_t alignment = 64;
  const int64_t bytes =
      elements(tensor) *
      int64_t(tensor.dtype == MEMPLAN_I8 ? sizeof(int8_t) : sizeof(float));
  return (bytes + alignment - 1) / alignment * alignment;
}

memplan_status_t prepareWidened(const memplan_launch_t *launch,
                                memplan_prepared_t *prepared) {
  if (memplan_status_t status = checkLaunch(launch, prepared))
    return status;
  const int count = launch->input_count + launch->output_count;
  int64_t bytes = 0;
  for (int i = 0; i < count; ++i)
    bytes += isCopied(launch, i) ? copyBytes(operandOf(launch, i)) : 0;
  if (bytes > 0 &&
      (count > mostOperands || launch->attribute_count > mostAttributes))
    return fail(launch, MEMPLAN_UNAVAILABLE,
                "%d operands, some of 16 bits, and %d attributes; %d and %d "
                "at most",
                count, launch->attribute_count, mostOperands, mostAttributes);
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

/// Calls copy(element with channels in dimension 1, element of the operand) for
/// every element.
template <typename Copy>
static void eachReordered(const memplan_launch_t *launch, int operand,
                          const Copy &copy) {
  const memplan_tensor_t &tensor = operandOf(launch, operand);
  const int64_t channels = tensor.shape[3], pixels = product(tensor, 1, 3);
  const int64_t stride = strideOf(launch, operand, 0);
  parallelFor(launch, tensor.shape[0] * channels, rowGrain(pixels),
              [&](int64_t begin, int64_t end) {
                for (int64_t plane = begin; plane < end; ++plane) {
                  const int64_t first =
                      plane / channels * stride + plane % channels;
                  for (int64_t p = 0; p < pixels; ++p)
                    copy(plane * pixels + p, first + p * channels);
                }
              });
}

template <typename T, typename To = float>
static void copyIn(const memplan_launch_t *launch, int operand, To *to) {
  const T *from = dataOf<T>(operandOf(launch, operand));
  if (isReordered(launch, operand))
    return eachReordered(launch, operand, [&](int64_t dense, int64_t element) {
      to[dense] = To(from[element]);
    });
  eachRun(launch, operand, [&](int64_t dense, int64_t element, int64_t count) {
    convert(launch, to + dense, from + element, count);
  });
}

template <typename T, typename From = float>
static void copyOut(const memplan_launch_t *launch, int operand,
                    const From *from) {
  T *to = dataOf<T>(operandOf(launch, operand));
  if (isReordered(launch, operand))
    return eachReordered(launch, operand, [&](int64_t dense, int64_t element) {
      to[element] = T(from[dense]);
    });
  eachRun(launch, operand, [&](int64_t dense, int64_t element, int64_t count) {
    convert(launch, to + element, from + dense, count);
  });
}

/// Calls the one of four functions that is for the elements of the operand.
template <typename Float, typename BFloat, typename Half, typename Byte>
static void byType(const memplan_tensor_t &tensor, const Float &f32,
                   const BFloat &bf16, const Half &f16, const Byte &i8) {
  tensor.dtype == MEMPLAN_BF16  ? bf16()
  : tensor.dtype == MEMPLAN_F16 ? f16()
  : tensor.dtype == MEMPLAN_I8  ? i8()
                                : f32();
}

namespace {
/// A launch on copies, with channels in dimension 1.
struct WideLaunch {
  memplan_launch_t launch;
  memplan_tensor_t tensors[mostOperands];
  const int64_t *strides[mostOperands];
  int64_t shapes[mostOperands][4];
  memplan_attribute_t attributes[mostAttributes];

  explicit WideLaunch(const memplan_launch_t *narrow);
};
} // namespace

WideLaunch::WideLaunch(const memplan_launch_t *narrow) : launch(*narrow) {
  auto *room = static_cast<char *>(narrow->workspace);
  for (int i = 0; i < narrow->input_count + narrow->output_count; ++i) {
    tensors[i] = operandOf(narrow, i);
    strides[i] = stridesOf(narrow, i);
    if (!isCopied(narrow, i))
      continue;
    tensors[i].data = room;
    room += copyBytes(tensors[i]);
    tensors[i].dtype = copyType(tensors[i]);
    strides[i] = nullptr;
    if (!isReordered(narrow, i))
      continue;
    const int64_t *s = tensors[i].shape;
    const int64_t first[4] = {s[0], s[3], s[1], s[2]};
    std::copy_n(first, 4, shapes[i]);
    tensors[i].shape = shapes[i];
  }
  launch.attribute_count = 0;
  for (int i = 0; i < narrow->attribute_count; ++i)
    if (std::strcmp(narrow->attributes[i].name, "channels_last") != 0)
      attributes[launch.attribute_count++] = narrow->attributes[i];
  launch.attributes = attributes;
  launch.inputs = tensors;
  launch.outputs = tensors + narrow->input_count;
  launch.strides = narrow->strides ? strides : nullptr;
}

memplan_status_t launchWidened(const memplan_launch_t *launch,
                               LaunchFunction kernel) {
  const WideLaunch wide(launch);
  for (int i = 0; i < launch->input_count; ++i) {
    auto *copy = f32(wide.tensors[i]);
    if (isCopied(launch, i))
      byType(
          launch->inputs[i], [&] { copyIn<float>(launch, i, copy); },
          [&] { copyIn<Bf16>(launch, i, copy); },
          [&] { copyIn<F16>(launch, i, copy); },
          [&] { copyIn<int8_t>(launch, i, i8(wide.tensors[i])); });
  }
  if (memplan_status_t status = kernel(&wide.launch))
    return status;
  for (int i = launch->input_count;
       i < launch->input_count + launch->output_count; ++i) {
    const float *copy = f32(wide.tensors[i]);
    if (isCopied(launch, i))
      byType(
          operandOf(launch, i), [&] { copyOut<float>(launch, i, copy); },
          [&] { copyOut<Bf16>(launch, i, copy); },
          [&] { copyOut<F16>(launch, i, copy); },
          [&] { copyOut<int8_t>(launch, i, i8(wide.tensors[i])); });
  }
  return MEMPLAN_OK;
}

} // namespace memplan::runtime::cpu
