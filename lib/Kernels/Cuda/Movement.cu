//===- Movement.cu - Copies, permutations, parts of tensors -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "memplan/Kernels/Bf16.h"

namespace memplan::runtime::cuda {

/// Calls f with a null pointer of a type as wide as the tensor's elements.
template <typename F>
static void withType(const memplan_tensor_t &tensor, const F &f) {
  switch (elementBytes(tensor)) {
  case 1:
    return f(static_cast<int8_t *>(nullptr));
  case 2:
    return f(static_cast<int16_t *>(nullptr));
  case 4:
    return f(static_cast<float *>(nullptr));
  default:
    return f(static_cast<int64_t *>(nullptr));
  }
}

static memplan_status_t copy(const Call &call) {
  const memplan_tensor_t &out = call.output(0);
  int64_t bytes = elements(out) * elementBytes(out);
  if (out.data == call.input(0).data || bytes == 0)
    return MEMPLAN_OK;
  return call.device.copyAsync(out.data, call.input(0).data, bytes);
}

template <typename T>
static void permute(const Call &call, const Strided &source) {
  const T *x = static_cast<const T *>(call.input(0).data);
  T *y = static_cast<T *>(call.output(0).data);
  forEach(call, elements(call.output(0)),
          [=] MEMPLAN_DEVICE(int64_t i) { y[i] = x[source.offset(i)]; });
}

static memplan_status_t transpose(const Call &call) {
  const memplan_tensor_t &in = call.input(0), &out = call.output(0);
  std::span<const int64_t> perm = intsAttribute(call.launch, "perm");
  Strided source;
  for (int d = 0; d < out.rank; ++d)
    source.add(out.shape[d], product(in, int(perm[size_t(d)]) + 1, in.rank));
  withType(out, [&](auto *type) {
    permute<std::remove_pointer_t<decltype(type)>>(call, source);
  });
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Parts along a dimension
//===----------------------------------------------------------------------===//

/// Elements of a part lie in `lines` runs of `length`, `pitch` apart in the
/// whole.
struct Part {
  int64_t lines, length, pitch, offset;

  Part(const memplan_tensor_t &whole, int dim, int64_t start, int64_t size) {
    int64_t unit = product(whole, dim + 1, whole.rank);
    lines = product(whole, 0, dim);
    length = size * unit;
    pitch = whole.shape[dim] * unit;
    offset = start * unit;
  }
};

template <typename T>
static void putPart(const Call &call, const Part &part, void *whole,
                    const void *source) {
  T *y = static_cast<T *>(whole) + part.offset;
  const T *x = static_cast<const T *>(source);
  int64_t length = part.length, pitch = part.pitch;
  forEach(call, part.lines * length, [=] MEMPLAN_DEVICE(int64_t i) {
    y[i / length * pitch + i % length] = x[i];
  });
}

template <typename T>
static void takePart(const Call &call, const Part &part, const void *whole,
                     void *target) {
  const T *x = static_cast<const T *>(whole) + part.offset;
  T *y = static_cast<T *>(target);
  int64_t length = part.length, pitch = part.pitch;
  forEach(call, part.lines * length, [=] MEMPLAN_DEVICE(int64_t i) {
    y[i] = x[i / length * pitch + i % length];
  });
}

static void put(const Call &call, const Part &part,
                const memplan_tensor_t &whole, const memplan_tensor_t &source) {
  if (part.lines == 1 &&
      static_cast<char *>(whole.data) + part.offset * elementBytes(whole) ==
          source.data)
    return; // It was written there.
  withType(whole, [&](auto *type) {
    putPart<std::remove_pointer_t<decltype(type)>>(call, part, whole.data,
                                                   source.data);
  });
}

static void take(const Call &call, const Part &part,
                 const memplan_tensor_t &whole,
                 const memplan_tensor_t &target) {
  withType(whole, [&](auto *type) {
    takePart<std::remove_pointer_t<decltype(type)>>(call, part, whole.data,
                                                    target.data);
  });
}

static memplan_status_t concat(const Call &call) {
  const memplan_tensor_t &whole = call.output(0);
  int dim = dimensionAttribute(call.launch, "dim", whole.rank);
  int64_t start = 0;
  for (int i = 0; i < call.launch->input_count; ++i) {
    int64_t size = call.input(i).shape[dim];
    put(call, Part(whole, dim, start, size), whole, call.input(i));
    start += size;
  }
  return MEMPLAN_OK;
}

static memplan_status_t split(const Call &call) {
  const memplan_tensor_t &whole = call.input(0);
  int dim = dimensionAttribute(call.launch, "dim", whole.rank);
  int64_t start = 0;
  for (int o = 0; o < call.launch->output_count; ++o) {
    int64_t size = call.output(o).shape[dim];
    take(call, Part(whole, dim, start, size), whole, call.output(o));
    start += size;
  }
  return MEMPLAN_OK;
}

static memplan_status_t slice(const Call &call) {
  const memplan_tensor_t &whole = call.input(0);
  int dim = dimensionAttribute(call.launch, "dim", whole.rank);
  take(call,
       Part(whole, dim, intAttribute(call.launch, "start", 0),
            call.output(0).shape[dim]),
       whole, call.output(0));
  return MEMPLAN_OK;
}

static memplan_status_t sliceGrad(const Call &call) {
  const memplan_tensor_t &whole = call.output(0);
  int dim = dimensionAttribute(call.launch, "dim", whole.rank);
  if (int64_t bytes = elements(whole) * elementBytes(whole))
    if (memplan_status_t status = call.device.clearAsync(whole.data, bytes);
        status != MEMPLAN_OK)
      return status;
  put(call,
      Part(whole, dim, intAttribute(call.launch, "start", 0),
           call.input(0).shape[dim]),
      whole, call.input(0));
  return MEMPLAN_OK;
}

static memplan_status_t encodeBf16(const Call &call) {
  const auto *x = static_cast<const float *>(call.input(0).data);
  auto *y = static_cast<unsigned char *>(call.output(0).data);
  forEach(call, elements(call.input(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    const uint32_t bits = bf16Bits(x[i]);
    y[2 * i] = static_cast<unsigned char>(bits);
    y[2 * i + 1] = static_cast<unsigned char>(bits >> 8);
  });
  return MEMPLAN_OK;
}

static memplan_status_t decodeBf16(const Call &call) {
  const auto *x = static_cast<const unsigned char *>(call.input(0).data);
  auto *y = static_cast<float *>(call.output(0).data);
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    y[i] = floatOfBf16(x[2 * i] | uint32_t(x[2 * i + 1]) << 8);
  });
  return MEMPLAN_OK;
}

KernelTable movementKernels() {
  // What moves elements moves those of 16 bits as they are.
  constexpr auto moves = [](const char *name,
                            memplan_status_t (*launch)(const Call &)) {
    return Kernel{.name = name, .launch = launch, .takesHalves = true};
  };
  static constexpr Kernel kernels[] = {
      moves("memplan.concat", concat),
      moves("memplan.copy", copy),
      {"memplan.decode_bf16", decodeBf16},
      {"memplan.encode_bf16", encodeBf16},
      moves("memplan.reshape", copy),
      moves("memplan.slice", slice),
      moves("memplan.slice_grad", sliceGrad),
      moves("memplan.split", split),
      moves("memplan.transpose", transpose),
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
