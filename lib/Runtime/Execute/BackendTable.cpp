//===- BackendTable.cpp - Tables of backends, checked ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackendTable.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace memplan::runtime {

/// Behind the last field that every table of version 1 has.
static constexpr size_t leastBytes =
    offsetof(memplan_backend_t, kernel_name) + sizeof(void *);
static constexpr int32_t oldestVersion = 1;
/// Far more than any table will ever have: what is larger is garbage.
static constexpr size_t mostBytes = 1 << 16;

namespace {
/// A field that holds a pointer.
struct Field {
  const char *name;
  size_t offset;
};
/// Two optional functions of which neither is of use alone.
struct FieldPair {
  Field first, second;
};
} // namespace

#define FIELD(name)                                                            \
  Field { #name, offsetof(memplan_backend_t, name) }

static constexpr Field required[] = {
    FIELD(name),         FIELD(version),      FIELD(device_count),
    FIELD(create),       FIELD(destroy),      FIELD(last_error),
    FIELD(device_name),  FIELD(usable_bytes), FIELD(alloc),
    FIELD(free),         FIELD(copy_in),      FIELD(copy_out),
    FIELD(copy),         FIELD(fill),         FIELD(prepare),
    FIELD(launch),       FIELD(release),      FIELD(synchronize),
    FIELD(kernel_count), FIELD(kernel_name)};
static constexpr FieldPair pairs[] = {
    {FIELD(event_record), FIELD(event_wait)},
    {FIELD(alloc_host), FIELD(free_host)},
    {FIELD(begin_queues), FIELD(copy_async)},
    {FIELD(begin_capture), FIELD(end_capture)},
    {FIELD(begin_capture), FIELD(replay)},
    {FIELD(replay), FIELD(release_graph)}};

#undef FIELD

static bool isNull(const memplan_backend_t &table, const Field &field) {
  const void *value = nullptr;
  std::memcpy(&value,
              reinterpret_cast<const std::byte *>(&table) + field.offset,
              sizeof(value));
  return !value;
}

static Status refuse(const std::string &who, const std::string &why) {
  return {MEMPLAN_UNAVAILABLE, who + " " + why};
}

/// The two numbers at the front, before anything behind them is read.
static Status checkHead(const memplan_backend_t *table,
                        const std::string &who) {
  if (!table)
    return refuse(who, "gives no table of functions");
  if (table->abi_version < oldestVersion ||
      table->abi_version > MEMPLAN_BACKEND_ABI_VERSION)
    return refuse(who, "has backend ABI " + std::to_string(table->abi_version) +
                           "; this build takes " +
                           std::to_string(oldestVersion) + " to " +
                           std::to_string(MEMPLAN_BACKEND_ABI_VERSION));
  int64_t bytes = table->struct_bytes;
  if (bytes < int64_t(leastBytes) || bytes > int64_t(mostBytes) ||
      size_t(bytes) % sizeof(void *) != 0)
    return refuse(who,
                  "has a table with struct_bytes = " + std::to_string(bytes) +
                      "; a table of ABI " +
                      std::to_string(MEMPLAN_BACKEND_ABI_VERSION) + " has " +
                      std::to_string(leastBytes) + " to " +
                      std::to_string(mostBytes) + " bytes, a multiple of " +
                      std::to_string(sizeof(void *)));
  return Status::success();
}

Result<memplan_backend_t> completeTable(const memplan_backend_t *table,
                                        const std::string &who) {
  if (Status status = checkHead(table, who); !status.ok())
    return status;
  memplan_backend_t complete = {};
  std::memcpy(&complete, table,
              std::min(size_t(table->struct_bytes), sizeof(complete)));
  complete.struct_bytes = int32_t(sizeof(complete));
  // What lies there in a table of version 1 means something else, or nothing.
  if (table->abi_version < 2)
    complete.takes_strides = 0;
  if (table->abi_version < 3) {
    complete.begin_queues = nullptr;
    complete.copy_async = nullptr;
    complete.failed_launch = nullptr;
    complete.throttle_copies = nullptr;
  }
  if (table->abi_version < 4) {
    complete.versions = nullptr;
    complete.overhead_bytes = nullptr;
    complete.allocation_bytes = 0;
    complete.begin_capture = nullptr;
    complete.end_capture = nullptr;
    complete.replay = nullptr;
    complete.release_graph = nullptr;
  }
  if (table->abi_version < 5) {
    complete.list_variants = nullptr;
    complete.describe_device = nullptr;
    complete.only_plans = nullptr;
  }
  if (table->abi_version < 7)
    complete.time_launches = nullptr;
  if (table->abi_version < 8)
    complete.device_model = nullptr;
  for (const Field &field : required)
    if (isNull(complete, field))
      return refuse(who, std::string("has a null '") + field.name +
                             "' in its table, which every backend needs");
  for (const FieldPair &pair : pairs)
    if (isNull(complete, pair.first) != isNull(complete, pair.second)) {
      bool first = isNull(complete, pair.first);
      const Field &missing = first ? pair.first : pair.second;
      const Field &present = first ? pair.second : pair.first;
      return refuse(who, std::string("has '") + present.name +
                             "' but a null '" + missing.name +
                             "' in its table");
    }
  if (complete.begin_queues && !complete.event_record)
    return refuse(who, "has 'begin_queues' but a null 'event_record' in its "
                       "table");
  return complete;
}

} // namespace memplan::runtime
