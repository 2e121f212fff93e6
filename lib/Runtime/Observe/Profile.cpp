//===- Profile.cpp - Times instructions and writes device profiles --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Observe/Observers.h"

#include "memplan/Runtime/Support/JsonText.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace memplan::runtime {

static int64_t nowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Status ProfileObserver::before(Executable &executable, size_t) {
  const Device &device = executable.device();
  memplan_status_t code = device.backend().synchronize(device.handle());
  startNanos = nowNanos();
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, "cannot synchronize");
}

Status ProfileObserver::after(Executable &executable, size_t instruction) {
  const Device &device = executable.device();
  memplan_status_t code = device.backend().synchronize(device.handle());
  double elapsed = double(nowNanos() - startNanos) * 1e-3;
  micros.resize(executable.program().instructions.size());
  micros[instruction].push_back(elapsed);
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, "cannot synchronize");
}

double ProfileObserver::medianMicros(size_t instruction) const {
  return instruction < micros.size() ? median(micros[instruction]) : 0;
}

//===----------------------------------------------------------------------===//
// The profile file
//===----------------------------------------------------------------------===//

namespace {
struct Entry {
  const Instruction *instruction;
  std::vector<double> micros; ///< medians of the calls that look like this
};
} // namespace

/// Bytes per microsecond, the best of a few copies of 16 MiB.
static double bandwidth(const Device &device, bool toDevice) {
  constexpr int64_t bytes = int64_t(16) << 20;
  Result<DeviceBuffer> buffer = DeviceBuffer::allocate(device, bytes, 256);
  if (!buffer)
    return 0;
  std::vector<std::byte> host(static_cast<size_t>(bytes));
  double best = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    int64_t start = nowNanos();
    memplan_status_t code =
        toDevice ? device.backend().copy_in(device.handle(), buffer->base(),
                                            host.data(), bytes)
                 : device.backend().copy_out(device.handle(), host.data(),
                                             buffer->base(), bytes);
    if (code != MEMPLAN_OK)
      return 0;
    best = std::max(best, double(bytes) * 1e3 /
                              double(std::max<int64_t>(1, nowNanos() - start)));
  }
  return best;
}

static std::string typesJson(const std::vector<Operand> &operands) {
  std::string text = "[";
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i ? ", " : "") +
            jsonText(typeText(operands[i].dtype, operands[i].shape));
  return text + "]";
}

static std::string entryJson(const std::string &key, const Entry &entry) {
  const Instruction &instruction = *entry.instruction;
  int64_t workspace =
      instruction.workspace ? instruction.workspace->bytes() : 0;
  std::string attributes = "{";
  for (size_t i = 0; i < instruction.attributes.size(); ++i)
    attributes += (i ? ", " : "") + jsonText(instruction.attributes[i].name) +
                  ": " +
                  jsonText(attributeText(instruction.attributes[i].value));
  return "  {\"key\": " + jsonText(key) +
         ", \"op\": " + jsonText(instruction.kernel) +
         ", \"attributes\": " + attributes +
         "}, \"inputs\": " + typesJson(instruction.inputs) +
         ", \"outputs\": " + typesJson(instruction.outputs) +
         ", \"layout\": \"row_major\", \"variants\": [{\"micros\": " +
         jsonNumber(median(entry.micros)) +
         ", \"workspace_bytes\": " + std::to_string(workspace) + "}]}";
}

std::string profileText(std::span<const Executable *const> executables,
                        std::span<const ProfileObserver *const> observed) {
  std::map<std::string, Entry> entries;
  for (size_t e = 0; e < executables.size(); ++e) {
    const Program &program = executables[e]->program();
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction &instruction = program.instructions[i];
      if (instruction.isCopy())
        continue; // The bandwidth says what it takes.
      Entry &entry = entries.try_emplace(profileKey(instruction)).first->second;
      entry.instruction = &instruction;
      entry.micros.push_back(observed[e]->medianMicros(i));
    }
  }
  const Device &device = executables[0]->device();
  int64_t usable = 0;
  if (device.backend().usable_bytes(device.handle(), &usable) != MEMPLAN_OK)
    usable = 0;
  std::string text =
      "{\"version\": 1, \"device\": " + jsonText(device.name()) +
      ", \"backend\": " + jsonText(device.backend().name) +
      ", \"backend_version\": " + jsonText(device.backend().version) +
      ", \"threads\": " + std::to_string(device.threads()) +
      ",\n \"bandwidth\": {\"h2d\": " + jsonNumber(bandwidth(device, true)) +
      ", \"d2h\": " + jsonNumber(bandwidth(device, false)) +
      "}, \"usable_bytes\": " + std::to_string(usable) + ",\n \"entries\": [\n";
  size_t left = entries.size();
  for (const auto &[key, entry] : entries)
    text += entryJson(key, entry) + (--left ? ",\n" : "\n");
  return text + " ]}\n";
}

} // namespace memplan::runtime
