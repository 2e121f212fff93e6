//===- EventPlan.cpp - The events that a step needs -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EventPlan.h"

#include "memplan/Runtime/Program/QueueClocks.h"

#include <algorithm>

namespace memplan::runtime {

EventPlan::EventPlan(const Program &program)
    : waitsOf(program.instructions.size()),
      records(program.instructions.size(), -1),
      issues(program.instructions.size(), -1) {
  QueueClocks clocks(program);
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    clocks.advance();
    sum.streams = std::max(sum.streams, instruction.stream + 1);
    for (int32_t wait : clocks.neededWaits()) {
      int32_t &event = records[size_t(wait)];
      if (event < 0) {
        event = sum.events++;
        ++sum.operations;
      }
      waitsOf[i].push_back(event);
      ++sum.operations;
    }
    ++sum.operations;
    if (instruction.isCopy() && clocks.joinsStream()) {
      issues[i] = sum.events++;
      sum.operations += 2;
    }
  }
}

} // namespace memplan::runtime
