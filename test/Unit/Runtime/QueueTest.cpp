//===- QueueTest.cpp - Streams and copies in program tables ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyStep.h"

#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Runtime/Program/QueueClocks.h"

#include <gmock/gmock.h>
#include <random>

using namespace memplan::runtime;
using memplan::runtime::test::swappedStep;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename Change> static std::string errorAfter(const Change &change) {
  Program program = swappedStep();
  change(program);
  return program.check().message;
}

TEST(Queues, are_written_and_read) {
  Program program = swappedStep();
  EXPECT_EQ(program.check().message, "");
  Result<Program> read = parseProgram(serializeProgram(program));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, program);
  std::string text = dumpProgram(program);
  EXPECT_THAT(text, HasSubstr("2: memplan.evict node=-1 queue=d2h in("));
  EXPECT_THAT(text, HasSubstr("7: memplan.increment node=8 stream=1 wait=3 "));
  EXPECT_THAT(text, HasSubstr("'count' state 1xi64 in arena1+512"));
}

// The value that comes back is found where the copy left it.
TEST(Queues, values_are_followed_through_the_host) {
  Program program = swappedStep();
  const Operand &back = program.instructions[6].inputs[0];
  EXPECT_EQ(back.value, program.instructions[2].outputs[0].value);
  EXPECT_EQ(program.instructions[9].inputs[0].value,
            program.instructions[6].outputs[0].value);
  // The counter on the host is the argument at first, then what was written.
  EXPECT_EQ(program.instructions[3].inputs[0].value, 3);
  EXPECT_EQ(program.updates[1].value.value,
            program.instructions[8].outputs[0].value);
  // Somebody else's bytes on the host hold no value of the plan.
  program.arenas[1].bytes = 2048;
  program.instructions[6].inputs[0].byteOffset = 1024;
  EXPECT_THAT(nameValues(program).message, HasSubstr("holds no whole value"));
}

TEST(Queues, copies_go_between_device_and_host) {
  EXPECT_THAT(errorAfter([](Program &p) {
                p.instructions[2].outputs[0].index = 0;
                p.instructions[2].outputs[0].byteOffset = 768;
              }),
              HasSubstr("instruction 2 (memplan.evict): a copy d2h goes from a "
                        "device arena or an argument to a host arena"));
  EXPECT_THAT(
      errorAfter([](Program &p) { p.instructions[2].queue = Queue(2); }),
      HasSubstr("a copy h2d goes from a host arena to"));
  EXPECT_THAT(
      errorAfter([](Program &p) { p.instructions[2].queue = Queue(7); }),
      HasSubstr("unknown queue 7"));
  EXPECT_THAT(
      errorAfter([](Program &p) { p.instructions[2].outputs[0].shape = {64}; }),
      HasSubstr("copies 512 bytes to a place of 256"));
  EXPECT_THAT(errorAfter([](Program &p) {
                p.instructions[2].inputs.push_back(p.instructions[2].inputs[0]);
              }),
              HasSubstr("a copy has one input, one output"));
  EXPECT_THAT(errorAfter([](Program &p) {
                p.instructions[2].inputs[0].shape = {2, 64};
                p.instructions[2].inputs[0].strides = {100, 1};
              }),
              HasSubstr("a copy has gaps"));
  EXPECT_THAT(
      errorAfter([](Program &p) { p.instructions[2].queue = Queue::Compute; }),
      HasSubstr("operand in the host arena 1, which only copies"));
  EXPECT_THAT(errorAfter([](Program &p) {
                p.outputs[0].operand = p.instructions[2].outputs[0];
              }),
              HasSubstr("lies on the host: a copy must bring it back"));
}

// What lies on the host between steps is written there by the step.
TEST(Queues, arguments_on_the_host_are_updated_in_their_place) {
  EXPECT_THAT(
      errorAfter([](Program &p) { p.updates[1].value.byteOffset = 576; }),
      HasSubstr("'count' has a value on the host or lies there"));
  EXPECT_THAT(errorAfter([](Program &p) {
                p.updates[1].value = p.instructions[7].outputs[0];
              }),
              HasSubstr("'count' has a value on the host or lies there"));
  EXPECT_THAT(errorAfter([](Program &p) {
                p.updates[0].value = p.instructions[2].outputs[0];
                p.updates[0].value.shape = {3, 2};
              }),
              HasSubstr("'w' has a value on the host or lies there"));
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

TEST(Queues, a_missing_wait_is_a_race) {
  EXPECT_THAT(
      errorAfter([](Program &p) { p.instructions[5].waits.clear(); }),
      HasSubstr("a race: instruction 5 (memplan.constant) on stream 0 writes "
                "output 0 at bytes [0, 4) of arena 0 without waiting for "
                "instruction 2 (memplan.evict) on d2h, which reads them"));
  EXPECT_THAT(errorAfter([](Program &p) { p.instructions[9].waits.clear(); }),
              HasSubstr("instruction 9 (memplan.mse_loss_grad) on stream 0 "
                        "reads input 0"));
  EXPECT_THAT(errorAfter([](Program &p) { p.instructions[7].waits.clear(); }),
              HasSubstr("without waiting for instruction 3 (memplan.fetch) on "
                        "h2d, which writes them"));
  EXPECT_THAT(errorAfter([](Program &p) { p.instructions[8].stream = 0; }),
              HasSubstr("instruction 8 (memplan.evict) on d2h reads input 0"));
  // The one without the wait that stream 0 has done before it.
  EXPECT_THAT(errorAfter([](Program &p) { p.instructions[6].stream = 1; }),
              HasSubstr("instruction 6 (memplan.fetch) on h2d reads input 0"));
}

/// Whether a chain of the table's rules leads from `from` to `to`: the oracle
/// of QueueClocks, edge by edge.
static std::vector<std::vector<bool>> reachable(const Program &program) {
  const std::vector<Instruction> &list = program.instructions;
  const size_t n = list.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n));
  auto queueOf = [&](size_t i) {
    return list[i].isCopy() ? -int(list[i].queue) : list[i].stream;
  };
  for (size_t to = 0; to < n; ++to) {
    std::vector<size_t> direct;
    for (size_t from = 0; from < to; ++from)
      if (queueOf(from) == queueOf(to) ||
          (list[to].isCopy() && !list[from].isCopy() &&
           list[from].stream == list[to].stream))
        direct.push_back(from);
    // Waits of what was issued on the stream before, and its own.
    for (size_t issued = 0; issued <= to; ++issued)
      if (list[issued].stream == list[to].stream)
        direct.insert(direct.end(), list[issued].waits.begin(),
                      list[issued].waits.end());
    for (size_t from : direct) {
      before[from][to] = true;
      for (size_t i = 0; i < n; ++i)
        before[i][to] = before[i][to] || before[i][from];
    }
  }
  return before;
}

TEST(Queues, clocks_agree_with_every_chain_of_rules) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Program program;
    for (int32_t i = 0; i < 12; ++i) {
      Instruction instruction;
      instruction.queue = Queue(std::max(0, int(random() % 5) - 2));
      instruction.stream = int32_t(random() % 3) * 2;
      while (i > 0 && random() % 3 == 0)
        instruction.waits.push_back(int32_t(random() % uint32_t(i)));
      program.instructions.push_back(instruction);
    }
    std::vector<std::vector<bool>> before = reachable(program);
    QueueClocks clocks(program);
    std::vector<QueueClocks::Turn> turns;
    std::vector<std::vector<int32_t>> needed;
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      clocks.advance();
      for (size_t k = 0; k < i; ++k)
        ASSERT_EQ(clocks.hasEnded(turns[k]), before[k][i])
            << "round " << round << ": " << k << " before " << i;
      turns.push_back(clocks.turn());
      needed.push_back(clocks.neededWaits());
    }
    // Waits that are left out change nothing.
    for (size_t i = 0; i < needed.size(); ++i)
      program.instructions[i].waits = needed[i];
    EXPECT_EQ(reachable(program), before) << "round " << round;
  }
}

/// Copies and launches at random places of small arenas.
static Program randomAccesses(std::mt19937 &random) {
  Program program;
  program.arenas = {{32, 1, "device"}, {32, 1, "host"}};
  for (int32_t i = 0; i < 8; ++i) {
    Instruction instruction;
    instruction.kernel = "k" + std::to_string(i);
    instruction.queue = Queue(random() % 3);
    instruction.stream = int32_t(random() % 2);
    while (i > 0 && random() % 2 == 0)
      instruction.waits.push_back(int32_t(random() % uint32_t(i)));
    auto place = [&](int32_t arena) {
      return Operand{
          Space::Arena, arena, int64_t(random() % 8) * 4, DType::I8, {4}};
    };
    instruction.inputs = {
        place(instruction.queue == Queue::HostToDevice ? 1 : 0)};
    instruction.outputs = {
        place(instruction.queue == Queue::DeviceToHost ? 1 : 0)};
    program.instructions.push_back(instruction);
  }
  return program;
}

static bool sharesBytes(const Operand &a, const Operand &b) {
  return a.index == b.index && a.byteOffset == b.byteOffset;
}

TEST(Queues, races_are_pairs_of_accesses_without_order) {
  std::mt19937 random(11);
  int races = 0, rounds = 600;
  for (int round = 0; round < rounds; ++round) {
    Program program = randomAccesses(random);
    std::vector<std::vector<bool>> before = reachable(program);
    bool expected = false;
    const std::vector<Instruction> &list = program.instructions;
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        expected |= !before[k][i] &&
                    (sharesBytes(list[k].outputs[0], list[i].inputs[0]) ||
                     sharesBytes(list[k].outputs[0], list[i].outputs[0]) ||
                     sharesBytes(list[k].inputs[0], list[i].outputs[0]));
    ASSERT_EQ(program.checkTable().message, "") << "round " << round;
    EXPECT_EQ(!program.checkRaces().ok(), expected) << "round " << round;
    races += expected;
  }
  EXPECT_GT(races, rounds / 10);
  EXPECT_LT(races, rounds - rounds / 10);
}
