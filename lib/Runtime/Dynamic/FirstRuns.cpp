//===- FirstRuns.cpp - A planned program without its recomputations -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstRuns.h"

#include <unordered_map>

namespace memplan::runtime {

Result<FirstRuns> firstRunsOf(const Program &planned) {
  FirstRuns result;
  Program &program = result.program;
  program = planned;
  program.instructions.clear();
  auto next = int32_t(planned.arguments.size());
  for (int32_t a = 0; a < next; ++a)
    result.valueOf.push_back(a);
  struct First {
    int32_t instruction = 0, value = 0;
    size_t outputs = 0;
  };
  std::unordered_map<int32_t, First> firstOf; // by node
  auto rename = [&](Operand &operand) {
    if (operand.value >= 0)
      operand.value = result.valueOf[size_t(operand.value)];
  };
  for (size_t i = 0; i < planned.instructions.size(); ++i) {
    const Instruction &source = planned.instructions[i];
    const size_t outputs = source.outputs.size();
    First first{int32_t(program.instructions.size()), next, outputs};
    if (source.run > 0) {
      auto found = firstOf.find(source.node);
      if (found == firstOf.end() || found->second.outputs != outputs)
        return invalid("instruction " + std::to_string(i) + " (" +
                       source.kernel + ") runs node " +
                       std::to_string(source.node) +
                       " again, which has not run before");
      first = found->second;
    }
    result.instructionOf.push_back(first.instruction);
    for (size_t o = 0; o < outputs; ++o)
      result.valueOf.push_back(first.value + int32_t(o));
    if (source.run > 0)
      continue;
    firstOf[source.node] = first;
    next += int32_t(outputs);
    Instruction &copy = program.instructions.emplace_back(source);
    for (std::vector<Operand> *operands : {&copy.inputs, &copy.outputs})
      for (Operand &operand : *operands)
        rename(operand);
  }
  for (Output &output : program.outputs)
    rename(output.operand);
  for (Update &update : program.updates)
    rename(update.value);
  return result;
}

} // namespace memplan::runtime
