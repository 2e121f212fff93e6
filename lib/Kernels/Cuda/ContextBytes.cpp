//===- ContextBytes.cpp - What the context of a process takes -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA runtime cannot say how much of a device is free before it has made
// the context of the process, which takes hundreds of megabytes. NVML, which
// comes with the driver, can. Its header need not be installed: these three
// functions and the struct have been the same since its version 2.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Symbols.h"

namespace memplan::runtime::cuda {

namespace {
struct NvmlMemory {
  unsigned long long total, free, used;
};
struct NvmlLibrary {
  int (*open)();
  int (*close)();
  int (*find)(const char *busId, void **device);
  int (*memory)(void *device, NvmlMemory *memory);
};
} // namespace

int64_t driverFreeBytes(int32_t number) {
  char busId[32] = "";
  if (cudaDeviceGetPCIBusId(busId, sizeof(busId), number) != cudaSuccess) {
    cudaGetLastError();
    return -1;
  }
  SharedLibrary library("libnvidia-ml.so.1", "nvmlInit_v2",
                        SharedLibrary::OfDriver);
  NvmlLibrary nvml = {};
  library.symbol("nvmlInit_v2", nvml.open);
  library.symbol("nvmlShutdown", nvml.close);
  library.symbol("nvmlDeviceGetHandleByPciBusId_v2", nvml.find);
  library.symbol("nvmlDeviceGetMemoryInfo", nvml.memory);
  if (!library.complete() || nvml.open() != 0)
    return -1;
  void *device = nullptr;
  NvmlMemory memory = {};
  const bool isKnown =
      nvml.find(busId, &device) == 0 && nvml.memory(device, &memory) == 0;
  nvml.close();
  return isKnown ? int64_t(memory.free) : -1;
}

} // namespace memplan::runtime::cuda
