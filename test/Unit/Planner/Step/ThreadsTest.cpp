//===- ThreadsTest.cpp - Two threads plan at once -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "Reorder.h"
#include "WalkBeside.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Step/PlanCurve.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Solver/MilpModel.h"
#include <thread>

using namespace memplan;

namespace {

/// What one thread plans, and what it came to.
struct Job {
  Graph graph;
  PlanOptions options;
  std::string plan;
  int calls = 0;
  int foreignCalls = 0;

  void run() {
    const std::thread::id self = std::this_thread::get_id();
    options.limits.progress = [&, self](const Progress &) {
      ++calls;
      foreignCalls += std::this_thread::get_id() != self;
    };
    llvm::Expected<Plan> made = planStep(graph, options);
    ASSERT_THAT(made, Succeeds());
    plan.clear();
    llvm::raw_string_ostream os(plan);
    writePlan(graph, *made, os);
  }
};

Job makeJob(Graph graph, const char *remat, int percent) {
  Job job;
  job.graph = std::move(graph);
  job.options.remat = remat;
  job.options.limits.effort = 2000;
  job.options.alignmentBytes = 1;
  EXPECT_THAT(setOption(job.options, "budget", std::to_string(percent) + "%"),
              Succeeds());
  resolveBudget(GraphIndex(job.graph), job.options);
  return job;
}

std::vector<const char *> solversToTry() {
  std::vector<const char *> solvers = {"auto", "greedy"};
  if (createHighsBackend())
    solvers.push_back("milp");
  return solvers;
}

} // namespace

// A solver that kept something outside its arguments would mix up the plans of
// two threads, or tell one of them of the other.
TEST(Threads, plan_as_if_they_were_alone) {
  for (const char *solver : solversToTry()) {
    Job first = makeJob(makeChain(6), solver, 70);
    Job second = makeJob(makeChain(8), solver, 90);
    first.run();
    second.run();
    Job others[2] = {first, second};
    std::thread threads[2];
    for (int i = 0; i < 2; ++i)
      threads[i] = std::thread([&, i] { others[i].run(); });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(others[0].plan, first.plan) << solver;
    EXPECT_EQ(others[1].plan, second.plan) << solver;
    EXPECT_EQ(others[0].foreignCalls + others[1].foreignCalls, 0) << solver;
  }
}

// One who stops its planning must not stop that of another.
TEST(Threads, stop_alone) {
  std::atomic<bool> stop = true;
  Job going = makeJob(makeChain(8), "auto", 60);
  Job stopped = going;
  stopped.options.limits.stop = &stop;
  going.run();
  const std::string expected = going.plan;
  std::thread thread([&] { stopped.run(); });
  going.run();
  thread.join();
  EXPECT_EQ(going.plan, expected);
}

namespace {

/// Networks with something to recompute, by several links.
std::vector<Job> jobsOfTwoThreads() {
  std::vector<Job> jobs;
  for (uint64_t seed = 1; seed <= 6; ++seed)
    for (int percent : {60, 85})
      for (const char *swap : {"none", "search"}) {
        Job job = makeJob(seed % 2 ? makeRandomDag(seed, 24)
                                   : makeResidualNet(3 + int(seed)),
                          "auto", percent);
        job.options.swap = swap;
        job.graph.bandwidth = Bandwidth{2.0, 2.0, 0};
        jobs.push_back(std::move(job));
      }
  return jobs;
}

} // namespace

// The second thread's walk would be another, or would be lost or kept by
// chance.
TEST(Threads, two_find_the_plan_of_one) {
  for (Job &job : jobsOfTwoThreads()) {
    SCOPED_TRACE(job.graph.name + " swap=" + job.options.swap);
    job.options.planThreads = 1;
    job.run();
    const std::string expected = job.plan;
    job.options.planThreads = 2;
    job.run();
    EXPECT_EQ(job.plan, expected);
    EXPECT_EQ(job.foreignCalls, 0);
  }
}

// Points behind one whose second walk was cut would lack what it finds.
TEST(Threads, two_find_the_curve_of_one) {
  for (uint64_t seed : {2, 3}) {
    Job job = makeJob(makeRandomDag(seed, 24), "auto", 60);
    job.options.budgetBytes.reset();
    std::string curves[2];
    for (int64_t threads : {1, 2}) {
      job.options.planThreads = threads;
      llvm::Expected<PlanCurve> curve =
          planCurve(job.graph, job.options, /*points=*/6);
      ASSERT_THAT(curve, Succeeds());
      llvm::raw_string_ostream os(curves[threads - 1]);
      for (const Plan &plan : curve->plans)
        writePlan(job.graph, plan, os);
    }
    EXPECT_EQ(curves[1], curves[0]);
  }
}

namespace {

/// A walk beside another one, of a space whose search finds nothing.
struct WalkOfTest {
  using Body = std::function<void(const StepContext &)>;

  /// `body` is what the search does, on the other thread.
  void open(Body body) {
    options.limits.stop = &stop;
    prepared.emplace(prepareStep(index, options));
    ASSERT_THAT(*prepared, Succeeds());
    beside = std::make_unique<WalkBeside>((*prepared)->context);
    PlanSpace space;
    space.mostBytes = 1000;
    space.search =
        [this, body = std::move(body)](
            const BudgetSearch &) -> llvm::Expected<std::vector<PackedPlan>> {
      body(beside->context());
      return std::vector<PackedPlan>();
    };
    walk = std::make_unique<SpaceWalk>(beside->context(), std::move(space));
  }
  void start() { beside->start(*walk, 500, 3); }
  /// With a search that ends where it is stopped, and until it has begun.
  void startEndless() {
    open([this](const StepContext &context) {
      isSearching = true;
      waitForStop(context);
    });
    if (testing::Test::HasFatalFailure())
      return;
    start();
    while (!isSearching)
      std::this_thread::yield();
  }
  static void waitForStop(const StepContext &context) {
    while (!context.isStopped())
      std::this_thread::yield();
  }

  Graph graph = makeChain(6);
  GraphIndex index{graph};
  PlanOptions options;
  std::atomic<bool> stop = false, isSearching = false;
  std::optional<llvm::Expected<PreparedStep>> prepared;
  std::unique_ptr<WalkBeside> beside;
  std::unique_ptr<SpaceWalk> walk;
};

} // namespace

// An allocation that fails there would end the process of the caller, and a
// walk without its searches would be taken for one that is done.
TEST(WalkBeside, hands_on_what_is_thrown) {
  WalkOfTest test;
  ASSERT_NO_FATAL_FAILURE(
      test.open([](const StepContext &) { throw std::bad_alloc(); }));
  test.start();
  EXPECT_THROW(test.beside->finish(), std::bad_alloc);
  EXPECT_FALSE(test.beside->isRunning());
  test.start();
  EXPECT_FALSE(test.beside->cut());
  EXPECT_TRUE(test.beside->cut());
}

// A caller that waits would see nothing for long, and could not end the
// planning by what its callback returns.
TEST(WalkBeside, reports_where_the_caller_waits) {
  WalkOfTest test;
  std::vector<std::thread::id> heard;
  test.options.limits.progress = [&](const Progress &said) {
    EXPECT_EQ(said.incumbent, 7);
    heard.push_back(std::this_thread::get_id());
    test.stop = true;
  };
  ASSERT_NO_FATAL_FAILURE(test.open([](const StepContext &context) {
    context.options.limits.progress({"search", 7, std::nullopt, 0});
    WalkOfTest::waitForStop(context);
  }));
  test.start();
  test.beside->finish();
  EXPECT_EQ(heard, std::vector(1, std::this_thread::get_id()));
}

// A walk that was cut has places without plans, which must not count as
// searched.
TEST(WalkBeside, tells_that_a_cut_walk_lacks_searches) {
  WalkOfTest test;
  ASSERT_NO_FATAL_FAILURE(test.startEndless());
  EXPECT_FALSE(test.beside->cut());
  EXPECT_FALSE(test.beside->isRunning());
}

// What is whole would be made anew.
TEST(WalkBeside, keeps_a_walk_that_has_ended) {
  WalkOfTest test;
  ASSERT_NO_FATAL_FAILURE(test.open([](const StepContext &) {}));
  bool isKept = false;
  for (int tries = 0; tries < 10'000 && !isKept; ++tries) {
    test.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    isKept = test.beside->cut();
  }
  EXPECT_TRUE(isKept);
}

// Ctrl-C would wait for the second walk to end by itself.
TEST(WalkBeside, stops_with_its_caller) {
  WalkOfTest test;
  ASSERT_NO_FATAL_FAILURE(test.startEndless());
  test.stop = true;
  test.beside->finish();
  EXPECT_FALSE(test.beside->isRunning());
  EXPECT_TRUE(test.beside->context().isStopped())
      << "from here on by the caller";
}
