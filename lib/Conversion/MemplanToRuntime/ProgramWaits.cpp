//===- ProgramWaits.cpp - Events and waits of a program table -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWaits.h"

using namespace mlir;
using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

void ProgramWaits::issue(rt::Instruction &instruction, int32_t number) {
  Stream &stream = streams[instruction.stream];
  instruction.waits.assign(stream.pending.begin(), stream.pending.end());
  stream.pending.clear();
  if (instruction.isCopy())
    return;
  stream.last = number;
  stream.since.clear();
}

/// A launch ends after what its stream waited for before it.
void ProgramWaits::record(Value event, int32_t number) {
  const Stream &stream = streams[number];
  Numbers &ends = events[event];
  ends = stream.since;
  if (stream.last >= 0)
    ends.insert(stream.last);
}

bool ProgramWaits::wait(Value event, int32_t number) {
  auto ends = events.find(event);
  if (ends == events.end())
    return false;
  Stream &stream = streams[number];
  for (int32_t end : ends->second)
    if (end != stream.last) {
      stream.pending.insert(end);
      stream.since.insert(end);
    }
  return true;
}
