//===- Elements.h - Functions of elements, 16 bytes at once -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed is the same for each element, so results do not depend on
// how many elements a thread takes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_ELEMENTS_H
#define MEMPLAN_LIB_KERNELS_CUDA_ELEMENTS_H

#include "Pieces.h"

namespace memplan::runtime::cuda {

/// What four neighbours are read and written as.
using Four = Sixteen<float>;

/// f(in, out) for four elements a thread, or for one where some tensor is not
/// aligned. All are read before any is written, so that an output may be an
/// input.
template <int ins, int outs, typename F> struct Elements {
  const float *in[ins];
  float *out[outs];
  F f;
  int64_t count;
  bool isAligned;

  MEMPLAN_HOST_DEVICE int64_t threads() const {
    return isAligned ? (count + 3) / 4 : count;
  }

  MEMPLAN_DEVICE void one(int64_t i) const {
    float from[ins], to[outs];
    for (int k = 0; k < ins; ++k)
      from[k] = in[k][i];
    f(from, to);
    for (int k = 0; k < outs; ++k)
      out[k][i] = to[k];
  }

  MEMPLAN_DEVICE void four(int64_t i) const {
    Four read[ins], written[outs];
    for (int k = 0; k < ins; ++k)
      read[k] = reinterpret_cast<const Four *>(in[k])[i];
    for (int e = 0; e < 4; ++e) {
      float from[ins], to[outs];
      for (int k = 0; k < ins; ++k)
        from[k] = read[k].value[e];
      f(from, to);
      for (int k = 0; k < outs; ++k)
        written[k].value[e] = to[k];
    }
    for (int k = 0; k < outs; ++k)
      reinterpret_cast<Four *>(out[k])[i] = written[k];
  }

  MEMPLAN_DEVICE void operator()(int64_t i) const {
    if (isAligned && 4 * i + 4 <= count)
      return four(i);
    int64_t begin = isAligned ? 4 * i : i, end = isAligned ? count : i + 1;
    for (int64_t each = begin; each < end; ++each)
      one(each);
  }
};

/// f(in, out) for each element of the first output. `in` are the elements of
/// the inputs that `inputs` lists, `out` those of the first `outs` outputs; all
/// of them are f32 and have one shape.
template <int outs, typename F, int ins>
memplan_status_t forEachElement(const Call &call, const int (&inputs)[ins],
                                const F &f) {
  Elements<ins, outs, F> all{{}, {}, f, elements(call.output(0)), false};
  uintptr_t bits = 0;
  for (int k = 0; k < ins; ++k) {
    all.in[k] = call.in(inputs[k]);
    bits |= reinterpret_cast<uintptr_t>(all.in[k]);
  }
  for (int k = 0; k < outs; ++k) {
    all.out[k] = call.out(k);
    bits |= reinterpret_cast<uintptr_t>(all.out[k]);
  }
  all.isAligned = bits % alignof(Four) == 0;
  forEach(call, all.threads(), all);
  return MEMPLAN_OK;
}

/// y = f(x) and y = f(a, b) as functions of arrays.
template <typename F> struct UnaryElement {
  F f;
  MEMPLAN_DEVICE void operator()(const float *in, float *out) const {
    out[0] = f(in[0]);
  }
};
template <typename F> struct BinaryElement {
  F f;
  MEMPLAN_DEVICE void operator()(const float *in, float *out) const {
    out[0] = f(in[0], in[1]);
  }
};

template <typename F> memplan_status_t unary(const Call &call, const F &f) {
  return forEachElement<1>(call, {0}, UnaryElement<F>{f});
}
template <typename F> memplan_status_t binary(const Call &call, const F &f) {
  return forEachElement<1>(call, {0, 1}, BinaryElement<F>{f});
}

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_ELEMENTS_H
