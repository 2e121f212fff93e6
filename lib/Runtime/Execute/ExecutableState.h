//===- ExecutableState.h - What an executable holds -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_EXECUTABLESTATE_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_EXECUTABLESTATE_H

#include "LaunchTable.h"
#include "Scratch.h"
#include "UpdateCopies.h"
#include "memplan/Runtime/Execute/Executor.h"

namespace memplan::runtime {

struct ExecutableState {
  const Device &device;
  const Program program;
  std::vector<DeviceBuffer> arenas;
  DeviceBuffer constants;
  /// Empty where the caller's memory is bound, and for those in an arena.
  std::vector<DeviceBuffer> ownArguments;
  std::vector<std::byte *> arguments;
  LaunchTable table;
  Scratch scratch;
  UpdateCopies updates;
  DeviceBuffer updateTemporary;
  /// The number under which others wait for an instruction, or -1.
  std::vector<int32_t> event;
  bool usesEvents = false;
  StepStats stats;
  StepFunction compiled = nullptr;
  /// Base pointers as compiled code takes them.
  std::vector<void *> arenaBases, argumentBases;
  /// Whether an argument in an arena holds what the caller wrote.
  std::vector<bool> holds;
  /// Outputs whose bytes an argument in an arena took since the last step.
  std::vector<bool> overwritten;

  ExecutableState(const Device &device, Program source)
      : device(device), program(std::move(source)),
        ownArguments(program.arguments.size()),
        arguments(program.arguments.size()), table(program.instructions),
        scratch(device, program, table), updates(program.updates),
        event(program.instructions.size(), -1), holds(program.arguments.size()),
        overwritten(program.outputs.size()) {}

  Status allocate();
  void numberEvents();
  void resolve();
  /// Leaves the operands of compiled code in the launch.
  void setPointers(size_t number, void *const *operands);
  Status step(size_t number);
  /// Copies at once.
  memplan_status_t copyNow(size_t number);
  /// Between the caller's memory and that of an arena, argument or constants.
  memplan_status_t read(const std::byte *source, void *host, int64_t bytes,
                        bool isHost) const;
  memplan_status_t write(std::byte *target, const void *host, int64_t bytes,
                         bool isHost) const;
  Status checkArguments();
  Status finishUpdates();

  std::byte *baseOf(const Operand &operand) const {
    switch (operand.space) {
    case Space::Arena:
      return arenas[size_t(operand.index)].base();
    case Space::Argument:
      return arguments[size_t(operand.index)];
    case Space::Constant:
      return constants.base();
    }
    return nullptr;
  }
  bool isOnHost(const Argument &argument) const {
    return argument.arena >= 0 &&
           program.arenas[size_t(argument.arena)].isHost();
  }
  std::byte *addressOf(const Operand &operand) const {
    return baseOf(operand) + operand.byteOffset;
  }
};

/// "instruction 3 (memplan.relu, node 2, run 1)".
std::string describe(const Program &program, size_t instruction);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_EXECUTE_EXECUTABLESTATE_H
