//===- Operands.cpp - Tensors and attributes of a launch ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <cstring>

namespace memplan::runtime::kernels {

int64_t strideOf(const memplan_launch_t *launch, int operand, int d) {
  const int64_t *strides = stridesOf(launch, operand);
  const memplan_tensor_t &tensor = operandOf(launch, operand);
  return strides ? strides[d] : product(tensor, d + 1, tensor.rank);
}

int gapDims(const memplan_launch_t *launch, int operand) {
  const int64_t *strides = stridesOf(launch, operand);
  if (!strides)
    return 0;
  const memplan_tensor_t &tensor = operandOf(launch, operand);
  int dims = 0;
  int64_t least = 1;
  for (int d = tensor.rank - 1; d >= 0; --d) {
    if (tensor.shape[d] == 1)
      continue;
    if (strides[d] < least)
      return -1;
    if (strides[d] != least && dims == 0)
      dims = d + 1;
    least = strides[d] * tensor.shape[d];
  }
  return dims;
}

int64_t product(const memplan_tensor_t &tensor, int first, int last) {
  int64_t count = 1;
  for (int d = first; d < last; ++d)
    count *= tensor.shape[d];
  return count;
}

int64_t elementBytes(const memplan_tensor_t &tensor) {
  switch (tensor.dtype) {
  case MEMPLAN_F32:
    return 4;
  case MEMPLAN_I64:
    return 8;
  case MEMPLAN_BF16:
  case MEMPLAN_F16:
    return 2;
  default:
    return 1;
  }
}

int64_t alignedDim(const memplan_tensor_t &tensor, int d, int rank) {
  int own = d - (rank - tensor.rank);
  return own < 0 ? 1 : tensor.shape[own];
}

bool sameShape(const memplan_tensor_t &a, const memplan_tensor_t &b) {
  if (a.rank != b.rank)
    return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.shape[d] != b.shape[d])
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const memplan_attribute_t *findAttribute(const memplan_launch_t *launch,
                                         const char *name) {
  for (int i = 0; i < launch->attribute_count; ++i)
    if (std::strcmp(launch->attributes[i].name, name) == 0)
      return &launch->attributes[i];
  return nullptr;
}

int64_t intAttribute(const memplan_launch_t *launch, const char *name,
                     int64_t otherwise) {
  const memplan_attribute_t *attribute = findAttribute(launch, name);
  return attribute && attribute->kind == MEMPLAN_ATTRIBUTE_INT
             ? attribute->int_value
             : otherwise;
}

bool hasChannelsLast(const memplan_launch_t *launch) {
  return intAttribute(launch, "channels_last", 0) != 0;
}

double floatAttribute(const memplan_launch_t *launch, const char *name,
                      double otherwise) {
  const memplan_attribute_t *attribute = findAttribute(launch, name);
  if (attribute && attribute->kind == MEMPLAN_ATTRIBUTE_FLOAT)
    return attribute->float_value;
  if (attribute && attribute->kind == MEMPLAN_ATTRIBUTE_INT)
    return double(attribute->int_value);
  return otherwise;
}

std::span<const int64_t> intsAttribute(const memplan_launch_t *launch,
                                       const char *name) {
  const memplan_attribute_t *attribute = findAttribute(launch, name);
  if (!attribute || attribute->kind != MEMPLAN_ATTRIBUTE_INTS)
    return {};
  return {attribute->ints, size_t(attribute->count)};
}

Pair pairAttribute(const memplan_launch_t *launch, const char *name,
                   int64_t otherwise) {
  std::span<const int64_t> ints = intsAttribute(launch, name);
  return ints.size() == 2 ? Pair{ints[0], ints[1]} : Pair{otherwise, otherwise};
}

int dimensionAttribute(const memplan_launch_t *launch, const char *name,
                       int rank) {
  int64_t dimension = intAttribute(launch, name, 0);
  return int(dimension < 0 ? dimension + rank : dimension);
}

} // namespace memplan::runtime::kernels
