//===- ProgramValues.cpp - Which value each operand is --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"
#include "memplan/Runtime/Program/ByteMap.h"
#include "memplan/Runtime/Program/Program.h"

namespace memplan::runtime {

namespace {
/// A value and the byte of the block at which it begins; -1: none.
struct Held {
  int32_t value = -1;
  int64_t origin = 0;
};

/// Follows the values of a program, whose places are given, in order.
class Namer {
public:
  explicit Namer(Program &program);
  Status run();

private:
  Status read(Operand &operand, const std::string &what);
  void write(Operand &operand);
  std::vector<ByteMap<Held>> &blocks(const Operand &operand) {
    return operand.space == Space::Arena ? arenas : arguments;
  }

  Program &program;
  std::vector<ByteMap<Held>> arenas, arguments;
  int32_t next = 0;
};
} // namespace

Namer::Namer(Program &program) : program(program) {
  for (const ArenaInfo &arena : program.arenas)
    arenas.emplace_back(arena.bytes, Held());
  for (const Argument &argument : program.arguments) {
    Held held{next++, 0};
    if (argument.arena >= 0) {
      held.origin = argument.arenaOffset;
      arenas[size_t(argument.arena)].set(held.origin,
                                         held.origin + argument.bytes(), held);
    }
    arguments.emplace_back(argument.bytes(), held);
  }
}

Status Namer::read(Operand &operand, const std::string &what) {
  if (operand.space == Space::Constant)
    return Status::success();
  std::vector<ByteMap<Held>::Range> ranges;
  for (const ByteRun &run : runsOf(operand))
    for (const ByteMap<Held>::Range &range :
         blocks(operand)[size_t(operand.index)].in(run.begin, run.end))
      ranges.push_back(range);
  for (const ByteMap<Held>::Range &range : ranges)
    if (range.fact.value < 0 || range.fact.value != ranges[0].fact.value)
      return invalid(what + " at byte " + std::to_string(operand.byteOffset) +
                     " of " + std::to_string(operand.bytes()) +
                     " bytes holds no whole value there");
  if (!ranges.empty()) {
    operand.value = ranges[0].fact.value;
    operand.valueOffset = operand.byteOffset - ranges[0].fact.origin;
  }
  return Status::success();
}

void Namer::write(Operand &operand) {
  operand.value = next++;
  operand.valueOffset = 0;
  for (const ByteRun &run : runsOf(operand))
    blocks(operand)[size_t(operand.index)].set(
        run.begin, run.end, {operand.value, operand.byteOffset});
}

Status Namer::run() {
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    Instruction &instruction = program.instructions[i];
    std::string who =
        "instruction " + std::to_string(i) + " (" + instruction.kernel + "): ";
    for (size_t k = 0; k < instruction.inputs.size(); ++k)
      if (Status s =
              read(instruction.inputs[k], who + "input " + std::to_string(k));
          !s.ok())
        return s;
    if (const auto &scratch = instruction.workspace)
      arenas[size_t(scratch->index)].set(
          scratch->byteOffset, scratch->byteOffset + scratch->bytes(), Held());
    for (Operand &output : instruction.outputs)
      write(output);
  }
  for (Output &output : program.outputs)
    if (Status s = read(output.operand, "output '" + output.name + "'");
        !s.ok())
      return s;
  for (Update &update : program.updates)
    if (Status s = read(update.value, "the update of argument " +
                                          std::to_string(update.argument));
        !s.ok())
      return s;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Checking the numbers
//===----------------------------------------------------------------------===//

/// An operand of no bytes holds nothing; one in the constants never changes.
static bool needsValue(const Operand &operand) {
  return operand.space != Space::Constant && operand.bytes() > 0;
}

static Status checkRead(const Operand &operand, int64_t made, bool named,
                        const std::string &what) {
  if (operand.value < 0 && operand.valueOffset == 0 &&
      (!named || !needsValue(operand)))
    return Status::success();
  if (!named || operand.value < 0 || operand.value >= made ||
      operand.valueOffset < 0)
    return invalid(what + " is value " + std::to_string(operand.value) +
                   " from its byte " + std::to_string(operand.valueOffset) +
                   "; there are " + std::to_string(named ? made : 0) +
                   " values before it");
  return Status::success();
}

Status checkValues(const Program &program) {
  bool named = program.namesValues();
  int64_t made = int64_t(program.arguments.size());
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    std::string who =
        "instruction " + std::to_string(i) + " (" + instruction.kernel + "): ";
    for (size_t k = 0; k < instruction.inputs.size(); ++k)
      if (Status s = checkRead(instruction.inputs[k], made, named,
                               who + "input " + std::to_string(k));
          !s.ok())
        return s;
    for (size_t o = 0; o < instruction.outputs.size(); ++o) {
      const Operand &output = instruction.outputs[o];
      int64_t wanted = named ? made++ : -1;
      if (output.value != wanted || output.valueOffset != 0)
        return invalid(who + "output " + std::to_string(o) + " makes value " +
                       std::to_string(output.value) + "; the next one is " +
                       std::to_string(wanted));
    }
  }
  for (const Output &output : program.outputs)
    if (Status s = checkRead(output.operand, made, named,
                             "output '" + output.name + "'");
        !s.ok())
      return s;
  for (const Update &update : program.updates)
    if (Status s = checkRead(update.value, made, named,
                             "the update of argument " +
                                 std::to_string(update.argument));
        !s.ok())
      return s;
  return Status::success();
}

static void forgetValues(Program &program) {
  auto forget = [](Operand &operand) {
    operand.value = -1;
    operand.valueOffset = 0;
  };
  for (Instruction &instruction : program.instructions) {
    std::for_each(instruction.inputs.begin(), instruction.inputs.end(), forget);
    std::for_each(instruction.outputs.begin(), instruction.outputs.end(),
                  forget);
  }
  for (Output &output : program.outputs)
    forget(output.operand);
  for (Update &update : program.updates)
    forget(update.value);
}

Status nameValues(Program &program) {
  forgetValues(program);
  if (Status status = program.check(); !status.ok())
    return status;
  return Namer(program).run();
}

} // namespace memplan::runtime
