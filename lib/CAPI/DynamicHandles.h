//===- DynamicHandles.h - Handles of dynamic runs ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CAPI_DYNAMICHANDLES_H
#define MEMPLAN_LIB_CAPI_DYNAMICHANDLES_H

#include "memplan-c/Dynamic.h"
#include "memplan/Runtime/Dynamic/DynamicExecutable.h"

#include <unordered_map>

namespace memplan::capi {
/// What a handle is: a dense part of a value.
struct Tensor {
  runtime::ValueId value = -1;
  int64_t offset = 0; ///< in bytes
  runtime::DType dtype = runtime::DType::F32;
  std::vector<int64_t> shape;
  int64_t bytes = 0;
  uint32_t generation = 0; ///< odd while the handle is there
};

/// The error that there is no such tensor.
runtime::Status noHandle(memplan_handle_t handle);
/// Type and bytes of a tensor as C says them.
runtime::Status readType(int32_t dtype, int32_t rank, const int64_t *shape,
                         Tensor &tensor);
} // namespace memplan::capi

struct memplan_dynamic {
  memplan_dynamic(memplan::runtime::Engine engine)
      : engine(std::move(engine)) {}

  memplan::runtime::Engine engine;
  std::vector<memplan::capi::Tensor> tensors;
  std::vector<int32_t> spare;
  /// Prepared kernels by what they were prepared for.
  std::unordered_map<std::string,
                     std::shared_ptr<const memplan::runtime::KernelCall>>
      calls;
  // Of one op.
  std::string key;
  std::vector<memplan::runtime::Place> inputs;
  std::vector<memplan::runtime::NewValue> outputs;
  std::vector<memplan::runtime::ValueId> results;

  memplan::capi::Tensor *find(memplan_handle_t handle);
  void needSlots(size_t count);
  memplan_handle_t add(memplan::capi::Tensor tensor) noexcept;
  /// The handle was destroyed.
  void forget(memplan::capi::Tensor &tensor) noexcept;
  memplan::runtime::Status giveInputs(const memplan_dynamic_op_t &op);
  memplan::runtime::Status lookUp(const memplan_dynamic_op_t &op);
  memplan::runtime::Result<std::shared_ptr<const memplan::runtime::KernelCall>>
  callFor(const memplan_dynamic_op_t &op);
  memplan::runtime::Status apply(const memplan_dynamic_op_t &op,
                                 memplan_handle_t *handles);
};

#endif // MEMPLAN_LIB_CAPI_DYNAMICHANDLES_H
