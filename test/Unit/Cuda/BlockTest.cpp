//===- BlockTest.cpp - Tree sums on threads of the host -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <barrier>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

// What CUDA gives to a kernel, for one block. Shared memory is static: one copy
// for all threads.
static thread_local struct {
  unsigned x;
} threadIdx;
static struct {
  unsigned x;
} blockDim;
static std::barrier<> *meeting;
static void __syncthreads() { meeting->arrive_and_wait(); }
#define MEMPLAN_DEVICE_THREADS 1
#include "../../../lib/Kernels/Cuda/Block.h"

using namespace memplan::runtime::cuda;

template <typename F> static void runBlock(int threads, const F &f) {
  std::barrier<> barrier(threads);
  meeting = &barrier;
  blockDim.x = unsigned(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&f, t] {
      threadIdx.x = unsigned(t);
      f(Block{}, size_t(t));
    });
  for (std::thread &thread : running)
    thread.join();
}

static const int64_t lengths[] = {0, 1, 31, 64, 100, 3000};

// A wrong barrier or half of the tree would give sums that no other test sees:
// elsewhere the kernels run without threads.
TEST(CudaBlock, sums_and_maxima_reach_every_thread) {
  for (int threads : {64, 128})
    for (int64_t n : lengths) {
      size_t lanes = size_t(threads), places = size_t(n);
      std::vector<double> first(lanes), second(lanes);
      std::vector<float> most(lanes);
      std::vector<int> visits(places);
      auto value = [](int64_t i) {
        return i == 7 ? NAN : float(i * 37 % 1001);
      };
      runBlock(threads, [&](const Block &block, size_t t) {
        Sums<2> sums = block.sums<2>(n, [](int64_t i, double *sum) {
          sum[0] += double(i);
          sum[1] += 2 * double(i);
        });
        first[t] = sums.value[0];
        second[t] = sums.value[1] + block.sum(n, [](int64_t) { return 1.0; });
        most[t] = block.largest(n, value);
        block.each(n, [&](int64_t i) { ++visits[size_t(i)]; });
      });
      double sum = double(n) * double(n - 1) / 2;
      float largest = -INFINITY;
      for (int64_t i = 0; i < n; ++i)
        largest = value(i) > largest ? value(i) : largest;
      EXPECT_EQ(first, std::vector<double>(size_t(threads), sum));
      EXPECT_EQ(second,
                std::vector<double>(size_t(threads), 2 * sum + double(n)));
      EXPECT_EQ(most, std::vector<float>(size_t(threads), largest));
      EXPECT_EQ(visits, std::vector<int>(size_t(n), 1));
    }
}

// Column sums end in one thread each, also where the tile is narrow, and where
// a thread has several columns.
template <int each> static void testColumnSums() {
  for (int threads : {64, 256})
    for (int64_t rows : lengths)
      for (int64_t width : {1, 5, 32}) {
        size_t columns = size_t(width);
        std::vector<double> sums(columns, -1), counts(columns);
        std::vector<int> finished(columns);
        runBlock(threads, [&](const Block &block, size_t) {
          block.columns<2, each>(
              rows, width,
              [&](int64_t r, int64_t c, double *sum) {
                for (int e = 0; e < each && c + e < width; ++e) {
                  sum[2 * e] += double(r * 100 + c + e);
                  sum[2 * e + 1] += 1;
                }
              },
              [&](int64_t c, const double *sum) {
                sums[size_t(c)] = sum[0];
                counts[size_t(c)] = sum[1];
                ++finished[size_t(c)];
              });
        });
        for (int64_t c = 0; c < width; ++c)
          EXPECT_EQ(sums[size_t(c)],
                    50.0 * double(rows * (rows - 1)) + double(rows * c));
        EXPECT_EQ(counts, std::vector<double>(size_t(width), double(rows)));
        EXPECT_EQ(finished, std::vector<int>(size_t(width), 1));
      }
}

TEST(CudaBlock, column_sums_finish_once) {
  testColumnSums<1>();
  testColumnSums<4>();
  testColumnSums<8>();
}
