//===- PoolWatch.cpp - Holds a dynamic run against its values -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Dynamic/PoolWatch.h"

#include <algorithm>

namespace memplan::runtime {

PoolWatch::PoolWatch(Engine &engine)
    : engine(engine), held(engine.pool().capacity(), Held()) {
  engine.listen(this);
}

void PoolWatch::fail(std::string text) {
  if (found.ok())
    found = {MEMPLAN_CHECK_FAILED, std::move(text)};
}

void PoolWatch::fill(int64_t address, int64_t bytes) {
  const Device &device = engine.device();
  if (bytes > 0)
    (void)device.backend().fill(device.handle(), engine.poolBase() + address,
                                pattern, bytes);
}

void PoolWatch::put(ValueId value, int64_t address, int64_t bytes) {
  if (size_t(value) >= serials.size()) {
    serials.resize(size_t(value) + 1, -1);
    sizes.resize(size_t(value) + 1);
  }
  serials[size_t(value)] = nextSerial++;
  sizes[size_t(value)] = bytes;
  held.set(address, address + bytes, {serials[size_t(value)], address});
}

void PoolWatch::made(ValueId value, int64_t, int32_t, int64_t address,
                     int64_t bytes, double) {
  put(value, address, bytes);
}

void PoolWatch::copiedIn(ValueId value, int64_t address, double) {
  put(value, address, sizes[size_t(value)]);
}

void PoolWatch::left(ValueId value, int64_t address, int64_t bytes, double) {
  held.set(address, address + bytes, Held());
  fill(address, bytes);
}

void PoolWatch::moved(int64_t from, int64_t to, int64_t bytes) {
  const auto ranges = held.in(from, from + bytes);
  held.set(from, from + bytes, Held());
  for (const auto &range : ranges)
    if (range.fact.serial >= 0)
      held.set(range.begin - from + to, range.end - from + to,
               {range.fact.serial, range.fact.origin - from + to});
}

/// Takes the bytes as those of the output, if that is wanted and told next.
void PoolWatch::overwritten(ValueId value, int64_t, int32_t, int64_t address,
                            int64_t bytes) {
  serials[size_t(value)] = -1;
  held.set(address, address + bytes, Held());
}

static std::string bytesText(int64_t begin, int64_t bytes) {
  return "bytes [" + std::to_string(begin) + ", " +
         std::to_string(begin + bytes) + ") of the pool";
}

void PoolWatch::checkInput(const std::string &who, const Place &place,
                           int64_t address, int64_t bytes) {
  const int64_t serial =
      size_t(place.value) < serials.size() ? serials[size_t(place.value)] : -1;
  for (const auto &range : held.in(address, address + bytes))
    if (serial < 0 || range.fact.serial != serial ||
        range.fact.origin + place.offset != address)
      fail(who + " reads value " + std::to_string(place.value) + " at " +
           bytesText(address, bytes) +
           ", where the run has put something else");
}

void PoolWatch::checkWrite(const std::string &who, int64_t address,
                           int64_t bytes, std::span<const int64_t> inputs) {
  for (const auto &range : held.in(address, address + bytes))
    if (range.fact.serial >= 0 && std::find(inputs.begin(), inputs.end(),
                                            range.fact.serial) == inputs.end())
      fail(who + " writes " + bytesText(address, bytes) +
           ", where another value is alive");
}

void PoolWatch::launching(const DynamicLaunch &launch) {
  ++launchCount;
  const Instruction &instruction = launch.call.instruction();
  const std::string who =
      "op " + std::to_string(launch.op) + " (" + instruction.kernel + ")";
  size_t next = 0;
  for (const Place &place : launch.inputs) {
    // What it overwrites in a copy it reads there.
    if (std::find(launch.over.begin(), launch.over.end(), place.value) ==
        launch.over.end())
      checkInput(who, place, launch.addresses[next],
                 instruction.inputs[next].spanBytes());
    ++next;
  }
  for (size_t o = 0; o < instruction.outputs.size(); ++o) {
    std::vector<int64_t> own;
    if (launch.over[o] >= 0)
      own.push_back(serials[size_t(launch.over[o])]);
    checkWrite(who, launch.addresses[next++],
               instruction.outputs[o].spanBytes(), own);
  }
  if (launch.call.workspaceBytes() > 0) {
    checkWrite(who, launch.addresses[next], launch.call.workspaceBytes(), {});
    fill(launch.addresses[next], launch.call.workspaceBytes());
  }
}

} // namespace memplan::runtime
