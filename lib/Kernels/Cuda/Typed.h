//===- Typed.h - Operands of any real type ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_TYPED_H
#define MEMPLAN_LIB_KERNELS_CUDA_TYPED_H

#include "Launch.h"
#include "Stored.h"

namespace memplan::runtime::cuda {

/// Elements that are stored as T and read as f32.
template <typename T> struct Reader {
  const typename T::Stored *data;

  explicit Reader(const memplan_tensor_t &tensor)
      : data(static_cast<const typename T::Stored *>(tensor.data)) {}
  MEMPLAN_HOST_DEVICE explicit Reader(const typename T::Stored *data)
      : data(data) {}
  MEMPLAN_DEVICE float operator[](int64_t i) const { return T::load(data[i]); }
  MEMPLAN_DEVICE Reader operator+(int64_t by) const {
    return Reader(data + by);
  }
};

/// Elements that are written from f32, and rounded once.
template <typename T> struct Writer {
  typename T::Stored *data;

  explicit Writer(const memplan_tensor_t &tensor)
      : data(static_cast<typename T::Stored *>(tensor.data)) {}
  MEMPLAN_HOST_DEVICE explicit Writer(typename T::Stored *data) : data(data) {}

  struct Element {
    typename T::Stored *at;
    MEMPLAN_DEVICE void operator=(float value) const { *at = T::store(value); }
  };
  MEMPLAN_DEVICE Element operator[](int64_t i) const { return {data + i}; }
  MEMPLAN_DEVICE Writer operator+(int64_t by) const {
    return Writer(data + by);
  }
};

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

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_TYPED_H
