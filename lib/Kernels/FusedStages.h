//===- FusedStages.h - What a fused operation stands for --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_FUSEDSTAGES_H
#define MEMPLAN_LIB_KERNELS_FUSEDSTAGES_H

#include "Operands.h"

#include <span>

namespace memplan::runtime::kernels {

/// The operations that a fused product stands for, in order, as launches on its
/// operands. They share the workspace of the product.
class FusedStages {
public:
  static constexpr int most = 3;

  explicit FusedStages(const memplan_launch_t *launch);
  FusedStages(const FusedStages &) = delete;

  std::span<const memplan_launch_t> launches() const {
    return {stages, size_t(count)};
  }

private:
  /// A stage of one output and no attributes.
  memplan_launch_t &add(const memplan_launch_t *launch, const char *kernel,
                        std::initializer_list<memplan_tensor_t> ins,
                        const memplan_tensor_t &out);
  void addSum(const memplan_launch_t *launch, const memplan_tensor_t &in,
              const memplan_tensor_t &out, bool keepsFirst);

  int count = 0;
  memplan_launch_t stages[most];
  memplan_tensor_t inputs[most][3], outputs[most];
  int64_t dims[maxRank];
  memplan_attribute_t sumDims;
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_FUSEDSTAGES_H
