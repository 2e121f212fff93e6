//===- FusedMatmul.cpp - Products with what follows them ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.matmul_gelu, memplan.matmul_gelu_grad, memplan.matmul_bias_grad: the
// kernels of the operations that they stand for, one after the other, in f32.
// Bits of f32 are those of the operations apart; elements of 16 bits are
// rounded once, at the end.
//
//===----------------------------------------------------------------------===//

#include "../FusedStages.h"
#include "Elements.h"

#include "memplan/Kernels/Cpu/KernelTable.h"

#include <algorithm>
#include <string_view>

namespace memplan::runtime::cpu {

static const memplan_kernel_t &reference(std::string_view name) {
  const std::span<const memplan_kernel_t> table = referenceKernels();
  return *std::lower_bound(
      table.begin(), table.end(), name,
      [](const memplan_kernel_t &kernel, std::string_view wanted) {
        return std::string_view(kernel.name) < wanted;
      });
}

static memplan_status_t inStages(const memplan_launch_t *launch) {
  const FusedStages stages(launch);
  for (const memplan_launch_t &stage : stages.launches())
    if (memplan_status_t status = reference(stage.kernel).launch(&stage);
        status != MEMPLAN_OK)
      return status;
  return MEMPLAN_OK;
}

KernelList fusedMatmulKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeWidened<inStages>("memplan.matmul_bias_grad"),
      makeWidened<inStages>("memplan.matmul_gelu"),
      makeWidened<inStages>("memplan.matmul_gelu_grad"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
