//===- CostOfChoosing.cpp - What the bookkeeping takes --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures and prints, for benchmarks/dynamic/bookkeeping.py; no test of what
// is right.
//
//===----------------------------------------------------------------------===//

#include "MixBackend.h"

#include "memplan/Runtime/Dynamic/Engine.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace memplan;
using namespace memplan::runtime;
using namespace memplan::runtime::test;

static double userMicros() {
  return double(std::clock()) * 1e6 / double(CLOCKS_PER_SEC);
}

namespace {
class DynamicCost : public testing::Test {
protected:
  void SetUp() override {
    device = MixBackend::open();
    ASSERT_TRUE(device.ok());
    MixBackend::isIdle = true;
    const int64_t one[] = {1, 1};
    const int32_t none[] = {-1};
    call = mixCall(*device, 1, {one, 2}, {one, 1}, none);
  }
  void TearDown() override { MixBackend::isIdle = false; }
  ValueId apply(Engine &engine, ValueId a, ValueId b) {
    const Place inputs[] = {{a, 0}, {b, 0}};
    const NewValue output[] = {{8, -1, 0}};
    ValueId made = -1;
    Status status = engine.apply(call, 1, inputs, output, &made);
    EXPECT_TRUE(status.ok()) << status.message;
    return made;
  }
  Result<Device> device = Status{};
  std::shared_ptr<const KernelCall> call;
};
} // namespace

/// A step of 1000 ops forth and back, as training is: nothing is evicted.
TEST_F(DynamicCost, DISABLED_of_an_op) {
  DynamicOptions options;
  options.budgetBytes = 4096 * Pool::unit;
  Result<Engine> engine = Engine::create(*device, options);
  ASSERT_TRUE(engine.ok());
  const int64_t number = 1;
  const ValueId input = *engine->put(8, &number);
  double best = 1e9;
  for (int round = 0; round < 200; ++round) {
    const double start = userMicros();
    std::vector<ValueId> forward{input};
    for (int i = 0; i < 500; ++i)
      forward.push_back(apply(*engine, forward.back(), forward[size_t(i) / 2]));
    ValueId gradient = forward.back();
    for (int i = 499; i >= 0; --i) {
      const ValueId next = apply(*engine, gradient, forward[size_t(i)]);
      engine->drop(gradient);
      gradient = next;
      if (i > 0 && i < 499)
        engine->drop(forward[size_t(i) + 1]);
    }
    engine->drop(gradient);
    engine->drop(forward[1]);
    best = std::min(best, userMicros() - start);
    if (round == 0)
      ASSERT_EQ(engine->opCount(), 0u);
  }
  EXPECT_EQ(engine->stats().evictions, 0);
  std::printf("bookkeeping: %.3f us per op\n", best / 1000);
}

/// 10,000 tensors in a full pool, each made from two before it; each op needs
/// one eviction.
TEST_F(DynamicCost, DISABLED_of_an_eviction) {
  constexpr size_t count = 10000;
  for (const eviction::Heuristic &heuristic : eviction::heuristics())
    for (bool sampling : {false, true}) {
      DynamicOptions options;
      options.budgetBytes = (count + 1) * Pool::unit;
      options.heuristic = &heuristic;
      options.sampling = sampling;
      Result<Engine> engine = Engine::create(*device, options);
      ASSERT_TRUE(engine.ok());
      const int64_t number = 1;
      std::vector<ValueId> values{*engine->put(8, &number)};
      for (size_t i = 0; i < count; ++i)
        values.push_back(apply(*engine, values[i], values[i / 2]));
      const int64_t before = engine->stats().evictions;
      const double start = userMicros();
      const int ops = sampling ? 400 : 40;
      for (int i = 0; i < ops; ++i)
        values.push_back(apply(*engine, values[0], values[0]));
      const double micros = userMicros() - start;
      const int64_t evictions = engine->stats().evictions - before;
      EXPECT_GE(evictions, ops);
      std::printf("eviction: %s %s %.3f us\n",
                  std::string(heuristic.name).c_str(),
                  sampling ? "sqrt" : "all", micros / double(evictions));
    }
}
