//===- RandomProgram.cpp - Programs on several streams --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

#include "../Runtime/QueuePrograms.h"

#include <gtest/gtest.h>

using namespace memplan::runtime;

Program test::randomProgram(std::mt19937 &random, int32_t instructions) {
  Program program = randomQueueProgram(random, instructions);
  double value = 1;
  for (Instruction &instruction : program.instructions) {
    for (std::vector<Operand> *list :
         {&instruction.inputs, &instruction.outputs})
      for (Operand &operand : *list) {
        operand.shape = {operand.shape[0] / 4};
        operand.dtype = DType::F32;
      }
    if (instruction.isCopy())
      continue;
    // Neither order nor place of the inputs may be mistaken.
    instruction.kernel = "memplan.sub";
    instruction.attributes = {};
    if (instruction.inputs.empty()) {
      instruction.kernel = "memplan.constant";
      instruction.attributes = {{"value", value *= 1.7}};
    }
  }
  EXPECT_TRUE(nameValues(program).ok());
  return program;
}

/// All arenas after a step that began with zeros there.
std::vector<std::byte>
test::runFromZeros(Executable &executable,
                   std::span<StepObserver *const> observers) {
  const std::vector<ArenaInfo> &arenas = executable.program().arenas;
  // The device last: what fills a host arena waits.
  for (size_t a = arenas.size(); a-- > 0;)
    EXPECT_TRUE(executable.fillArena(a, 0, arenas[a].bytes, 0).ok());
  Status status = executable.run(observers);
  EXPECT_TRUE(status.ok()) << status.message;
  std::vector<std::byte> all;
  for (size_t a = 0; a < arenas.size(); ++a) {
    std::vector<std::byte> bytes(size_t(arenas[a].bytes));
    EXPECT_TRUE(executable.readArena(a, 0, bytes).ok());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}
