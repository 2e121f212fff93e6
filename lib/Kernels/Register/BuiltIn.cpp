//===- BuiltIn.cpp - The backends that memplan brings ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The one place that knows both the runtime and the kernels.
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Register/BuiltIn.h"

#include "memplan/Kernels/Cpu/CpuBackend.h"
#include "memplan/Runtime/Execute/Backends.h"

using namespace memplan::runtime;

void memplan::runtime::registerBuiltInBackends() {
  // A name that the program took before stays with the program.
  (void)registerBackend("cpu", cpuBackend());
  (void)registerBackend("reference", referenceBackend());
  (void)registerBackendPlugin("cuda", "libMemplanCuda.so");
}
