//===- QueueRunTest.cpp - Steps on streams and copy engines ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueuePrograms.h"
#include "TinyStep.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Support/AllocationCount.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <thread>

using namespace memplan::runtime;
using namespace memplan::runtime::test;
using testing::HasSubstr;

namespace {
class QueueRun : public testing::Test {
protected:
  void SetUp() override {
    registerBuiltInBackends();
    registerQueueKernels();
    device = Device::open("reference");
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  Result<Executable> compile(Program program) {
    Result<Executable> executable =
        Executable::compile(*device, std::move(program));
    EXPECT_TRUE(executable.ok()) << executable.error().message;
    return executable;
  }
  void throttle(double hostToDevice, double deviceToHost, double latency) {
    ASSERT_EQ(device->backend().throttle_copies(device->handle(), hostToDevice,
                                                deviceToHost, latency),
              MEMPLAN_OK);
  }
  Result<Device> device = Status{};
};
} // namespace

TEST_F(QueueRun, gives_what_the_unplanned_step_gives) {
  Result<Executable> planned = compile(swappedStep());
  Result<Executable> unplanned = compile(tinyStep(false));
  Result<Feed> feed = Feed::create(planned->program(), {});
  ASSERT_TRUE(feed.ok()) << feed.error().message;
  PoisonObserver poison;
  for (bool poisoned : {false, true}) {
    CompareOptions options;
    options.steps = 3;
    if (poisoned)
      options.observers = {&poison};
    Result<CompareReport> report =
        compareRuns(*planned, *unplanned, *feed, options);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->steps, 3);
  }
  // The counter stays on the host from step to step.
  int64_t count = 0;
  ASSERT_TRUE(planned->readArgument(3, &count, sizeof(count)).ok());
  EXPECT_EQ(count, 3);
  Result<StepUse> use = measureStep(*planned);
  ASSERT_TRUE(use.ok()) << use.error().message;
  for (const ArenaUse &arena : use->arenas)
    EXPECT_LE(arena.plannedBytes - arena.handedOutBytes, 256);
}

/// The table as a compiler writes it: pointers from the bases, one launch after
/// the other.
static int32_t compiledStep(void *context, StepLaunch launch,
                            void *const *arenas, void *const *arguments,
                            void *) {
  static const Program program = swappedStep();
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    std::vector<void *> operands;
    for (const std::vector<Operand> *list :
         {&program.instructions[i].inputs, &program.instructions[i].outputs})
      for (const Operand &operand : *list)
        operands.push_back(
            static_cast<std::byte *>((operand.space == Space::Arena
                                          ? arenas
                                          : arguments)[size_t(operand.index)]) +
            operand.byteOffset);
    if (int32_t code = launch(context, int32_t(i), operands.data()))
      return code;
  }
  return MEMPLAN_OK;
}

TEST_F(QueueRun, compiled_code_fills_the_queues_too) {
  Result<Executable> compiled = compile(swappedStep());
  Result<Executable> unplanned = compile(tinyStep(false));
  compiled->followStep(compiledStep);
  Result<Feed> feed = Feed::create(compiled->program(), {});
  ASSERT_TRUE(feed.ok()) << feed.error().message;
  CompareOptions options;
  options.steps = 3;
  Result<CompareReport> report =
      compareRuns(*compiled, *unplanned, *feed, options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->steps, 3);
}

// Three streams and both engines in every order that they happen to take: the
// values are those of program order. Each kernel and copy takes another time.
TEST_F(QueueRun, random_programs_give_the_values_of_program_order) {
  std::mt19937 random(5);
  throttle(200, 100, 20);
  for (int round = 0; round < 20; ++round) {
    Program program = randomQueueProgram(random, 40);
    ASSERT_EQ(program.check().message, "") << "round " << round;
    Result<Executable> executable = compile(program);
    StepObserver idle;
    StepObserver *watch[] = {&idle};
    std::vector<std::vector<std::byte>> results;
    for (bool watched : {true, false}) {
      for (size_t a = 0; a < program.arenas.size(); ++a)
        ASSERT_TRUE(
            executable->fillArena(a, 0, program.arenas[a].bytes, 0).ok());
      Status status = watched ? executable->run(watch) : executable->run();
      ASSERT_TRUE(status.ok()) << status.message;
      for (size_t a = 0; a < program.arenas.size(); ++a) {
        std::vector<std::byte> bytes(size_t(program.arenas[a].bytes));
        ASSERT_TRUE(executable->readArena(a, 0, bytes).ok());
        results.push_back(bytes);
      }
    }
    EXPECT_EQ(results[0], results[2]) << "round " << round;
    EXPECT_EQ(results[1], results[3]) << "round " << round;
  }
}

/// Two kernels on two streams, each of which waits until the other has begun,
/// no longer than `micros`.
static Program meetingProgram(int64_t micros) {
  Program program;
  program.arenas = {{512, 256, "device"}};
  for (int32_t stream : {0, 1})
    program.instructions.push_back(mixCall(
        "test.meet", stream, {}, {atBytes(0, stream * 256, 8)}, micros));
  return program;
}

TEST_F(QueueRun, streams_run_beside_each_other) {
  Result<Executable> executable = compile(meetingProgram(600'000'000));
  Status status = executable->run();
  EXPECT_TRUE(status.ok()) << status.message;
  // In program order they cannot meet.
  StepObserver idle;
  StepObserver *watch[] = {&idle};
  Result<Executable> alone = compile(meetingProgram(20'000));
  EXPECT_THAT(alone->run(watch).message,
              HasSubstr("instruction 0 (test.meet, node -1): nobody came"));
}

TEST_F(QueueRun, allocates_nothing_inside_a_step) {
  if (allocationCount() < 0)
    GTEST_SKIP() << "a sanitizer's allocator is not counted";
  std::mt19937 random(6);
  Result<Executable> executable = compile(randomQueueProgram(random, 60));
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(executable->run().ok());
    EXPECT_EQ(executable->lastStep().allocations, 0);
    EXPECT_EQ(executable->lastStep().allocatedBytes, 0);
  }
}

// A failure on one stream ends the step, is named, and leaves nothing behind.
TEST_F(QueueRun, a_failing_kernel_ends_the_step_alone) {
  for (int32_t stream : {0, 1}) {
    Program program;
    program.arenas = {{1024, 256, "device"}, {1024, 256, "host"}};
    program.instructions = {
        mixCall("test.mix", 0, {}, {atBytes(0, 0, 64)}, 100),
        mixCall("test.fails", stream, {}, {atBytes(0, 256, 64)}, 100),
        copyCall(Queue::DeviceToHost, stream, atBytes(0, 256, 64),
                 atBytes(1, 0, 64)),
        mixCall("test.mix", 1 - stream, {atBytes(0, 256, 64)},
                {atBytes(0, 512, 64)}, 100),
    };
    program.instructions[3].waits = {1, 2};
    Result<Executable> executable = compile(program);
    int32_t value = 0;
    for (int step = 0; step < 4; ++step) {
      bool fails = step % 2 == 0;
      failKernels(fails);
      Status status = executable->run();
      EXPECT_EQ(status.ok(), !fails) << status.message;
      if (fails) {
        EXPECT_EQ(status.code, MEMPLAN_FAILED);
        EXPECT_THAT(status.message, HasSubstr("instruction 1 (test.fails, node "
                                              "-1): as it was told"));
      }
      ASSERT_TRUE(
          executable->readOperand(program.instructions[3].outputs[0], &value)
              .ok());
    }
    failKernels(false);
  }
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//
// A step is never faster than the rules say, on any machine, since kernels and
// copies sleep. That it is not slower cannot be asked of a busy machine. So
// each fault that would hold up a queue has rules of its own, by which a faulty
// runtime is never faster; a step that beats them shows that it has no such
// fault. Where a machine is too late for that, all times grow.

namespace {
/// What a faulty runtime would do.
struct Faults {
  bool oneStream = false, oneEngine = false, copiesHoldTheirStream = false;
};
constexpr Faults eachFault[] = {
    {.oneStream = true}, {.oneEngine = true}, {.copiesHoldTheirStream = true}};
} // namespace

/// When a step ends whose kernels take what they say and whose copies take
/// `copyMicros`: the rules of plans, on three clocks or more.
static double makespan(const Program &program, double copyMicros,
                       Faults faults = {}) {
  std::map<int32_t, double> streams;
  double engines[2] = {}, last = 0;
  std::vector<double> ends;
  for (const Instruction &instruction : program.instructions) {
    double &stream = streams[faults.oneStream ? 0 : instruction.stream];
    for (int32_t wait : instruction.waits)
      stream = std::max(stream, ends[size_t(wait)]);
    const bool comesBack =
        instruction.queue == Queue::HostToDevice && !faults.oneEngine;
    double &queue = instruction.isCopy() ? engines[comesBack] : stream;
    queue = std::max(queue, stream) +
            (instruction.isCopy()
                 ? copyMicros
                 : double(std::get<int64_t>(instruction.attributes[0].value)));
    if (faults.copiesHoldTheirStream)
      stream = queue;
    ends.push_back(queue);
    last = std::max(last, queue);
  }
  return last;
}

/// How many times as long the fault makes the step.
static double slowdown(const Program &program, double copyMicros,
                       Faults faults) {
  return makespan(program, copyMicros, faults) / makespan(program, copyMicros);
}

/// Runs the program with all times multiplied by 1, 4, 16, 64 and 256 until a
/// step beats what a runtime with the fault could reach.
static void expectNo(Faults faults, const Program &program, double copyMicros,
                     const std::function<void(double)> &throttleTimes,
                     const std::function<Executable(Program)> &compile) {
  const double planned = makespan(program, copyMicros);
  const double faulty = makespan(program, copyMicros, faults);
  ASSERT_GT(faulty, planned * 1.2) << "the fault would not show";
  for (double scale : {1, 4, 16, 64, 256}) {
    Program scaled = program;
    for (Instruction &instruction : scaled.instructions)
      if (!instruction.isCopy()) {
        AttributeValue &micros = instruction.attributes[0].value;
        micros = int64_t(double(std::get<int64_t>(micros)) * scale);
      }
    throttleTimes(scale);
    Executable executable = compile(std::move(scaled));
    for (int step = 0; step < 5; ++step) {
      ASSERT_TRUE(executable.run().ok());
      const double micros = executable.lastStep().micros;
      EXPECT_GE(micros, planned * scale * 0.999);
      if (micros < faulty * scale)
        return;
    }
  }
  ADD_FAILURE() << "never faster than " << faulty << ", planned " << planned;
}

// A copy is a transfer at the given speed, beside what the stream computes.
TEST_F(QueueRun, throttled_copies_take_their_time_beside_kernels) {
  constexpr int64_t bytes = 4096;
  Program program;
  program.arenas = {{4 * bytes, 256, "device"}, {2 * bytes, 256, "host"}};
  for (int32_t i : {0, 1})
    program.instructions.push_back(copyCall(Queue::DeviceToHost, 0,
                                            atBytes(0, i * bytes, bytes),
                                            atBytes(1, i * bytes, bytes)));
  program.instructions.push_back(
      mixCall("test.mix", 0, {}, {atBytes(0, 3 * bytes, 64)}, 25000));
  // 2 x (10 ms + 5 ms) on the engine, 25 ms beside it.
  expectNo(
      {.copiesHoldTheirStream = true}, program, 15000,
      [&](double scale) {
        throttle(1e9, double(bytes) / (10000 * scale), 5000 * scale);
      },
      [&](Program given) { return std::move(*compile(std::move(given))); });
  // The other direction is another engine, with its own speed.
  EXPECT_EQ(device->backend().throttle_copies(device->handle(), -1, 0, 0),
            MEMPLAN_INVALID_ARGUMENT);
}

/// Of a hundred random programs the one that a fault slows down most.
static Program programThatShows(Faults faults, double copyMicros) {
  std::mt19937 random(2);
  Program best;
  double most = 0;
  for (int round = 0; round < 100; ++round) {
    Program program = randomQueueProgram(random, 20);
    for (Instruction &instruction : program.instructions)
      if (!instruction.isCopy())
        instruction.attributes[0].value = int64_t(1000 + random() % 4000);
    if (double ratio = slowdown(program, copyMicros, faults); ratio > most) {
      most = ratio;
      best = std::move(program);
    }
  }
  return best;
}

TEST_F(QueueRun, takes_the_time_that_the_rules_of_plans_say) {
  constexpr double copyMicros = 3000;
  for (const Faults &faults : eachFault) {
    SCOPED_TRACE("fault " + std::to_string(&faults - eachFault));
    expectNo(
        faults, programThatShows(faults, copyMicros), copyMicros,
        [&](double scale) { throttle(1e9, 1e9, copyMicros * scale); },
        [&](Program given) { return std::move(*compile(std::move(given))); });
  }
}

//===----------------------------------------------------------------------===//
// Races that a run shows
//===----------------------------------------------------------------------===//

/// What a run with every queue late in turn finds; "" if nothing.
static std::string raceShown(const Device &device, const Program &program) {
  ExecuteOptions options;
  options.allowRaces = true;
  Result<Executable> executable = Executable::compile(device, program, options);
  EXPECT_TRUE(executable.ok()) << executable.error().message;
  Result<Feed> feed = Feed::create(program, {});
  EXPECT_TRUE(feed.ok() && feed->initialize(*executable).ok() &&
              feed->feedStep(*executable, 0).ok());
  Result<int64_t> orders = runWithDelays(*executable);
  EXPECT_TRUE(!orders || *orders >= 2);
  return orders ? "" : orders.error().message;
}

TEST_F(QueueRun, the_published_race_of_colors_is_shown) {
  EXPECT_EQ(raceShown(*device, coloredProgram(/*safe=*/true)), "");
  Program unsafe = coloredProgram(/*safe=*/false);
  EXPECT_THAT(Executable::compile(*device, unsafe).error().message,
              HasSubstr("a race: instruction 5 (test.mix) on stream 0 writes "
                        "output 0 at bytes [256, 320) of arena 0 without "
                        "waiting for instruction 1 (test.mix) on stream 1"));
  EXPECT_THAT(raceShown(*device, unsafe),
              HasSubstr("with stream 1 late: instruction 5 (test.mix, node -1, "
                        "run 0): output 0 overwrites bytes [256, 320) of arena "
                        "0, where value 0 of instruction 0"));
}

// Each wait that is needed, left out, shows in a run: through the device, the
// host, and where copies only read.
TEST_F(QueueRun, every_missing_wait_of_the_swapped_step_is_shown) {
  const Program right = swappedStep();
  EXPECT_EQ(raceShown(*device, right), "");
  int removed = 0;
  for (size_t i = 0; i < right.instructions.size(); ++i) {
    if (right.instructions[i].waits.empty())
      continue;
    Program broken = right;
    broken.instructions[i].waits.clear();
    EXPECT_FALSE(broken.checkRaces().ok()) << "instruction " << i;
    EXPECT_NE(raceShown(*device, broken), "") << "instruction " << i;
    ++removed;
  }
  EXPECT_EQ(removed, 3);
}

// A run finds what the table's check finds, but for values that nothing reads
// any more and that are written late.
TEST_F(QueueRun, runs_and_the_check_of_tables_agree) {
  std::mt19937 random(9);
  int shown = 0, races = 0;
  for (int round = 0; round < 40; ++round) {
    Program program = randomQueueProgram(random, 12);
    ASSERT_EQ(raceShown(*device, program), "") << "round " << round;
    Instruction &changed = program.instructions[12 + random() % 12];
    changed.waits.clear();
    const bool isRace = !program.checkRaces().ok();
    const bool isShown = !raceShown(*device, program).empty();
    EXPECT_LE(isShown, isRace) << "round " << round;
    races += isRace;
    shown += isShown;
  }
  EXPECT_GT(races, 5);
  EXPECT_GE(shown * 2, races);
}
