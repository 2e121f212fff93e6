//===- RandomProgramTest.cpp - Random programs within a budget ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixBackend.h"

#include "memplan/Runtime/Dynamic/PoolWatch.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace memplan;
using namespace memplan::runtime;
using namespace memplan::runtime::test;

namespace {
/// What a host program holds: a part of a value, and what it should be.
struct Handle {
  ValueId value = -1;
  int64_t offset = 0, count = 0;                 ///< in elements
  std::shared_ptr<std::vector<int64_t>> content; ///< of the whole value
};

/// One random program, run by an engine and beside it without a budget.
class RandomProgram {
public:
  RandomProgram(const Device &device, uint64_t seed)
      : device(device), seed(seed), random(seed), faults(seed) {}

  void run() {
    Result<Engine> created = Engine::create(device, options());
    ASSERT_TRUE(created.ok()) << created.error().message;
    engine = &*created;
    PoolWatch watch(*engine);
    // Again, up to a call from which on it goes another way.
    const uint64_t calls = 4 + below(40);
    for (uint64_t other : {calls, below(2 * calls)}) {
      random.seed(seed);
      faults.seed(seed);
      if (seed % 4 != 0)
        engine->beginStep();
      refusing = true;
      for (uint64_t i = 0; i < calls && !testing::Test::HasFatalFailure();
           ++i) {
        if (i == other)
          random.seed(~seed);
        oneCall();
      }
      refusing = false;
      followed += engine->lastReplay().followed;
      deviated += engine->lastReplay().deviated;
      readAndDropAll();
    }
    ASSERT_EQ(watch.status().message, "");
    stats = engine->stats();
  }
  DynamicStats stats;
  int64_t outOfMemory = 0;

  int64_t followed = 0, deviated = 0;

private:
  void readAndDropAll() {
    for (size_t i = 0; i < handles.size(); ++i)
      if (!testing::Test::HasFatalFailure())
        read(i);
    while (!handles.empty())
      drop(below(handles.size()));
    ASSERT_EQ(engine->valueCount(), 0u);
    ASSERT_EQ(engine->opCount(), 0u);
    ASSERT_EQ(engine->pool().liveBytes(), 0);
    ASSERT_LE(engine->pool().highWaterBytes(), budget);
  }

  uint64_t below(uint64_t count) { return random() % count; }

  DynamicOptions options() {
    DynamicOptions options;
    options.budgetBytes = budget = int64_t(4 + below(24)) * Pool::unit;
    if (below(3) == 0)
      options.hostBytes = int64_t(1 + below(12)) * Pool::unit;
    options.copyBytesPerMicro = below(2) ? 8000 : 100;
    options.heuristic =
        &eviction::heuristics()[below(eviction::heuristics().size())];
    options.sampling = below(3) == 0;
    options.defragment = below(2) ? Defragment::Cheaper : Defragment::Last;
    options.ignoredShare = below(3) == 0 ? 0.5 : 0;
    options.deletion = below(3) == 0 ? Deletion::Banish : Deletion::Eager;
    if (below(4) == 0)
      options.refuse = [this] { return refusing && faults() % 25 == 0; };
    if (below(4) == 0)
      MixBackend::fails = [this] { return refusing && faults() % 25 == 0; };
    else
      MixBackend::fails = nullptr;
    return options;
  }

  void oneCall() {
    switch (handles.empty() ? 0 : below(12)) {
    case 0:
      return put();
    case 1:
      return view();
    case 2:
    case 3:
      return drop(below(handles.size()));
    case 4:
      return read(below(handles.size()));
    case 5:
      return write();
    case 6:
      return detach();
    default:
      return apply();
    }
  }

  /// True where the call did what it should; otherwise it did nothing.
  bool good(const Status &status) {
    if (status.ok())
      return true;
    outOfMemory += status.code == MEMPLAN_OUT_OF_MEMORY;
    EXPECT_TRUE(status.code == MEMPLAN_OUT_OF_MEMORY ||
                status.message.find("told to fail") != std::string::npos)
        << status.message;
    return false;
  }

  std::vector<int64_t> randomContent(size_t count) {
    std::vector<int64_t> content(count);
    for (int64_t &element : content)
      element = int64_t(random());
    return content;
  }
  int64_t randomCount() { return int64_t(1 + below(180)); }

  void put() {
    Handle handle;
    handle.count = randomCount();
    handle.content = std::make_shared<std::vector<int64_t>>(
        randomContent(size_t(handle.count)));
    Result<ValueId> value =
        engine->put(8 * handle.count, handle.content->data());
    if (!good(value ? Status() : value.error()))
      return;
    handle.value = *value;
    handles.push_back(handle);
  }

  void view() {
    Handle handle = handles[below(handles.size())];
    const auto begin = int64_t(below(uint64_t(handle.count)));
    handle.offset += begin;
    handle.count = 1 + int64_t(below(uint64_t(handle.count - begin)));
    engine->use(handle.value);
    handles.push_back(handle);
  }

  void drop(size_t number) {
    engine->drop(handles[number].value);
    handles.erase(handles.begin() + int64_t(number));
  }

  void read(size_t number) {
    const Handle &handle = handles[number];
    std::vector<int64_t> host(size_t(handle.count));
    if (good(engine->read(handle.value, 8 * handle.offset, host.data(),
                          8 * handle.count)))
      ASSERT_TRUE(std::equal(host.begin(), host.end(),
                             handle.content->begin() + handle.offset));
  }

  void write() {
    const Handle &handle = handles[below(handles.size())];
    const std::vector<int64_t> content = randomContent(size_t(handle.count));
    Status status = engine->write(handle.value, 8 * handle.offset,
                                  content.data(), 8 * handle.count);
    if (status.code == MEMPLAN_INVALID_ARGUMENT)
      return; // Made by an op.
    if (good(status))
      std::copy(content.begin(), content.end(),
                handle.content->begin() + handle.offset);
  }

  void detach() { good(engine->detach(handles[below(handles.size())].value)); }

  void apply() {
    std::vector<Handle> inputs;
    std::vector<int64_t> inputCounts, outputCounts;
    std::vector<Place> places;
    for (uint64_t n = 1 + below(3); n > 0; --n) {
      const Handle &input = handles[below(handles.size())];
      inputs.push_back(input);
      inputCounts.push_back(input.count);
      places.push_back({input.value, 8 * input.offset});
    }
    std::vector<NewValue> outputs;
    std::vector<int32_t> over;
    for (uint64_t n = 1 + below(2); n > 0; --n) {
      over.push_back(below(3) == 0 ? int32_t(below(inputs.size())) : -1);
      for (size_t o = 0; o + 1 < over.size(); ++o)
        if (over.back() >= 0 && over[o] >= 0 &&
            inputs[size_t(over[o])].value == inputs[size_t(over.back())].value)
          over.back() = -1;
      if (over.back() < 0) {
        outputCounts.push_back(randomCount());
        outputs.push_back({8 * outputCounts.back(), -1, 0});
        continue;
      }
      const Handle &input = inputs[size_t(over.back())];
      outputCounts.push_back(input.count);
      outputs.push_back({0, input.value, 8 * input.offset});
    }
    const auto salt = int64_t(random());
    const int64_t scratch = below(3) ? 0 : int64_t(below(1500));
    std::vector<ValueId> results(outputs.size());
    const double cost = double(1 + below(50));
    if (good(engine->apply(
            mixCall(device, salt, inputCounts, outputCounts, over, scratch),
            cost, places, outputs, results.data())))
      applyToOracle(salt, inputs, outputCounts, over, results);
  }

  void applyToOracle(int64_t salt, const std::vector<Handle> &inputs,
                     const std::vector<int64_t> &outputCounts,
                     const std::vector<int32_t> &over,
                     const std::vector<ValueId> &results) {
    std::vector<std::vector<int64_t>> contents;
    for (size_t o = 0; o < over.size(); ++o) {
      std::vector<int64_t> &content = contents.emplace_back();
      for (int64_t i = 0; i < outputCounts[o]; ++i) {
        std::vector<int64_t> read;
        for (const Handle &input : inputs)
          read.push_back(
              (*input.content)[size_t(input.offset + i % input.count)]);
        content.push_back(mix(salt, int64_t(o), read));
      }
    }
    for (size_t o = 0; o < over.size(); ++o) {
      if (over[o] < 0) {
        handles.push_back(
            {results[o], 0, outputCounts[o],
             std::make_shared<std::vector<int64_t>>(contents[o])});
        continue;
      }
      const Handle &input = inputs[size_t(over[o])];
      std::copy(contents[o].begin(), contents[o].end(),
                input.content->begin() + input.offset);
      for (Handle &handle : handles)
        if (handle.value == input.value)
          handle.value = results[o];
    }
  }

  const Device &device;
  uint64_t seed;
  std::mt19937_64 random, faults;
  Engine *engine = nullptr;
  std::vector<Handle> handles;
  int64_t budget = 0;
  bool refusing = true;
};
} // namespace

/// If this fails, some sequence of ops, views, writes in place, drops and reads
/// gives other values within a budget than without one, leaves the pool, or
/// keeps something after all handles are gone. MEMPLAN_RANDOM_PROGRAMS=N runs
/// N programs.
TEST(DynamicRandom, programs_give_the_values_of_a_run_without_a_budget) {
  Result<Device> device = MixBackend::open();
  ASSERT_TRUE(device.ok());
  const char *count = std::getenv("MEMPLAN_RANDOM_PROGRAMS");
  const char *first = std::getenv("MEMPLAN_RANDOM_SEED");
  const uint64_t begin = first ? std::strtoull(first, nullptr, 10) : 0;
  const uint64_t programs = count ? std::strtoull(count, nullptr, 10) : 2000;
  DynamicStats sum;
  int64_t outOfMemory = 0, followed = 0, deviated = 0;
  for (uint64_t seed = begin; seed < begin + programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomProgram program(*device, seed);
    program.run();
    if (testing::Test::HasFailure())
      break;
    sum.recomputes += program.stats.recomputes;
    sum.evictions += program.stats.evictions;
    sum.copiesIn += program.stats.copiesIn;
    sum.compactions += program.stats.compactions;
    outOfMemory += program.outOfMemory;
    followed += program.followed;
    deviated += program.deviated;
  }
  MixBackend::fails = nullptr;
  EXPECT_EQ(MixBackend::blocks, 0);
  if (programs < 1000)
    return;
  // The programs are such that all of it happens.
  EXPECT_GT(sum.recomputes, 100);
  EXPECT_GT(sum.evictions, 100);
  EXPECT_GT(sum.copiesIn, 100);
  EXPECT_GT(sum.compactions, 10);
  EXPECT_GT(outOfMemory, 100);
  EXPECT_GT(followed, 1000);
  EXPECT_GT(deviated, 100);
}
