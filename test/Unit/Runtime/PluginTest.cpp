//===- PluginTest.cpp - Backends in shared libraries, and streams ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/Executor.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using testing::HasSubstr;

static const std::string pluginPath = MEMPLAN_TEST_PLUGIN;

static Instruction call(std::string kernel, int32_t stream,
                        std::vector<int32_t> waits) {
  Instruction result;
  result.kernel = std::move(kernel);
  result.stream = stream;
  result.waits = std::move(waits);
  return result;
}

// A wait that is lost, or recorded too late, lets two streams race.
TEST(Plugin, streams_wait_by_events) {
  Result<Device> device = Device::open(pluginPath);
  ASSERT_TRUE(device.ok()) << device.error().message;
  Program program;
  program.instructions = {call("A", 0, {}), call("B", 1, {}), call("C", 0, {1}),
                          call("D", 1, {0, 2})};
  Result<Executable> executable = Executable::compile(*device, program);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  ASSERT_TRUE(executable->run().ok());
  void *library = dlopen(pluginPath.c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr);
  auto *log =
      reinterpret_cast<const char *(*)()>(dlsym(library, "memplan_test_log"));
  EXPECT_STREQ(log(), "launch 65 0;record 1 0;"
                      "launch 66 1;record 0 1;"
                      "wait 0 0;launch 67 0;record 2 0;"
                      "wait 1 1;wait 2 1;launch 68 1;"
                      "synchronize 0 0;synchronize 0 0;");
  dlclose(library);
}

TEST(Plugin, of_another_version_is_refused) {
  setenv("MEMPLAN_TEST_PLUGIN_ABI", "77", 1);
  Result<Device> device = Device::open(pluginPath);
  unsetenv("MEMPLAN_TEST_PLUGIN_ABI");
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(device.error().message, HasSubstr("has backend ABI 77"));
}

TEST(Plugin, that_is_none_is_refused) {
  Result<Device> device = Device::open("/etc/passwd");
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, MEMPLAN_UNAVAILABLE);
}
