//===- GraphTest.cpp - Steps that run as captured graphs ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mock records the graph from streams and events, and runs it in a random
// order that its edges allow, on the kernels compiled for the host.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TinyStep.h"
#include "CaseProgram.h"
#include "HostDeviceTest.h"
#include "RandomProgram.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Program/QueueClocks.h"
#include "memplan/Runtime/Support/AllocationCount.h"

#include <cstdlib>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using namespace memplan::runtime::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {
class CudaGraphs : public HostDeviceTest {
protected:
  void SetUp() override {
    registerBuiltInBackends();
    HostDeviceTest::SetUp();
  }
  Result<Executable> compile(const Program &program) {
    ExecuteOptions options;
    options.useGraph = true;
    Result<Executable> executable =
        Executable::compile(*device, program, options);
    EXPECT_TRUE(executable.ok()) << executable.error().message;
    return executable;
  }
};
} // namespace

using Order = std::vector<std::vector<bool>>;

/// By instruction: which ones end before it starts.
static Order orderOf(const Program &program) {
  QueueClocks clocks(program);
  std::vector<QueueClocks::Turn> turns;
  Order before;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    clocks.advance();
    before.emplace_back(program.instructions.size());
    for (size_t j = 0; j < i; ++j)
      before[i][j] = clocks.hasEnded(turns[j]);
    turns.push_back(clocks.turn());
  }
  return before;
}

/// The same of the captured graph, whose nodes are in program order.
static Order orderOfGraph() {
  const auto &inputs = cudaMock().graphInputs;
  Order before;
  for (size_t node = 0; node < inputs.size(); ++node) {
    before.emplace_back(inputs.size());
    for (int input : inputs[node]) {
      before[node][size_t(input)] = true;
      for (size_t j = 0; j < inputs.size(); ++j)
        if (before[size_t(input)][j])
          before[node][j] = true;
    }
  }
  return before;
}

// The graph orders what the program orders and nothing else: an edge too few is
// a race, an edge too many costs time.
TEST_F(CudaGraphs, edges_are_the_clocks_of_the_program) {
  std::mt19937 random(21);
  for (int round = 0; round < 100; ++round) {
    Program program = randomProgram(random, 30);
    Result<Executable> executable = compile(program);
    ASSERT_TRUE(executable->run().ok());
    EXPECT_FALSE(executable->hasGraph());
    cudaMock().waits = 0;
    Status status = executable->run();
    ASSERT_TRUE(status.ok()) << status.message;
    EXPECT_TRUE(executable->hasGraph());
    ASSERT_EQ(cudaMock().graphInputs.size(), program.instructions.size());
    EXPECT_TRUE(orderOfGraph() == orderOf(program)) << "round " << round;
  }
}

// A wait that the plugin forgets is an edge that is not there, or work that the
// end of the step does not wait for. Some engines wait for what their own order
// says already.
TEST_F(CudaGraphs, a_dropped_wait_shows_in_the_graph) {
  std::mt19937 random(22);
  int unjoined = 0, inside = 0, missing = 0;
  for (int round = 0; round < 40; ++round) {
    Program program = randomProgram(random, 12);
    Result<Executable> executable = compile(program);
    cudaMock().waits = 0;
    ASSERT_TRUE(executable->run().ok());
    // The first and the last four join the others to the first stream.
    const int64_t waits = cudaMock().waits;
    cudaMock().waits = 0;
    cudaMock().droppedWait = 4 + round % (waits - 4);
    const bool isLast = cudaMock().droppedWait >= waits - 4;
    Status status = executable->run();
    cudaMock().droppedWait = -1;
    if (status.ok() && !isLast) {
      ++inside;
      missing += orderOfGraph() != orderOf(program);
    }
    if (!status.ok())
      EXPECT_THAT(status.message, HasSubstr("captured"));
    unjoined += !status.ok();
  }
  EXPECT_GT(unjoined, 0);
  EXPECT_GT(inside, 10);
  EXPECT_GE(missing * 4, inside * 3) << missing << " of " << inside;
}

// 100 replays, each in another order that the edges allow.
TEST_F(CudaGraphs, replays_give_the_bits_of_eager_steps) {
  std::mt19937 random(23);
  for (int round = 0; round < 5; ++round) {
    Program program = randomProgram(random, 40);
    Result<Executable> eager = Executable::compile(*device, program);
    ASSERT_TRUE(eager.ok()) << eager.error().message;
    const std::vector<std::byte> right = runFromZeros(*eager);
    Result<Executable> executable = compile(program);
    EXPECT_TRUE(runFromZeros(*executable) == right);
    cudaMock().replays = 0;
    cudaMock().replayedOrders.clear();
    for (int replay = 0; replay < 100; ++replay)
      ASSERT_TRUE(runFromZeros(*executable) == right) << "replay " << replay;
    EXPECT_EQ(cudaMock().replays, 100);
    EXPECT_EQ(cudaMock().replayedOrders.size(), 100u) << "distinct ones";
  }
}

// Parameters, a counter and the batch lie in memory at fixed places, so that a
// graph trains as the eager steps do; a watched step is eager.
TEST_F(CudaGraphs, a_graph_trains) {
  for (bool swapped : {false, true}) {
    Program planned = swapped ? swappedStep() : tinyStep(true);
    Program unplanned = tinyStep(false);
    ASSERT_TRUE(addWorkspace(*device, planned).ok());
    ASSERT_TRUE(addWorkspace(*device, unplanned).ok());
    Result<Executable> graph = compile(planned);
    Result<Executable> eager = Executable::compile(*device, unplanned);
    Result<Feed> feed = Feed::create(planned, {});
    ASSERT_TRUE(feed.ok() && eager.ok());
    CompareOptions options;
    options.steps = 10;
    Result<CompareReport> report = compareRuns(*graph, *eager, *feed, options);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(cudaMock().replays, 9 * (1 + swapped));
    ASSERT_TRUE(feed->feedStep(*graph, 10).ok());
    StepObserver idle;
    StepObserver *watch[] = {&idle};
    EXPECT_TRUE(graph->run(watch).ok());
    EXPECT_EQ(cudaMock().replays, 9 * (1 + swapped));
  }
}

/// The tiny step whose learning rate is multiplied by an argument, number 5.
static Program ratedStep(bool planned) {
  Program program = tinyStep(planned);
  for (const char *name : {"nothing", "rate"}) {
    Argument scalar;
    scalar.name = name;
    scalar.kind = ArgumentKind::State;
    scalar.dtype = DType::F32;
    const auto index = int32_t(program.arguments.size());
    program.arguments.push_back(scalar);
    for (Instruction &instruction : program.instructions)
      if (instruction.kernel == "memplan.sgd_update")
        instruction.inputs.push_back(
            {Space::Argument, index, 0, DType::F32, {}});
  }
  EXPECT_TRUE(nameValues(program).ok());
  return program;
}

static std::vector<std::byte> parameterOf(const Executable &executable) {
  const int64_t bytes = executable.program().arguments[2].bytes();
  std::vector<std::byte> values(static_cast<size_t>(bytes));
  EXPECT_TRUE(executable.readArgument(2, values.data(), bytes).ok());
  return values;
}

// A schedule changes the rate between steps. It lies in device memory, so the
// graph that was captured with one rate runs with the next.
TEST_F(CudaGraphs, a_replay_takes_the_learning_rate_of_its_step) {
  Program planned = ratedStep(true), unplanned = ratedStep(false);
  ASSERT_TRUE(addWorkspace(*device, planned).ok());
  ASSERT_TRUE(addWorkspace(*device, unplanned).ok());
  Result<Executable> graph = compile(planned), fixed = compile(planned);
  Result<Executable> eager = Executable::compile(*device, unplanned);
  Result<Feed> feed = Feed::create(planned, {});
  ASSERT_TRUE(graph.ok() && fixed.ok() && eager.ok() && feed.ok());
  for (Executable *each : {&*graph, &*fixed, &*eager})
    ASSERT_TRUE(feed->initialize(*each).ok());
  const float nothing = 0;
  cudaMock().replays = 0;
  for (int step = 0; step < 10; ++step) {
    const float rate = 1.0f / float(step + 1), same = 1;
    for (Executable *each : {&*graph, &*fixed, &*eager}) {
      ASSERT_TRUE(feed->feedStep(*each, step).ok());
      ASSERT_TRUE(each->writeArgument(4, &nothing, sizeof(nothing)).ok());
      const float &taken = each == &*fixed ? same : rate;
      ASSERT_TRUE(each->writeArgument(5, &taken, sizeof(taken)).ok());
      ASSERT_TRUE(each->run().ok());
    }
    EXPECT_TRUE(parameterOf(*graph) == parameterOf(*eager)) << "step " << step;
    EXPECT_EQ(parameterOf(*graph) == parameterOf(*fixed), step == 0);
  }
  EXPECT_EQ(cudaMock().replays, 2 * 9);
}

// Also where updates are copies, as those of the unplanned step.
TEST_F(CudaGraphs, a_replay_waits_once_and_launches_nothing_else) {
  for (bool planned : {true, false}) {
    Program program = tinyStep(planned);
    ASSERT_TRUE(addWorkspace(*device, program).ok());
    Result<Executable> executable = compile(program);
    for (int step = 0; step < 2; ++step)
      ASSERT_TRUE(executable->run().ok());
    cudaMock().launches = cudaMock().products = cudaMock().allocations = 0;
    cudaMock().synchronizations = 0;
    ASSERT_TRUE(executable->run().ok());
    EXPECT_EQ(cudaMock().launches, 0);
    EXPECT_EQ(cudaMock().products, 0);
    EXPECT_EQ(cudaMock().allocations, 0);
    EXPECT_EQ(cudaMock().synchronizations, 1);
  }
}

// A library that allocates inside a launch cannot be captured. That is an
// error, not a graph that lacks something; eager steps still run.
TEST_F(CudaGraphs, a_call_that_no_capture_allows_is_an_error) {
  Program program = tinyStep(true);
  ASSERT_TRUE(addWorkspace(*device, program).ok());
  Result<Executable> executable = compile(program);
  cudaMock().productsAllocate = true;
  EXPECT_TRUE(executable->run().ok());
  Status status = executable->run();
  EXPECT_EQ(status.code, MEMPLAN_FAILED);
  EXPECT_THAT(
      status.message,
      AllOf(HasSubstr("the step cannot be captured as a graph, and would "
                      "have to run eagerly"),
            HasSubstr("instruction 0 (memplan.matmul")));
  EXPECT_FALSE(executable->hasGraph());
  StepObserver idle;
  StepObserver *watch[] = {&idle};
  EXPECT_TRUE(executable->run(watch).ok());
  cudaMock().productsAllocate = false;
  EXPECT_TRUE(executable->run().ok());
  EXPECT_TRUE(executable->hasGraph());
}

// What waits after each launch cannot be captured, so all steps are eager.
TEST_F(CudaGraphs, no_graph_where_each_launch_waits) {
  device = Status{};
  ::setenv("MEMPLAN_CUDA_WAIT", "1", 1);
  device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
  ::unsetenv("MEMPLAN_CUDA_WAIT");
  Program program = tinyStep(true);
  ASSERT_TRUE(addWorkspace(*device, program).ok());
  Result<Executable> executable = compile(program);
  for (int step = 0; step < 3; ++step)
    EXPECT_TRUE(executable->run().ok());
  EXPECT_FALSE(executable->hasGraph());
}

// Who asks for eager steps gets them from the next one on.
TEST_F(CudaGraphs, steps_are_eager_where_that_is_asked) {
  Program program = tinyStep(true);
  ASSERT_TRUE(addWorkspace(*device, program).ok());
  Result<Executable> executable = compile(program);
  for (int step = 0; step < 2; ++step)
    ASSERT_TRUE(executable->run().ok());
  EXPECT_TRUE(executable->hasGraph());
  executable->runEagerly();
  cudaMock().replays = cudaMock().products = 0;
  ASSERT_TRUE(executable->run().ok());
  EXPECT_FALSE(executable->hasGraph());
  EXPECT_EQ(cudaMock().replays, 0);
  EXPECT_GT(cudaMock().products, 0);
}
