//===- Scratch.cpp - Scratch beyond the plan ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "ExecutableState.h"

#include <algorithm>
#include <utility>

namespace memplan::runtime {

Scratch::~Scratch() {
  for (size_t i = 0; i < handles.size(); ++i)
    if (!program.instructions[i].isCopy())
      device.backend().release(device.handle(), handles[i]);
}

/// Every block begins at a multiple of 256, so that an address is as round as
/// the offset is.
Status Scratch::checkPlaces(size_t number, int64_t alignment) const {
  const Instruction &instruction = program.instructions[number];
  auto check = [&](const Operand &operand, const char *what,
                   size_t index) -> Status {
    if (operand.byteOffset % alignment == 0)
      return Status::success();
    return invalid(describe(program, number) + " has " + what + " " +
                   std::to_string(index) + " at byte " +
                   std::to_string(operand.byteOffset) + ", and its kernel on " +
                   device.name() + " takes multiples of " +
                   std::to_string(alignment) +
                   ": plan again with this --backend and --alignment=256");
  };
  for (size_t i = 0; i < instruction.inputs.size(); ++i)
    if (Status s = check(instruction.inputs[i], "input", i); !s.ok())
      return s;
  for (size_t o = 0; o < instruction.outputs.size(); ++o)
    if (Status s = check(instruction.outputs[o], "output", o); !s.ok())
      return s;
  return Status::success();
}

Result<memplan_prepared_t> Scratch::prepareOne(size_t number) {
  Result<memplan_prepared_t> result =
      prepareLaunch(device, table.launch(number), describe(program, number));
  if (result && table.launch(number).strides && !result->takes_strides) {
    device.backend().release(device.handle(), result->state);
    return Status{MEMPLAN_UNAVAILABLE,
                  describe(program, number) +
                      " has operands with gaps between their samples, which "
                      "its kernel on " +
                      device.name() + " does not take: plan with --parts=off"};
  }
  if (result && result->operand_alignment > 1)
    if (Status status = checkPlaces(number, result->operand_alignment);
        !status.ok()) {
      device.backend().release(device.handle(), result->state);
      return status;
    }
  return result;
}

int64_t Scratch::roomBytes(const ExecuteOptions &options) const {
  if (options.scratchLimitBytes)
    return *options.scratchLimitBytes;
  if (program.budgetBytes < 0)
    return INT64_MAX;
  return std::max<int64_t>(0, program.budgetBytes - program.residentBytes());
}

std::map<int32_t, int64_t> Scratch::blocksWithin(int64_t limit) const {
  std::map<int32_t, int64_t> blocks;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] > 0 && wanted[i] <= limit) {
      int64_t &bytes = blocks[program.instructions[i].stream];
      bytes = std::max(bytes, wanted[i]);
    }
  return blocks;
}

/// The most that one instruction may take so that the blocks of all streams fit
/// into the room. Those that want more stay on their slower kernels.
int64_t Scratch::largestLimit(int64_t room) const {
  std::vector<int64_t> limits(wanted);
  std::sort(limits.rbegin(), limits.rend());
  for (int64_t limit : limits) {
    int64_t left = room;
    for (auto [stream, bytes] : blocksWithin(limit))
      left = bytes > left ? -1 : left - bytes;
    if (left >= 0)
      return limit;
  }
  return 0;
}

std::map<int32_t, size_t> Scratch::makeBlocks(int64_t limit) {
  std::map<int32_t, size_t> blockOf;
  for (auto [stream, bytes] : blocksWithin(limit)) {
    blockOf[stream] = blocks.size();
    blocks.push_back({bytes, nullptr});
    sum.bytes += bytes;
  }
  sum.blocks = blocks.size();
  return blockOf;
}

Status Scratch::share(size_t number, size_t block) {
  device.backend().release(device.handle(),
                           std::exchange(handles[number], nullptr));
  memplan_launch_t &launch = table.launch(number);
  launch.workspace_bytes = wanted[number];
  Result<memplan_prepared_t> prepared = prepareOne(number);
  if (!prepared)
    return prepared.error();
  handles[number] = launch.state = prepared->state;
  if (prepared->workspace_bytes > wanted[number])
    return invalid(describe(program, number) + " asked for " +
                   std::to_string(wanted[number]) +
                   " workspace bytes and then for " +
                   std::to_string(prepared->workspace_bytes));
  shared[number] = int32_t(block);
  ++sum.instructions;
  sum.largestBytes = std::max(sum.largestBytes, wanted[number]);
  return Status::success();
}

void Scratch::resolve() {
  for (size_t i = 0; i < shared.size(); ++i)
    if (shared[i] >= 0)
      table.launch(i).workspace = blocks[size_t(shared[i])].base;
}

Status Scratch::prepare(const ExecuteOptions &options) {
  size_t count = program.instructions.size();
  for (size_t i = 0; i < count; ++i) {
    if (program.instructions[i].isCopy()) {
      // No kernel runs, so that nothing is prepared.
      handles.push_back(nullptr);
      needed.push_back(false);
      wanted.push_back(0);
      continue;
    }
    Result<memplan_prepared_t> prepared = prepareOne(i);
    if (!prepared)
      return prepared.error();
    memplan_launch_t &launch = table.launch(i);
    handles.push_back(prepared->state);
    launch.state = prepared->state;
    needed.push_back(prepared->workspace_bytes > launch.workspace_bytes);
    wanted.push_back(std::max(prepared->wanted_workspace_bytes,
                              needed[i] ? prepared->workspace_bytes : 0));
  }
  shared.assign(count, -1);
  missing.roomBytes = roomBytes(options);
  int64_t limit = largestLimit(missing.roomBytes);
  std::map<int32_t, size_t> blockOf = makeBlocks(limit);
  for (size_t i = 0; i < count; ++i) {
    if (wanted[i] == 0)
      continue;
    if (wanted[i] <= limit) {
      if (Status status = share(i, blockOf[program.instructions[i].stream]);
          !status.ok())
        return status;
      continue;
    }
    if (needed[i])
      return invalid(
          describe(program, i) + " needs " + std::to_string(wanted[i]) +
          " workspace bytes on " + device.name() + ", the program gives " +
          std::to_string(table.launch(i).workspace_bytes) + ", and only " +
          std::to_string(missing.roomBytes) +
          " may be taken beyond the plan: plan again for this backend and "
          "thread count");
    ++missing.instructions;
    missing.largestBytes = std::max(missing.largestBytes, wanted[i]);
  }
  return Status::success();
}

} // namespace memplan::runtime
