//===- MockTest.cpp - Host code on a mock of the CUDA libraries -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels are those compiled by nvcc and do nothing here, so nothing in
// this file looks at results.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TinyStep.h"
#include "CaseProgram.h"
#include "CudaMock.h"

#include "memplan/Runtime/Data/Feed.h"
#include "memplan/Runtime/Support/AllocationCount.h"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using memplan::runtime::test::swappedStep;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

namespace {
class CudaOnMock : public testing::Test {
protected:
  void SetUp() override {
    cudaMock().reset();
    device = Device::open(MEMPLAN_CUDA_PLUGIN, 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  void TearDown() override {
    device = Status{};
    EXPECT_EQ(cudaMock().liveHandles, 0);
    EXPECT_EQ(cudaMock().liveBlocks, 0);
    EXPECT_EQ(cudaMock().misuses, 0);
    EXPECT_EQ(cudaMock().emptyLaunches, 0);
    cudaMock().reset();
  }
  /// The tiny step with the scratch that this backend asks for.
  Program program() {
    Program program = tinyStep(/*planned=*/true);
    Status status = addWorkspace(*device, program);
    EXPECT_TRUE(status.ok()) << status.message;
    return program;
  }
  Result<Device> device = Status{};
};
} // namespace

static const Case &caseOf(const std::string &kernel) {
  for (const Case &test : allCases())
    if (test.kernel == kernel)
      return test;
  ADD_FAILURE() << "no case of " << kernel;
  return allCases()[0];
}

// A machine with a driver but no GPU, or with the toolkit's stub, has no
// device; it is not broken.
TEST_F(CudaOnMock, counts_no_device_where_the_driver_has_none) {
  for (int32_t error : {35, 100, 34}) { // driver too old, no device, stub
    cudaMock().deviceCountError = error;
    int32_t count = -1;
    EXPECT_EQ(device->backend().device_count(&count), MEMPLAN_OK);
    EXPECT_EQ(count, 0);
    Result<Device> second = Device::open(MEMPLAN_CUDA_PLUGIN, 0, 1);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, MEMPLAN_UNAVAILABLE);
    EXPECT_THAT(second.error().message, HasSubstr("no CUDA device"));
  }
}

// The plan is worth nothing if the device is asked for memory behind its back.
TEST_F(CudaOnMock, takes_one_allocation_for_an_arena) {
  Program step = program();
  int64_t arena = step.arenas[0].bytes;
  // The libraries are opened by now; their handles belong to the device.
  int64_t before = cudaMock().liveBlocks;
  cudaMock().allocations = cudaMock().largestAllocation = 0;
  {
    Result<Executable> executable = Executable::compile(*device, step);
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    // The arena, and one block for what lies beside it.
    EXPECT_EQ(cudaMock().allocations, 2);
    // With the guard behind it.
    EXPECT_EQ(cudaMock().largestAllocation, arena + 256);
    EXPECT_EQ(device->backend().check_guards(device->handle(),
                                             executable->arenaBase(0)),
              MEMPLAN_OK);
  }
  EXPECT_EQ(cudaMock().liveBlocks, before);
}

// A launch that allocates or waits would make steps slow and memory unplanned.
TEST_F(CudaOnMock, queues_a_step_without_allocating) {
  Result<Executable> executable = Executable::compile(*device, program());
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  ASSERT_TRUE(executable->run().ok());
  cudaMock().allocations = cudaMock().launches = cudaMock().products = 0;
  cudaMock().synchronizations = 0;
  int64_t host = allocationCount();
  Status status = executable->run();
  EXPECT_EQ(allocationCount(), host);
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(cudaMock().allocations, 0);
  EXPECT_EQ(cudaMock().products, 2);
  // relu, mse (2), constant, mse_grad, relu_grad, sgd, increment.
  EXPECT_EQ(cudaMock().launches, 8);
  // Only the end of the step waits.
  EXPECT_EQ(cudaMock().synchronizations, 1);
}

// Streams and engines get their work, and events between them; the host waits
// once, at the end.
TEST_F(CudaOnMock, queues_streams_and_copies_without_waiting) {
  Program step = swappedStep();
  ASSERT_TRUE(addWorkspace(*device, step).ok());
  Result<Executable> executable = Executable::compile(*device, step);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_EQ(cudaMock().pinned, 2)
      << "the arena on the host, and what values come through";
  Result<Feed> feed = Feed::create(step, {});
  ASSERT_TRUE(feed.ok() && feed->initialize(*executable).ok());
  ASSERT_TRUE(feed->feedStep(*executable, 0).ok());
  ASSERT_TRUE(executable->run().ok());
  cudaMock().allocations = cudaMock().synchronizations = 0;
  const int64_t handles = cudaMock().liveHandles, host = allocationCount();
  ASSERT_TRUE(executable->run().ok());
  EXPECT_EQ(allocationCount(), host);
  EXPECT_EQ(cudaMock().allocations, 0);
  EXPECT_EQ(cudaMock().liveHandles, handles);
  EXPECT_EQ(cudaMock().synchronizations, 1);
  cudaMock().logs = true;
  ASSERT_TRUE(executable->run().ok());
  const std::string &log = cudaMock().log;
  // Stream 0 and 1, 2 to the host, 3 to the device.
  EXPECT_EQ(log.substr(0, log.find("synchronize")),
            // All start after what stream 0 did before.
            "record 6 on 0; wait 6 on 1; wait 6 on 2; wait 6 on 3; "
            // y is made and goes out; the counter comes in, after nothing.
            "product on 0; launch 0; record 0 on 0; wait 0 on 2; "
            "copy 512 on 2; record 1 on 2; copy 8 on 3; record 3 on 3; "
            // The loss; then the constant over y, when y is out.
            "launch 0; launch 0; wait 1 on 0; launch 0; "
            // y comes back; the counter is raised and goes out.
            "record 2 on 0; wait 2 on 3; copy 512 on 3; record 5 on 3; "
            "wait 3 on 1; launch 1; record 4 on 1; wait 4 on 2; copy 8 on 2; "
            // The gradients read y again.
            "wait 5 on 0; launch 0; launch 0; product on 0; launch 0; "
            // The end waits for all, and fetches the fault word.
            "record 6 on 1; wait 6 on 0; record 6 on 2; wait 6 on 0; "
            "record 6 on 3; wait 6 on 0; copy 4 on 0; ");
}

// Products follow their launch to its stream, one after the other.
TEST_F(CudaOnMock, library_calls_go_to_the_stream_of_their_launch) {
  Program step = program();
  for (Instruction &instruction : step.instructions)
    instruction.stream = 1;
  step.instructions[0].stream = 0;
  step.instructions[1].waits = {0};
  Result<Executable> executable = Executable::compile(*device, step);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  cudaMock().products = 0;
  EXPECT_TRUE(executable->run().ok());
  EXPECT_EQ(cudaMock().products, 2);
  cudaMock().logs = true;
  EXPECT_TRUE(executable->run().ok());
  EXPECT_THAT(cudaMock().log, HasSubstr("product on 0; "));
  EXPECT_THAT(cudaMock().log, HasSubstr("product on 1; "));
}

// Out of memory is the error that this project is about: it names the numbers,
// and what comes after it works.
TEST_F(CudaOnMock, reports_exhausted_memory) {
  Program step = program();
  cudaMock().memoryBytes = cudaMock().liveBytes + 1000;
  Result<Executable> executable = Executable::compile(*device, step);
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(executable.error().code, MEMPLAN_OUT_OF_MEMORY);
  EXPECT_THAT(executable.error().message, HasSubstr("out of memory"));
  EXPECT_THAT(executable.error().message,
              HasSubstr(std::to_string(step.arenas[0].bytes)));
  EXPECT_THAT(executable.error().message, HasSubstr("1000 of"));
  cudaMock().memoryBytes = int64_t(1) << 40;
  executable = Executable::compile(*device, step);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_TRUE(executable->run().ok());
}

// A launch that was refused must be blamed on its own instruction, not on a
// later one, and taken back.
TEST_F(CudaOnMock, reports_a_failed_launch_once) {
  Result<Executable> executable = Executable::compile(*device, program());
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  cudaMock().launchError = 9; // cudaErrorInvalidConfiguration
  Status status = executable->run();
  EXPECT_EQ(status.code, MEMPLAN_FAILED);
  EXPECT_THAT(status.message, HasSubstr("memplan.relu"));
  EXPECT_TRUE(executable->run().ok());
}

// cuDNN's scratch is part of the plan, and a shape that cuDNN refuses still
// runs.
TEST_F(CudaOnMock, asks_for_the_scratch_of_convolutions) {
  for (const char *kernel :
       {"memplan.conv2d", "memplan.conv2d_input_grad",
        "memplan.conv2d_filter_grad", "memplan.conv_transpose2d"}) {
    const Case &test = caseOf(kernel);
    cudaMock().refuseConvolutions = false;
    cudaMock().convolutions = 0;
    Program program = caseProgram(test);
    Result<int64_t> bytes =
        queryWorkspaceBytes(*device, program.instructions[0]);
    ASSERT_TRUE(bytes.ok()) << bytes.error().message;
    EXPECT_GT(*bytes, 0) << kernel;
    ASSERT_TRUE(runCase(*device, test).ok());
    EXPECT_EQ(cudaMock().convolutions, 1) << kernel;
    cudaMock().refuseConvolutions = true;
    bytes = queryWorkspaceBytes(*device, program.instructions[0]);
    ASSERT_TRUE(bytes.ok()) << bytes.error().message;
    EXPECT_EQ(*bytes, 0) << kernel;
    ASSERT_TRUE(runCase(*device, test).ok());
    EXPECT_EQ(cudaMock().convolutions, 1) << kernel;
  }
}

// A program that was planned without scratch runs on the library's kernels with
// one block beyond the plan.
TEST_F(CudaOnMock, runs_a_program_without_scratch_on_a_shared_block) {
  Program step = program();
  for (Instruction &instruction : step.instructions)
    if (instruction.kernel == "memplan.matmul")
      instruction.workspace.reset();
  Result<Executable> executable = Executable::compile(*device, step);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_EQ(executable->missingWorkspace().instructions, 0);
  EXPECT_EQ(executable->sharedScratch().instructions, 2);
  EXPECT_EQ(executable->sharedScratch().blocks, 1u);
  EXPECT_EQ(executable->sharedScratch().bytes,
            executable->sharedScratch().largestBytes);
  cudaMock().products = cudaMock().launches = cudaMock().allocations = 0;
  EXPECT_TRUE(executable->run().ok());
  EXPECT_EQ(cudaMock().products, 2);
  EXPECT_EQ(cudaMock().launches, 8);
  EXPECT_EQ(cudaMock().allocations, 0);
  EXPECT_EQ(cudaMock().misuses, 0);
}

// Where no block fits it must not run with less than the library takes: the
// plugin's own kernels run it, slower, and that is said.
TEST_F(CudaOnMock, runs_a_program_without_scratch_on_its_own_kernels) {
  Program step = program();
  for (Instruction &instruction : step.instructions)
    if (instruction.kernel == "memplan.matmul")
      instruction.workspace.reset();
  Result<Executable> executable = Executable::compile(*device, step, {0});
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_EQ(executable->missingWorkspace().instructions, 2);
  EXPECT_GE(executable->missingWorkspace().largestBytes, 16 << 10);
  cudaMock().products = cudaMock().launches = 0;
  EXPECT_TRUE(executable->run().ok());
  EXPECT_EQ(cudaMock().products, 0);
  EXPECT_EQ(cudaMock().launches, 10);
}

// Copies from and to memory that is not page-locked wait for each other, so an
// arena of the space "host" must come from cudaHostAlloc, and go back there.
TEST_F(CudaOnMock, takes_page_locked_memory_for_host_arenas) {
  int64_t blocks = cudaMock().liveBlocks;
  cudaMock().allocations = cudaMock().pinned = 0;
  {
    Result<DeviceBuffer> host = DeviceBuffer::allocateHost(*device, 1000, 4096);
    ASSERT_TRUE(host.ok()) << host.error().message;
    EXPECT_EQ(cudaMock().pinned, 1);
    EXPECT_EQ(cudaMock().allocations, 1);
    EXPECT_EQ(cudaMock().liveBlocks, blocks + 1);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(host->base()) % 4096, 0u);
    const memplan_backend_t &backend = device->backend();
    EXPECT_EQ(backend.check_guards(device->handle(), host->base()), MEMPLAN_OK);
    host->base()[1000] = std::byte(1);
    EXPECT_EQ(backend.check_guards(device->handle(), host->base()),
              MEMPLAN_CHECK_FAILED);
    // A block of one kind does not go back as the other.
    EXPECT_EQ(backend.free(device->handle(), host->base()),
              MEMPLAN_INVALID_ARGUMENT);
  }
  EXPECT_EQ(cudaMock().liveBlocks, blocks);
  cudaMock().memoryBytes = cudaMock().liveBytes + 1000;
  Result<DeviceBuffer> host = DeviceBuffer::allocateHost(*device, 1000, 256);
  ASSERT_FALSE(host.ok());
  EXPECT_EQ(host.error().code, MEMPLAN_OUT_OF_MEMORY);
  EXPECT_THAT(host.error().message, HasSubstr("page-locked host memory"));
}

// The guard finds a kernel that writes past its arena.
TEST_F(CudaOnMock, finds_a_write_behind_a_block) {
  const memplan_backend_t &backend = device->backend();
  void *base = nullptr;
  ASSERT_EQ(backend.alloc(device->handle(), 1000, 4096, &base), MEMPLAN_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(base) % 4096, 0u);
  EXPECT_EQ(backend.check_guards(device->handle(), base), MEMPLAN_OK);
  static_cast<char *>(base)[1003] = 1;
  EXPECT_EQ(backend.check_guards(device->handle(), base), MEMPLAN_CHECK_FAILED);
  EXPECT_THAT(backend.last_error(device->handle()),
              HasSubstr("byte 1003, 4 beyond a block of 1000"));
  EXPECT_EQ(backend.free(device->handle(), base), MEMPLAN_OK);
  EXPECT_EQ(backend.free(device->handle(), base), MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(backend.alloc(device->handle(), 10, 3, &base),
            MEMPLAN_INVALID_ARGUMENT);
}

// Grids, blocks, streams and scratch of every kernel at every shape there is a
// case for.
TEST_F(CudaOnMock, launches_every_case) {
  for (const Case &test : casesOf(*device)) {
    cudaMock().launches = 0;
    auto outputs = runCase(*device, test);
    ASSERT_TRUE(outputs.ok()) << test.kernel << " (" << test.variant
                              << "): " << outputs.error().message;
    EXPECT_EQ(cudaMock().misuses, 0) << test.kernel;
    EXPECT_EQ(cudaMock().emptyLaunches, 0) << test.kernel;
  }
}

// A plan made where no GPU is described gives convolutions a guess. Where the
// first algorithm does not fit into it, another one must run, or the program
// could not.
TEST_F(CudaOnMock, takes_an_algorithm_that_fits_into_the_plan) {
  cudaMock().refuseGraphs = true;
  for (const char *kernel : {"memplan.conv2d", "memplan.conv2d_filter_grad"}) {
    Program program = caseProgram(caseOf(kernel));
    int64_t begin = (program.arenas[0].bytes + 255) / 256 * 256;
    program.instructions[0].workspace =
        Operand{Space::Arena, 0, begin, DType::I8, {1}};
    program.arenas[0].bytes = begin + 1;
    cudaMock().convolutions = cudaMock().launches = 0;
    Result<Executable> executable = Executable::compile(*device, program, {0});
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    EXPECT_TRUE(executable->run().ok());
    // Forward there is an algorithm without scratch; else the own kernel runs.
    bool forward = std::string(kernel) == "memplan.conv2d";
    EXPECT_EQ(cudaMock().convolutions, forward ? 1 : 0);
    EXPECT_EQ(cudaMock().launches > 0, !forward);
  }
}

// Planning for a GPU from a machine without one.
TEST_F(CudaOnMock, plans_without_a_gpu) {
  cudaMock().deviceCountError = 100; // no device
  ::setenv("MEMPLAN_CUDA_PLAN_ONLY", "1", 1);
  Result<Device> planner = Device::open(MEMPLAN_CUDA_PLUGIN, 0, 1);
  ::unsetenv("MEMPLAN_CUDA_PLAN_ONLY");
  cudaMock().deviceCountError = 0;
  ASSERT_TRUE(planner.ok()) << planner.error().message;
  EXPECT_EQ(planner->name(), "cuda, planning only");
  for (const Case &test : casesOf(*device)) {
    Program program = caseProgram(test);
    ASSERT_TRUE(addWorkspace(*planner, program).ok()) << test.kernel;
    // What was planned there runs here.
    Result<Executable> executable = Executable::compile(*device, program);
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    EXPECT_TRUE(executable->run().ok()) << test.kernel;
  }
  Result<Executable> refused = Executable::compile(*planner, program());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(refused.error().message, HasSubstr("only plans"));
}
