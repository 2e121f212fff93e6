//===- StreamTest.cpp - Streams that are as late as they may be -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin's kernels on the host, on streams of the mock that hold their work
// back. What computes without being asked to wait computes the wrong thing.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/QueuePrograms.h"
#include "../Runtime/TinyStep.h"
#include "CaseProgram.h"
#include "CudaMock.h"
#include "RandomProgram.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Observe/Observers.h"

#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using namespace memplan::runtime::test;
using testing::HasSubstr;

using Bytes = std::vector<std::byte>;

namespace {
class CudaStreams : public testing::Test {
protected:
  void SetUp() override {
    cudaMock().reset();
    registerBuiltInBackends();
    device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
    reference = Device::open("reference", 0, 1);
    ASSERT_TRUE(reference.ok()) << reference.error().message;
  }
  void TearDown() override {
    device = Status{};
    EXPECT_EQ(cudaMock().misuses, 0);
    cudaMock().reset();
  }
  Result<Device> device = Status{}, reference = Status{};
};

/// An order in which the streams of the mock may run.
struct Order {
  CudaMock::Order order;
  int late;
};
} // namespace

/// Streams 0 to 2 of programs, then the two engines.
static const Order orders[] = {{CudaMock::AllLate, -1}, {CudaMock::OneLate, 0},
                               {CudaMock::OneLate, 1},  {CudaMock::OneLate, 2},
                               {CudaMock::OneLate, 3},  {CudaMock::OneLate, 4},
                               {CudaMock::AnyOrder, -1}};

static void setOrder(const Order &order) {
  cudaMock().order = order.order;
  cudaMock().lateStream = order.late;
}

static Result<Executable> compile(const Device &device,
                                  const Program &program) {
  ExecuteOptions options;
  options.allowRaces = true;
  Result<Executable> executable = Executable::compile(device, program, options);
  EXPECT_TRUE(executable.ok()) << executable.error().message;
  return executable;
}

/// In program order, on kernels that know no streams.
static Bytes expected(const Device &reference, const Program &program) {
  Result<Executable> executable = compile(reference, program);
  StepObserver idle;
  StepObserver *watch[] = {&idle};
  return runFromZeros(*executable, watch);
}

// A watched step is in program order. A launch that goes to its own stream
// although no queue has begun is not: nothing waits for it.
TEST_F(CudaStreams, watched_steps_are_in_program_order) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Program program = randomProgram(random, 24);
    const Bytes right = expected(*reference, program);
    Result<Executable> executable = compile(*device, program);
    StepObserver idle;
    StepObserver *watch[] = {&idle};
    for (const Order &order : orders) {
      setOrder(order);
      EXPECT_TRUE(runFromZeros(*executable, watch) == right)
          << "round " << round;
    }
  }
}

// What watches a step reads what the step has written by then.
TEST_F(CudaStreams, poison_measure_profile_and_delays_find_sound_steps_sound) {
  for (const Order &order : orders) {
    setOrder(order);
    Result<Executable> planned = compile(*device, swappedStep());
    Result<Executable> unplanned = compile(*device, tinyStep(false));
    Result<Feed> feed = Feed::create(planned->program(), {});
    ASSERT_TRUE(feed.ok()) << feed.error().message;
    PoisonObserver poison;
    ProfileObserver profile;
    CompareOptions options;
    options.steps = 2;
    options.observers = {&poison, &profile};
    Result<CompareReport> report =
        compareRuns(*planned, *unplanned, *feed, options);
    EXPECT_TRUE(report.ok()) << report.error().message;
    ASSERT_TRUE(feed->feedStep(*planned, 2).ok());
    Result<StepUse> use = measureStep(*planned);
    EXPECT_TRUE(use.ok()) << use.error().message;
    ASSERT_TRUE(feed->feedStep(*planned, 3).ok());
    Result<int64_t> delays = runWithDelays(*planned);
    EXPECT_TRUE(delays.ok()) << delays.error().message;
  }
}

// However late each stream is, a step gives the values of program order; and no
// check finds fault with it.
TEST_F(CudaStreams, a_thousand_random_programs_raise_no_false_alarm) {
  std::mt19937 random(11);
  for (int round = 0; round < 1000; ++round) {
    Program program = randomProgram(random, 12 + round % 24);
    ASSERT_EQ(program.check().message, "") << "round " << round;
    const Bytes right = expected(*reference, program);
    Result<Executable> executable = compile(*device, program);
    setOrder(orders[size_t(round) % std::size(orders)]);
    ASSERT_TRUE(runFromZeros(*executable) == right) << "round " << round;
    setOrder({CudaMock::AnyOrder, -1});
    ASSERT_TRUE(runFromZeros(*executable) == right) << "round " << round;
    PoisonObserver poison;
    StepObserver *watch[] = {&poison};
    Status status = executable->run(watch);
    ASSERT_TRUE(status.ok()) << "round " << round << ": " << status.message;
    if (round % 20 == 0) {
      Result<int64_t> delays = runWithDelays(*executable);
      ASSERT_TRUE(delays.ok()) << delays.error().message;
    }
  }
}

/// Whether some order of the streams gives other values than `right`.
static bool showsWrong(Executable &executable, const Bytes &right) {
  for (const Order &order : orders) {
    setOrder(order);
    for (int again = 0; again < (order.order == CudaMock::AnyOrder ? 8 : 1);
         ++again)
      if (runFromZeros(executable) != right)
        return true;
  }
  return false;
}

// A wait that the program lacks shows in its values, but for values that other
// writes cover: the streams would be of no use otherwise.
TEST_F(CudaStreams, a_missing_wait_of_a_program_shows) {
  std::mt19937 random(7);
  int races = 0, shown = 0;
  for (int round = 0; round < 60; ++round) {
    Program program = randomProgram(random, 16);
    const Bytes right = expected(*reference, program);
    program.instructions[12 + random() % 16].waits.clear();
    Result<Executable> executable = compile(*device, program);
    const bool isRace = !program.checkRaces().ok();
    const bool isShown = showsWrong(*executable, right);
    EXPECT_LE(isShown, isRace) << "round " << round;
    races += isRace;
    shown += isShown;
  }
  EXPECT_GT(races, 10);
  EXPECT_GE(shown * 2, races) << shown << " of " << races;
}

// Each event that the plugin waits for in the middle of a step is needed, and
// so is each at its end: without it some order gives other values.
TEST_F(CudaStreams, each_dropped_wait_of_the_plugin_shows) {
  Program program;
  auto at = [](int64_t place) {
    Operand operand = atBytes(0, place * 512, 512);
    operand.dtype = DType::F32;
    operand.shape = {128};
    return operand;
  };
  auto call = [&](int32_t stream, std::vector<Operand> inputs, Operand output) {
    Instruction result =
        mixCall(inputs.empty() ? "memplan.constant" : "memplan.sub", stream,
                inputs, {std::move(output)}, 0);
    result.attributes = {};
    if (inputs.empty())
      result.attributes = {{"value", double(program.instructions.size() + 3)}};
    return result;
  };
  Operand onHost = at(0);
  onHost.index = 1;
  program.arenas = {{8 * 512, 256, "device"}, {512, 256, "host"}};
  auto add = [&](Instruction instruction, std::vector<int32_t> waits) {
    instruction.waits = std::move(waits);
    program.instructions.push_back(std::move(instruction));
  };
  add(call(0, {}, at(0)), {});
  add(call(1, {}, at(1)), {});
  add(call(0, {at(0), at(1)}, at(2)), {1});
  add(copyCall(Queue::DeviceToHost, 0, at(2), onHost), {});
  add(call(0, {}, at(2)), {3});
  add(copyCall(Queue::HostToDevice, 0, onHost, at(3)), {});
  add(call(0, {at(3), at(2)}, at(4)), {5});
  add(call(1, {at(2), at(1)}, at(5)), {4});
  ASSERT_EQ(program.check().message, "");
  const Bytes right = expected(*reference, program);
  Result<Executable> executable = compile(*device, program);
  runFromZeros(*executable);
  const int64_t before = cudaMock().waits;
  EXPECT_TRUE(runFromZeros(*executable) == right);
  const int64_t waits = cudaMock().waits - before;
  // Three others wait for the first at the start, and it for them at the end.
  EXPECT_EQ(waits, 3 + 6 + 3);
  std::vector<int64_t> unseen;
  for (int64_t dropped = 0; dropped < waits; ++dropped) {
    bool wrong = false;
    for (const Order &order : orders) {
      setOrder(order);
      cudaMock().waits = 0;
      cudaMock().droppedWait = dropped;
      wrong |= runFromZeros(*executable) != right;
      cudaMock().droppedWait = -1;
      runFromZeros(*executable);
    }
    if (!wrong)
      unseen.push_back(dropped);
  }
  // Each engine waits for the first stream again before its copy, and that
  // stream for the copy.
  EXPECT_EQ(unseen, (std::vector<int64_t>{1, 2, 10, 11}));
}
