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
#include <map>
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

static constexpr std::string_view versionsMark = " with ";

std::string Device::plannedFor() const {
  const char *model = table->device_model ? table->device_model(device) : "";
  if (!model || !*model)
    return "";
  const char *loaded = table->versions ? table->versions(device) : "";
  return std::string(model) +
         (loaded && *loaded ? std::string(versionsMark) + loaded : "");
}

/// "cuBLAS 13.1.0, cuDNN 9.19.0" as versions by library.
static std::map<std::string_view, std::string_view>
versionsIn(std::string_view list) {
  std::map<std::string_view, std::string_view> versions;
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(", "));
    list.remove_prefix(std::min(item.size() + 2, list.size()));
    if (const size_t space = item.rfind(' '); space != item.npos)
      versions[item.substr(0, space)] = item.substr(space + 1);
  }
  return versions;
}

/// Libraries that both lists name have one version. One that plans without a
/// GPU has loaded less.
static bool agree(std::string_view first, std::string_view second) {
  const auto others = versionsIn(second);
  for (const auto &[library, version] : versionsIn(first))
    if (auto found = others.find(library);
        found != others.end() && found->second != version)
      return false;
  return true;
}

std::string Device::differenceFrom(std::string_view planned) const {
  if (planned.empty())
    return "";
  const std::string own = plannedFor();
  auto split = [](std::string_view text) {
    const size_t mark = text.find(versionsMark);
    return mark == text.npos
               ? std::pair(text, std::string_view())
               : std::pair(text.substr(0, mark),
                           text.substr(mark + versionsMark.size()));
  };
  const auto [model, versions] = split(planned);
  const auto [ownModel, ownVersions] = split(own);
  if (model == ownModel && agree(ownVersions, versions))
    return "";
  return "is for " + std::string(planned) + ", and this is " +
         (own.empty() ? name() + " with " + this->versions() : own);
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

/// What prepare says of an instruction that may take any scratch; `state` is
/// gone.
static Result<memplan_prepared_t> askOf(const Device &device,
                                        const Instruction &instruction) {
  LaunchTable table({&instruction, 1});
  table.launch(0).workspace_bytes = INT64_MAX;
  Result<memplan_prepared_t> prepared = prepareLaunch(
      device, table.launch(0), "cannot prepare '" + instruction.kernel + "'");
  if (prepared)
    device.backend().release(device.handle(), prepared->state);
  return prepared;
}

Result<int64_t> queryWorkspaceBytes(const Device &device,
                                    const Instruction &instruction) {
  Result<memplan_prepared_t> prepared = askOf(device, instruction);
  return prepared ? Result<int64_t>(prepared->workspace_bytes)
                  : prepared.error();
}

Result<int64_t> queryOperandAlignment(const Device &device,
                                      const Instruction &instruction) {
  Result<memplan_prepared_t> prepared = askOf(device, instruction);
  return prepared ? Result<int64_t>(prepared->operand_alignment)
                  : prepared.error();
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
