//===- ArgumentTest.cpp - Arguments in an arena, and updates --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyStep.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Program/ProgramIO.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

namespace {
class Arguments : public testing::Test {
protected:
  void SetUp() override {
    registerBuiltInBackends();
    device = Device::open("reference", 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  Result<Executable> compile(Program program) {
    Result<Executable> executable =
        Executable::compile(*device, std::move(program));
    EXPECT_TRUE(executable.ok()) << executable.error().message;
    return executable;
  }
  Result<Device> device = Status{};
};
} // namespace

/// The planned tiny step with its targets `t` in the arena, behind the rest;
/// after their last user the weights' gradient takes their bytes.
static Program stepWithOwnedInput() {
  Program program = tinyStep(true);
  program.arenas[0].bytes = 1536 + 512;
  program.arguments[1].donated = true;
  program.arguments[1].arena = 0;
  program.arguments[1].arenaOffset = 1536;
  for (Instruction &instruction : program.instructions)
    for (Operand &input : instruction.inputs)
      if (input.space == Space::Argument && input.index == 1)
        input = {Space::Arena, 0, 1536, input.dtype, input.shape};
  program.instructions[6].outputs[0].byteOffset = 1536;
  program.instructions[7].inputs[1].byteOffset = 1536;
  Status named = nameValues(program);
  EXPECT_TRUE(named.ok()) << named.message;
  return program;
}

static Program unplannedOf(const Program &planned) {
  Program program = tinyStep(false);
  program.arguments[1].donated = planned.arguments[1].donated;
  return program;
}

//===----------------------------------------------------------------------===//
// Arguments in an arena
//===----------------------------------------------------------------------===//

// The batch is copied to its planned place before each step, and the step
// computes what it computes with the batch in a buffer of its own.
TEST_F(Arguments, a_donated_input_lives_in_the_arena) {
  Program program = stepWithOwnedInput();
  Result<Feed> feed = Feed::create(program, {});
  Result<Executable> planned = compile(program);
  Result<Executable> unplanned = compile(unplannedOf(program));
  PoisonObserver poison;
  CompareOptions options;
  options.steps = 3;
  options.observers = {&poison};
  Result<CompareReport> report =
      compareRuns(*planned, *unplanned, *feed, options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->steps, 3);
  EXPECT_EQ(planned->argumentBase(1), planned->arenaBase(0) + 1536);
  // It is counted once, in the arena.
  EXPECT_EQ(program.residentBytes(), 2048 + 64 * 3 * 4 + 24 + 8);
  ASSERT_TRUE(feed->feedStep(*planned, 0).ok());
  Result<StepUse> use = measureStep(*planned);
  ASSERT_TRUE(use.ok()) << use.error().message;
  EXPECT_EQ(use->arenas[0].handedOutBytes, 2048);
}

TEST_F(Arguments, an_input_in_the_arena_is_gone_after_the_step) {
  Program program = stepWithOwnedInput();
  Result<Feed> feed = Feed::create(program, {});
  Result<Executable> executable = compile(program);
  ASSERT_TRUE(feed->initialize(*executable).ok());
  EXPECT_THAT(executable->run().message,
              HasSubstr("argument 't' lies in an arena, where nothing was "
                        "written or the last step used its bytes: write it "
                        "before each step"));
  ASSERT_TRUE(feed->feedStep(*executable, 0).ok());
  std::vector<float> batch(128);
  EXPECT_TRUE(executable->readArgument(1, batch.data(), 512).ok());
  ASSERT_TRUE(executable->run().ok());
  EXPECT_THAT(executable->readArgument(1, batch.data(), 512).message,
              HasSubstr("it cannot be read after the step"));
  EXPECT_FALSE(executable->run().ok()) << "the batch of the step before";
  alignas(64) float own[128];
  EXPECT_THAT(executable->bindArgument(1, own, 512).message,
              HasSubstr("cannot be bound to other memory"));
}

// The next batch may take the bytes of an output of the last step: reading that
// afterwards would give the batch.
TEST_F(Arguments, a_batch_written_over_an_output_is_said) {
  Program program = stepWithOwnedInput();
  // Forward only; then the loss goes over the targets, which are dead.
  program.instructions.resize(3);
  program.updates.clear();
  Instruction move = program.instructions[1];
  move.inputs = move.outputs = {program.outputs[0].operand};
  move.outputs[0].byteOffset = 1536;
  program.instructions.push_back(move);
  program.outputs[0].operand.byteOffset = 1536;
  ASSERT_EQ(nameValues(program).message, "");
  Result<Feed> feed = Feed::create(program, {});
  Result<Executable> executable = compile(program);
  ASSERT_TRUE(feed->initialize(*executable).ok());
  ASSERT_TRUE(feed->feedStep(*executable, 0).ok());
  ASSERT_TRUE(executable->run().ok());
  float loss = 0;
  EXPECT_TRUE(executable->readOutput(0, &loss, sizeof(loss)).ok());
  ASSERT_TRUE(feed->feedStep(*executable, 1).ok());
  EXPECT_THAT(executable->readOutput(0, &loss, sizeof(loss)).message,
              HasSubstr("output 'loss' is not kept"));
  ASSERT_TRUE(executable->run().ok());
  EXPECT_TRUE(executable->readOutput(0, &loss, sizeof(loss)).ok());
}

TEST_F(Arguments, a_program_says_where_they_lie) {
  Program program = stepWithOwnedInput();
  Result<Program> read = parseProgram(serializeProgram(program));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, program);
  EXPECT_THAT(dumpProgram(program),
              HasSubstr("arg 1 't' input 64x2xf32 batch=0 donated in "
                        "arena0+1536\n"));
  auto errorOf = [&](auto change) {
    Program broken = program;
    change(broken);
    return broken.check().message;
  };
  EXPECT_THAT(errorOf([](Program &p) { p.arguments[1].donated = false; }),
              HasSubstr("only donated inputs may lie in an arena of the "
                        "device"));
  EXPECT_THAT(errorOf([](Program &p) { p.arguments[1].arena = 1; }),
              HasSubstr("of arena 1, which the program does not have"));
  EXPECT_THAT(errorOf([](Program &p) { p.arguments[1].arenaOffset = 1792; }),
              HasSubstr("and takes 512 bytes; there are 2048"));
  EXPECT_THAT(errorOf([](Program &p) { p.arguments[1].arenaOffset = 64; }),
              HasSubstr("not a multiple of its alignment 256"));
  EXPECT_THAT(errorOf([](Program &p) {
                p.instructions[2].inputs[1].space = Space::Argument;
                p.instructions[2].inputs[1].index = 1;
                p.instructions[2].inputs[1].byteOffset = 0;
              }),
              HasSubstr("names argument 1, which lies in an arena"));
  EXPECT_THAT(errorOf([](Program &p) { p.arenas[0].space = "host"; }),
              HasSubstr("operand in the host arena 0, which only copies"));
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Arguments of two floats whose update is the value of another argument.
static Program rotation(const std::vector<int32_t> &sources) {
  Program program;
  for (size_t i = 0; i < sources.size(); ++i) {
    Argument argument;
    argument.name = std::string(1, char('a' + i));
    argument.kind = ArgumentKind::State;
    argument.shape = {2};
    program.arguments.push_back(argument);
    program.updates.push_back(
        {int32_t(i), {Space::Argument, sources[i], 0, DType::F32, {2}}});
  }
  return program;
}

// Updates happen at once: copied one after the other, two arguments that take
// each other's value would both have the same one.
TEST_F(Arguments, updates_that_exchange_values_happen_at_once) {
  for (const std::vector<int32_t> &sources : std::vector<std::vector<int32_t>>{
           {1, 0}, {1, 2, 0}, {1, 2, 3, 3}, {1, 0, 3, 2, 0}, {2, 0, 1, 1, 4}}) {
    Result<Executable> executable = compile(rotation(sources));
    auto count = int32_t(sources.size());
    for (int32_t i = 0; i < count; ++i) {
      float values[2] = {float(i), float(i) + 0.5f};
      ASSERT_TRUE(executable->writeArgument(i, values, sizeof(values)).ok());
    }
    ASSERT_TRUE(executable->run().ok());
    for (int32_t i = 0; i < count; ++i) {
      float values[2];
      ASSERT_TRUE(executable->readArgument(i, values, sizeof(values)).ok());
      EXPECT_EQ(values[0], float(sources[size_t(i)])) << "argument " << i;
      EXPECT_EQ(values[1], float(sources[size_t(i)]) + 0.5f);
    }
  }
}

// A donated input that the step updates is a result like any other.
TEST_F(Arguments, comparison_sees_an_updated_donated_input) {
  auto program = [](double rate) {
    Program step = tinyStep(true);
    step.arguments[2].kind = ArgumentKind::Input;
    step.arguments[2].donated = true;
    step.instructions[7].attributes[0].value = rate;
    return step;
  };
  Result<Feed> feed = Feed::create(program(0.1), {});
  Result<Executable> one = compile(program(0.1)), same = compile(program(0.1)),
                     other = compile(program(0.2));
  CompareOptions options;
  Result<CompareReport> report = compareRuns(*one, *same, *feed, options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->values, 5);
  report = compareRuns(*one, *other, *feed, options);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().message,
              HasSubstr("input 'w' differs at element 0"));
}

// What encodes its copies is compared by a norm, which small differences keep
// and large ones do not, and NaN never.
TEST_F(Arguments, comparison_allows_no_more_than_its_tolerance) {
  auto program = [](double rate) {
    Program step = tinyStep(true);
    step.instructions[7].attributes[0].value = rate;
    return step;
  };
  Result<Feed> feed = Feed::create(program(0.1), {});
  CompareOptions options;
  options.tolerance = 0.05;
  auto compare = [&](double rate) {
    Result<Executable> one = compile(program(0.1)),
                       other = compile(program(rate));
    return compareRuns(*other, *one, *feed, options);
  };
  Result<CompareReport> report = compare(0.1);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->farthest, 0);
  report = compare(0.1001);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_GT(report->farthest, 0);
  EXPECT_LE(report->farthest, 0.05);
  for (double rate : {30.0, double(NAN)}) {
    report = compare(rate);
    ASSERT_FALSE(report.ok());
    EXPECT_THAT(report.error().message, HasSubstr("differs from the unplanned "
                                                  "run by a norm of "));
  }
}
