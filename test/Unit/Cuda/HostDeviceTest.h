//===- HostDeviceTest.h - Tests on the mock and host kernels ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_HOSTDEVICETEST_H
#define MEMPLAN_TEST_UNIT_CUDA_HOSTDEVICETEST_H

#include "CudaMock.h"

#include "memplan/Runtime/Execute/Device.h"

#include <gtest/gtest.h>

namespace memplan::runtime {

/// A device of the mock whose kernels compute on the host. At the end no handle
/// may be open, and no call may have been wrong.
class HostDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    cudaMock().reset();
    device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  void TearDown() override {
    device = Status{};
    EXPECT_EQ(cudaMock().liveHandles, 0);
    EXPECT_EQ(cudaMock().misuses, 0);
    cudaMock().reset();
  }
  Result<Device> device = Status{};
};

} // namespace memplan::runtime

#endif // MEMPLAN_TEST_UNIT_CUDA_HOSTDEVICETEST_H
