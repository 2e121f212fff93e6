//===- Movement.cpp - Copies of whole tensors and of parts ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Any element type; the parts are runs of memory. Where these are views, no
// instruction is made at all.
// memplan.copy, memplan.reshape: the same elements in the same order.
// memplan.concat{dim}: inputs one after the other along `dim`.
// memplan.split{dim,sizes}: outputs one after the other along `dim`.
// memplan.slice{dim,start,size}: indices [start, start + size) of `dim`.
// memplan.slice_grad{dim,start,full_size}: the input at those indices of zeros.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>
#include <cstring>

namespace memplan::runtime::cpu {

//===----------------------------------------------------------------------===//
// copy, reshape
//===----------------------------------------------------------------------===//

static memplan_status_t copy(const memplan_launch_t *launch) {
  auto *to = static_cast<char *>(launch->outputs[0].data);
  const auto *from = static_cast<const char *>(launch->inputs[0].data);
  int64_t bytes =
      elements(launch->outputs[0]) * elementBytes(launch->outputs[0]);
  if (to == from)
    return MEMPLAN_OK;
  parallelFor(launch, bytes, elementGrain * 16,
              [&](int64_t begin, int64_t end) {
                std::memcpy(to + begin, from + begin, size_t(end - begin));
              });
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Parts along a dimension
//===----------------------------------------------------------------------===//

namespace {
/// A part of a whole: `lines` runs of `bytes`, `pitch` apart in the whole and
/// together in the part.
struct Part {
  int64_t lines, pitch, offset, bytes;

  Part(const memplan_tensor_t &whole, int dim, int64_t start, int64_t size) {
    int64_t unit = product(whole, dim + 1, whole.rank) * elementBytes(whole);
    lines = product(whole, 0, dim);
    pitch = whole.shape[dim] * unit;
    offset = start * unit;
    bytes = size * unit;
  }
};
} // namespace

static void moveLines(const memplan_launch_t *launch, const Part &part,
                      char *to, int64_t toPitch, const char *from,
                      int64_t fromPitch) {
  if (part.bytes == 0)
    return;
  // Few lines may be long: tasks are pieces of them.
  constexpr int64_t pieceBytes = elementGrain * 16;
  int64_t pieces = (part.bytes + pieceBytes - 1) / pieceBytes;
  parallelFor(launch, part.lines * pieces,
              pieces > 1 ? 1 : rowGrain(part.bytes / 16),
              [&](int64_t begin, int64_t end) {
                for (int64_t task = begin; task < end; ++task) {
                  int64_t line = task / pieces;
                  int64_t first = task % pieces * pieceBytes;
                  std::memcpy(to + line * toPitch + first,
                              from + line * fromPitch + first,
                              size_t(std::min(pieceBytes, part.bytes - first)));
                }
              });
}

static void putPart(const memplan_launch_t *launch, const Part &part,
                    const memplan_tensor_t &whole,
                    const memplan_tensor_t &source) {
  char *to = static_cast<char *>(whole.data) + part.offset;
  if (part.lines == 1 && to == source.data) // It was written there.
    return;
  moveLines(launch, part, to, part.pitch,
            static_cast<const char *>(source.data), part.bytes);
}

static void takePart(const memplan_launch_t *launch, const Part &part,
                     const memplan_tensor_t &whole,
                     const memplan_tensor_t &target) {
  moveLines(launch, part, static_cast<char *>(target.data), part.bytes,
            static_cast<const char *>(whole.data) + part.offset, part.pitch);
}

static memplan_status_t concat(const memplan_launch_t *launch) {
  const memplan_tensor_t &whole = launch->outputs[0];
  int dim = dimensionAttribute(launch, "dim", whole.rank);
  int64_t start = 0;
  for (int i = 0; i < launch->input_count; ++i) {
    int64_t size = launch->inputs[i].shape[dim];
    putPart(launch, Part(whole, dim, start, size), whole, launch->inputs[i]);
    start += size;
  }
  return MEMPLAN_OK;
}

static memplan_status_t split(const memplan_launch_t *launch) {
  const memplan_tensor_t &whole = launch->inputs[0];
  int dim = dimensionAttribute(launch, "dim", whole.rank);
  int64_t start = 0;
  for (int o = 0; o < launch->output_count; ++o) {
    int64_t size = launch->outputs[o].shape[dim];
    takePart(launch, Part(whole, dim, start, size), whole, launch->outputs[o]);
    start += size;
  }
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

static memplan_status_t slice(const memplan_launch_t *launch) {
  const memplan_tensor_t &whole = launch->inputs[0];
  int dim = dimensionAttribute(launch, "dim", whole.rank);
  takePart(launch,
           Part(whole, dim, intAttribute(launch, "start", 0),
                launch->outputs[0].shape[dim]),
           whole, launch->outputs[0]);
  return MEMPLAN_OK;
}

static memplan_status_t sliceGrad(const memplan_launch_t *launch) {
  const memplan_tensor_t &whole = launch->outputs[0];
  int dim = dimensionAttribute(launch, "dim", whole.rank);
  auto *bytes = static_cast<char *>(whole.data);
  parallelFor(launch, elements(whole) * elementBytes(whole), elementGrain * 16,
              [&](int64_t begin, int64_t end) {
                std::memset(bytes + begin, 0, size_t(end - begin));
              });
  putPart(launch,
          Part(whole, dim, intAttribute(launch, "start", 0),
               launch->inputs[0].shape[dim]),
          whole, launch->inputs[0]);
  return MEMPLAN_OK;
}

KernelList movementKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeKernel("memplan.concat", concat),
      makeKernel("memplan.copy", copy),
      makeKernel("memplan.reshape", copy),
      makeKernel("memplan.slice", slice),
      makeKernel("memplan.slice_grad", sliceGrad),
      makeKernel("memplan.split", split),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
