//===- DynamicState.h - Of a program without its addresses ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_DYNAMIC_DYNAMICSTATE_H
#define MEMPLAN_LIB_RUNTIME_DYNAMIC_DYNAMICSTATE_H

#include "ValueUses.h"
#include "memplan/Runtime/Dynamic/DynamicExecutable.h"

#include <utility>

namespace memplan::runtime {

/// "instruction 3 (memplan.relu, node 7)".
std::string describeInstruction(const Program &program, size_t number);

struct DynamicExecutable::State {
  State(Program source, Engine engine)
      : program(std::move(source)), uses(program), engine(std::move(engine)),
        arguments(program.arguments.size(), -1),
        outputs(program.outputs.size(), -1), current(uses.valueCount(), -1),
        owned(uses.valueCount()) {}

  const Program program;
  const ValueUses uses;
  /// Behind it in the order of destruction: calls are released before.
  Engine engine;
  std::vector<std::shared_ptr<const KernelCall>> calls;
  std::vector<double> costs;
  ValueId constants = -1;
  /// By argument: where the plan has it, if it is put before each step; -1.
  std::vector<int64_t> places;
  std::vector<ValueId> arguments; ///< -1: not there, to be written
  std::vector<ValueId> outputs;   ///< of the last step
  /// By number in the program, while it is in use; those of arguments are
  /// theirs and not owned.
  std::vector<ValueId> current;
  std::vector<bool> owned;
  StepStats stats;
  TraceRecorder *recorder = nullptr;
  bool replay = false;
  // Of one instruction.
  std::vector<Place> inputs;
  std::vector<NewValue> made;
  std::vector<ValueId> results;

  Place placeOf(const Operand &operand) const;
  NewValue newValueOf(const Instruction &instruction, const Operand &output);
  Status follow(const Program &planned);
  Status putAll();
  bool holds(size_t value) const;
  void giveLast(size_t number);
  Status runInstruction(size_t number);
  Status runAll();
  Status finish();
  Status update();
  void dropStep() noexcept;
  void drop(ValueId &value) noexcept {
    if (value >= 0)
      engine.drop(std::exchange(value, -1));
  }
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_DYNAMIC_DYNAMICSTATE_H
