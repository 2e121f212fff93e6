//===- OnHostTest.cpp - The plugin's kernels compiled for the host --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conformance cases run on these kernels in tests of their own; here are
// whole steps, and data that kernels must refuse.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TinyStep.h"
#include "CaseProgram.h"
#include "CudaMock.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Feed.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using memplan::runtime::test::swappedStep;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

namespace {
class CudaOnHost : public testing::Test {
protected:
  void SetUp() override {
    cudaMock().reset();
    registerBuiltInBackends();
    device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  void TearDown() override { device = Status{}; }
  Result<Device> device = Status{};
};
} // namespace

static std::vector<float> losses(const Device &device, Program program,
                                 int steps) {
  Status status = addWorkspace(device, program);
  EXPECT_TRUE(status.ok()) << status.message;
  Result<Feed> feed = Feed::create(program, {});
  Result<Executable> executable = Executable::compile(device, program);
  EXPECT_TRUE(executable.ok()) << executable.error().message;
  if (!executable.ok() || !feed.ok() || !feed->initialize(*executable).ok())
    return {};
  std::vector<float> losses;
  for (int step = 0; step < steps; ++step) {
    EXPECT_TRUE(feed->feedStep(*executable, step).ok());
    Status status = executable->run();
    EXPECT_TRUE(status.ok()) << status.message;
    losses.push_back(0);
    EXPECT_TRUE(executable->readOutput(0, &losses.back(), sizeof(float)).ok());
  }
  return losses;
}

// The claim of the whole project, on this backend's kernels: a plan changes
// where values lie and nothing else.
TEST_F(CudaOnHost, planned_steps_equal_unplanned_ones) {
  std::vector<float> unplanned = losses(*device, tinyStep(false), 5);
  ASSERT_EQ(unplanned.size(), 5u);
  EXPECT_EQ(unplanned, losses(*device, tinyStep(true), 5));
  EXPECT_EQ(unplanned, losses(*device, swappedStep(), 5));
  EXPECT_LT(unplanned[4], unplanned[0]);
  Result<Device> plain = Device::open("reference", 0, 1);
  ASSERT_TRUE(plain.ok());
  std::vector<float> expected = losses(*plain, tinyStep(false), 5);
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(unplanned[i], expected[i], 1e-6 * (1 + expected[i]));
}

/// Runs the kernel's first case with one integer of an input changed.
static std::string errorWith(const Device &device, const std::string &kernel,
                             size_t input, double value) {
  for (Case test : allCases()) {
    if (test.kernel != kernel)
      continue;
    test.inputs[input].values[0] = value;
    auto outputs = runCase(device, test);
    return outputs.ok() ? "" : outputs.error().message;
  }
  return "no case";
}

// Kernels cannot stop the stream: without the fault word a bad label would read
// outside of its row in silence.
TEST_F(CudaOnHost, reports_bad_data_at_the_end_of_the_step) {
  EXPECT_THAT(errorWith(*device, "memplan.cross_entropy", 1, 1e6),
              HasSubstr("label"));
  EXPECT_THAT(errorWith(*device, "memplan.cross_entropy_grad", 1, -7),
              HasSubstr("label"));
  EXPECT_THAT(errorWith(*device, "memplan.embedding", 1, -1), HasSubstr("id"));
  EXPECT_THAT(errorWith(*device, "memplan.embedding_grad", 0, 1e6),
              HasSubstr("id"));
  EXPECT_THAT(errorWith(*device, "memplan.gather", 1, 1e6), HasSubstr("index"));
  EXPECT_THAT(errorWith(*device, "memplan.gather_grad", 0, -2),
              HasSubstr("index"));
  EXPECT_THAT(errorWith(*device, "memplan.scatter", 0, -2), HasSubstr("index"));
  EXPECT_THAT(errorWith(*device, "memplan.max_pool2d_grad", 1, 120),
              HasSubstr("max pool"));
  EXPECT_THAT(errorWith(*device, "memplan.adam_update", 3, 0),
              HasSubstr("step"));
  // The report takes the fault back.
  EXPECT_EQ(errorWith(*device, "memplan.embedding", 1, 0), "");
}
