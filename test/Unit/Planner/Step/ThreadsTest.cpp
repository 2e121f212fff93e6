//===- ThreadsTest.cpp - Two threads plan at once -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "memplan/Plan/PlanJson.h"
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
