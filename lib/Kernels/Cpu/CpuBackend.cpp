//===- CpuBackend.cpp - The backends cpu and reference --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Both run host kernels on thread pools, in program order where no caller asks
// for queues. They differ in where they look for a kernel: "reference" has the
// plain kernels and the registered ones, "cpu" tries the kernel libraries
// before the plain ones.
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Cpu/CpuBackend.h"
#include "../Signature.h"
#include "CpuDevice.h"

#include "memplan/Kernels/Cpu/KernelTable.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <unistd.h>

namespace memplan::runtime {

using cpu::CpuDevice;
using cpu::GuardedMemory;
using cpu::PreparedKernel;
using cpu::self;

//===----------------------------------------------------------------------===//
// Registered kernels
//===----------------------------------------------------------------------===//

namespace {
struct Registry {
  std::mutex mutex;
  std::vector<const memplan_kernel_t *> kernels;
};
} // namespace

static Registry &registry() {
  static Registry registry;
  return registry;
}

Status registerKernel(const memplan_kernel_t &kernel) {
  if (!kernel.name || !kernel.prepare || !kernel.launch)
    return invalid("a kernel needs a name, prepare and launch");
  std::lock_guard lock(registry().mutex);
  for (const memplan_kernel_t *known : registry().kernels)
    if (std::strcmp(known->name, kernel.name) == 0)
      return invalid("kernel '" + std::string(kernel.name) +
                     "' is registered already");
  registry().kernels.push_back(&kernel);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

int64_t cpu::physicalMemoryBytes() {
  return int64_t(sysconf(_SC_PHYS_PAGES)) * int64_t(sysconf(_SC_PAGESIZE));
}

static memplan_status_t deviceCount(int32_t *count) {
  *count = 1;
  return MEMPLAN_OK;
}

static constexpr int32_t mostThreads = 1024;
static constexpr const char *createError =
    "there is one device, number 0, with 1 to 1024 threads";

template <bool accelerated>
static memplan_status_t create(int32_t number, int32_t threads,
                               memplan_device_t **result) {
  if (number != 0)
    return MEMPLAN_UNAVAILABLE;
  if (threads < 0 || threads > mostThreads)
    return MEMPLAN_INVALID_ARGUMENT;
  auto *device = new CpuDevice(std::max(threads, 1), accelerated);
  *result = reinterpret_cast<memplan_device_t *>(device);
  return MEMPLAN_OK;
}

static void destroy(memplan_device_t *device) { delete &self(device); }

static const char *lastError(memplan_device_t *device) {
  return device ? self(device).error : createError;
}

static const char *deviceName(memplan_device_t *device) {
  return self(device).name;
}

static memplan_status_t usableBytes(memplan_device_t *, int64_t *bytes) {
  *bytes = cpu::physicalMemoryBytes();
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static memplan_status_t allocateBlock(memplan_device_t *device, int64_t bytes,
                                      int64_t alignment, void **base) {
  Result<GuardedMemory> memory = GuardedMemory::allocate(bytes, alignment);
  if (!memory)
    return self(device).fail(memory.error());
  // An empty block starts at a guard page and may share its start with no other
  // block.
  *base = memory->base();
  self(device).blocks.insert_or_assign(*base, std::move(*memory));
  return MEMPLAN_OK;
}

static memplan_status_t freeBlock(memplan_device_t *device, void *base) {
  if (self(device).blocks.erase(base) == 0)
    return self(device).fail(invalid("freed a block that is not there"));
  return MEMPLAN_OK;
}

static memplan_status_t checkGuards(memplan_device_t *device, void *base) {
  auto block = self(device).blocks.find(base);
  if (block == self(device).blocks.end())
    return self(device).fail(invalid("checked a block that is not there"));
  return self(device).fail(block->second.check());
}

static memplan_status_t copyBytes(memplan_device_t *, void *target,
                                  const void *source, int64_t bytes) {
  if (bytes > 0)
    std::memmove(target, source, size_t(bytes));
  return MEMPLAN_OK;
}

static memplan_status_t fillBytes(memplan_device_t *, void *target,
                                  int32_t byte, int64_t bytes) {
  if (bytes > 0)
    std::memset(target, byte, size_t(bytes));
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The kernels of a name in the order in which they are tried.
static std::vector<const memplan_kernel_t *> candidates(bool accelerated,
                                                        const char *name) {
  std::vector<const memplan_kernel_t *> found;
  {
    std::lock_guard lock(registry().mutex);
    for (const memplan_kernel_t *kernel : registry().kernels)
      if (std::strcmp(kernel->name, name) == 0)
        found.push_back(kernel);
  }
  auto search = [&](std::span<const memplan_kernel_t> table) {
    for (const memplan_kernel_t &kernel : table)
      if (std::strcmp(kernel.name, name) == 0)
        found.push_back(&kernel);
  };
  if (accelerated)
    search(oneDnnKernels());
  search(referenceKernels());
  return found;
}

static memplan_status_t prepare(memplan_device_t *device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  CpuDevice &cpu = self(device);
  const char *name = kernels::kernelName(description);
  memplan_launch_t mine = *description;
  mine.parallel = cpu.parallel(0);
  mine.threads = mine.parallel->threads;
  mine.error = cpu.error;
  mine.error_bytes = sizeof(cpu.error);
  memplan_status_t status = MEMPLAN_UNAVAILABLE;
  std::snprintf(cpu.error, sizeof(cpu.error),
                "no kernel '%s' in this backend: register it with "
                "memplan_register_kernel",
                name);
  std::vector<const memplan_kernel_t *> found =
      candidates(cpu.accelerated, name);
  for (const memplan_kernel_t *kernel : found) {
    if (const memplan_in_place_t *alias = kernels::forbiddenAlias(
            &mine, {kernel->in_place, size_t(kernel->in_place_count)})) {
      std::snprintf(cpu.error, sizeof(cpu.error),
                    "kernel '%s' cannot write output %d over input %d", name,
                    alias->output, alias->input);
      status = MEMPLAN_INVALID_ARGUMENT;
      continue;
    }
    memplan_prepared_t own = {};
    status = kernel->prepare(&mine, &own);
    if (status == MEMPLAN_OK && mine.strides && !own.takes_strides) {
      if (kernel->destroy)
        kernel->destroy(own.state);
      std::snprintf(cpu.error, sizeof(cpu.error),
                    "kernel '%s' takes no operands with strides", name);
      status = MEMPLAN_UNAVAILABLE;
      continue;
    }
    // A plan that was made for no backend in particular gives no scratch: a
    // kernel that needs none runs it, only slower.
    if (status == MEMPLAN_OK && own.workspace_bytes > mine.workspace_bytes &&
        kernel != found.back()) {
      if (kernel->destroy)
        kernel->destroy(own.state);
      prepared->wanted_workspace_bytes = own.workspace_bytes;
      continue;
    }
    if (status == MEMPLAN_OK) {
      prepared->state = new PreparedKernel{kernel, own.state};
      prepared->workspace_bytes = own.workspace_bytes;
      prepared->takes_strides = own.takes_strides;
      return MEMPLAN_OK;
    }
    if (status != MEMPLAN_UNAVAILABLE)
      return status;
  }
  return status;
}

static memplan_status_t launch(memplan_device_t *device,
                               const memplan_launch_t *call) {
  CpuDevice &cpu = self(device);
  if (!cpu.queues.isOpen())
    return cpu.launch(*call, cpu.error, sizeof(cpu.error));
  cpu.queues.launch(*call);
  return MEMPLAN_OK;
}

static void release(memplan_device_t *, void *state) {
  auto *prepared = static_cast<PreparedKernel *>(state);
  if (prepared && prepared->kernel->destroy)
    prepared->kernel->destroy(prepared->state);
  delete prepared;
}

static int32_t kernelCount(memplan_device_t *) {
  return int32_t(referenceKernels().size());
}

static const char *kernelName(memplan_device_t *, int32_t kernel) {
  return kernel >= 0 && kernel < int32_t(referenceKernels().size())
             ? referenceKernels()[size_t(kernel)].name
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <bool accelerated>
static memplan_backend_t makeBackend(const char *name, const char *version) {
  memplan_backend_t table = {};
  table.abi_version = MEMPLAN_BACKEND_ABI_VERSION;
  table.struct_bytes = int32_t(sizeof(memplan_backend_t));
  table.name = name;
  table.version = version;
  table.device_count = deviceCount;
  table.create = create<accelerated>;
  table.destroy = destroy;
  table.last_error = lastError;
  table.device_name = deviceName;
  table.usable_bytes = usableBytes;
  table.alloc = allocateBlock;
  table.free = freeBlock;
  table.check_guards = checkGuards;
  table.copy_in = copyBytes;
  table.copy_out = copyBytes;
  table.copy = copyBytes;
  table.fill = fillBytes;
  table.prepare = prepare;
  table.launch = launch;
  table.release = release;
  table.kernel_count = kernelCount;
  table.kernel_name = kernelName;
  // Host and device are one.
  table.alloc_host = allocateBlock;
  table.free_host = freeBlock;
  table.takes_strides = 1;
  cpu::addQueues(table);
  return table;
}

const memplan_backend_t *referenceBackend() {
  static const memplan_backend_t table =
      makeBackend<false>("reference", "plain kernels");
  return &table;
}

const memplan_backend_t *cpuBackend() {
  static const std::string version = oneDnnVersion().empty()
                                         ? "plain kernels"
                                         : oneDnnVersion() + ", plain kernels";
  static const memplan_backend_t table =
      makeBackend<true>("cpu", version.c_str());
  return &table;
}

} // namespace memplan::runtime
