//===- ScratchTest.cpp - Scratch beyond the plan --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Observe/Observers.h"

#include <cstring>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using testing::HasSubstr;

namespace {
/// Fast with as many bytes of scratch as its attribute says, which it writes;
/// without them it refuses.
struct Greedy {
  static memplan_status_t prepare(const memplan_launch_t *call,
                                  memplan_prepared_t *prepared) {
    prepared->workspace_bytes = call->attributes[0].int_value;
    return MEMPLAN_OK;
  }
  static memplan_status_t launch(const memplan_launch_t *call) {
    std::memset(call->workspace, 7, size_t(call->attributes[0].int_value));
    std::memset(call->outputs[0].data, 7, 100);
    return MEMPLAN_OK;
  }
  static constexpr memplan_kernel_t kernel = {"test.greedy", prepare, launch,
                                              nullptr,       nullptr, 0};
};

class SharedBlock : public testing::Test {
protected:
  void SetUp() override {
    registerBuiltInBackends();
    static const Status registered = registerKernel(Greedy::kernel);
    ASSERT_TRUE(registered.ok()) << registered.message;
    device = Device::open("reference", 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  /// One instruction for each entry: the bytes that it wants, and its stream.
  static Program program(std::vector<std::pair<int64_t, int32_t>> wanted) {
    Program program;
    program.arenas = {{int64_t(wanted.size()) * 256, 256, "device"}};
    for (auto [bytes, stream] : wanted) {
      Instruction call;
      call.kernel = "test.greedy";
      call.attributes = {{"bytes", bytes}};
      call.stream = stream;
      auto place = int64_t(program.instructions.size()) * 256;
      call.outputs = {{Space::Arena, 0, place, DType::I8, {100}}};
      program.instructions.push_back(call);
    }
    return program;
  }
  Result<Device> device = Status{};
};
} // namespace

// A plan without workspaces runs at full speed: instructions run one after the
// other, so that one block of the largest size serves all of them.
TEST_F(SharedBlock, serves_all_instructions_of_a_stream) {
  Result<Executable> executable =
      Executable::compile(*device, program({{3000, 0}, {5000, 0}, {4000, 0}}));
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  const SharedScratch &shared = executable->sharedScratch();
  EXPECT_EQ(shared.instructions, 3);
  EXPECT_EQ(shared.bytes, 5000);
  EXPECT_EQ(shared.blocks, 1u);
  EXPECT_EQ(executable->missingWorkspace().instructions, 0);
  Result<StepUse> use = measureStep(*executable);
  ASSERT_TRUE(use.ok()) << use.error().message;
  EXPECT_EQ(use->arenas[0].handedOutBytes, 2 * 256 + 100);
  ASSERT_EQ(use->scratch.size(), 1u);
  EXPECT_EQ(use->scratch[0].handedOutBytes, 5000);
  EXPECT_EQ(use->scratch[0].touchedBytes, 5000);
}

// Two streams run at the same time: one block would be written by both.
TEST_F(SharedBlock, is_one_for_each_stream) {
  Result<Executable> executable =
      Executable::compile(*device, program({{3000, 0}, {5000, 1}, {4000, 0}}));
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_EQ(executable->sharedScratch().blocks, 2u);
  EXPECT_EQ(executable->sharedScratch().bytes, 9000);
  EXPECT_EQ(executable->launch(0).workspace, executable->launch(2).workspace);
  EXPECT_NE(executable->launch(0).workspace, executable->launch(1).workspace);
}

// The budget is real bytes: what does not fit beside the step is not taken.
TEST_F(SharedBlock, fits_into_the_budget_beside_the_step) {
  Program step = program({{3000, 0}});
  step.fixedBytes = 1000;
  step.budgetBytes = 256 + 1000 + 3000;
  EXPECT_TRUE(Executable::compile(*device, step).ok());
  step.budgetBytes -= 1;
  EXPECT_THAT(Executable::compile(*device, step).error().message,
              HasSubstr("needs 3000 workspace bytes on reference, 1 thread, "
                        "the program gives 0, and only 2999 may be taken "
                        "beyond the plan"));
  // A limit that the caller gives counts instead.
  EXPECT_TRUE(Executable::compile(*device, step, {3000}).ok());
}

//===----------------------------------------------------------------------===//
// Arenas in host memory
//===----------------------------------------------------------------------===//

// An arena of the space "host" is filled, measured and read back as one of the
// device is, wherever its memory comes from.
TEST_F(SharedBlock, arenas_of_the_host_are_measured_too) {
  Program step = program({{10, 0}, {10, 0}});
  step.arenas.push_back({512, 256, "host"});
  step.instructions[1].kernel = "memplan.evict";
  step.instructions[1].queue = Queue::DeviceToHost;
  step.instructions[1].attributes.clear();
  step.instructions[1].inputs = step.instructions[0].outputs;
  step.instructions[1].outputs[0].index = 1;
  Result<Executable> executable = Executable::compile(*device, step);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(executable->arenaBase(1)) % 256, 0u);
  Result<StepUse> use = measureStep(*executable);
  ASSERT_TRUE(use.ok()) << use.error().message;
  EXPECT_EQ(use->arenas[1].plannedBytes, 512);
  EXPECT_EQ(use->arenas[1].handedOutBytes, 356);
  EXPECT_EQ(use->arenas[1].touchedBytes, 100);
  step.arenas[1].space = "moon";
  EXPECT_THAT(step.check().message,
              HasSubstr("arena 1 is in the space 'moon'; device and host"));
}
