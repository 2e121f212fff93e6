//===- FaultsTest.cpp - Everything that can go wrong in a real step -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Dynamic/DynamicExecutable.h"
#include "memplan/Runtime/Execute/Backends.h"
#include "memplan/Runtime/Program/ProgramIO.h"

#include <cstdlib>
#include <gmock/gmock.h>

using namespace memplan;
using namespace memplan::runtime;
using testing::HasSubstr;

/// Counted from the start of a step; -1: none.
static int64_t allocations, refused, launches, failing;

/// The plain kernels, one launch of which fails after having written.
static Result<Device> openFailing() {
  static const memplan_backend_t *real = *findBackend("reference");
  static memplan_backend_t table = *real;
  table.launch = [](memplan_device_t *device, const memplan_launch_t *launch) {
    const memplan_status_t status = real->launch(device, launch);
    return launches++ == failing ? MEMPLAN_FAILED : status;
  };
  if (Status s = registerBackend("failing-late", &table); !s.ok())
    return s;
  return Device::open("failing-late");
}

/// Of the step in the file MEMPLAN_FAULTS_PROGRAM, an unplanned program, within
/// MEMPLAN_FAULTS_BUDGET percent of its unplanned peak. If this fails, an
/// allocation that is refused, or a kernel that fails, at some point of the
/// step is no error, leaks, or changes what later steps compute.
TEST(Faults, anywhere_in_a_step_harm_no_later_one) {
  const char *path = std::getenv("MEMPLAN_FAULTS_PROGRAM");
  if (!path)
    GTEST_SKIP() << "MEMPLAN_FAULTS_PROGRAM names no program";
  registerBuiltInBackends();
  Result<Program> program = readProgramFile(path);
  ASSERT_TRUE(program.ok()) << program.error().message;
  Result<Device> device = openFailing();
  ASSERT_TRUE(device.ok()) << device.error().message;
  Result<Executable> other = Executable::compile(*device, *program);
  ASSERT_TRUE(other.ok()) << other.error().message;
  Result<Feed> feed = Feed::create(*program, {});
  const Result<int64_t> peak = unplannedPeakBytes(*device, *program);
  ASSERT_TRUE(peak.ok());
  auto start = [&](Runnable &runnable) {
    ASSERT_TRUE(feed->initialize(runnable).ok());
    ASSERT_TRUE(feed->feedStep(runnable, 0).ok());
  };
  refused = failing = -1;
  start(*other);
  ASSERT_TRUE(other->run().ok());
  for (const bool inKernel : {false, true}) {
    DynamicProgramOptions options;
    options.dynamic.budgetBytes =
        *peak * std::atoll(std::getenv("MEMPLAN_FAULTS_BUDGET")) / 100;
    options.dynamic.refuse = [] { return allocations++ == refused; };
    Result<DynamicExecutable> dynamic =
        DynamicExecutable::compile(*device, *program, options);
    ASSERT_TRUE(dynamic.ok()) << dynamic.error().message;
    const Engine &engine = dynamic->engine();
    const int64_t held = engine.pool().liveBytes();
    int64_t points = 0;
    for (bool failed = true; failed; points += failed) {
      start(*dynamic);
      allocations = launches = 0;
      (inKernel ? failing : refused) = points;
      const Status status = dynamic->run();
      refused = failing = -1;
      failed = !status.ok();
      if (failed) {
        ASSERT_EQ(status.code,
                  inKernel ? MEMPLAN_FAILED : MEMPLAN_OUT_OF_MEMORY);
        ASSERT_THAT(status.message, HasSubstr("instruction "));
        ASSERT_EQ(engine.pool().liveBytes(), held) << "point " << points;
        ASSERT_EQ(engine.opCount(), 0u);
        start(*dynamic);
        ASSERT_EQ(dynamic->run().message, "") << "point " << points;
      }
      ASSERT_EQ(compareStep(*dynamic, *other).message, "")
          << "point " << points;
    }
    EXPECT_GT(engine.stats().recomputes, 0);
    EXPECT_GT(points, int64_t(program->instructions.size()) / 2);
    std::printf("%lld %s\n", static_cast<long long>(points),
                inKernel ? "kernels failed" : "allocations were refused");
  }
}
