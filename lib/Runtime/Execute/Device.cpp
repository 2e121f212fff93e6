//===- Device.cpp - Open devices and their memory -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/Device.h"

#include "LaunchTable.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace memplan::runtime {

/// What a backend gives as text; it may give none.
static std::string textOf(const char *text) {
  return text && *text ? text : "the backend gives no reason";
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

Result<Device> Device::open(std::string_view name, int32_t number,
                            int32_t threads) {
  Result<const memplan_backend_t *> table = findBackend(name);
  if (!table)
    return table.error();
  std::string who = "backend '" + std::string(name) + "'";
  int32_t count = 0;
  memplan_status_t code = (*table)->device_count(&count);
  auto reason = [&] { return textOf((*table)->last_error(nullptr)); };
  if (code != MEMPLAN_OK)
    return Status{code, who + ": " + reason()};
  if (number < 0 || number >= count)
    return Status{MEMPLAN_UNAVAILABLE,
                  who + " has " + std::to_string(count) + " devices; number " +
                      std::to_string(number) + " was asked for" +
                      (count == 0 ? "; " + reason() : "")};
  memplan_device_t *handle = nullptr;
  code = (*table)->create(number, threads, &handle);
  if (code != MEMPLAN_OK)
    return Status{code, who + ": " + reason()};
  if (!handle)
    return Status{MEMPLAN_FAILED, who + " created a null device"};
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
  return {code, what + ": " + textOf(table->last_error(device))};
}

std::string Device::name() const {
  const char *text = table->device_name(device);
  return text ? text : table->name;
}

std::string Device::versions() const {
  const char *text = table->versions ? table->versions(device) : nullptr;
  return text && *text ? text : table->version;
}

//===----------------------------------------------------------------------===//
// DeviceBuffer
//===----------------------------------------------------------------------===//

static Status cannotAllocate(const Device &device, memplan_status_t code,
                             int64_t bytes, const char *where) {
  return device.status(code == MEMPLAN_OK ? MEMPLAN_FAILED : code,
                       "cannot allocate " + std::to_string(bytes) + " bytes" +
                           where);
}

Result<DeviceBuffer> DeviceBuffer::allocate(const Device &device, int64_t bytes,
                                            int64_t alignment) {
  void *base = nullptr;
  memplan_status_t code =
      device.backend().alloc(device.handle(), bytes, alignment, &base);
  if (code != MEMPLAN_OK || (!base && bytes > 0))
    return cannotAllocate(device, code, bytes, "");
  return DeviceBuffer(device, base, bytes,
                      [](const memplan_backend_t *table,
                         memplan_device_t *device,
                         void *base) { table->free(device, base); });
}

/// For backends that offer no host memory of their own.
static memplan_status_t allocatePlain(int64_t bytes, int64_t alignment,
                                      void **base) {
  if (bytes < 0 || alignment < 1 || (alignment & (alignment - 1)) != 0)
    return MEMPLAN_INVALID_ARGUMENT;
  size_t unit = std::max(size_t(alignment), alignof(std::max_align_t));
  size_t rounded = (size_t(bytes) / unit + 1) * unit;
  *base = std::aligned_alloc(unit, rounded);
  return *base ? MEMPLAN_OK : MEMPLAN_OUT_OF_MEMORY;
}

Result<DeviceBuffer> DeviceBuffer::allocateHost(const Device &device,
                                                int64_t bytes,
                                                int64_t alignment) {
  const memplan_backend_t &backend = device.backend();
  void *base = nullptr;
  if (!backend.alloc_host) {
    if (memplan_status_t code = allocatePlain(bytes, alignment, &base);
        code != MEMPLAN_OK)
      return Status{code, "cannot allocate " + std::to_string(bytes) +
                              " bytes of host memory aligned to " +
                              std::to_string(alignment)};
    return DeviceBuffer(device, base, bytes,
                        [](const memplan_backend_t *, memplan_device_t *,
                           void *base) { std::free(base); });
  }
  memplan_status_t code =
      backend.alloc_host(device.handle(), bytes, alignment, &base);
  if (code != MEMPLAN_OK || (!base && bytes > 0))
    return cannotAllocate(device, code, bytes, " of host memory");
  return DeviceBuffer(device, base, bytes,
                      [](const memplan_backend_t *table,
                         memplan_device_t *device,
                         void *base) { table->free_host(device, base); });
}

DeviceBuffer DeviceBuffer::borrow(std::byte *base, int64_t bytes) {
  DeviceBuffer buffer;
  buffer.start = base;
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
  std::swap(release, other.release);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (start && release)
    release(table, device, start);
}

//===----------------------------------------------------------------------===//
// Workspaces
//===----------------------------------------------------------------------===//

Result<int64_t> queryWorkspaceBytes(const Device &device,
                                    const Instruction &instruction) {
  LaunchTable table({&instruction, 1});
  table.launch(0).workspace_bytes = INT64_MAX;
  Result<memplan_prepared_t> prepared = prepareLaunch(
      device, table.launch(0), "cannot prepare '" + instruction.kernel + "'");
  if (!prepared)
    return prepared.error();
  device.backend().release(device.handle(), prepared->state);
  return prepared->workspace_bytes;
}

Result<std::vector<WorkspaceVariant>>
queryWorkspaceVariants(const Device &device, const Instruction &instruction) {
  std::vector<WorkspaceVariant> variants;
  const memplan_backend_t &backend = device.backend();
  if (backend.list_variants) {
    LaunchTable table({&instruction, 1});
    table.launch(0).workspace_bytes = INT64_MAX;
    const memplan_variant_t *listed = nullptr;
    int32_t count = 0;
    memplan_status_t code = backend.list_variants(
        device.handle(), &table.launch(0), &listed, &count);
    if (code != MEMPLAN_OK)
      return device.status(code, "cannot list the variants of '" +
                                     instruction.kernel + "'");
    for (int32_t i = 0; i < count; ++i)
      variants.push_back({listed[i].workspace_bytes, listed[i].name,
                          std::max(1.0, listed[i].slowdown)});
  }
  if (!variants.empty())
    return variants;
  Result<int64_t> bytes = queryWorkspaceBytes(device, instruction);
  if (!bytes)
    return bytes.error();
  return std::vector<WorkspaceVariant>{{*bytes}};
}

Result<std::string> describeDevice(const Device &device) {
  const memplan_backend_t &backend = device.backend();
  if (!backend.describe_device)
    return Status{MEMPLAN_UNAVAILABLE,
                  "no plans are made for " + device.name() +
                      " without it, so that it needs no description"};
  const char *text = nullptr;
  memplan_status_t code = backend.describe_device(device.handle(), &text);
  if (code != MEMPLAN_OK)
    return device.status(code, "cannot describe " + device.name());
  return std::string(text ? text : "");
}

} // namespace memplan::runtime
