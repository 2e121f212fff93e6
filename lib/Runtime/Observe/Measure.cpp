//===- Measure.cpp - Measures the bytes a step really uses ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Observe/Observers.h"

#include <algorithm>

namespace memplan::runtime {

/// A byte that was written with the value of the pattern looks untouched;
/// another pattern in the next step tells the two apart.
static int32_t patternOf(int32_t step) { return step % 2 ? 0x5A : 0xA5; }

Status MeasureObserver::beginStep(Executable &executable) {
  const std::vector<ArenaInfo> &arenas = executable.program().arenas;
  arenaUses.resize(arenas.size());
  const Device &device = executable.device();
  for (size_t a = 0; a < arenas.size(); ++a) {
    arenaUses[a].arenaBytes = arenas[a].bytes;
    memplan_status_t code =
        device.backend().fill(device.handle(), executable.arenaBase(a),
                              patternOf(steps), arenas[a].bytes);
    if (code != MEMPLAN_OK)
      return device.status(code, "cannot fill an arena");
  }
  return Status::success();
}

Status MeasureObserver::before(Executable &executable, size_t number) {
  const Instruction &instruction = executable.program().instructions[number];
  auto note = [&](const Operand &operand) {
    if (operand.space != Space::Arena)
      return;
    int64_t &highest = arenaUses[size_t(operand.index)].launchedBytes;
    highest = std::max(highest, operand.byteOffset + operand.bytes());
  };
  for (const Operand &operand : instruction.inputs)
    note(operand);
  for (const Operand &operand : instruction.outputs)
    note(operand);
  if (instruction.workspace)
    note(*instruction.workspace);
  return Status::success();
}

Status MeasureObserver::endStep(Executable &executable) {
  const Device &device = executable.device();
  auto pattern = std::byte(patternOf(steps));
  for (size_t a = 0; a < arenaUses.size(); ++a) {
    // From the top down in blocks: usually the first block tells.
    constexpr int64_t blockBytes = int64_t(1) << 20;
    std::vector<std::byte> block;
    int64_t end = arenaUses[a].arenaBytes;
    while (end > arenaUses[a].touchedBytes) {
      int64_t begin = std::max<int64_t>(0, end - blockBytes);
      block.resize(size_t(end - begin));
      memplan_status_t code = device.backend().copy_out(
          device.handle(), block.data(), executable.arenaBase(a) + begin,
          end - begin);
      if (code != MEMPLAN_OK)
        return device.status(code, "cannot read an arena");
      auto touched =
          std::find_if(block.rbegin(), block.rend(),
                       [=](std::byte byte) { return byte != pattern; });
      if (touched != block.rend()) {
        int64_t highest = begin + (block.rend() - touched);
        arenaUses[a].touchedBytes =
            std::max(arenaUses[a].touchedBytes, highest);
        break;
      }
      end = begin;
    }
  }
  ++steps;
  return Status::success();
}

} // namespace memplan::runtime
