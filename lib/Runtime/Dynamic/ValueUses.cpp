//===- ValueUses.cpp - Where the values of a program end ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueUses.h"

namespace memplan::runtime {

ValueUses::ValueUses(const Program &program)
    : count(program.arguments.size()), ends(program.instructions.size()),
      transient(program.arguments.size()) {
  for (const Instruction &instruction : program.instructions)
    count += instruction.outputs.size();
  const auto afterStep = int32_t(program.instructions.size());
  std::vector<int32_t> last(count, -1);
  auto use = [&](const Operand &operand, int32_t number) {
    if (operand.value >= 0)
      last[size_t(operand.value)] = number;
  };
  for (size_t a = 0; a < program.arguments.size(); ++a)
    transient[a] = program.arguments[a].donated;
  for (const Update &update : program.updates)
    transient[size_t(update.argument)] = false;
  for (int32_t i = 0; i < afterStep; ++i) {
    const Instruction &instruction = program.instructions[size_t(i)];
    for (const Operand &operand : instruction.outputs)
      use(operand, i);
    for (const Operand &operand : instruction.inputs)
      use(operand, i);
  }
  for (size_t a = 0; a < program.arguments.size(); ++a)
    if (!transient[a])
      last[a] = afterStep;
  for (const Output &output : program.outputs)
    use(output.operand, afterStep);
  for (const Update &update : program.updates)
    use(update.value, afterStep);
  for (size_t value = 0; value < count; ++value)
    if (last[value] >= 0 && last[value] < afterStep)
      ends[size_t(last[value])].push_back(int32_t(value));
}

} // namespace memplan::runtime
