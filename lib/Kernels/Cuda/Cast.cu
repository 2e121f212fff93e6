//===- Cast.cu - Elements of 16 bits ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Stored.h"
#include "Widened.h"

#include <algorithm>

namespace memplan::runtime::cuda {

namespace {
/// Eight neighbours, read and written at once: 16 bytes of halves.
template <typename T> struct alignas(sizeof(T) * 8) Eight {
  T value[8];
};

/// y[i] = x[i], rounded to nearest, ties to even. Neither is the other.
template <typename From, typename To> struct Convert {
  const typename From::Stored *__restrict__ from;
  typename To::Stored *__restrict__ to;
  int64_t count;
  bool isAligned;

  int64_t threads() const { return isAligned ? (count + 7) / 8 : count; }

  MEMPLAN_DEVICE void operator()(int64_t i) const {
    if (!isAligned) {
      to[i] = To::store(From::load(from[i]));
      return;
    }
    if (8 * i + 8 <= count) {
      const auto read =
          reinterpret_cast<const Eight<typename From::Stored> *>(from)[i];
      Eight<typename To::Stored> written;
      for (int e = 0; e < 8; ++e)
        written.value[e] = To::store(From::load(read.value[e]));
      reinterpret_cast<Eight<typename To::Stored> *>(to)[i] = written;
      return;
    }
    for (int64_t each = 8 * i; each < count; ++each)
      to[each] = To::store(From::load(from[each]));
  }
};
} // namespace

template <typename From, typename To>
static void convertTo(const Call &call, const void *from, void *to,
                      int64_t count) {
  Convert<From, To> convert{static_cast<const typename From::Stored *>(from),
                            static_cast<typename To::Stored *>(to), count,
                            false};
  const auto bits =
      reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to);
  convert.isAligned = bits % 32 == 0;
  forEach(call, convert.threads(), convert);
}

template <typename From>
static void convertFrom(const Call &call, const void *from, int32_t type,
                        void *to, int64_t count) {
  switch (type) {
  case MEMPLAN_BF16:
    return convertTo<From, Bf16>(call, from, to, count);
  case MEMPLAN_F16:
    return convertTo<From, F16>(call, from, to, count);
  default:
    return convertTo<From, F32>(call, from, to, count);
  }
}

static void convert(const Call &call, const memplan_tensor_t &from,
                    const memplan_tensor_t &to) {
  switch (from.dtype) {
  case MEMPLAN_BF16:
    return convertFrom<Bf16>(call, from.data, to.dtype, to.data, elements(to));
  case MEMPLAN_F16:
    return convertFrom<F16>(call, from.data, to.dtype, to.data, elements(to));
  default:
    return convertFrom<F32>(call, from.data, to.dtype, to.data, elements(to));
  }
}

static memplan_status_t cast(const Call &call) {
  convert(call, call.input(0), call.output(0));
  return MEMPLAN_OK;
}

KernelTable castKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.cast", .launch = cast, .takesHalves = true},
  };
  return kernels;
}

//===----------------------------------------------------------------------===//
// Kernels of f32
//===----------------------------------------------------------------------===//

static bool isHalf(const memplan_tensor_t &tensor) {
  return tensor.dtype == MEMPLAN_BF16 || tensor.dtype == MEMPLAN_F16;
}

const memplan_tensor_t *firstHalf(const memplan_launch_t *launch) {
  for (int i = 0; i < launch->input_count + launch->output_count; ++i) {
    const memplan_tensor_t &tensor =
        i < launch->input_count ? launch->inputs[i]
                                : launch->outputs[i - launch->input_count];
    if (isHalf(tensor))
      return &tensor;
  }
  return nullptr;
}

WideLaunch::WideLaunch(const memplan_launch_t *description)
    : tensors(description->inputs,
              description->inputs + description->input_count),
      wide(*description) {
  tensors.insert(tensors.end(), description->outputs,
                 description->outputs + description->output_count);
  for (memplan_tensor_t &tensor : tensors) {
    offsets.push_back(isHalf(tensor) ? bytes : -1);
    if (!isHalf(tensor))
      continue;
    tensor.dtype = MEMPLAN_F32;
    bytes += (elements(tensor) * int64_t(sizeof(float)) + 255) / 256 * 256;
  }
  wide.inputs = tensors.data();
  wide.outputs = wide.inputs + wide.input_count;
  wide.aliases = nullptr;
  wide.alias_count = 0;
  if (wide.workspace_bytes != INT64_MAX)
    wide.workspace_bytes = std::max<int64_t>(0, wide.workspace_bytes - bytes);
}

memplan_status_t
WideLaunch::launch(const Call &call, void *state,
                   memplan_status_t (*kernel)(const Call &call)) {
  const memplan_launch_t &given = *call.launch;
  auto *room = static_cast<std::byte *>(given.workspace);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto inputs = size_t(given.input_count);
    const memplan_tensor_t &from =
        i < inputs ? given.inputs[i] : given.outputs[i - inputs];
    tensors[i].data = offsets[i] < 0 ? from.data : room + offsets[i];
    if (offsets[i] >= 0 && i < inputs)
      convert(call, from, tensors[i]);
  }
  memplan_launch_t mine = given;
  mine.inputs = tensors.data();
  mine.outputs = mine.inputs + mine.input_count;
  mine.aliases = nullptr;
  mine.alias_count = 0;
  mine.workspace_bytes = given.workspace_bytes - bytes;
  mine.workspace = mine.workspace_bytes > 0 ? room + bytes : nullptr;
  mine.state = state;
  if (memplan_status_t status = kernel({&mine, call.device}))
    return status;
  call.device.startUpdates(); // results are read below
  for (int32_t o = 0; o < given.output_count; ++o)
    if (isHalf(given.outputs[o]))
      convert(call, mine.outputs[o], given.outputs[o]);
  return MEMPLAN_OK;
}

} // namespace memplan::runtime::cuda
