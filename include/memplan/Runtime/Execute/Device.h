//===- Device.h - Backends by name ------------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_EXECUTE_DEVICE_H
#define MEMPLAN_RUNTIME_EXECUTE_DEVICE_H

#include "memplan-c/Backend.h"
#include "memplan/Runtime/Program/Program.h"
#include "memplan/Runtime/Support/Status.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::runtime {

/// "reference": the plain kernels alone. "cpu": faster kernel libraries where
/// they are built in and cover the case, the plain kernels otherwise. "cuda":
/// the plugin libMemplanCuda.so, looked for in $MEMPLAN_PLUGIN_PATH, beside the
/// program, in ../lib from there, and where the loader looks. A name with a '/'
/// is the path of a plugin.
Result<const memplan_backend_t *> findBackend(std::string_view name);

/// The names that findBackend knows without a path.
std::vector<std::string> backendNames();

/// An open device; closed with the object. One thread at a time.
class Device {
public:
  /// `threads` 0 means one. MEMPLAN_UNAVAILABLE when there is no such device.
  static Result<Device> open(std::string_view backend, int32_t number = 0,
                             int32_t threads = 1);
  Device(Device &&other) noexcept;
  Device &operator=(Device &&other) noexcept;
  ~Device();

  const memplan_backend_t &backend() const { return *table; }
  memplan_device_t *handle() const { return device; }
  int32_t threads() const { return threadCount; }
  std::string name() const { return table->device_name(device); }

  /// Turns a code of the backend into a status that says `what` failed.
  Status status(memplan_status_t code, const std::string &what) const;

private:
  Device(const memplan_backend_t *table, memplan_device_t *device,
         int32_t threads)
      : table(table), device(device), threadCount(threads) {}

  const memplan_backend_t *table = nullptr;
  memplan_device_t *device = nullptr;
  int32_t threadCount = 1;
};

/// Device memory; freed with the object, which must go before its device.
class DeviceBuffer {
public:
  static Result<DeviceBuffer> allocate(const Device &device, int64_t bytes,
                                       int64_t alignment);
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer &&other) noexcept;
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept;
  ~DeviceBuffer();

  std::byte *base() const { return start; }
  int64_t bytes() const { return size; }

private:
  const memplan_backend_t *table = nullptr;
  memplan_device_t *device = nullptr;
  std::byte *start = nullptr;
  int64_t size = 0;
};

/// Scratch bytes that `device` wants for an instruction with these types and
/// attributes; places are ignored. What `workspace_bytes` of an op is set to
/// before planning.
Result<int64_t> queryWorkspaceBytes(const Device &device,
                                    const Instruction &instruction);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_DEVICE_H
