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

KernelTable dnnKernels() { return {}; }

} // namespace memplan::runtime::cuda
