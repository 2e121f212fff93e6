//===- ReadyList.cpp - Of the jobs that may start, which does -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: list scheduling (Hu; Graham). Idea: start jobs on N streams and two
// engines. Whenever a queue is idle, the ready job of the longest path to the
// end starts; or else, one at a time, the ready run after which least bytes are
// live: it makes little, or is the last to read much. Under a limit on live
// bytes, only the run that is next in the given list may exceed it, so that
// there is always one to start. The jobs are then listed by when they start,
// and what all have finished with is given back before what starts at that
// time. Guaranteed: the list is valid, and no wait between what ends and what
// starts afterwards delays it. Not guaranteed: the shortest time, or the fewest
// bytes.
//
//===----------------------------------------------------------------------===//

#include "ListScheduler.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace memplan;

namespace {
class ReadyList {
public:
  ReadyList(const JobGraph &graph, const ScheduleOptions &options);
  StreamList schedule();

private:
  std::pair<double, int32_t> keyOf(int32_t job) const {
    return {isByPath() ? -jobs.all[job].path : 0, job};
  }
  bool isByPath() const { return options.priority == RunPriority::LongestPath; }
  void makeReady(int32_t job);
  bool startCopy();
  bool startRun();
  bool mayStartRun() const;
  std::optional<int32_t> pickRun() const;
  std::optional<int32_t> pickByBytes() const;
  void start(int32_t job);
  void passStarted();
  void endFirst();
  void endAllUntilNow();

  const JobGraph &graph;
  const FlatJobs jobs;
  const ScheduleOptions options;
  ListScheduler scheduler;
  ListScheduler::State state;
  /// Runs by path, if that is asked for, then by place; copies by place.
  std::set<std::pair<double, int32_t>> readyRuns;
  std::set<int32_t> readyCopies;
  std::vector<int32_t> order; ///< Jobs by when they start.
  int32_t nextRun = 0;        ///< The first run that has not started.
  std::vector<bool> started;
  std::vector<int32_t> waits; ///< By job: those before it that have not ended.
};
} // namespace

ReadyList::ReadyList(const JobGraph &graph, const ScheduleOptions &options)
    : graph(graph), jobs(graph), options(options),
      scheduler(jobs, options.streams, StartRule::InOrder),
      state(scheduler.begin()), started(jobs.count()) {
  for (int32_t job = 0; job < jobs.count(); ++job)
    waits.push_back(static_cast<int32_t>(jobs.before(job).size()));
}

void ReadyList::makeReady(int32_t job) {
  if (jobs.all[job].engine < 0)
    readyRuns.insert(keyOf(job));
  else
    readyCopies.insert(job);
}

bool ReadyList::startCopy() {
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

std::optional<int32_t> ReadyList::pickRun() const {
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

/// The first of equals in the given list.
std::optional<int32_t> ReadyList::pickByBytes() const {
  std::optional<int32_t> best;
  int64_t least = 0;
  size_t compared = 0;
  for (auto [ignored, job] : readyRuns) {
    const int64_t bytes = scheduler.growth(state, job);
    if (!best || bytes < least) {
      best = job;
      least = bytes;
    }
    if (++compared == tuning::mostCompared)
      break;
  }
  return best;
}

/// Most often no stream is idle. Bytes are compared when nothing runs.
bool ReadyList::mayStartRun() const {
  return isByPath() ? *llvm::min_element(state.streamEnds) <= state.now
                    : state.running.empty();
}

bool ReadyList::startRun() {
  if (!mayStartRun())
    return false;
  std::optional<int32_t> job = isByPath() ? pickRun() : pickByBytes();
  if (!job)
    return false;
  readyRuns.erase(keyOf(*job));
  start(*job);
  return true;
}

void ReadyList::start(int32_t job) {
  scheduler.start(state, job);
  order.push_back(job);
  started[job] = true;
  passStarted();
  endAllUntilNow();
}

void ReadyList::passStarted() {
  while (nextRun < jobs.count() &&
         (started[nextRun] || jobs.all[nextRun].engine >= 0))
    ++nextRun;
}

void ReadyList::endFirst() {
  const int32_t job = scheduler.endFirst(state);
  for (int32_t after : jobs.later(job))
    if (--waits[after] == 0)
      makeReady(after);
}

void ReadyList::endAllUntilNow() {
  while (!state.running.empty() && state.running.back().first <= state.now)
    endFirst();
}

StreamList ReadyList::schedule() {
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
  return ReadyList(graph, options).schedule();
}
