//===- ExchangeTest.cpp - Sums over ranks that are threads here -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FreePort.h"
#include "Ranks.h"

#include "memplan/Runtime/Support/AllocationCount.h"

#include <arpa/inet.h>
#include <barrier>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace memplan::runtime::ranks;
using memplan::runtime::test::freePort;
using testing::HasSubstr;

static Place placeOf(int rank, int count, const std::string &port) {
  Place place;
  place.rank = rank;
  place.count = count;
  place.host = "127.0.0.1";
  place.port = port;
  place.timeoutSeconds = 20;
  return place;
}

/// Runs `body` on each rank, which is connected, on a thread of its own. The
/// last rank comes first, so that some look for rank 0 before it listens.
static void runRanks(int count, const std::function<void(Ranks &, int)> &body) {
  const std::string port = freePort();
  std::vector<std::thread> threads;
  for (int rank = count; rank-- > 0;)
    threads.emplace_back([&, rank] {
      std::string error;
      auto ranks = Ranks::connect(placeOf(rank, count, port), error);
      ASSERT_TRUE(ranks) << error;
      EXPECT_EQ(ranks->rank(), rank);
      body(*ranks, rank);
    });
  for (std::thread &thread : threads)
    thread.join();
}

static Addition additionOf(const float *input, float *output, size_t count) {
  Addition addition;
  addition.input = input;
  addition.output = output;
  addition.elements = int64_t(count);
  addition.load = [](const void *from, int64_t n, float *sums) {
    std::memcpy(sums, from, size_t(n) * sizeof(float));
  };
  addition.add = [](const void *from, int64_t n, float *sums) {
    for (int64_t i = 0; i < n; ++i)
      sums[i] += static_cast<const float *>(from)[i];
  };
  addition.store = [](const float *sums, int64_t n, float factor, void *to) {
    for (int64_t i = 0; i < n; ++i)
      static_cast<float *>(to)[i] = sums[i] * factor;
  };
  return addition;
}

static std::vector<float> valuesOf(int rank, size_t count) {
  std::mt19937 random(unsigned(rank) * 7919u + unsigned(count));
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(random);
  return values;
}

static std::vector<std::byte> scratchOf(size_t elements) {
  const auto bytes = size_t(Ranks::scratchBytes(int64_t(elements)));
  return std::vector<std::byte>(bytes);
}

// Ranks whose parameters differ by one bit drift apart from there on. Sizes
// leave ranks without a part, with part of a piece, and with many pieces.
TEST(Exchange, adds_in_the_order_of_the_ranks) {
  for (int count : {2, 3, 5})
    for (size_t size : std::vector<size_t>{1, 2, 4, 1000, 49153, 400000}) {
      std::vector<float> sums = valuesOf(0, size);
      for (int rank = 1; rank < count; ++rank) {
        const std::vector<float> values = valuesOf(rank, size);
        for (size_t i = 0; i < size; ++i)
          sums[i] += values[i];
      }
      for (float &sum : sums)
        sum *= 0.25f;
      runRanks(count, [&](Ranks &ranks, int rank) {
        std::vector<std::byte> scratch = scratchOf(size);
        std::vector<float> input = valuesOf(rank, size), output(size, -1.0f);
        Addition addition = additionOf(input.data(), output.data(), size);
        addition.factor = 0.25f;
        ASSERT_TRUE(ranks.allReduce(addition, scratch)) << ranks.error();
        EXPECT_EQ(output, sums);
        EXPECT_EQ(input, valuesOf(rank, size));
        // In place, and once more on the same connections.
        addition.output = input.data();
        ASSERT_TRUE(ranks.allReduce(addition, scratch)) << ranks.error();
        EXPECT_EQ(input, sums);
      });
    }
}

// A step that allocates breaks the promise of the plan.
TEST(Exchange, allocates_nothing) {
  std::barrier together(2);
  runRanks(2, [&](Ranks &ranks, int rank) {
    std::vector<std::byte> scratch = scratchOf(100000);
    std::vector<float> values = valuesOf(rank, 100000);
    const Addition addition =
        additionOf(values.data(), values.data(), values.size());
    ASSERT_TRUE(ranks.allReduce(addition, scratch));
    together.arrive_and_wait();
    const int64_t before = memplan::runtime::allocationCount();
    together.arrive_and_wait();
    const bool added = ranks.allReduce(addition, scratch);
    together.arrive_and_wait();
    const int64_t after = memplan::runtime::allocationCount();
    together.arrive_and_wait();
    EXPECT_TRUE(added);
    EXPECT_GT(before, 0);
    EXPECT_EQ(after, before);
  });
}

// What rank 0 hands out, such as the name of a group of NCCL.
TEST(Exchange, gives_all_ranks_the_bytes_of_the_first) {
  runRanks(3, [](Ranks &ranks, int rank) {
    std::vector<std::byte> bytes(128, std::byte(rank + 1)), wanted = bytes;
    if (rank == 0)
      for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = std::byte(255 - i);
    for (size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = std::byte(255 - i);
    ASSERT_TRUE(ranks.broadcast(bytes)) << ranks.error();
    EXPECT_EQ(bytes, wanted);
  });
}

// Ranks that run different programs would add what does not belong together.
TEST(Exchange, refuses_calls_that_do_not_meet) {
  for (bool otherType : {false, true}) {
    std::string texts[2];
    runRanks(2, [&](Ranks &ranks, int rank) {
      std::vector<std::byte> scratch = scratchOf(100);
      std::vector<float> values = valuesOf(rank, 100);
      Addition addition = additionOf(values.data(), values.data(),
                                     !otherType && rank == 1 ? 99 : 100);
      addition.kind = otherType ? uint32_t(rank) : 0;
      EXPECT_FALSE(ranks.allReduce(addition, scratch));
      texts[rank] = ranks.error();
      // And all later calls, with the same text.
      EXPECT_FALSE(ranks.allReduce(addition, scratch));
      EXPECT_EQ(ranks.error(), texts[rank]);
    });
    // One of them sees it; the other may first find its connection closed.
    EXPECT_THAT(texts[0] + texts[1],
                HasSubstr("the ranks run different programs"));
  }
}

// A rank that ends takes the others with it instead of leaving them waiting.
TEST(Exchange, says_that_a_rank_is_gone) {
  runRanks(3, [](Ranks &ranks, int rank) {
    if (rank == 1)
      return;
    std::vector<std::byte> scratch = scratchOf(100);
    std::vector<float> values = valuesOf(rank, 100);
    EXPECT_FALSE(ranks.allReduce(
        additionOf(values.data(), values.data(), values.size()), scratch));
    EXPECT_THAT(ranks.error(), HasSubstr("rank "));
  });
}

// A wrong number of ranks is said where it can be, not waited for.
TEST(Exchange, refuses_ranks_that_do_not_belong_together) {
  const std::string port = freePort();
  std::string first, second;
  std::thread other([&] {
    Place place = placeOf(1, 3, port);
    EXPECT_FALSE(Ranks::connect(place, second));
  });
  EXPECT_FALSE(Ranks::connect(placeOf(0, 2, port), first));
  other.join();
  EXPECT_THAT(first, HasSubstr("a rank 1 of 3 connects to rank 0 of 2"));
  EXPECT_THAT(second, HasSubstr("closed the connection of rank 1"));
}

TEST(Exchange, gives_up_on_ranks_that_do_not_come) {
  Place place = placeOf(0, 2, freePort());
  place.timeoutSeconds = 0.05;
  std::string error;
  EXPECT_FALSE(Ranks::connect(place, error));
  EXPECT_THAT(error, HasSubstr("waits for 1 more of 2 ranks to connect"));
  place.rank = 1;
  EXPECT_FALSE(Ranks::connect(place, error));
  EXPECT_THAT(error, HasSubstr("rank 1 finds no rank 0 at 127.0.0.1:"));
}

// Something else that talks to the port is no rank.
TEST(Exchange, leaves_strangers_aside) {
  const std::string port = freePort();
  std::thread rank0([&] {
    std::string error;
    EXPECT_TRUE(Ranks::connect(placeOf(0, 2, port), error)) << error;
  });
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(uint16_t(std::stoi(port)));
  int file = -1;
  do {
    if (file >= 0)
      ::close(file);
    file = ::socket(AF_INET, SOCK_STREAM, 0);
  } while (::connect(file, reinterpret_cast<sockaddr *>(&address),
                     sizeof(address)) != 0);
  const char text[] = "GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n";
  EXPECT_EQ(::send(file, text, sizeof(text), MSG_NOSIGNAL),
            ssize_t(sizeof(text)));
  std::string error;
  EXPECT_TRUE(Ranks::connect(placeOf(1, 2, port), error)) << error;
  ::close(file);
  rank0.join();
}
