//===- NoDeviceTest.cpp - The plugin as built, on this machine ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Execute/Device.h"

#include <cstdlib>
#include <gmock/gmock.h>

using namespace memplan::runtime;
using testing::HasSubstr;
using testing::StartsWith;

// A plugin that needs a driver to load, or that fails where there is no GPU,
// would break every program that lists the backends.
TEST(CudaPlugin, loads_everywhere_and_counts_devices) {
  registerBuiltInBackends();
  Result<const memplan_backend_t *> table = findBackend("cuda");
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_STREQ((*table)->name, "cuda");
  EXPECT_THAT((*table)->version, StartsWith("CUDA "));
  int32_t count = -1;
  ASSERT_EQ((*table)->device_count(&count), MEMPLAN_OK);
  ASSERT_GE(count, 0);
  Result<Device> device = Device::open("cuda", 0, 1);
  if (count > 0) {
    ASSERT_TRUE(device.ok()) << device.error().message;
    EXPECT_THAT(device->name(), StartsWith("cuda:0, "));
    return;
  }
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(device.error().message, HasSubstr("no CUDA device: "));
  if (std::getenv("MEMPLAN_TEST_CUDA_STUB"))
    EXPECT_THAT(device.error().message, HasSubstr("stub library"));
}

// Without this a wrong number would reach cudaSetDevice.
TEST(CudaPlugin, refuses_a_device_that_is_not_there) {
  registerBuiltInBackends();
  Result<const memplan_backend_t *> table = findBackend("cuda");
  ASSERT_TRUE(table.ok()) << table.error().message;
  memplan_device_t *device = nullptr;
  EXPECT_EQ((*table)->create(1000, 1, &device), MEMPLAN_UNAVAILABLE);
  EXPECT_THAT((*table)->last_error(nullptr), HasSubstr("no number 1000"));
}
