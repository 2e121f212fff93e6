//===- DynamicExecutableTest.cpp - Programs within a budget ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TinyStep.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Dynamic/DynamicExecutable.h"
#include "memplan/Runtime/Dynamic/PoolWatch.h"
#include "memplan/Runtime/Execute/Backends.h"

#include <gmock/gmock.h>

using namespace memplan;
using namespace memplan::runtime;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

namespace {
class DynamicProgram : public testing::Test {
protected:
  void SetUp() override {
    registerBuiltInBackends();
    device = Device::open("reference");
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  /// Three steps beside the unplanned program.
  Status compare(const Program &program, const DynamicProgramOptions &options,
                 DynamicStats *stats = nullptr) {
    Result<DynamicExecutable> dynamic =
        DynamicExecutable::compile(*device, program, options);
    if (!dynamic)
      return dynamic.error();
    Result<Executable> other = Executable::compile(*device, tinyStep(false));
    Result<Feed> feed = Feed::create(program, {});
    Result<CompareReport> report =
        compareRuns(*dynamic, *other, *feed, {3, {}, {}});
    const Engine &engine = dynamic->engine();
    EXPECT_LE(engine.pool().highWaterBytes(), options.dynamic.budgetBytes);
    EXPECT_EQ(engine.opCount(), 0u) << "paths outlive the step";
    if (!report)
      return report.error();
    if (stats)
      *stats = engine.stats();
    return Status::success();
  }
  Result<Device> device = Status{};
};
} // namespace

/// If this fails, a step under some budget computes other bits than the
/// unplanned one, uses more than its pool, or a larger budget stops it.
TEST_F(DynamicProgram, every_budget_gives_the_same_bits_or_a_reason) {
  const Result<int64_t> peak = unplannedPeakBytes(*device, tinyStep(false));
  ASSERT_TRUE(peak.ok());
  for (const eviction::Heuristic &heuristic : eviction::heuristics())
    for (bool planned : {false, true}) {
      SCOPED_TRACE(std::string(heuristic.name));
      bool ran = false;
      int64_t least = 0;
      for (int64_t budget = 0; budget <= *peak; budget += Pool::unit) {
        DynamicProgramOptions options;
        options.dynamic.budgetBytes = budget;
        options.dynamic.heuristic = &heuristic;
        const Status status = compare(tinyStep(planned), options);
        if (!status.ok())
          EXPECT_EQ(status.code, MEMPLAN_OUT_OF_MEMORY) << status.message;
        EXPECT_TRUE(status.ok() || !ran) << budget << ": " << status.message;
        if (status.ok() && !ran)
          least = budget;
        ran |= status.ok();
      }
      EXPECT_TRUE(ran);
      EXPECT_LT(least, *peak);
    }
}

/// If this fails, a pool with room to spare is filled although a smaller number
/// of bytes was asked for, or the step is not run where that number is too
/// small for it.
TEST_F(DynamicProgram, a_threshold_evicts_before_the_pool_is_full) {
  DynamicProgramOptions options;
  options.dynamic.budgetBytes =
      2 * *unplannedPeakBytes(*device, tinyStep(false));
  DynamicStats stats;
  ASSERT_TRUE(compare(tinyStep(false), options, &stats).ok());
  EXPECT_EQ(stats.evictions, 0);
  for (int units : {8, 1}) {
    options.dynamic.thresholdBytes = units * Pool::unit;
    Result<DynamicExecutable> dynamic =
        DynamicExecutable::compile(*device, tinyStep(false), options);
    ASSERT_TRUE(dynamic.ok()) << dynamic.error().message;
    Result<Feed> feed = Feed::create(tinyStep(false), {});
    ASSERT_TRUE(feed->initialize(*dynamic).ok());
    ASSERT_TRUE(feed->feedStep(*dynamic, 0).ok());
    ASSERT_TRUE(dynamic->run().ok());
    const int64_t live = dynamic->engine().pool().mostLiveBytes();
    if (units > 1)
      EXPECT_LE(live, options.dynamic.thresholdBytes);
    EXPECT_GT(dynamic->engine().stats().evictions, 0);
    EXPECT_TRUE(compare(tinyStep(false), options).ok());
  }
}

/// If this fails, an op that cannot fit loops, or the error does not say which
/// op it was, what it takes and what stood beside it.
TEST_F(DynamicProgram, what_cannot_fit_is_named) {
  DynamicProgramOptions options;
  options.dynamic.budgetBytes = 5 * Pool::unit;
  Status status = compare(tinyStep(false), options);
  EXPECT_EQ(status.code, MEMPLAN_OUT_OF_MEMORY);
  EXPECT_THAT(status.message, HasSubstr("(memplan.matmul, node 0)"));
  EXPECT_THAT(status.message, HasSubstr("no room for 512 bytes in the pool of "
                                        "2560: it reads"));
  EXPECT_THAT(status.message, HasSubstr("cannot be recomputed: 3072 at once, "
                                        "whatever else leaves"));
  options.dynamic.budgetBytes = 3 * Pool::unit;
  status = compare(tinyStep(false), options);
  EXPECT_THAT(status.message, HasSubstr("for argument 'w'"));
}

/// Everything that can go wrong in a step, one after the other: `refuse` is
/// asked at each allocation, the backend at each launch.
static int64_t calls, refused, launches, failing;

/// The plain kernels, one launch of which fails.
static Result<Device> openFailing() {
  static const memplan_backend_t *real = *findBackend("reference");
  static memplan_backend_t table = *real;
  table.launch = [](memplan_device_t *device, const memplan_launch_t *launch) {
    return launches++ == failing ? MEMPLAN_FAILED
                                 : real->launch(device, launch);
  };
  if (Status s = registerBackend("failing", &table); !s.ok())
    return s;
  return Device::open("failing");
}

/// If this fails, a step that was refused an allocation, or in which a kernel
/// fails, leaks, or leaves the next step something of its own.
TEST_F(DynamicProgram, a_fault_anywhere_does_not_harm_the_next_step) {
  const Program program = tinyStep(false);
  Result<Device> faulty = openFailing();
  ASSERT_TRUE(faulty.ok()) << faulty.error().message;
  for (const bool inKernel : {false, true}) {
    refused = failing = -1;
    DynamicProgramOptions options;
    options.dynamic.budgetBytes = 8 * Pool::unit;
    options.dynamic.refuse = [] { return calls++ == refused; };
    Result<DynamicExecutable> dynamic =
        DynamicExecutable::compile(*faulty, program, options);
    ASSERT_TRUE(dynamic.ok()) << dynamic.error().message;
    Result<Executable> other = Executable::compile(*device, program);
    Result<Feed> feed = Feed::create(program, {});
    auto start = [&](Runnable &runnable) {
      EXPECT_TRUE(feed->initialize(runnable).ok());
      EXPECT_TRUE(feed->feedStep(runnable, 0).ok());
    };
    const int64_t held = dynamic->engine().pool().liveBytes();
    int64_t points = 0;
    for (;; ++points) {
      start(*dynamic);
      start(*other);
      calls = launches = 0;
      (inKernel ? failing : refused) = points;
      Status status = dynamic->run();
      refused = failing = -1;
      if (status.ok())
        break;
      EXPECT_EQ(status.code, inKernel ? MEMPLAN_FAILED : MEMPLAN_OUT_OF_MEMORY);
      EXPECT_THAT(status.message, HasSubstr("instruction "));
      EXPECT_EQ(dynamic->engine().pool().liveBytes(), held) << "a leak";
      EXPECT_EQ(dynamic->engine().opCount(), 0u);
      start(*dynamic);
      ASSERT_EQ(dynamic->run().message, "");
      ASSERT_TRUE(other->run().ok());
      ASSERT_EQ(compareStep(*dynamic, *other).message, "");
    }
    EXPECT_GE(points, inKernel ? 9 : 7);
  }
}

/// If this fails, a launch on wrong bytes passes the watch, which then shows
/// nothing.
TEST_F(DynamicProgram, the_watch_finds_launches_on_wrong_bytes) {
  DynamicOptions options;
  options.budgetBytes = 8 * Pool::unit;
  Result<Engine> engine = Engine::create(*device, options);
  ASSERT_TRUE(engine.ok());
  Instruction add;
  add.kernel = "memplan.relu";
  add.inputs = {{Space::Arena, 0, 0, DType::F32, {128}}};
  add.outputs = {{Space::Arena, 1, 0, DType::F32, {128}}};
  Result<KernelCall> call = KernelCall::prepare(*device, add);
  ASSERT_TRUE(call.ok()) << call.error().message;
  const ValueId a = *engine->put(512, nullptr);
  const Place inputs[] = {{a, 0}};
  const ValueId fresh[] = {-1}, over[] = {a};
  auto watched = [&](std::span<const ValueId> overs,
                     std::vector<int64_t> addresses) {
    PoolWatch watch(*engine);
    watch.launching({7, false, 0, *call, inputs, overs, addresses});
    return watch.status().message;
  };
  EXPECT_EQ(watched(fresh, {0, 512}), "");
  EXPECT_EQ(watched(over, {0, 0}), "");
  EXPECT_THAT(
      watched(fresh, {512, 1024}),
      HasSubstr("op 7 (memplan.relu) reads value 0 at bytes [512, 1024)"));
  EXPECT_THAT(watched(fresh, {0, 0}),
              HasSubstr("writes bytes [0, 512) of the pool, where another"));
}

/// If this fails, steps that are alike are decided anew, or differently.
TEST_F(DynamicProgram, steps_follow_the_decisions_before) {
  DynamicProgramOptions options;
  options.dynamic.budgetBytes = 9 * Pool::unit;
  options.replay = true;
  Result<DynamicExecutable> dynamic =
      DynamicExecutable::compile(*device, tinyStep(false), options);
  ASSERT_TRUE(dynamic.ok()) << dynamic.error().message;
  Result<Executable> other = Executable::compile(*device, tinyStep(false));
  Result<Feed> feed = Feed::create(other->program(), {});
  Result<CompareReport> report =
      compareRuns(*dynamic, *other, *feed, {5, {}, {}});
  ASSERT_TRUE(report.ok()) << report.error().message;
  const ReplayStats replay = dynamic->engine().lastReplay();
  EXPECT_GE(replay.followed, 9) << "each op at least";
  EXPECT_FALSE(replay.deviated);
}

/// If this fails, steps with room on the host begin somewhere else every time,
/// so that none follows another.
TEST_F(DynamicProgram, steps_with_host_memory_follow_the_decisions_before) {
  for (int64_t units = 6; units < 12; ++units) {
    DynamicProgramOptions options;
    options.dynamic.budgetBytes = units * Pool::unit;
    options.dynamic.hostBytes = 32 * Pool::unit;
    options.replay = true;
    Result<DynamicExecutable> dynamic =
        DynamicExecutable::compile(*device, tinyStep(false), options);
    ASSERT_TRUE(dynamic.ok()) << dynamic.error().message;
    PoolWatch watch(dynamic->engine());
    Result<Executable> other = Executable::compile(*device, tinyStep(false));
    Result<Feed> feed = Feed::create(other->program(), {});
    Result<CompareReport> report =
        compareRuns(*dynamic, *other, *feed, {6, {}, {}});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(watch.status().message, "");
    const ReplayStats replay = dynamic->engine().lastReplay();
    EXPECT_GE(replay.followed, 9) << units << " units";
    EXPECT_FALSE(replay.deviated);
  }
}

/// If this fails, the clock does not count what a cost model says of the nodes.
TEST_F(DynamicProgram, the_clock_counts_the_costs_of_nodes) {
  DynamicProgramOptions options;
  options.dynamic.budgetBytes = 1 << 16;
  options.nodeCosts = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  DynamicStats stats;
  ASSERT_EQ(compare(tinyStep(false), options, &stats).message, "");
  EXPECT_EQ(stats.computeCost, 511);
}
