//===- ReferenceKernels.cpp - The table of all plain kernels --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "memplan/Kernels/Cpu/KernelTable.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace memplan::runtime {

memplan_status_t cpu::checkLaunch(const memplan_launch_t *launch,
                                  memplan_prepared_t *prepared) {
  const char *name = kernelName(launch);
  const Signature *signature = findSignature(name);
  if (!signature)
    return fail(launch, MEMPLAN_UNAVAILABLE, "no signature of '%s'", name);
  memplan_status_t status = signature->check(launch);
  if (status != MEMPLAN_OK || !launch->strides)
    return status;
  prepared->takes_strides = 1;
  return checkStrides(launch, signature->strided);
}

memplan_status_t cpu::prepareBySignature(const memplan_launch_t *launch,
                                         memplan_prepared_t *prepared) {
  memplan_status_t status = checkLaunch(launch, prepared);
  const int32_t type = elementType(launch);
  if (status != MEMPLAN_OK || type == MEMPLAN_F32)
    return status;
  return fail(launch, MEMPLAN_UNAVAILABLE,
              "no kernel for elements of %s: cast its operands to f32 by "
              "memplan.cast, or run it with --precision=f32",
              type == MEMPLAN_BF16 ? "bf16" : "f16");
}

static std::vector<memplan_kernel_t> collect() {
  using namespace cpu;
  std::vector<memplan_kernel_t> all;
  for (KernelList list : {activationKernels(),
                          adaptivePoolKernels(),
                          allReduceKernels(),
                          arithmeticKernels(),
                          attentionKernels(),
                          avgPoolKernels(),
                          batchNormKernels(),
                          broadcastKernels(),
                          castKernels(),
                          causalMaskKernels(),
                          codecKernels(),
                          conv2dKernels(),
                          conv2dFilterGradKernels(),
                          conv2dInputGradKernels(),
                          crossEntropyKernels(),
                          dropoutKernels(),
                          elementLossKernels(),
                          embeddingKernels(),
                          fusedMatmulKernels(),
                          generatorKernels(),
                          indexKernels(),
                          layerNormKernels(),
                          mapKernels(),
                          matmulKernels(),
                          maxPoolKernels(),
                          movementKernels(),
                          reduceKernels(),
                          softmaxKernels(),
                          transposeKernels(),
                          updateKernels()})
    all.insert(all.end(), list.begin(), list.end());
  for (memplan_kernel_t &kernel : all)
    if (const Signature *signature = findSignature(kernel.name)) {
      kernel.in_place = signature->inPlace.data();
      kernel.in_place_count = int32_t(signature->inPlace.size());
    }
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
