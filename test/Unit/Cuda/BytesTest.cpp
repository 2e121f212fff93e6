//===- BytesTest.cpp - Bytes that a program takes of the device -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TinyStep.h"
#include "CaseProgram.h"
#include "HostDeviceTest.h"

#include "memplan/Runtime/Data/Feed.h"
#include "memplan/Runtime/Observe/Observers.h"

#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using memplan::runtime::test::swappedStep;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

namespace {
/// On the plugin as built, and on its kernels compiled for the host.
class CudaBytes : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    cudaMock().reset();
    device = Device::open(GetParam(), 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  void TearDown() override {
    device = Status{};
    EXPECT_EQ(cudaMock().liveHandles, 0);
    EXPECT_EQ(cudaMock().liveBlocks, 0);
    cudaMock().reset();
    cudaMock().liveBytes = 0;
  }
  Program planned() {
    Program program = tinyStep(true);
    EXPECT_TRUE(addWorkspace(*device, program).ok());
    return program;
  }
  Result<Device> device = Status{};
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Plugins, CudaBytes,
                         testing::Values(MEMPLAN_CUDA_PLUGIN,
                                         MEMPLAN_CUDA_ON_HOST),
                         [](const auto &info) {
                           return info.index ? "on_host" : "as_built";
                         });

// A block for each argument would lose a page for each.
TEST_P(CudaBytes, takes_what_was_planned_and_two_pages) {
  Program program = planned();
  // As many arguments as a network has, each a little more than a page.
  constexpr int64_t page = 2 << 20;
  for (int i = 0; i < 50; ++i) {
    Argument &argument = program.arguments.emplace_back();
    argument.name = "p" + std::to_string(i);
    argument.kind = ArgumentKind::Parameter;
    argument.shape = {page / 4 + 64};
  }
  ASSERT_TRUE(nameValues(program).ok());
  // Once, so that code is loaded.
  ASSERT_TRUE(Executable::compile(*device, program).ok());
  cudaMock().pageBytes = page;
  cudaMock().allocations = 0;
  const int64_t before = cudaMock().liveBytes;
  Result<Executable> executable = Executable::compile(*device, program);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_EQ(cudaMock().allocations, 1 + int64_t(program.arenas.size()));
  EXPECT_LE(cudaMock().liveBytes - before, program.residentBytes() + 2 * page);
  EXPECT_GE(cudaMock().liveBytes - before, program.residentBytes());
}

// A kernel that is loaded by its first launch takes memory inside the step,
// which a plan that fills the device does not leave.
TEST_P(CudaBytes, no_launch_loads_code) {
  for (const Case &test : casesOf(*device)) {
    cudaMock().reset();
    cudaMock().codeBytes = 1000;
    Program program = caseProgram(test);
    ASSERT_TRUE(addWorkspace(*device, program).ok());
    Result<Executable> executable = Executable::compile(*device, program);
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    // Nothing is free: whatever the step takes fails.
    cudaMock().memoryBytes = cudaMock().liveBytes;
    const int64_t taken = cudaMock().liveBytes;
    // Whatever it thinks of its data, of which there are none.
    EXPECT_NE(executable->run().code, MEMPLAN_OUT_OF_MEMORY) << test.kernel;
    EXPECT_EQ(cudaMock().lateLoads, 0) << test.kernel << " " << test.variant;
    EXPECT_EQ(cudaMock().liveBytes, taken) << test.kernel;
  }
}

// What context, libraries and code take is no part of a plan, and is told
// apart.
TEST_P(CudaBytes, tells_bytes_of_context_handles_and_code_apart) {
  device = Status{};
  cudaMock().reset();
  cudaMock().contextBytes = 500 << 20;
  cudaMock().handleBytes = 32 << 20;
  cudaMock().codeBytes = 1000;
  device = Device::open(GetParam(), 0, 1);
  ASSERT_TRUE(device.ok()) << device.error().message;
  memplan_overhead_t overhead = {};
  const memplan_backend_t &backend = device->backend();
  ASSERT_EQ(backend.overhead_bytes(device->handle(), &overhead), MEMPLAN_OK);
  EXPECT_EQ(overhead.context_bytes, 500 << 20);
  // cuBLAS and cuBLASLt; that of cuDNN takes nothing here.
  EXPECT_EQ(overhead.handle_bytes, 64 << 20);
  EXPECT_EQ(overhead.code_bytes, 0);
  Result<Executable> executable = Executable::compile(*device, planned());
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  ASSERT_EQ(backend.overhead_bytes(device->handle(), &overhead), MEMPLAN_OK);
  EXPECT_EQ(overhead.handle_bytes, 64 << 20);
  // The bias, relu, the loss (2), the constant, two gradients, two updates.
  EXPECT_EQ(overhead.code_bytes, 9 * 1000);
}

// Nothing is made up where the driver's library is not there or says nothing.
TEST_P(CudaBytes, says_that_bytes_of_the_context_are_not_known) {
  device = Status{};
  cudaMock().reset();
  cudaMock().contextBytes = 500 << 20;
  cudaMock().hasNvml = false;
  device = Device::open(GetParam(), 0, 1);
  ASSERT_TRUE(device.ok()) << device.error().message;
  memplan_overhead_t overhead = {};
  ASSERT_EQ(device->backend().overhead_bytes(device->handle(), &overhead),
            MEMPLAN_OK);
  EXPECT_EQ(overhead.context_bytes, -1);
}

// cuBLAS refuses scratch that is not aligned to 256.
TEST_P(CudaBytes, scratch_is_aligned_whatever_the_plan_says) {
  Program program = planned();
  for (Instruction &instruction : program.instructions)
    if (instruction.workspace)
      instruction.workspace->byteOffset += 64;
  program.arenas[0].alignment = 64;
  program.arenas[0].bytes += 64;
  Result<Executable> executable = Executable::compile(*device, program);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  for (size_t i = 0; i < program.instructions.size(); ++i)
    EXPECT_EQ(
        reinterpret_cast<uintptr_t>(executable->launch(i).workspace) % 256, 0u);
  cudaMock().products = 0;
  Status status = executable->run();
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(cudaMock().products, 2);
}

// Swap goes through page-locked memory, and a plan may use what was free before
// the step that is profiled took its own.
TEST_P(CudaBytes, a_profile_is_of_page_locked_memory_and_of_all_free_bytes) {
  Program program = planned();
  // Code is loaded and queues are open, as they are for good.
  ASSERT_TRUE(Executable::compile(*device, program).ok());
  int64_t before = 0;
  const memplan_backend_t &backend = device->backend();
  ASSERT_EQ(backend.usable_bytes(device->handle(), &before), MEMPLAN_OK);
  Result<Executable> executable = Executable::compile(*device, program);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  ProfileObserver profile;
  StepObserver *watch[] = {&profile};
  ASSERT_TRUE(executable->run(watch).ok());
  const Executable *executables[] = {&*executable};
  const ProfileObserver *profiles[] = {&profile};
  cudaMock().pinned = cudaMock().copies = 0;
  cudaMock().logs = true;
  Result<std::string> profiled = profileText(executables, profiles);
  cudaMock().logs = false;
  ASSERT_TRUE(profiled.ok()) << profiled.error().message;
  const std::string &text = *profiled;
  EXPECT_EQ(cudaMock().pinned, 2);
  EXPECT_THAT(cudaMock().log, HasSubstr("copy 16777216 on 1; "));
  EXPECT_THAT(cudaMock().log, HasSubstr("copy 16777216 on 2; "));
  const size_t at = text.find("\"usable_bytes\": ");
  ASSERT_NE(at, text.npos);
  const int64_t usable = std::stoll(text.substr(at + 16));
  // Guards and rounding are no bytes of a plan.
  EXPECT_LE(usable, before);
  EXPECT_GE(usable, before - 8192);
  EXPECT_THAT(text, HasSubstr("\"backend_version\": \"driver for CUDA"));
  for (const char *rate : {"\"h2d\": 0,", "\"d2h\": 0,", "\"both\": 0}"})
    EXPECT_EQ(text.find(rate), text.npos) << text.substr(0, 400);
}

// The arena may be the caller's: its bytes are used, and nothing beside them.
TEST_P(CudaBytes, an_arena_may_be_the_callers) {
  Program program = planned();
  const int64_t bytes = program.arenas[0].bytes;
  Result<DeviceBuffer> memory = DeviceBuffer::allocate(*device, bytes, 256);
  ASSERT_TRUE(memory.ok());
  ExecuteOptions options;
  options.arenaMemory = {{memory->base(), size_t(bytes)}};
  cudaMock().allocations = 0;
  {
    Result<Executable> executable =
        Executable::compile(*device, program, options);
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    EXPECT_EQ(cudaMock().allocations, 1);
    EXPECT_EQ(executable->arenaBase(0), memory->base());
    PoisonObserver poison;
    StepObserver *watch[] = {&poison};
    EXPECT_TRUE(executable->run().ok());
    Status status = executable->run(watch);
    EXPECT_TRUE(status.ok()) << status.message;
  }
  // It was not freed.
  EXPECT_EQ(device->backend().check_guards(device->handle(), memory->base()),
            MEMPLAN_OK);
  options.arenaMemory = {{memory->base() + 64, size_t(bytes)}};
  EXPECT_THAT(Executable::compile(*device, program, options).error().message,
              HasSubstr("aligned to 256"));
  options.arenaMemory = {{memory->base(), size_t(bytes - 1)}};
  EXPECT_THAT(Executable::compile(*device, program, options).error().message,
              HasSubstr("takes " + std::to_string(bytes) + " bytes"));
}

namespace {
class CudaFeeding : public HostDeviceTest {};
} // namespace

// What the caller hands in may change at once, and the device has yet to copy
// it: it lies in page-locked bytes by then, which are not taken again before.
TEST_F(CudaFeeding, goes_through_page_locked_bytes) {
  const int64_t elements = int64_t(9) << 20; // more than twice the buffer
  conformance::Case test;
  test.kernel = "memplan.relu";
  test.inputs = {{{elements}, conformance::Values(size_t(elements))}};
  test.outputs = test.inputs;
  Result<Executable> executable =
      Executable::compile(*device, conformance::caseProgram(test));
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  std::vector<float> values(static_cast<size_t>(elements));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i % 1000003);
  cudaMock().synchronizations = cudaMock().pageableCopies = 0;
  cudaMock().allocations = cudaMock().copies = 0;
  ASSERT_TRUE(executable->writeArgument(0, values.data(), elements * 4).ok());
  EXPECT_EQ(cudaMock().copies, 3);
  EXPECT_EQ(cudaMock().synchronizations, 2) << "for the end of the buffer";
  EXPECT_EQ(cudaMock().pageableCopies, 0);
  EXPECT_EQ(cudaMock().allocations, 0);
  values.assign(values.size(), -1);
  ASSERT_TRUE(executable->run().ok());
  ASSERT_TRUE(executable->readOutput(0, values.data(), elements * 4).ok());
  size_t wrong = 0;
  for (size_t i = 0; i < values.size(); ++i)
    wrong += values[i] != float(i % 1000003);
  EXPECT_EQ(wrong, 0u);
}

// A batch that fits waits for nothing.
TEST_F(CudaFeeding, of_a_batch_waits_for_nothing) {
  Program program = tinyStep(true);
  ASSERT_TRUE(addWorkspace(*device, program).ok());
  Result<Executable> executable = Executable::compile(*device, program);
  Result<Feed> feed = Feed::create(program, {});
  ASSERT_TRUE(executable.ok() && feed.ok());
  ASSERT_TRUE(feed->initialize(*executable).ok());
  cudaMock().synchronizations = cudaMock().pageableCopies = 0;
  for (int step = 0; step < 10; ++step) {
    ASSERT_TRUE(feed->feedStep(*executable, step).ok());
    ASSERT_TRUE(executable->run().ok());
  }
  EXPECT_EQ(cudaMock().synchronizations, 10) << "one for each step";
  EXPECT_EQ(cudaMock().pageableCopies, 0);
}
