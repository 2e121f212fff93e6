//===- ProgramRaces.cpp - Bytes that two queues touch without order -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Program/ByteMap.h"
#include "memplan/Runtime/Program/Program.h"
#include "memplan/Runtime/Program/QueueClocks.h"

namespace memplan::runtime {

namespace {
/// An instruction that touched bytes.
struct Touch {
  QueueClocks::Turn turn;
  int32_t instruction = -1;
};

/// Instruction that wrote bytes last, and those that read them since: the last
/// one of each queue stands for those before it.
struct Touches {
  Touch writer;
  std::vector<Touch> readers;
};
using Bytes = ByteMap<Touches>;

/// Holds each instruction against those before it that touched its bytes.
class RaceFinder {
public:
  explicit RaceFinder(const Program &program);
  Status run();

private:
  Status touch(size_t number, const Operand &operand, bool writes,
               const std::string &what);
  Status report(size_t number, const Operand &operand, bool writes,
                const std::string &what, const Bytes::Range &range,
                const Touch &other, bool otherWrites) const;
  Bytes &bytesOf(const Operand &operand) {
    return (operand.space == Space::Arena ? arenas
                                          : arguments)[size_t(operand.index)];
  }

  const Program &program;
  QueueClocks clocks;
  std::vector<Bytes> arenas, arguments;
};
} // namespace

RaceFinder::RaceFinder(const Program &program)
    : program(program), clocks(program) {
  for (const ArenaInfo &arena : program.arenas)
    arenas.emplace_back(arena.bytes, Touches());
  for (const Argument &argument : program.arguments)
    arguments.emplace_back(argument.bytes(), Touches());
}

static std::string nameOf(const Program &program, int64_t number) {
  const Instruction &instruction = program.instructions[size_t(number)];
  return "instruction " + std::to_string(number) + " (" + instruction.kernel +
         ") on " +
         (instruction.isCopy()
              ? std::string(toString(instruction.queue))
              : "stream " + std::to_string(instruction.stream));
}

Status RaceFinder::report(size_t number, const Operand &operand, bool writes,
                          const std::string &what, const Bytes::Range &range,
                          const Touch &other, bool otherWrites) const {
  return invalid("a race: " + nameOf(program, int64_t(number)) +
                 (writes ? " writes " : " reads ") + what + " at bytes [" +
                 std::to_string(range.begin) + ", " +
                 std::to_string(range.end) + ") of " +
                 (operand.space == Space::Arena ? "arena " : "argument ") +
                 std::to_string(operand.index) + " without waiting for " +
                 nameOf(program, other.instruction) + ", which " +
                 (otherWrites ? "writes" : "reads") + " them");
}

Status RaceFinder::touch(size_t number, const Operand &operand, bool writes,
                         const std::string &what) {
  if (operand.space == Space::Constant)
    return Status::success();
  Bytes &bytes = bytesOf(operand);
  const Touch mine{clocks.turn(), int32_t(number)};
  auto isRace = [&](const Touch &other) {
    return other.instruction >= 0 && other.instruction != mine.instruction &&
           !clocks.hasEnded(other.turn);
  };
  for (const ByteRun &run : runsOf(operand)) {
    for (Bytes::Range &range : bytes.in(run.begin, run.end)) {
      Touches &touches = range.fact;
      if (isRace(touches.writer))
        return report(number, operand, writes, what, range, touches.writer,
                      true);
      if (writes) {
        for (const Touch &reader : touches.readers)
          if (isRace(reader))
            return report(number, operand, writes, what, range, reader, false);
        continue;
      }
      // Later readers of a queue stand for the earlier ones.
      std::erase_if(touches.readers, [&](const Touch &reader) {
        return reader.turn.queue == mine.turn.queue;
      });
      touches.readers.push_back(mine);
      bytes.set(range.begin, range.end, std::move(touches));
    }
    if (writes)
      bytes.set(run.begin, run.end, {mine, {}});
  }
  return Status::success();
}

Status RaceFinder::run() {
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    clocks.advance();
    for (size_t k = 0; k < instruction.inputs.size(); ++k)
      if (Status s = touch(i, instruction.inputs[k], /*writes=*/false,
                           "input " + std::to_string(k));
          !s.ok())
        return s;
    if (instruction.workspace)
      if (Status s = touch(i, *instruction.workspace, /*writes=*/true,
                           "its workspace");
          !s.ok())
        return s;
    for (size_t o = 0; o < instruction.outputs.size(); ++o)
      if (Status s = touch(i, instruction.outputs[o], /*writes=*/true,
                           "output " + std::to_string(o));
          !s.ok())
        return s;
  }
  return Status::success();
}

Status Program::checkRaces() const {
  // What one queue runs is in order.
  return usesQueues() ? RaceFinder(*this).run() : Status::success();
}

} // namespace memplan::runtime
