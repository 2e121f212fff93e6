//===- OneDnnKernels.cpp - The kernels that oneDNN offers -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Cpu/KernelTable.h"

#include "Recipe.h"

#include <algorithm>
#include <string_view>

using namespace memplan::runtime;

std::span<const memplan_kernel_t> memplan::runtime::oneDnnKernels() {
  static const std::vector<memplan_kernel_t> kernels = [] {
    std::vector<memplan_kernel_t> all;
    for (onednn::KernelList list :
         {onednn::convolutionKernels(), onednn::matmulKernels(),
          onednn::rowKernels()})
      all.insert(all.end(), list.begin(), list.end());
    std::sort(all.begin(), all.end(),
              [](const memplan_kernel_t &a, const memplan_kernel_t &b) {
                return std::string_view(a.name) < b.name;
              });
    return all;
  }();
  return kernels;
}

std::string memplan::runtime::oneDnnVersion() {
  const dnnl_version_t *version = dnnl_version();
  return "oneDNN " + std::to_string(version->major) + "." +
         std::to_string(version->minor) + "." + std::to_string(version->patch);
}
