//===- Pieces.h - Sixteen bytes of neighbours -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row that is read at once where it lies at a multiple of 16 bytes, and
// element by element elsewhere. A thread has the same elements either way, so
// sums do not depend on where a plan put an operand.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_PIECES_H
#define MEMPLAN_LIB_KERNELS_CUDA_PIECES_H

#include "Launch.h"

#include "memplan/Kernels/HostDevice.h"

namespace memplan::runtime::cuda {

/// What is read and written at once.
template <typename V> struct alignas(16) Sixteen {
  static constexpr int count = int(16 / sizeof(V));
  V value[count];
};

/// Whether all operands of a launch begin at multiples of 16 bytes.
inline bool areAligned(const Call &call) {
  uintptr_t bits = 0;
  for (int32_t i = 0; i < call.launch->input_count; ++i)
    bits |= reinterpret_cast<uintptr_t>(call.input(i).data);
  for (int32_t o = 0; o < call.launch->output_count; ++o)
    bits |= reinterpret_cast<uintptr_t>(call.output(o).data);
  return bits % 16 == 0;
}

/// A row of `length` elements, cut into pieces of `each`.
template <int each> struct Pieces {
  int64_t length;
  bool isAligned; ///< each whole piece may be read at once

  MEMPLAN_HOST_DEVICE int64_t count() const {
    return (length + each - 1) / each;
  }
  /// f(e) for the elements of a piece that there are. Unrolled, so that what e
  /// indexes stays in registers.
  template <typename F>
  MEMPLAN_DEVICE void visit(int64_t piece, const F &f) const {
    const int64_t left = length - piece * each;
    for (int e = 0; e < each; ++e)
      if (e < left)
        f(e);
  }
  MEMPLAN_DEVICE bool isWhole(int64_t piece) const {
    return isAligned && (piece + 1) * each <= length;
  }
  /// `at(e)`: the place of element e in `x`.
  template <typename Reader, typename At>
  MEMPLAN_DEVICE void read(int64_t piece, const Reader &x, float (&to)[each],
                           const At &at) const {
    if (isWhole(piece))
      return x.neighbours(at(0), to);
    visit(piece, [&](int e) { to[e] = x[at(e)]; });
  }
  template <typename Writer, typename At>
  MEMPLAN_DEVICE void write(int64_t piece, const Writer &y,
                            const float (&from)[each], const At &at) const {
    if (isWhole(piece))
      return y.neighbours(at(0), from);
    visit(piece, [&](int e) { y[at(e)] = from[e]; });
  }
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_PIECES_H
