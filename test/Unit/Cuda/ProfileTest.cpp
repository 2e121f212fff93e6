//===- ProfileTest.cpp - Times by the clock of the GPU --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TinyStep.h"
#include "CaseProgram.h"
#include "CudaMock.h"

#include "memplan/Runtime/Data/Feed.h"
#include "memplan/Runtime/Observe/Observers.h"

#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;
using testing::Not;

namespace {
/// On kernels compiled for the host, each of which takes 7 microseconds of the
/// mock's clock.
class CudaProfile : public testing::Test {
protected:
  void SetUp() override {
    cudaMock().reset();
    device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
    cudaMock().kernelMicros = 7;
  }
  void TearDown() override {
    device = Status{};
    EXPECT_EQ(cudaMock().liveHandles, 0);
    EXPECT_EQ(cudaMock().liveBlocks, 0);
    cudaMock().reset();
  }
  Executable compiled() {
    Program program = tinyStep(true);
    EXPECT_TRUE(addWorkspace(*device, program).ok());
    Result<Executable> executable = Executable::compile(*device, program);
    EXPECT_TRUE(executable.ok()) << executable.error().message;
    return std::move(*executable);
  }
  static std::vector<float> weights(const Executable &executable) {
    std::vector<float> values(6);
    EXPECT_TRUE(
        executable.readArgument(2, values.data(), 6 * sizeof(float)).ok());
    return values;
  }
  Result<Device> device = Status{};
};
} // namespace

// By the clock of the host, an operation of 5 microseconds would take the 25
// that a synchronization does, and be run again less often than it should.
TEST_F(CudaProfile, times_are_those_of_the_device) {
  Executable executable = compiled();
  ProfileObserver profile;
  StepObserver *watch[] = {&profile};
  cudaMock().launches = 0;
  ASSERT_TRUE(executable.run(watch).ok());
  EXPECT_GT(cudaMock().launches, 9 * 100) << "one launch is no measurement";
  for (size_t i : {1, 5, 7, 8}) // relu, its gradient, the update, the counter
    EXPECT_NEAR(profile.medianMicros(i), 7, 1e-3) << i;
  EXPECT_NEAR(profile.medianMicros(2), 14, 1e-3) << "the loss is two kernels";
}

// A step that is timed must leave what it leaves otherwise: an update that ran
// a hundred times in place would be a hundred steps.
TEST_F(CudaProfile, launches_beyond_the_first_leave_no_trace) {
  Executable timed = compiled(), plain = compiled();
  Result<Feed> feed = Feed::create(plain.program(), {});
  ASSERT_TRUE(feed.ok()) << feed.error().message;
  ProfileObserver profile;
  StepObserver *watch[] = {&profile};
  for (int64_t step : {0, 1}) {
    for (Executable *executable : {&timed, &plain}) {
      if (step == 0)
        ASSERT_TRUE(feed->initialize(*executable).ok());
      ASSERT_TRUE(feed->feedStep(*executable, step).ok());
    }
    ASSERT_TRUE(timed.run(watch).ok());
    ASSERT_TRUE(plain.run().ok());
    EXPECT_EQ(weights(timed), weights(plain)) << "step " << step;
  }
}

// A planner that knows the time of one engine only cannot choose another.
TEST_F(CudaProfile, every_variant_is_timed) {
  for (const Case &test : allCases()) {
    if (test.kernel != "memplan.conv2d" || count(test.outputs[0].shape) == 0)
      continue;
    Program program = caseProgram(test);
    auto variants = queryWorkspaceVariants(*device, program.instructions[0]);
    ASSERT_TRUE(variants.ok()) << variants.error().message;
    ASSERT_EQ(variants->size(), 3u);
    program.instructions[0].variant = variants->back().name;
    Result<Executable> executable = Executable::compile(*device, program);
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    ProfileObserver profile;
    StepObserver *watch[] = {&profile};
    ASSERT_TRUE(executable->run(watch).ok());
    const Executable *executables[] = {&*executable};
    const ProfileObserver *profiles[] = {&profile};
    Result<std::string> text = profileText(executables, profiles);
    ASSERT_TRUE(text.ok()) << text.error().message;
    for (const WorkspaceVariant &variant : *variants)
      EXPECT_THAT(*text, HasSubstr("\"name\": \"" + variant.name +
                                   "\", \"workspace_bytes\": " +
                                   std::to_string(variant.workspaceBytes)));
    EXPECT_THAT(*text, Not(HasSubstr("\"micros\": 0,")));
    return; // One case shows it.
  }
  FAIL() << "no convolution";
}

// Two readings of a clock around nothing, or without one, must not pass for a
// time.
TEST_F(CudaProfile, a_device_that_is_lost_has_no_times) {
  Executable executable = compiled();
  ASSERT_TRUE(executable.run().ok());
  cudaMock().lost = 700;
  double micros = -1;
  EXPECT_NE(device->backend().time_launches(device->handle(),
                                            &executable.launch(1), 10, &micros),
            MEMPLAN_OK);
}
