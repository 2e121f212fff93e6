//===- ReferenceKernels.cpp - The table of all plain kernels --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "memplan/Kernels/Cpu/KernelTable.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace memplan::runtime {

static std::vector<memplan_kernel_t> collect() {
  using namespace cpu;
  std::vector<memplan_kernel_t> all;
  for (KernelList list : {activationKernels(),
                          adaptivePoolKernels(),
                          arithmeticKernels(),
                          avgPoolKernels(),
                          batchNormKernels(),
                          broadcastKernels(),
                          causalMaskKernels(),
                          conv2dKernels(),
                          conv2dFilterGradKernels(),
                          conv2dInputGradKernels(),
                          crossEntropyKernels(),
                          dropoutKernels(),
                          elementLossKernels(),
                          embeddingKernels(),
                          generatorKernels(),
                          layerNormKernels(),
                          matmulKernels(),
                          maxPoolKernels(),
                          movementKernels(),
                          reduceKernels(),
                          softmaxKernels(),
                          transposeKernels(),
                          updateKernels()})
    all.insert(all.end(), list.begin(), list.end());
  std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
    return std::string_view(a.name) < b.name;
  });
  return all;
}

std::span<const memplan_kernel_t> referenceKernels() {
  static const std::vector<memplan_kernel_t> table = collect();
  return table;
}

} // namespace memplan::runtime
