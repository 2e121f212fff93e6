//===- Pointers.cpp - What launches really get ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Observe/Observers.h"

namespace memplan::runtime {

/// Bytes from the start of the operand's block to `data`, or their distance as
/// the address has it: enough to see what went wrong.
static Status otherPointer(const Executable &executable, size_t number,
                           const std::string &what, const Operand &operand,
                           const void *data) {
  static constexpr const char *names[] = {"arena ", "argument ", "constants "};
  const std::byte *base = executable.baseOf(operand);
  auto distance = int64_t(reinterpret_cast<uintptr_t>(data) -
                          reinterpret_cast<uintptr_t>(base));
  return {MEMPLAN_CHECK_FAILED,
          "instruction " + std::to_string(number) + " (" +
              executable.program().instructions[number].kernel + "): " + what +
              " was handed out at byte " + std::to_string(distance) + " of " +
              names[int(operand.space)] + std::to_string(operand.index) +
              "; the program says byte " + std::to_string(operand.byteOffset)};
}

Status checkPointers(const Executable &executable, size_t number) {
  const Instruction &instruction = executable.program().instructions[number];
  const memplan_launch_t &launch = executable.launch(number);
  auto check = [&](const std::vector<Operand> &operands,
                   const memplan_tensor_t *tensors, const char *what) {
    for (size_t i = 0; i < operands.size(); ++i)
      if (tensors[i].data !=
          executable.baseOf(operands[i]) + operands[i].byteOffset)
        return otherPointer(executable, number, what + std::to_string(i),
                            operands[i], tensors[i].data);
    return Status::success();
  };
  if (Status s = check(instruction.inputs, launch.inputs, "input "); !s.ok())
    return s;
  if (Status s = check(instruction.outputs, launch.outputs, "output "); !s.ok())
    return s;
  // Shared scratch is the executor's own and no pointer of the program.
  if (!instruction.workspace || executable.takesSharedScratch(number))
    return Status::success();
  const Operand &workspace = *instruction.workspace;
  if (launch.workspace != executable.baseOf(workspace) + workspace.byteOffset)
    return otherPointer(executable, number, "the workspace", workspace,
                        launch.workspace);
  return Status::success();
}

} // namespace memplan::runtime
