//===- NoDnn.cpp - Builds without the header of cuDNN ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

namespace memplan::runtime::cuda {

struct DnnHandle {};

memplan_status_t openDnn(Device &) { return MEMPLAN_OK; }

memplan_status_t openDescribed(Device &device, const std::string &) {
  return device.fail(MEMPLAN_UNAVAILABLE,
                     "this plugin was built without cuDNN, which alone knows "
                     "what MEMPLAN_CUDA_DEVICE describes");
}

memplan_status_t describeByDnn(Device &device, std::string &) {
  return device.fail(MEMPLAN_UNAVAILABLE,
                     "this plugin was built without cuDNN, which describes "
                     "devices");
}

KernelTable dnnKernels() { return {}; }

} // namespace memplan::runtime::cuda
