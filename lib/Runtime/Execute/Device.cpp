//===- Device.cpp - Backends by name --------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/Device.h"

#include "LaunchTable.h"
#include "Plugin.h"
#include "memplan/Kernels/Cpu/CpuBackend.h"

#include <utility>

namespace memplan::runtime {

namespace {
struct BuiltIn {
  std::string_view name;
  const memplan_backend_t *(*table)();
};
} // namespace

static constexpr BuiltIn builtIns[] = {{"cpu", cpuBackend},
                                       {"reference", referenceBackend}};
static constexpr std::string_view cudaName = "cuda";
static constexpr const char *cudaPlugin = "libMemplanCuda.so";

std::vector<std::string> backendNames() {
  std::vector<std::string> names;
  for (const BuiltIn &entry : builtIns)
    names.emplace_back(entry.name);
  names.emplace_back(cudaName);
  return names;
}

Result<const memplan_backend_t *> findBackend(std::string_view name) {
  for (const BuiltIn &entry : builtIns)
    if (entry.name == name)
      return entry.table();
  if (name == cudaName)
    return loadPlugin(cudaPlugin);
  if (name.find('/') != name.npos)
    return loadPluginFile(std::string(name));
  std::string known;
  for (const std::string &other : backendNames())
    known += (known.empty() ? "" : ", ") + other;
  return invalid("no backend '" + std::string(name) + "'; known are " + known +
                 ", and the path of a plugin");
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

Result<Device> Device::open(std::string_view name, int32_t number,
                            int32_t threads) {
  Result<const memplan_backend_t *> table = findBackend(name);
  if (!table)
    return table.error();
  int32_t count = 0;
  memplan_status_t code = (*table)->device_count(&count);
  if (code != MEMPLAN_OK)
    return Status{code, "backend '" + std::string(name) +
                            "': " + (*table)->last_error(nullptr)};
  if (number < 0 || number >= count)
    return Status{
        MEMPLAN_UNAVAILABLE,
        "backend '" + std::string(name) + "' has " + std::to_string(count) +
            " devices; number " + std::to_string(number) + " was asked for" +
            (count == 0 ? std::string("; ") + (*table)->last_error(nullptr)
                        : "")};
  memplan_device_t *handle = nullptr;
  code = (*table)->create(number, threads, &handle);
  if (code != MEMPLAN_OK)
    return Status{code, "backend '" + std::string(name) +
                            "': " + (*table)->last_error(nullptr)};
  return Device(*table, handle, threads > 0 ? threads : 1);
}

Device::Device(Device &&other) noexcept
    : table(other.table), device(std::exchange(other.device, nullptr)),
      threadCount(other.threadCount) {}

Device &Device::operator=(Device &&other) noexcept {
  std::swap(table, other.table);
  std::swap(device, other.device);
  std::swap(threadCount, other.threadCount);
  return *this;
}

Device::~Device() {
  if (device)
    table->destroy(device);
}

Status Device::status(memplan_status_t code, const std::string &what) const {
  if (code == MEMPLAN_OK)
    return Status::success();
  return {code, what + ": " + table->last_error(device)};
}

//===----------------------------------------------------------------------===//
// DeviceBuffer
//===----------------------------------------------------------------------===//

Result<DeviceBuffer> DeviceBuffer::allocate(const Device &device, int64_t bytes,
                                            int64_t alignment) {
  void *base = nullptr;
  memplan_status_t code =
      device.backend().alloc(device.handle(), bytes, alignment, &base);
  if (code != MEMPLAN_OK)
    return device.status(code,
                         "cannot allocate " + std::to_string(bytes) + " bytes");
  DeviceBuffer buffer;
  buffer.table = &device.backend();
  buffer.device = device.handle();
  buffer.start = static_cast<std::byte *>(base);
  buffer.size = bytes;
  return buffer;
}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other) noexcept {
  *this = std::move(other);
}

DeviceBuffer &DeviceBuffer::operator=(DeviceBuffer &&other) noexcept {
  std::swap(table, other.table);
  std::swap(device, other.device);
  std::swap(start, other.start);
  std::swap(size, other.size);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (start)
    table->free(device, start);
}

//===----------------------------------------------------------------------===//
// Workspaces
//===----------------------------------------------------------------------===//

Result<int64_t> queryWorkspaceBytes(const Device &device,
                                    const Instruction &instruction) {
  LaunchTable table({&instruction, 1});
  table.launch(0).workspace_bytes = INT64_MAX;
  memplan_prepared_t prepared = {};
  memplan_status_t code =
      device.backend().prepare(device.handle(), &table.launch(0), &prepared);
  if (code != MEMPLAN_OK)
    return device.status(code, "cannot prepare '" + instruction.kernel + "'");
  device.backend().release(device.handle(), prepared.state);
  return prepared.workspace_bytes;
}

} // namespace memplan::runtime
