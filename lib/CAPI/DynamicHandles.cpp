//===- DynamicHandles.cpp - What the handles of dynamic runs stand for ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicHandles.h"

using namespace memplan;
using namespace memplan::runtime;
using memplan::capi::Tensor;

Tensor *memplan_dynamic::find(memplan_handle_t handle) {
  const auto slot = size_t(handle & 0xffffffff);
  const auto generation = uint32_t(uint64_t(handle) >> 32);
  if (slot >= tensors.size() || tensors[slot].generation != generation ||
      generation % 2 == 0)
    return nullptr;
  return &tensors[slot];
}

/// Places for handles, so that add() cannot fail.
void memplan_dynamic::needSlots(size_t count) {
  while (spare.size() < count) {
    if (spare.capacity() <= tensors.size())
      spare.reserve(2 * tensors.size() + 16);
    tensors.emplace_back();
    spare.push_back(int32_t(tensors.size()) - 1);
  }
}

memplan_handle_t memplan_dynamic::add(Tensor tensor) noexcept {
  const int32_t slot = spare.back();
  spare.pop_back();
  Tensor &place = tensors[size_t(slot)];
  tensor.generation = (place.generation + 1) & 0x7fffffff;
  place = std::move(tensor);
  return int64_t(place.generation) << 32 | slot;
}

void memplan_dynamic::forget(Tensor &tensor) noexcept {
  ++tensor.generation;
  spare.push_back(int32_t(&tensor - tensors.data()));
}

Status memplan::capi::noHandle(memplan_handle_t handle) {
  return invalid("no tensor has the handle " + std::to_string(handle));
}

Status memplan::capi::readType(int32_t dtype, int32_t rank,
                               const int64_t *shape, Tensor &tensor) {
  if (dtype < MEMPLAN_F32 || dtype > MEMPLAN_F16)
    return invalid("element type " + std::to_string(dtype) + " is not known");
  if (rank < 0 || rank > 64 || (rank > 0 && !shape))
    return invalid("a shape of rank " + std::to_string(rank) +
                   (shape ? "" : " at null"));
  tensor.dtype = DType(dtype);
  tensor.shape.assign(shape, shape + rank);
  const std::optional<int64_t> bytes = tensorBytes(tensor.dtype, tensor.shape);
  if (!bytes)
    return invalid("a shape with a negative dimension, or too large");
  tensor.bytes = *bytes;
  return Status::success();
}
