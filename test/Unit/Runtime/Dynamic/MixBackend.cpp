//===- MixBackend.cpp - A backend of one kernel that may fail -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixBackend.h"

#include "memplan/Runtime/Execute/Backends.h"

#include <cstdlib>
#include <cstring>

namespace memplan::runtime::test {

std::function<bool()> MixBackend::fails;
int64_t MixBackend::launches = 0;
bool MixBackend::isIdle = false;
int64_t MixBackend::blocks = 0;

int64_t mix(int64_t salt, int64_t output, std::span<const int64_t> inputs) {
  uint64_t sum = uint64_t(salt) * 1000003 + uint64_t(output);
  for (int64_t input : inputs)
    sum = (sum ^ uint64_t(input)) * 0x9E3779B97F4A7C15u + 1;
  return int64_t(sum);
}

static int64_t elements(const memplan_tensor_t &tensor) {
  return tensor.rank == 0 ? 1 : tensor.shape[0];
}

static int64_t attribute(const memplan_launch_t *launch, const char *name) {
  for (int32_t i = 0; i < launch->attribute_count; ++i)
    if (std::strcmp(launch->attributes[i].name, name) == 0)
      return launch->attributes[i].int_value;
  return 0;
}

static memplan_status_t launchMix(memplan_device_t *,
                                  const memplan_launch_t *launch) {
  ++MixBackend::launches;
  if (MixBackend::isIdle)
    return MEMPLAN_OK;
  if (MixBackend::fails && MixBackend::fails())
    return MEMPLAN_FAILED;
  const int64_t salt = attribute(launch, "salt");
  if (launch->workspace_bytes > 0)
    std::memset(launch->workspace, 0x5A, size_t(launch->workspace_bytes));
  // All is read before anything is written, for outputs may lie on inputs.
  static std::vector<int64_t> results, read;
  results.clear();
  for (int32_t o = 0; o < launch->output_count; ++o)
    for (int64_t i = 0; i < elements(launch->outputs[o]); ++i) {
      read.clear();
      for (int32_t n = 0; n < launch->input_count; ++n) {
        const memplan_tensor_t &input = launch->inputs[n];
        read.push_back(
            static_cast<const int64_t *>(input.data)[i % elements(input)]);
      }
      results.push_back(mix(salt, o, read));
    }
  const int64_t *result = results.data();
  for (int32_t o = 0; o < launch->output_count; ++o) {
    const int64_t count = elements(launch->outputs[o]);
    std::memcpy(launch->outputs[o].data, result, size_t(count) * 8);
    result += count;
  }
  return MEMPLAN_OK;
}

static memplan_status_t prepareMix(memplan_device_t *,
                                   const memplan_launch_t *launch,
                                   memplan_prepared_t *prepared) {
  *prepared = {};
  prepared->workspace_bytes = attribute(launch, "scratch");
  return MEMPLAN_OK;
}

static memplan_status_t take(memplan_device_t *, int64_t bytes,
                             int64_t alignment, void **base) {
  const auto unit = size_t(alignment);
  *base = std::aligned_alloc(unit, (size_t(bytes) / unit + 1) * unit);
  MixBackend::blocks += *base != nullptr;
  return *base ? MEMPLAN_OK : MEMPLAN_OUT_OF_MEMORY;
}
static memplan_status_t give(memplan_device_t *, void *base) {
  MixBackend::blocks -= base != nullptr;
  std::free(base);
  return MEMPLAN_OK;
}
static memplan_status_t copyIn(memplan_device_t *, void *target,
                               const void *source, int64_t bytes) {
  std::memcpy(target, source, size_t(bytes));
  return MEMPLAN_OK;
}

static memplan_backend_t makeTable() {
  memplan_backend_t table = {};
  table.abi_version = MEMPLAN_BACKEND_ABI_VERSION;
  table.struct_bytes = sizeof(memplan_backend_t);
  table.name = "mix";
  table.version = "1";
  table.device_count = [](int32_t *count) {
    *count = 1;
    return MEMPLAN_OK;
  };
  table.create = [](int32_t, int32_t, memplan_device_t **device) {
    static int any;
    *device = reinterpret_cast<memplan_device_t *>(&any);
    return MEMPLAN_OK;
  };
  table.destroy = [](memplan_device_t *) {};
  table.last_error = [](memplan_device_t *) { return "it was told to fail"; };
  table.device_name = [](memplan_device_t *) { return "mix"; };
  table.usable_bytes = [](memplan_device_t *, int64_t *bytes) {
    *bytes = 0;
    return MEMPLAN_OK;
  };
  table.alloc = take;
  table.free = give;
  table.copy_in = copyIn;
  table.copy_out = copyIn;
  table.copy = copyIn;
  table.fill = [](memplan_device_t *, void *target, int32_t byte,
                  int64_t bytes) {
    std::memset(target, byte, size_t(bytes));
    return MEMPLAN_OK;
  };
  table.prepare = prepareMix;
  table.launch = launchMix;
  table.release = [](memplan_device_t *, void *) {};
  table.synchronize = [](memplan_device_t *) { return MEMPLAN_OK; };
  table.kernel_count = [](memplan_device_t *) { return 1; };
  table.kernel_name = [](memplan_device_t *, int32_t) { return "mix"; };
  return table;
}

Result<Device> MixBackend::open() {
  static const memplan_backend_t table = makeTable();
  if (Status s = registerBackend("mix", &table); !s.ok())
    return s;
  return Device::open("mix");
}

std::shared_ptr<const KernelCall> mixCall(const Device &device, int64_t salt,
                                          std::span<const int64_t> inputs,
                                          std::span<const int64_t> outputs,
                                          std::span<const int32_t> over,
                                          int64_t scratch) {
  Instruction call;
  call.kernel = "mix";
  call.attributes = {{"salt", salt}, {"scratch", scratch}};
  int32_t next = 0;
  for (int64_t count : inputs)
    call.inputs.push_back({Space::Arena, next++, 0, DType::I64, {count}});
  for (size_t o = 0; o < outputs.size(); ++o) {
    const int32_t place = over[o] >= 0 ? over[o] : next++;
    call.outputs.push_back({Space::Arena, place, 0, DType::I64, {outputs[o]}});
  }
  Result<KernelCall> prepared = KernelCall::prepare(device, std::move(call));
  return prepared ? std::make_shared<const KernelCall>(std::move(*prepared))
                  : nullptr;
}

} // namespace memplan::runtime::test
