//===- Typed.h - Operands of any real type ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_TYPED_H
#define MEMPLAN_LIB_KERNELS_CUDA_TYPED_H

#include "Pieces.h"
#include "Stored.h"

namespace memplan::runtime::cuda {

/// Elements that are stored as T and read as f32. What is `fixed` no thread of
/// the launch writes: it is read as __restrict__ would read it, by the path of
/// constants. Operands that an output may overwrite are not.
template <typename T, bool fixed = false> struct Reader {
  using Stored = typename T::Stored;
  const Stored *data;

  explicit Reader(const memplan_tensor_t &tensor)
      : data(static_cast<const Stored *>(tensor.data)) {}
  MEMPLAN_HOST_DEVICE explicit Reader(const Stored *data) : data(data) {}

  MEMPLAN_DEVICE float operator[](int64_t i) const {
#ifdef __CUDA_ARCH__
    if constexpr (fixed)
      return T::load(__ldg(data + i));
#endif
    return T::load(data[i]);
  }
  /// Elements from i on, which begins at 16 bytes.
  template <int count>
  MEMPLAN_DEVICE void neighbours(int64_t i, float (&to)[count]) const {
    constexpr int each = Sixteen<Stored>::count;
    static_assert(count % each == 0);
    for (int k = 0; k < count; k += each) {
      const Sixteen<Stored> read = sixteen(data + i + k);
      for (int e = 0; e < each; ++e)
        to[k + e] = T::load(read.value[e]);
    }
  }
  MEMPLAN_DEVICE Reader operator+(int64_t by) const {
    return Reader(data + by);
  }

private:
  MEMPLAN_DEVICE static Sixteen<Stored> sixteen(const Stored *at) {
#ifdef __CUDA_ARCH__
    if constexpr (fixed) {
      const uint4 bits = __ldg(reinterpret_cast<const uint4 *>(at));
      return *reinterpret_cast<const Sixteen<Stored> *>(&bits);
    }
#endif
    return *reinterpret_cast<const Sixteen<Stored> *>(at);
  }
};
template <typename T> using Fixed = Reader<T, true>;

/// Elements that are written from f32, and rounded once.
template <typename T> struct Writer {
  using Stored = typename T::Stored;
  Stored *data;

  explicit Writer(const memplan_tensor_t &tensor)
      : data(static_cast<Stored *>(tensor.data)) {}
  MEMPLAN_HOST_DEVICE explicit Writer(Stored *data) : data(data) {}

  struct Element {
    Stored *at;
    MEMPLAN_DEVICE void operator=(float value) const { *at = T::store(value); }
  };
  MEMPLAN_DEVICE Element operator[](int64_t i) const { return {data + i}; }
  /// Elements from i on, which begins at 16 bytes.
  template <int count>
  MEMPLAN_DEVICE void neighbours(int64_t i, const float (&from)[count]) const {
    constexpr int each = Sixteen<Stored>::count;
    static_assert(count % each == 0);
    for (int k = 0; k < count; k += each) {
      Sixteen<Stored> written;
      for (int e = 0; e < each; ++e)
        written.value[e] = T::store(from[k + e]);
      *reinterpret_cast<Sixteen<Stored> *>(data + i + k) = written;
    }
  }
  MEMPLAN_DEVICE Writer operator+(int64_t by) const {
    return Writer(data + by);
  }
};

/// As many elements of T as are read at once.
template <typename T>
inline constexpr int perPiece = Sixteen<typename T::Stored>::count;

/// Runs `kernel` for the type that operand `tensor` is stored in.
template <typename Kernel>
memplan_status_t byStored(const memplan_tensor_t &tensor,
                          const Kernel &kernel) {
  switch (tensor.dtype) {
  case MEMPLAN_BF16:
    return kernel(Bf16());
  case MEMPLAN_F16:
    return kernel(F16());
  default:
    return kernel(F32());
  }
}

/// The same for `tensor` and for parameters, which are stored likewise or as
/// f32.
template <typename Kernel>
memplan_status_t byStored(const memplan_tensor_t &tensor,
                          const memplan_tensor_t &parameter,
                          const Kernel &kernel) {
  return byStored(tensor, [&](auto type) {
    return parameter.dtype == MEMPLAN_F32 ? kernel(type, F32())
                                          : kernel(type, type);
  });
}

/// The launch of a kernel whose operands `tensor` and `parameter` are stored
/// so: Kernel::run<T, P>.
template <typename Kernel, int tensor, int parameter>
memplan_status_t launchStored(const Call &call) {
  return byStored(
      call.input(tensor), call.input(parameter), [&](auto stored, auto given) {
        return Kernel::template run<decltype(stored), decltype(given)>(call);
      });
}

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_TYPED_H
