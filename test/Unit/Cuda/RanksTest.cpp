//===- RanksTest.cpp - One of several ranks with a GPU of its own ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"
#include "../Kernels/FreePort.h"
#include "CaseProgram.h"
#include "CudaMock.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using memplan::runtime::test::freePort;
using testing::HasSubstr;

static Case allReduceOf(int64_t ranks, const char *reduction, double factor) {
  return makeCase("memplan.all_reduce", reduction, {random({3, 5}, 1)},
                  {attribute("ranks", ranks),
                   attribute("reduction", std::string(reduction))},
                  [=](std::vector<TestTensor> in) {
                    for (double &value : in[0].values)
                      value = rounded(value * factor);
                    return in;
                  });
}

// A program for several ranks that runs in one process would train on a part of
// the batch and say nothing.
TEST(CudaRanks, alone_it_is_refused) {
  Result<Device> device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
  ASSERT_TRUE(device.ok()) << device.error().message;
  const auto found = runCase(*device, allReduceOf(2, "sum", 2));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, MEMPLAN_INVALID_ARGUMENT);
  EXPECT_THAT(found.error().message, HasSubstr("the program is for 2 ranks"));
}

// Rank 0 of two: another thread plays rank 1, which gets the id of the group.
TEST(CudaRanks, sums_go_through_nccl) {
  cudaMock().reset();
  const std::string port = freePort();
  ::setenv("MEMPLAN_RANKS", "2", 1);
  ::setenv("MEMPLAN_RANK", "0", 1);
  ::setenv("MEMPLAN_RENDEZVOUS", ("127.0.0.1:" + port).c_str(), 1);
  std::thread other([&] {
    ranks::Place place;
    place.rank = 1;
    place.count = 2;
    place.host = "127.0.0.1";
    place.port = port;
    std::string error;
    auto ranks = ranks::Ranks::connect(place, error);
    ASSERT_TRUE(ranks) << error;
    std::vector<std::byte> id(128);
    ASSERT_TRUE(ranks->broadcast(id)) << ranks->error();
    EXPECT_EQ(id[0], std::byte(0x5A));
    EXPECT_EQ(id[127], std::byte(0x5A));
  });
  {
    Result<Device> device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
    other.join();
    ASSERT_TRUE(device.ok()) << device.error().message;
    EXPECT_THAT(device->versions(), HasSubstr("NCCL 2.28.9"));
    for (auto [reduction, factor] :
         {std::pair<const char *, double>("sum", 2), {"mean", 1}}) {
      const Case test = allReduceOf(2, reduction, factor);
      const auto found = runCase(*device, test);
      ASSERT_TRUE(found.ok()) << found.error().message;
      EXPECT_EQ(toValues((*found)[0], DType::F32), test.outputs[0].values);
    }
    EXPECT_GE(cudaMock().reductions, 2);
    const auto wrong = runCase(*device, allReduceOf(3, "sum", 3));
    ASSERT_FALSE(wrong.ok());
    EXPECT_THAT(wrong.error().message,
                HasSubstr("is for 3 ranks, but MEMPLAN_RANKS is 2"));
  }
  EXPECT_EQ(cudaMock().liveHandles, 0);
  for (const char *name :
       {"MEMPLAN_RANKS", "MEMPLAN_RANK", "MEMPLAN_RENDEZVOUS"})
    ::unsetenv(name);
}
