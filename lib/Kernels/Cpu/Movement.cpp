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
/// A part [start, ..) of dimension `dim` of a whole, as lines of consecutive
/// bytes in both.
struct Part {
  int dims = 0; ///< Dimensions that count the lines; those that go on are one.
  int64_t shape[maxRank], wholePitch[maxRank], partPitch[maxRank];
  int64_t lines = 1, offset, bytes;

  Part(const memplan_launch_t *launch, int whole, int part, int dim,
       int64_t start) {
    const memplan_tensor_t &tensor = operandOf(launch, part);
    const int64_t unit = elementBytes(tensor);
    const int outer =
        std::max({dim, gapDims(launch, whole), gapDims(launch, part)});
    for (int d = 0; d < outer; ++d)
      add(tensor.shape[d], strideOf(launch, whole, d) * unit,
          strideOf(launch, part, d) * unit);
    offset = start * strideOf(launch, whole, dim) * unit;
    bytes = product(tensor, outer, tensor.rank) * unit;
  }

  void add(int64_t size, int64_t whole, int64_t part) {
    lines *= size;
    if (dims > 0 && wholePitch[dims - 1] == size * whole &&
        partPitch[dims - 1] == size * part) {
      shape[dims - 1] *= size;
    } else {
      shape[dims++] = size;
    }
    wholePitch[dims - 1] = whole;
    partPitch[dims - 1] = part;
  }

  /// True if what lies at one place is what lies at the other.
  bool isSame() const {
    for (int d = 0; d < dims; ++d)
      if (shape[d] > 1 && wholePitch[d] != partPitch[d])
        return false;
    return true;
  }

  int64_t place(int64_t line, const int64_t *pitch) const {
    int64_t offset = 0;
    for (int d = dims - 1; d > 0; --d) {
      offset += line % shape[d] * pitch[d];
      line /= shape[d];
    }
    return dims > 0 ? offset + line * pitch[0] : offset;
  }
};
} // namespace

static void moveLines(const memplan_launch_t *launch, const Part &part,
                      char *to, const int64_t *toPitch, const char *from,
                      const int64_t *fromPitch) {
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
                  std::memcpy(to + part.place(line, toPitch) + first,
                              from + part.place(line, fromPitch) + first,
                              size_t(std::min(pieceBytes, part.bytes - first)));
                }
              });
}

static void putPart(const memplan_launch_t *launch, const Part &part,
                    const memplan_tensor_t &whole,
                    const memplan_tensor_t &source) {
  char *to = static_cast<char *>(whole.data) + part.offset;
  if (to == source.data && part.isSame()) // It was written there.
    return;
  moveLines(launch, part, to, part.wholePitch,
            static_cast<const char *>(source.data), part.partPitch);
}

static void takePart(const memplan_launch_t *launch, const Part &part,
                     const memplan_tensor_t &whole,
                     const memplan_tensor_t &target) {
  moveLines(launch, part, static_cast<char *>(target.data), part.partPitch,
            static_cast<const char *>(whole.data) + part.offset,
            part.wholePitch);
}

static memplan_status_t concat(const memplan_launch_t *launch) {
  const memplan_tensor_t &whole = launch->outputs[0];
  int dim = dimensionAttribute(launch, "dim", whole.rank);
  int64_t start = 0;
  for (int i = 0; i < launch->input_count; ++i) {
    int64_t size = launch->inputs[i].shape[dim];
    putPart(launch, Part(launch, launch->input_count, i, dim, start), whole,
            launch->inputs[i]);
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
    takePart(launch, Part(launch, 0, 1 + o, dim, start), whole,
             launch->outputs[o]);
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
  takePart(launch, Part(launch, 0, 1, dim, intAttribute(launch, "start", 0)),
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
  putPart(launch, Part(launch, 1, 0, dim, intAttribute(launch, "start", 0)),
          whole, launch->inputs[0]);
  return MEMPLAN_OK;
}

KernelList movementKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.concat", concat),
      makeTyped("memplan.copy", copy),
      makeTyped("memplan.reshape", copy),
      makeTyped("memplan.slice", slice),
      makeTyped("memplan.slice_grad", sliceGrad),
      makeTyped("memplan.split", split),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
