//===- FailureTest.cpp - Libraries that are missing, devices that are lost ===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TinyStep.h"
#include "CaseProgram.h"
#include "CudaMock.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using memplan::runtime::test::swappedStep;
using memplan::runtime::test::tinyStep;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {
/// A variable of the environment while the object lives.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name); }
  Variable(const Variable &) = delete;

private:
  const char *name;
};

class CudaFailures : public testing::Test {
protected:
  void SetUp() override { cudaMock().reset(); }
  void TearDown() override {
    EXPECT_EQ(cudaMock().liveHandles, 0);
    EXPECT_EQ(cudaMock().liveBlocks, 0);
    cudaMock().reset();
  }
};
} // namespace

static Result<Device> openDevice() {
  return Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
}

/// Why the device cannot be opened; "" if it can.
static std::string refusal() {
  Result<Device> device = openDevice();
  if (!device.ok())
    EXPECT_EQ(device.error().code, MEMPLAN_UNAVAILABLE);
  return device.ok() ? "" : device.error().message;
}

static Program programFor(const Device &device) {
  Program program = tinyStep(true);
  Status status = addWorkspace(device, program);
  EXPECT_TRUE(status.ok()) << status.message;
  return program;
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

// Without a word the step would be tens of times slower, with other bits.
TEST_F(CudaFailures, a_missing_library_is_an_error_unless_it_is_left_out) {
  const std::string folder = testing::TempDir() + "memplan-no-libraries";
  std::filesystem::create_directories(folder);
  Variable folders("MEMPLAN_CUDA_LIBRARIES", "/nowhere:" + folder);
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("cuBLAS cannot be used: libcublas.so."),
                    HasSubstr("lies in no folder of MEMPLAN_CUDA_LIBRARIES"),
                    HasSubstr("MEMPLAN_CUDA_WITHOUT=cublas")));
  {
    Variable without("MEMPLAN_CUDA_WITHOUT", "cublas");
    EXPECT_THAT(refusal(), HasSubstr("cuDNN cannot be used: libcudnn.so.9"));
  }
  Variable without("MEMPLAN_CUDA_WITHOUT", "cudnn,cublas");
  EXPECT_EQ(refusal(), "");
}

// The reason is the loader's own, or the function that an old library lacks.
TEST_F(CudaFailures, a_broken_library_is_an_error_with_its_reason) {
  Variable without("MEMPLAN_CUDA_WITHOUT", "cudnn");
  const std::string folder = testing::TempDir() + "memplan-broken-libraries";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/" MEMPLAN_CUBLAS_FILE;
  std::ofstream(file) << std::string(5000, 'x');
  Variable folders("MEMPLAN_CUDA_LIBRARIES", folder);
  EXPECT_THAT(refusal(), HasSubstr("invalid ELF header"));
  std::filesystem::remove(file);
  std::filesystem::create_symlink(MEMPLAN_CUDA_PLUGIN, file);
  EXPECT_THAT(refusal(), HasSubstr("lacks cublasCreate_v2"));
}

TEST_F(CudaFailures, a_handle_that_fails_is_an_error_with_its_reason) {
  cudaMock().blasError = 3; // CUBLAS_STATUS_ALLOC_FAILED
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("cuBLAS cannot be used: cublasCreate: "),
                    HasSubstr("bytes of CUDA device 0 are free")));
  cudaMock().blasError = 0;
  cudaMock().ltError = 3;
  EXPECT_THAT(refusal(),
              HasSubstr("cuBLASLt cannot be used: cublasLtCreate: "));
  cudaMock().ltError = 0;
  cudaMock().dnnError = 1001; // CUDNN_STATUS_NOT_INITIALIZED
  EXPECT_THAT(refusal(), HasSubstr("cuDNN cannot be used: cudnnCreate: "));
}

// A handle made after the arenas would find no memory left.
TEST_F(CudaFailures, handles_are_made_before_arenas) {
  Result<Device> device = openDevice();
  ASSERT_TRUE(device.ok()) << device.error().message;
  // A stream, three handles and the description of the device.
  EXPECT_EQ(cudaMock().liveHandles, 5);
  cudaMock().blasError = 3;
  Result<Executable> executable =
      Executable::compile(*device, programFor(*device));
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  cudaMock().products = 0;
  EXPECT_TRUE(executable->run().ok());
  EXPECT_EQ(cudaMock().products, 2);
}

// A version from the build says nothing of the library that runs.
TEST_F(CudaFailures, versions_are_those_of_what_is_loaded) {
  Result<Device> device = openDevice();
  ASSERT_TRUE(device.ok()) << device.error().message;
  EXPECT_EQ(device->versions(),
            "driver for CUDA 13.1, CUDA 13.0, cuBLAS 13.7.4, cuDNN 9.88.5");
  EXPECT_THAT(device->backend().version, Not(HasSubstr("cuDNN")));
}

// A sound launch is not blamed for what a library left behind.
TEST_F(CudaFailures, an_error_that_a_library_leaves_behind_is_dropped) {
  Result<Device> device = openDevice();
  ASSERT_TRUE(device.ok()) << device.error().message;
  Result<Executable> executable =
      Executable::compile(*device, programFor(*device));
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  cudaMock().leftError = 98; // cudaErrorInvalidDeviceFunction
  Status status = executable->run();
  EXPECT_TRUE(status.ok()) << status.message;
}

// A stream that could not be made must not be taken for the default stream
// later.
TEST_F(CudaFailures, a_stream_that_cannot_be_made_is_made_next_time) {
  Result<Device> device = openDevice();
  ASSERT_TRUE(device.ok()) << device.error().message;
  Program step = swappedStep();
  ASSERT_TRUE(addWorkspace(*device, step).ok());
  for (int64_t most : {1, 2, 3}) {
    cudaMock().mostStreams = most;
    EXPECT_FALSE(Executable::compile(*device, step).ok());
  }
  cudaMock().mostStreams = -1;
  Result<Executable> executable = Executable::compile(*device, step);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  int64_t count = 0;
  ASSERT_TRUE(executable->writeArgument(3, &count, sizeof(count)).ok());
  EXPECT_TRUE(executable->run().ok());
  EXPECT_EQ(cudaMock().misuses, 0) << "something ran on the default stream";
}

//===----------------------------------------------------------------------===//
// Lost devices
//===----------------------------------------------------------------------===//

// No call takes such an error back: a step that seems to run after it computes
// nothing.
TEST_F(CudaFailures, a_lost_device_refuses_work_and_says_why) {
  for (int32_t error : {700, 719}) {
    cudaMock().reset();
    Result<Device> device = openDevice();
    ASSERT_TRUE(device.ok()) << device.error().message;
    Result<Executable> executable =
        Executable::compile(*device, programFor(*device));
    ASSERT_TRUE(executable.ok() && executable->run().ok());
    cudaMock().fault = error;
    cudaMock().kernelsUntilFault = 3;
    Status status = executable->run();
    EXPECT_EQ(status.code, MEMPLAN_FAILED);
    EXPECT_THAT(status.message,
                AllOf(HasSubstr("CUDA device 0 is lost"),
                      HasSubstr("error " + std::to_string(error)),
                      HasSubstr("MEMPLAN_CUDA_WAIT=1")));
    const char *again = "was lost by";
    EXPECT_THAT(executable->run().message, HasSubstr(again));
    float value = 0;
    EXPECT_THAT(executable->readOutput(0, &value, sizeof(value)).message,
                HasSubstr(again));
    EXPECT_THAT(Executable::compile(*device, tinyStep(true)).error().message,
                HasSubstr(again));
    // Another device object of this process has the same context.
    EXPECT_FALSE(openDevice().ok());
  }
}

/// Launches of each instruction of the tiny step: the loss is two.
static const int launchesOf[] = {1, 1, 2, 1, 1, 1, 1, 1, 1};

TEST_F(CudaFailures, waiting_after_each_launch_names_the_guilty_one) {
  Variable waits("MEMPLAN_CUDA_WAIT", "1");
  int64_t launch = 0;
  for (size_t i = 0; i < std::size(launchesOf); ++i)
    for (int k = 0; k < launchesOf[i]; ++k) {
      cudaMock().reset();
      Result<Device> device = openDevice();
      ASSERT_TRUE(device.ok()) << device.error().message;
      Program program = programFor(*device);
      Result<Executable> executable = Executable::compile(*device, program);
      ASSERT_TRUE(executable.ok() && executable->run().ok());
      cudaMock().fault = 700;
      cudaMock().kernelsUntilFault = ++launch;
      EXPECT_THAT(executable->run().message,
                  AllOf(HasSubstr("instruction " + std::to_string(i) + " (" +
                                  program.instructions[i].kernel),
                        HasSubstr("illegal memory access"),
                        Not(HasSubstr("MEMPLAN_CUDA_WAIT"))));
    }
}

// Also bad data, which is otherwise known at the end of the step only.
TEST_F(CudaFailures, waiting_after_each_launch_names_who_met_bad_data) {
  for (Case test : allCases()) {
    if (test.kernel != "memplan.cross_entropy")
      continue;
    test.inputs[1].values[0] = 1e6;
    for (bool waits : {false, true}) {
      Variable variable("MEMPLAN_CUDA_WAIT", waits ? "1" : "0");
      Result<Device> device = openDevice();
      ASSERT_TRUE(device.ok()) << device.error().message;
      auto outputs = runCase(*device, test);
      ASSERT_FALSE(outputs.ok());
      EXPECT_THAT(outputs.error().message,
                  HasSubstr(waits ? "instruction 0 (memplan.cross_entropy"
                                  : "the end of the step"));
    }
  }
}
