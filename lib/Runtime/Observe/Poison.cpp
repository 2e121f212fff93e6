//===- Poison.cpp - Finds reads of bytes that hold no value ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Observe/Observers.h"

#include <algorithm>

namespace memplan::runtime {

//===----------------------------------------------------------------------===//
// ArenaBytes
//===----------------------------------------------------------------------===//

ArenaBytes::ArenaBytes(int64_t bytes) : bytes(bytes) {
  parts[0] = {State::NeverWritten, -1};
}

/// The part that begins at `at`, made by cutting the one that covers it.
std::map<int64_t, ArenaBytes::Part>::iterator ArenaBytes::split(int64_t at) {
  auto next = parts.lower_bound(at);
  if (next != parts.end() && next->first == at)
    return next;
  return parts.emplace_hint(next, at, std::prev(next)->second);
}

void ArenaBytes::set(int64_t begin, int64_t end, State state,
                     int32_t instruction) {
  if (begin >= end)
    return;
  auto last = end < bytes ? split(end) : parts.end();
  auto first = split(begin);
  first->second = {state, instruction};
  parts.erase(std::next(first), last);
}

std::vector<ArenaBytes::Range> ArenaBytes::in(int64_t begin,
                                              int64_t end) const {
  std::vector<Range> ranges;
  if (begin >= end)
    return ranges;
  for (auto part = std::prev(parts.upper_bound(begin));
       part != parts.end() && part->first < end; ++part) {
    auto next = std::next(part);
    int64_t partEnd = next == parts.end() ? bytes : next->first;
    ranges.push_back({std::max(part->first, begin), std::min(partEnd, end),
                      part->second.state, part->second.instruction});
  }
  return ranges;
}

//===----------------------------------------------------------------------===//
// PoisonObserver
//===----------------------------------------------------------------------===//

static std::string nameOf(const Program &program, int32_t number) {
  const Instruction &instruction = program.instructions[size_t(number)];
  return "instruction " + std::to_string(number) + " (" + instruction.kernel +
         ", node " + std::to_string(instruction.node) + ", run " +
         std::to_string(instruction.run) + ")";
}

static std::string rangeText(int64_t begin, int64_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

/// The operand's bytes all hold values, or the first range that does not.
static Status checkRead(const Program &program,
                        const std::vector<ArenaBytes> &arenas,
                        const Operand &operand, const std::string &who) {
  if (operand.space != Space::Arena)
    return Status::success();
  int64_t end = operand.byteOffset + operand.bytes();
  for (const ArenaBytes::Range &range :
       arenas[size_t(operand.index)].in(operand.byteOffset, end)) {
    if (range.state == ArenaBytes::State::Live)
      continue;
    std::string why = range.state == ArenaBytes::State::NeverWritten
                          ? "nothing wrote in this step"
                          : "died at " + nameOf(program, range.instruction);
    return {MEMPLAN_CHECK_FAILED,
            who + " reads bytes " + rangeText(range.begin, range.end) +
                " of arena " + std::to_string(operand.index) + ", which " +
                why};
  }
  return Status::success();
}

/// Every live byte that the operand overwrites belongs to an input of the same
/// instruction.
static Status checkWrite(const Program &program,
                         const std::vector<ArenaBytes> &arenas,
                         const Instruction &instruction, const Operand &operand,
                         const std::string &who) {
  if (operand.space != Space::Arena)
    return Status::success();
  int64_t end = operand.byteOffset + operand.bytes();
  for (const Operand &input : instruction.inputs)
    if (input.space == Space::Arena && input.index == operand.index &&
        input.byteOffset == operand.byteOffset &&
        input.bytes() == operand.bytes())
      return Status::success();
  for (const ArenaBytes::Range &range :
       arenas[size_t(operand.index)].in(operand.byteOffset, end))
    if (range.state == ArenaBytes::State::Live)
      return {MEMPLAN_CHECK_FAILED,
              who + " overwrites bytes " + rangeText(range.begin, range.end) +
                  " of arena " + std::to_string(operand.index) +
                  ", where a value of " + nameOf(program, range.instruction) +
                  " is still alive"};
  return Status::success();
}

Status PoisonObserver::beginStep(Executable &executable) {
  arenas.clear();
  const Device &device = executable.device();
  for (size_t a = 0; a < executable.program().arenas.size(); ++a) {
    int64_t bytes = executable.program().arenas[a].bytes;
    arenas.emplace_back(bytes);
    memplan_status_t code = device.backend().fill(
        device.handle(), executable.arenaBase(a), pattern, bytes);
    if (code != MEMPLAN_OK)
      return device.status(code, "cannot fill an arena");
  }
  return Status::success();
}

Status PoisonObserver::before(Executable &executable, size_t number) {
  const Program &program = executable.program();
  const Instruction &instruction = program.instructions[number];
  std::string who = nameOf(program, int32_t(number)) + ": ";
  for (size_t i = 0; i < instruction.inputs.size(); ++i)
    if (Status s = checkRead(program, arenas, instruction.inputs[i],
                             who + "input " + std::to_string(i));
        !s.ok())
      return s;
  for (size_t o = 0; o < instruction.outputs.size(); ++o)
    if (Status s =
            checkWrite(program, arenas, instruction, instruction.outputs[o],
                       who + "output " + std::to_string(o));
        !s.ok())
      return s;
  if (instruction.workspace)
    return checkWrite(program, arenas, instruction, *instruction.workspace,
                      who + "the workspace");
  return Status::success();
}

Status PoisonObserver::after(Executable &executable, size_t number) {
  const Program &program = executable.program();
  const Instruction &instruction = program.instructions[number];
  const Device &device = executable.device();
  memplan_status_t code = device.backend().synchronize(device.handle());
  for (const Operand &output : instruction.outputs)
    if (output.space == Space::Arena)
      arenas[size_t(output.index)].set(
          output.byteOffset, output.byteOffset + output.bytes(),
          ArenaBytes::State::Live, int32_t(number));
  auto kill = [&](int32_t arena, int64_t begin, int64_t end) {
    arenas[size_t(arena)].set(begin, end, ArenaBytes::State::Dead,
                              int32_t(number));
    if (code == MEMPLAN_OK)
      code = device.backend().fill(device.handle(),
                                   executable.arenaBase(size_t(arena)) + begin,
                                   pattern, end - begin);
  };
  if (const auto &scratch = instruction.workspace)
    kill(scratch->index, scratch->byteOffset,
         scratch->byteOffset + scratch->bytes());
  for (const ByteRange &dead : instruction.dead)
    kill(dead.arena, dead.begin, dead.end);
  return code == MEMPLAN_OK
             ? Status::success()
             : device.status(code, nameOf(program, int32_t(number)));
}

Status PoisonObserver::endStep(Executable &executable) {
  const Program &program = executable.program();
  for (const Output &output : program.outputs)
    if (Status s = checkRead(program, arenas, output.operand,
                             "program output '" + output.name + "'");
        !s.ok())
      return s;
  for (const Update &update : program.updates)
    if (Status s = checkRead(
            program, arenas, update.value,
            "the update of '" +
                program.arguments[size_t(update.argument)].name + "'");
        !s.ok())
      return s;
  const Device &device = executable.device();
  if (!device.backend().check_guards)
    return Status::success();
  for (size_t a = 0; a < program.arenas.size(); ++a) {
    memplan_status_t code =
        device.backend().check_guards(device.handle(), executable.arenaBase(a));
    if (code != MEMPLAN_OK)
      return device.status(code, "arena " + std::to_string(a));
  }
  return Status::success();
}

} // namespace memplan::runtime
