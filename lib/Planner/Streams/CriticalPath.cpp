//===- CriticalPath.cpp - Lists ordered by when their actions start -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: list scheduling by longest path to the end (Hu; Graham). Idea: start
// jobs on N streams and two engines. Whenever a queue is idle, the ready
// job of the longest path starts. Under a limit on live bytes, only the run
// that is next in the given list may exceed it, so that there is always one to
// start. The jobs are then listed by when they start, and what all have
// finished with is given back before what starts at that time. Guaranteed:
// the list is valid, and no wait between what ends and what starts afterwards
// delays it. Not guaranteed: the shortest time.
//
//===----------------------------------------------------------------------===//

#include "ListScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace memplan;

namespace {
class PathScheduler {
public:
  PathScheduler(const JobGraph &graph, const ScheduleOptions &options);
  StreamList schedule();

private:
  void makeReady(int32_t job);
  bool startCopy();
  bool startRun();
  std::optional<int32_t> pickRun() const;
  void start(int32_t job);
  void passStarted();
  void endFirst();
  void endAllUntilNow();

  const JobGraph &graph;
  const FlatJobs jobs;
  const ScheduleOptions options;
  ListScheduler scheduler;
  ListScheduler::State state;
  /// Runs by path, then by place; copies by place.
  std::set<std::pair<double, int32_t>> readyRuns;
  std::set<int32_t> readyCopies;
  std::vector<int32_t> order; ///< Jobs by when they start.
  int32_t nextRun = 0;        ///< The first run that has not started.
  std::vector<bool> started;
  std::vector<int32_t> waits; ///< By job: those before it that have not ended.
};
} // namespace

PathScheduler::PathScheduler(const JobGraph &graph,
                             const ScheduleOptions &options)
    : graph(graph), jobs(graph), options(options),
      scheduler(jobs, options.streams, StartRule::InOrder),
      state(scheduler.begin()), started(jobs.count()) {
  for (int32_t job = 0; job < jobs.count(); ++job)
    waits.push_back(static_cast<int32_t>(jobs.before(job).size()));
}

void PathScheduler::makeReady(int32_t job) {
  if (jobs.all[job].engine < 0)
    readyRuns.insert({-jobs.all[job].path, job});
  else
    readyCopies.insert(job);
}

bool PathScheduler::startCopy() {
  auto found = llvm::find_if(readyCopies, [&](int32_t job) {
    return scheduler.isQueueIdle(state, job);
  });
  if (found == readyCopies.end())
    return false;
  const int32_t job = *found;
  readyCopies.erase(found);
  start(job);
  return true;
}

std::optional<int32_t> PathScheduler::pickRun() const {
  for (auto [ignored, job] : readyRuns) {
    const bool isNext = job == nextRun;
    const bool fits = !options.liveBytes ||
                      state.live + jobs.all[job].takes <= *options.liveBytes;
    if (scheduler.isQueueIdle(state, job) &&
        (isNext || (fits && !options.keepOrder)))
      return job;
  }
  return std::nullopt;
}

bool PathScheduler::startRun() {
  // Most often no stream is idle.
  if (*llvm::min_element(state.streamEnds) > state.now)
    return false;
  std::optional<int32_t> job = pickRun();
  if (!job)
    return false;
  readyRuns.erase({-jobs.all[*job].path, *job});
  start(*job);
  return true;
}

void PathScheduler::start(int32_t job) {
  scheduler.start(state, job);
  order.push_back(job);
  started[job] = true;
  passStarted();
  endAllUntilNow();
}

void PathScheduler::passStarted() {
  while (nextRun < jobs.count() &&
         (started[nextRun] || jobs.all[nextRun].engine >= 0))
    ++nextRun;
}

void PathScheduler::endFirst() {
  const int32_t job = scheduler.endFirst(state);
  for (int32_t after : jobs.later(job))
    if (--waits[after] == 0)
      makeReady(after);
}

void PathScheduler::endAllUntilNow() {
  while (!state.running.empty() && state.running.back().first <= state.now)
    endFirst();
}

StreamList PathScheduler::schedule() {
  passStarted();
  for (int32_t job = 0; job < jobs.count(); ++job)
    if (waits[job] == 0)
      makeReady(job);
  while (true) {
    while (startCopy() || startRun()) {
    }
    if (state.running.empty())
      break;
    endFirst();
    endAllUntilNow();
  }
  return listByStart(graph, jobs, scheduler, order);
}

StreamList memplan::scheduleStreams(const GraphIndex &index,
                                    const std::vector<PlanAction> &actions,
                                    const ScheduleOptions &options,
                                    const ReuseDependencies &reuse) {
  const JobGraph graph(index, actions, reuse);
  return PathScheduler(graph, options).schedule();
}
