//===- Operands.h - Tensors and attributes of a launch ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_OPERANDS_H
#define MEMPLAN_LIB_KERNELS_OPERANDS_H

#include "memplan-c/Backend.h"

#include <cstdint>
#include <span>

namespace memplan::runtime::kernels {

inline constexpr int maxRank = 8;

inline float *f32(const memplan_tensor_t &tensor) {
  return static_cast<float *>(tensor.data);
}
inline int64_t *i64(const memplan_tensor_t &tensor) {
  return static_cast<int64_t *>(tensor.data);
}
inline int8_t *i8(const memplan_tensor_t &tensor) {
  return static_cast<int8_t *>(tensor.data);
}

/// Strides in elements of operand number `operand` (inputs, then outputs), or
/// null where it is dense.
inline const int64_t *stridesOf(const memplan_launch_t *launch, int operand) {
  return launch->strides ? launch->strides[operand] : nullptr;
}
/// How many of the first dimensions of an operand have gaps between their
/// indices; 0 for a dense one, -1 where its strides are none in row-major
/// order.
int gapDims(const memplan_launch_t *launch, int operand);
/// Elements from one index of dimension `d` to the next.
int64_t strideOf(const memplan_launch_t *launch, int operand, int d);
inline const memplan_tensor_t &operandOf(const memplan_launch_t *launch,
                                         int operand) {
  return operand < launch->input_count
             ? launch->inputs[operand]
             : launch->outputs[operand - launch->input_count];
}

/// Whether images and filters, which have four dimensions, have their channels
/// in the last one.
bool hasChannelsLast(const memplan_launch_t *launch);
/// The dimension of an image that counts channels.
inline int channelDim(const memplan_launch_t *launch) {
  return hasChannelsLast(launch) ? 3 : 1;
}
/// The dimension of an image that is its height; its width follows.
inline int heightDim(const memplan_launch_t *launch) {
  return hasChannelsLast(launch) ? 1 : 2;
}

/// Product of dimensions [first, last).
int64_t product(const memplan_tensor_t &tensor, int first, int last);
inline int64_t elements(const memplan_tensor_t &tensor) {
  return product(tensor, 0, tensor.rank);
}
int64_t elementBytes(const memplan_tensor_t &tensor);
/// Size of dimension `d` of `tensor` seen with `rank` dimensions, those in
/// front being 1.
int64_t alignedDim(const memplan_tensor_t &tensor, int d, int rank);
bool sameShape(const memplan_tensor_t &a, const memplan_tensor_t &b);

const memplan_attribute_t *findAttribute(const memplan_launch_t *launch,
                                         const char *name);
/// The attribute, or `otherwise` when it is absent or of another kind.
int64_t intAttribute(const memplan_launch_t *launch, const char *name,
                     int64_t otherwise);
/// Accepts an integer too.
double floatAttribute(const memplan_launch_t *launch, const char *name,
                      double otherwise);
std::span<const int64_t> intsAttribute(const memplan_launch_t *launch,
                                       const char *name);
/// Two spatial values, both `otherwise` when the attribute is absent.
struct Pair {
  int64_t h, w;
};
Pair pairAttribute(const memplan_launch_t *launch, const char *name,
                   int64_t otherwise);

/// The dimension that an attribute names, negative ones counted from the end.
int dimensionAttribute(const memplan_launch_t *launch, const char *name,
                       int rank);

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_OPERANDS_H
