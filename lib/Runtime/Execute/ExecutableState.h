//===- ExecutableState.h - What an executable holds -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_EXECUTABLESTATE_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_EXECUTABLESTATE_H

#include "EventPlan.h"
#include "LaunchTable.h"
#include "Scratch.h"
#include "UpdateCopies.h"
#include "memplan/Runtime/Execute/Executor.h"

#include <functional>

namespace memplan::runtime {

/// How a step keeps the order that its program asks for.
enum class Mode {
  InOrder,    ///< one after the other, as the program or the backend has it
  WithEvents, ///< streams of a backend without queues; copies at once
  WithQueues  ///< all is issued, and the queues of the backend run it
};

struct ExecutableState {
  const Device &device;
  const Program program;
  std::vector<DeviceBuffer> arenas;
  /// Device memory for what lies beside the arenas: one block for all of it, or
  /// one for each, as the backend has it.
  std::vector<DeviceBuffer> beside;
  std::byte *constants = nullptr;
  std::vector<std::byte *> arguments;
  /// By argument: its block of `beside` that nothing else lies in, or -1.
  std::vector<int32_t> ownBlocks;
  LaunchTable table;
  Scratch scratch;
  UpdateCopies updates;
  std::byte *updateTemporary = nullptr;
  const EventPlan events;
  Mode mode = Mode::InOrder;
  StepStats stats;
  StepFunction compiled = nullptr;
  bool useGraph = false;
  bool isWarm = false; ///< a step has run
  void *graph = nullptr;
  /// Base pointers as compiled code takes them.
  std::vector<void *> arenaBases, argumentBases;
  /// Whether an argument in an arena holds what the caller wrote.
  std::vector<bool> holds;
  /// Outputs whose bytes an argument in an arena took since the last step.
  std::vector<bool> overwritten;

  ExecutableState(const Device &device, Program source)
      : device(device), program(std::move(source)),
        arguments(program.arguments.size()),
        ownBlocks(program.arguments.size(), -1), table(program.instructions),
        scratch(device, program, table), updates(program), events(program),
        holds(program.arguments.size()), overwritten(program.outputs.size()) {}

  Status allocateArenas(const ExecuteOptions &options);
  Status allocateBeside();
  ~ExecutableState() { dropGraph(); }
  ExecutableState(const ExecutableState &) = delete;

  Status openQueues();
  /// What was captured is not what the next step does.
  void dropGraph();
  Status runGraph(const std::function<Status()> &issue);
  /// Records what `issue` asks for as the graph of the step.
  Status capture(const std::function<Status()> &issue);
  void resolve();
  /// Leaves the operands of compiled code in the launch.
  void setPointers(size_t number, void *const *operands);
  /// Runs an instruction, or issues it where the mode is one of queues.
  Status step(size_t number, Mode how);
  memplan_status_t launchOrCopy(size_t number, Mode how);
  memplan_status_t copy(size_t number, Mode how);
  /// Waits for all that was issued.
  Status synchronize(const char *what);
  /// Between the caller's memory and that of an arena, argument or constants.
  memplan_status_t read(const std::byte *source, void *host, int64_t bytes,
                        bool isHost) const;
  memplan_status_t write(std::byte *target, const void *host, int64_t bytes,
                         bool isHost) const;
  Status checkArguments();
  Status finishUpdates();
  memplan_status_t copyUpdates();

  std::byte *baseOf(const Operand &operand) const {
    switch (operand.space) {
    case Space::Arena:
      return arenas[size_t(operand.index)].base();
    case Space::Argument:
      return arguments[size_t(operand.index)];
    case Space::Constant:
      return constants;
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
