//===- Poison.cpp - Holds a step against the plan's live ranges -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaFill.h"
#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Program/ByteMap.h"

#include <algorithm>

namespace memplan::runtime {

namespace {
/// What a byte holds: a value, and the byte of the block where the value
/// begins.
struct Held {
  enum State { NeverWritten, Scratch, Value } state = NeverWritten;
  int32_t value = -1;
  int64_t origin = 0;
  int32_t instruction = -1; ///< who wrote it; -1: the caller
};
using Bytes = ByteMap<Held>;
} // namespace

static std::vector<Bytes::Range> rangesOf(const Bytes &bytes,
                                          const Operand &operand) {
  std::vector<Bytes::Range> ranges;
  for (const ByteRun &run : runsOf(operand))
    for (const Bytes::Range &range : bytes.in(run.begin, run.end))
      ranges.push_back(range);
  return ranges;
}

struct PoisonObserver::State {
  const Program &program;
  std::vector<Bytes> arenas, arguments;
  std::vector<int32_t> producers; ///< by value: its instruction, -1: the caller
  std::vector<int32_t> uses;      ///< by value: reads to come, the caller's too

  explicit State(const Program &program);
  Bytes *bytesOf(const Operand &operand);
  Status checkRead(const Operand &operand, const std::string &who);
  Status checkWrite(const Operand &operand, const std::string &who);
  void use(const Operand &operand, int32_t reads);
  std::string nameOf(int32_t instruction) const;
  std::string valueText(int32_t value) const;
};

PoisonObserver::State::State(const Program &program) : program(program) {
  for (const ArenaInfo &arena : program.arenas)
    arenas.emplace_back(arena.bytes, Held());
  for (const Argument &argument : program.arguments) {
    Held held{Held::Value, int32_t(producers.size()), 0, -1};
    arguments.emplace_back(argument.bytes(), held);
    held.origin = argument.arenaOffset;
    if (argument.arena >= 0)
      arenas[size_t(argument.arena)].set(held.origin,
                                         held.origin + argument.bytes(), held);
    producers.push_back(-1);
  }
  for (size_t i = 0; i < program.instructions.size(); ++i)
    producers.insert(producers.end(), program.instructions[i].outputs.size(),
                     int32_t(i));
  uses.assign(producers.size(), 0);
  for (const Instruction &instruction : program.instructions)
    for (const Operand &input : instruction.inputs)
      use(input, 1);
  for (const Output &output : program.outputs)
    use(output.operand, 1);
  for (const Update &update : program.updates)
    use(update.value, 1);
  for (size_t a = 0; a < program.arguments.size(); ++a)
    if (!program.arguments[a].donated) {
      // The caller keeps what the step does not update.
      bool updated =
          std::any_of(program.updates.begin(), program.updates.end(),
                      [&](const Update &u) { return size_t(u.argument) == a; });
      if (!updated)
        ++uses[a];
    }
}

void PoisonObserver::State::use(const Operand &operand, int32_t reads) {
  if (operand.value >= 0)
    uses[size_t(operand.value)] += reads;
}

Bytes *PoisonObserver::State::bytesOf(const Operand &operand) {
  if (operand.space == Space::Constant)
    return nullptr;
  return &(operand.space == Space::Arena ? arenas
                                         : arguments)[size_t(operand.index)];
}

std::string PoisonObserver::State::nameOf(int32_t number) const {
  if (number < 0)
    return "the caller";
  const Instruction &instruction = program.instructions[size_t(number)];
  return "instruction " + std::to_string(number) + " (" + instruction.kernel +
         ", node " + std::to_string(instruction.node) + ", run " +
         std::to_string(instruction.run) + ")";
}

std::string PoisonObserver::State::valueText(int32_t value) const {
  return "value " + std::to_string(value) + " of " +
         nameOf(producers[size_t(value)]);
}

static std::string placeText(const Operand &operand, int64_t begin,
                             int64_t end) {
  return "bytes [" + std::to_string(begin) + ", " + std::to_string(end) +
         ") of " + (operand.space == Space::Arena ? "arena " : "argument ") +
         std::to_string(operand.index);
}

/// Every byte of the operand is the byte of its value at that place.
Status PoisonObserver::State::checkRead(const Operand &operand,
                                        const std::string &who) {
  Bytes *bytes = bytesOf(operand);
  if (!bytes || operand.bytes() == 0)
    return Status::success();
  for (const Bytes::Range &range : rangesOf(*bytes, operand)) {
    const Held &held = range.fact;
    int64_t origin = operand.byteOffset - operand.valueOffset;
    if (held.state == Held::Value && held.value == operand.value &&
        held.origin == origin)
      continue;
    std::string why = "nothing wrote in this step";
    if (held.state == Held::Scratch)
      why = nameOf(held.instruction) + " used as scratch";
    else if (held.state == Held::Value && held.value == operand.value)
      why = "hold that value from byte " +
            std::to_string(range.begin - held.origin) + " on, not from byte " +
            std::to_string(range.begin - origin);
    else if (held.state == Held::Value)
      why = "hold " + valueText(held.value);
    return {MEMPLAN_CHECK_FAILED,
            who + " reads " + valueText(operand.value) + " at " +
                placeText(operand, range.begin, range.end) + ", which " + why};
  }
  return Status::success();
}

/// No byte that is written belongs to a value that is read later.
Status PoisonObserver::State::checkWrite(const Operand &operand,
                                         const std::string &who) {
  Bytes *bytes = bytesOf(operand);
  if (!bytes)
    return Status::success();
  for (const Bytes::Range &range : rangesOf(*bytes, operand))
    if (range.fact.state == Held::Value && uses[size_t(range.fact.value)] > 0)
      return {MEMPLAN_CHECK_FAILED,
              who + " overwrites " +
                  placeText(operand, range.begin, range.end) + ", where " +
                  valueText(range.fact.value) + " is still alive"};
  return Status::success();
}

//===----------------------------------------------------------------------===//
// PoisonObserver
//===----------------------------------------------------------------------===//

PoisonObserver::PoisonObserver() = default;
PoisonObserver::~PoisonObserver() = default;

Status PoisonObserver::beginStep(Executable &executable) {
  const Program &program = executable.program();
  if (!program.namesValues() && !program.instructions.empty())
    return invalid("the program does not say which value each operand is, so "
                   "that its reads cannot be checked: write it again from its "
                   ".mlir file");
  state = std::make_unique<State>(program);
  return fillArenas(executable, pattern);
}

Status PoisonObserver::before(Executable &executable, size_t number) {
  if (Status s = checkPointers(executable, number); !s.ok())
    return s;
  const Instruction &instruction = state->program.instructions[number];
  std::string who = state->nameOf(int32_t(number)) + ": ";
  for (size_t i = 0; i < instruction.inputs.size(); ++i)
    if (Status s = state->checkRead(instruction.inputs[i],
                                    who + "input " + std::to_string(i));
        !s.ok())
      return s;
  // From here on it has read them.
  for (const Operand &input : instruction.inputs)
    state->use(input, -1);
  for (size_t o = 0; o < instruction.outputs.size(); ++o)
    if (Status s = state->checkWrite(instruction.outputs[o],
                                     who + "output " + std::to_string(o));
        !s.ok())
      return s;
  if (instruction.workspace)
    return state->checkWrite(*instruction.workspace, who + "the workspace");
  return Status::success();
}

Status PoisonObserver::after(Executable &executable, size_t number) {
  const Instruction &instruction = state->program.instructions[number];
  const Device &device = executable.device();
  memplan_status_t code = device.backend().synchronize(device.handle());
  if (code != MEMPLAN_OK)
    return device.status(code, state->nameOf(int32_t(number)));
  auto write = [&](const Operand &operand, Held held) {
    held.origin = operand.byteOffset;
    held.instruction = int32_t(number);
    for (const ByteRun &run : runsOf(operand))
      state->bytesOf(operand)->set(run.begin, run.end, held);
  };
  for (const Operand &output : instruction.outputs)
    write(output, {Held::Value, output.value, 0, 0});
  // What died here holds no value any more; its bytes show what reads them.
  Status filled;
  auto kill = [&](const Operand &operand) {
    for (const ByteRun &run : runsOf(operand))
      if (operand.space == Space::Arena && filled.ok())
        filled = executable.fillArena(size_t(operand.index), run.begin,
                                      run.end - run.begin, pattern);
  };
  if (const auto &scratch = instruction.workspace) {
    write(*scratch, {Held::Scratch, -1, 0, 0});
    kill(*scratch);
  }
  for (const std::vector<Operand> *operands :
       {&instruction.inputs, &instruction.outputs})
    for (const Operand &operand : *operands)
      if (operand.value >= 0 && state->uses[size_t(operand.value)] == 0 &&
          state->checkRead(operand, "").ok())
        kill(operand);
  return filled;
}

Status PoisonObserver::endStep(Executable &executable) {
  const Program &program = state->program;
  for (const Output &output : program.outputs)
    if (Status s = state->checkRead(output.operand,
                                    "program output '" + output.name + "'");
        !s.ok())
      return s;
  for (const Update &update : program.updates)
    // What the executor copies has overwritten its target by now.
    if (Status s = state->checkRead(
            update.value, "the update of '" +
                              program.arguments[size_t(update.argument)].name +
                              "'");
        !s.ok())
      return s;
  const Device &device = executable.device();
  if (!device.backend().check_guards)
    return Status::success();
  for (size_t a = 0; a < program.arenas.size(); ++a) {
    // Plain memory has no guards, nor may that of the caller.
    if (!executable.ownsArena(a) ||
        (program.arenas[a].isHost() && !device.backend().alloc_host))
      continue;
    memplan_status_t code =
        device.backend().check_guards(device.handle(), executable.arenaBase(a));
    if (code != MEMPLAN_OK)
      return device.status(code, "arena " + std::to_string(a));
  }
  return Status::success();
}

} // namespace memplan::runtime
