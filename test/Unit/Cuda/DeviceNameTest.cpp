//===- DeviceNameTest.cpp - Plans name the device that they are for -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "HostDeviceTest.h"

#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Program/ProgramIO.h"

#include <gmock/gmock.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using testing::HasSubstr;
using testing::StartsWith;

namespace {
class CudaDeviceName : public HostDeviceTest {};
} // namespace

static std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << text;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

// A plan of another GPU, or for other libraries, has other scratch; one of this
// device must not raise an alarm.
TEST_F(CudaDeviceName, differs_in_the_model_or_in_a_version_that_both_name) {
  const std::string own = device->plannedFor();
  EXPECT_THAT(own, StartsWith("Mock GPU with driver for CUDA 13.1, CUDA 13.0"));
  EXPECT_THAT(own, HasSubstr("cuDNN 9."));
  EXPECT_EQ(device->differenceFrom(own), "");
  EXPECT_EQ(device->differenceFrom(""), "");
  EXPECT_EQ(device->differenceFrom("Mock GPU"), "");
  // What plans without a GPU has no driver, and has loaded cuDNN alone.
  const std::string dnn = own.substr(own.find("cuDNN"));
  EXPECT_EQ(device->differenceFrom("Mock GPU with " + dnn), "");
  const std::string other = replaced(own, "Mock GPU", "NVIDIA H200");
  EXPECT_EQ(device->differenceFrom(other),
            "is for " + other + ", and this is " + own);
  EXPECT_THAT(device->differenceFrom(replaced(own, "cuDNN 9.", "cuDNN 8.")),
              StartsWith("is for Mock GPU with "));
  EXPECT_THAT(device->differenceFrom("Mock GPU with driver for CUDA 12.9"),
              StartsWith("is for Mock GPU with driver for CUDA 12.9, and"));
}

// What a file loses no later run can say.
TEST_F(CudaDeviceName, stands_in_programs_and_in_the_head_of_profiles) {
  Program program = caseProgram(casesOf(*device).front());
  program.device = device->plannedFor();
  Result<Program> read = parseProgram(serializeProgram(program));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->device, program.device);
  EXPECT_THAT(dumpProgram(program), HasSubstr(" for 'Mock GPU with "));
  Result<Executable> executable = Executable::compile(*device, program);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  ProfileObserver profile;
  const Executable *executables[] = {&*executable};
  const ProfileObserver *profiles[] = {&profile};
  Result<std::string> text = profileText(executables, profiles);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_THAT(text->substr(0, text->find('\n')),
              HasSubstr("\"planned_for\": \"" + program.device + "\""));
}
