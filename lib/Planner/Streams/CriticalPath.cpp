//===- CriticalPath.cpp - Lists ordered by when their actions start -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: list scheduling by longest path to the end (Hu; Graham). Idea: play
// the step on N streams and two engines. Whenever a queue is idle, the ready
// job of the longest path starts. Under a limit on live bytes, only the run
// that is next in the given list may exceed it, so that there is always one to
// start. The jobs are then listed by when they start, and what all have
// finished with is given back before what starts at that time. Guaranteed:
// the list is valid, and no wait between what ends and what starts afterwards
// delays it. Not guaranteed: the shortest time.
//
//===----------------------------------------------------------------------===//

#include "JobGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace memplan;

namespace {
class Player {
public:
  Player(const GraphIndex &index, const std::vector<PlanAction> &actions,
         const ScheduleOptions &options, const ReuseDependencies &reuse);
  StreamList play();

private:
  void makeReady(int32_t job);
  bool startCopy();
  bool startRun();
  std::optional<int32_t> pickRun() const;
  int32_t pickStream(int32_t job) const;
  void passStarted();
  void start(int32_t job);
  bool finishNext();

  const JobGraph jobs;
  const ScheduleOptions options;
  // The state of play.
  double now = 0;
  /// Runs by path, then by place; copies by place.
  std::set<std::pair<double, int32_t>> readyRuns;
  std::set<int32_t> readyCopies;
  std::set<std::pair<double, int32_t>> running; ///< By end.
  std::vector<int32_t> onStream;                ///< What runs there, or -1.
  std::vector<int32_t> lastOn;                  ///< By stream: its last run.
  std::vector<int32_t> onEngine;                ///< Likewise.
  std::vector<int32_t> order;                   ///< Jobs by when they start.
  std::vector<double> begins, ends;
  std::vector<int32_t> streamOf;
  size_t nextRun = 0; ///< In `jobs`: the first run that has not started.
  std::vector<bool> started;
  int64_t live = 0;
  std::vector<int32_t> waits;     ///< By job: edges into it that hold it.
  std::vector<int32_t> usersLeft; ///< By storage.
};
} // namespace

Player::Player(const GraphIndex &index, const std::vector<PlanAction> &actions,
               const ScheduleOptions &options, const ReuseDependencies &reuse)
    : jobs(index, actions, reuse), options(options),
      onStream(options.streams, -1), lastOn(options.streams, -1),
      onEngine(2, -1), begins(actions.size()), ends(actions.size()),
      streamOf(actions.size()), started(actions.size()),
      live(jobs.initialBytes), waits(jobs.waits) {
  for (const ActionStorage &storage : jobs.storages.all)
    usersLeft.push_back(static_cast<int32_t>(storage.users.size()));
}

void Player::makeReady(int32_t job) {
  if (jobs.isRun(job))
    readyRuns.insert({-jobs.path[job], job});
  else
    readyCopies.insert(job);
}

bool Player::startCopy() {
  for (int32_t job : readyCopies) {
    const bool isFetch = jobs.actions[job].action == ActionKind::Fetch;
    if (onEngine[isFetch] >= 0)
      continue;
    // From a stream that has nothing to do, which could hold it up.
    auto idle = llvm::find(onStream, -1);
    if (idle == onStream.end())
      return false;
    streamOf[job] = static_cast<int32_t>(idle - onStream.begin());
    onEngine[isFetch] = job;
    readyCopies.erase(job);
    start(job);
    return true;
  }
  return false;
}

std::optional<int32_t> Player::pickRun() const {
  const int32_t first = nextRun < jobs.jobs.size() ? jobs.jobs[nextRun] : -1;
  for (auto [ignored, job] : readyRuns) {
    const bool isNext = job == first;
    const bool fits =
        !options.liveBytes || live + jobs.takes[job] <= *options.liveBytes;
    const bool isInPlace = !jobs.keepsPlace(job) || onStream[0] < 0;
    if (isInPlace && (isNext || (fits && !options.keepOrder)))
      return job;
  }
  return std::nullopt;
}

int32_t Player::pickStream(int32_t job) const {
  if (jobs.keepsPlace(job))
    return 0;
  int32_t best = -1;
  auto endOn = [&](int32_t stream) {
    return lastOn[stream] < 0 ? -1 : ends[lastOn[stream]];
  };
  auto follows = [&](int32_t stream) {
    return lastOn[stream] >= 0 &&
           llvm::is_contained(jobs.storages.after[job], lastOn[stream]);
  };
  for (size_t i = 0; i < onStream.size(); ++i) {
    const auto stream = static_cast<int32_t>(i);
    if (onStream[i] >= 0)
      continue;
    if (best < 0 || std::pair(follows(stream), endOn(stream)) >
                        std::pair(follows(best), endOn(best)))
      best = stream;
  }
  return best;
}

void Player::passStarted() {
  const std::vector<int32_t> &all = jobs.jobs;
  while (nextRun < all.size() &&
         (started[all[nextRun]] || !jobs.isRun(all[nextRun])))
    ++nextRun;
}

void Player::start(int32_t job) {
  order.push_back(job);
  begins[job] = now;
  ends[job] = now + jobs.times[job];
  running.insert({ends[job], job});
  live += jobs.takes[job];
  started[job] = true;
  passStarted();
}

bool Player::startRun() {
  if (!llvm::is_contained(onStream, -1))
    return false;
  std::optional<int32_t> job = pickRun();
  if (!job)
    return false;
  const int32_t stream = pickStream(*job);
  streamOf[*job] = stream;
  onStream[stream] = lastOn[stream] = *job;
  readyRuns.erase({-jobs.path[*job], *job});
  start(*job);
  return true;
}

/// Lets time pass until the next job ends; false at the end.
bool Player::finishNext() {
  if (running.empty())
    return false;
  auto [end, job] = *running.begin();
  running.erase(running.begin());
  now = end;
  for (auto *queues : {&onStream, &onEngine})
    for (int32_t &each : *queues)
      if (each == job)
        each = -1;
  for (int32_t storage : jobs.usedBy[job])
    if (--usersLeft[storage] == 0 && jobs.isGivenBack(storage))
      live -= jobs.storages.all[storage].bytes;
  for (int32_t after : jobs.later[job])
    if (--waits[after] == 0)
      makeReady(after);
  return true;
}

StreamList Player::play() {
  passStarted();
  for (int32_t job : jobs.jobs)
    if (waits[job] == 0)
      makeReady(job);
  do {
    // All that ends now, before anything starts.
    while (!running.empty() && running.begin()->first <= now)
      finishNext();
    while (startCopy() || startRun()) {
    }
  } while (finishNext());
  return listByStart(jobs, order, begins, ends, streamOf);
}

StreamList memplan::scheduleStreams(const GraphIndex &index,
                                    const std::vector<PlanAction> &actions,
                                    const ScheduleOptions &options,
                                    const ReuseDependencies &reuse) {
  return Player(index, actions, options, reuse).play();
}
