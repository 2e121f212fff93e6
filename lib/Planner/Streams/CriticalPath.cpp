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
// finished with is given back before whoever starts at that time. Guaranteed:
// the list is valid, and no wait between what ends and what starts afterwards
// delays it. Not guaranteed: the shortest time.
//
//===----------------------------------------------------------------------===//

#include "JobTimes.h"
#include "memplan/Plan/ActionStorages.h"
#include "memplan/Planner/Streams/Clocks.h"
#include "memplan/Planner/Streams/Streams.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <queue>
#include <set>
#include <tuple>

using namespace memplan;

namespace {
class Player {
public:
  Player(const GraphIndex &index, const std::vector<PlanAction> &actions,
         const ScheduleOptions &options, const HandOvers &handOvers);
  StreamList play();

private:
  void addEdge(int32_t before, int32_t after);
  void findEdges(const HandOvers &handOvers);
  void findPaths();
  void findBytes();
  void makeReady(int32_t job);
  bool startCopy();
  bool startRun();
  std::optional<int32_t> pickRun() const;
  int32_t pickStream(int32_t job) const;
  void start(int32_t job);
  bool finishNext();

  const Graph &graph;
  const std::vector<PlanAction> &actions;
  ScheduleOptions options;
  JobTimes times;
  ActionStorages storages;
  std::vector<int32_t> jobs;               ///< In the order of the given list.
  std::vector<std::vector<int32_t>> later; ///< By job: those after it.
  std::vector<int32_t> waits;              ///< By job: edges into it.
  std::vector<double> path;                ///< By job: to the end of the step.
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
  std::vector<int64_t> takes;               ///< By job: new bytes.
  std::vector<std::vector<int32_t>> usedBy; ///< By job: storages.
  std::vector<int32_t> usersLeft;           ///< By storage.
};

/// Lists jobs by when they begin, with what is given back in between.
class Lister {
public:
  Lister(const std::vector<PlanAction> &actions, const ActionStorages &storages,
         const std::vector<double> &begins, const std::vector<double> &ends,
         const std::vector<int32_t> &streamOf)
      : actions(actions), storages(storages), begins(begins), ends(ends),
        streamOf(streamOf), lastUsers(actions.size()),
        usersLeft(storages.all.size()) {}
  std::vector<PlanAction> list(const std::vector<int32_t> &order);
  /// Of the list made, by its actions.
  std::vector<int32_t> doneBy() const;
  std::vector<int32_t> from() const;

private:
  void giveBackLater(size_t storage);
  void giveBack(double until);

  const std::vector<PlanAction> &actions;
  const ActionStorages &storages;
  const std::vector<double> &begins, &ends;
  const std::vector<int32_t> &streamOf;
  std::vector<std::vector<size_t>> lastUsers; ///< By job: storages it uses.
  std::vector<size_t> usersLeft;              ///< By storage.
  /// (time, waits before frees, number, action).
  using Key = std::tuple<double, int, size_t>;
  std::map<Key, PlanAction> pending;
  size_t count = 0;
  std::vector<PlanAction> result;
  std::vector<std::pair<int32_t, int32_t>> listed; ///< (place, job).
};
} // namespace

Player::Player(const GraphIndex &index, const std::vector<PlanAction> &actions,
               const ScheduleOptions &options, const HandOvers &handOvers)
    : graph(index.graph()), actions(actions), options(options), times(graph),
      storages(findStorages(index, actions)), later(actions.size()),
      waits(actions.size()), path(actions.size()),
      onStream(options.streams, -1), lastOn(options.streams, -1),
      onEngine(2, -1), begins(actions.size()), ends(actions.size()),
      streamOf(actions.size()), started(actions.size()), takes(actions.size()),
      usedBy(actions.size()), usersLeft(storages.all.size()) {
  for (size_t i = 0; i < actions.size(); ++i)
    if (isJob(actions[i]))
      jobs.push_back(static_cast<int32_t>(i));
  findEdges(handOvers);
  findPaths();
  findBytes();
}

void Player::addEdge(int32_t before, int32_t after) {
  later[before].push_back(after);
  ++waits[after];
}

void Player::findEdges(const HandOvers &handOvers) {
  int32_t lastRun = -1, lastCollective = -1;
  for (int32_t job : jobs) {
    for (int32_t before : storages.after[job])
      addEdge(before, job);
    for (int32_t before : storages.renames[job])
      addEdge(before, job);
    if (static_cast<size_t>(job) < handOvers.size())
      for (int32_t before : handOvers[job])
        addEdge(before, job);
    const PlanAction &action = actions[job];
    if (action.action != ActionKind::Compute) {
      // Whoever wrote the list did not want the copy any earlier.
      if (lastRun >= 0)
        addEdge(lastRun, job);
      continue;
    }
    lastRun = job;
    if (graph[action.node].keepsPlace()) {
      if (lastCollective >= 0)
        addEdge(lastCollective, job);
      lastCollective = job;
    }
  }
}

void Player::findPaths() {
  for (int32_t job : llvm::reverse(jobs)) {
    for (int32_t after : later[job])
      path[job] = std::max(path[job], path[after]);
    path[job] += times.of(actions[job]);
  }
}

void Player::findBytes() {
  for (size_t i = 0; i < storages.all.size(); ++i) {
    const ActionStorage &storage = storages.all[i];
    if (storage.space != MemorySpace::Device)
      continue;
    usersLeft[i] = static_cast<int32_t>(storage.users.size());
    for (int32_t user : storage.users)
      usedBy[user].push_back(static_cast<int32_t>(i));
    if (storage.isInitial)
      live += storage.bytes;
    else
      takes[storage.users.front()] += storage.bytes;
  }
}

void Player::makeReady(int32_t job) {
  if (actions[job].action == ActionKind::Compute)
    readyRuns.insert({-path[job], job});
  else
    readyCopies.insert(job);
}

bool Player::startCopy() {
  for (int32_t job : readyCopies) {
    const bool isFetch = actions[job].action == ActionKind::Fetch;
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
  const int32_t first = nextRun < jobs.size() ? jobs[nextRun] : -1;
  for (auto [ignored, job] : readyRuns) {
    const bool isNext = job == first;
    const bool fits =
        !options.liveBytes || live + takes[job] <= *options.liveBytes;
    const bool isInPlace =
        !graph[actions[job].node].keepsPlace() || onStream[0] < 0;
    if (isInPlace && (isNext || (fits && !options.keepOrder)))
      return job;
  }
  return std::nullopt;
}

int32_t Player::pickStream(int32_t job) const {
  if (graph[actions[job].node].keepsPlace())
    return 0;
  int32_t best = -1;
  auto endOn = [&](int32_t stream) {
    return lastOn[stream] < 0 ? -1 : ends[lastOn[stream]];
  };
  auto follows = [&](int32_t stream) {
    return lastOn[stream] >= 0 &&
           llvm::is_contained(storages.after[job], lastOn[stream]);
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

void Player::start(int32_t job) {
  order.push_back(job);
  begins[job] = now;
  ends[job] = now + times.of(actions[job]);
  running.insert({ends[job], job});
  live += takes[job];
  started[job] = true;
  while (nextRun < jobs.size() &&
         (started[jobs[nextRun]] ||
          actions[jobs[nextRun]].action != ActionKind::Compute))
    ++nextRun;
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
  readyRuns.erase({-path[*job], *job});
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
  for (int32_t storage : usedBy[job])
    if (--usersLeft[storage] == 0 && storages.all[storage].placement.stepEnd <
                                         static_cast<int32_t>(actions.size()))
      live -= storages.all[storage].bytes;
  for (int32_t after : later[job])
    if (--waits[after] == 0)
      makeReady(after);
  return true;
}

StreamList Player::play() {
  if (!jobs.empty() && actions[jobs.front()].action != ActionKind::Compute)
    while (nextRun < jobs.size() &&
           actions[jobs[nextRun]].action != ActionKind::Compute)
      ++nextRun;
  for (int32_t job : jobs)
    if (waits[job] == 0)
      makeReady(job);
  do {
    // All that ends now, before anything starts.
    while (!running.empty() && running.begin()->first <= now)
      finishNext();
    while (startCopy() || startRun()) {
    }
  } while (finishNext());
  StreamList list;
  for (int32_t job : jobs)
    list.time = std::max(list.time, ends[job]);
  Lister lister(actions, storages, begins, ends, streamOf);
  list.actions = lister.list(order);
  list.doneBy = lister.doneBy();
  list.from = lister.from();
  return list;
}

/// Notes when a storage is given back, once its last user is listed.
void Lister::giveBackLater(size_t number) {
  const ActionStorage &storage = storages.all[number];
  const int32_t at = storage.placement.stepEnd;
  if (at >= static_cast<int32_t>(actions.size()) ||
      storage.placement.kind != PlacementKind::Tensor)
    return;
  double end = 0;
  for (int32_t user : storage.users)
    end = std::max(end, ends[user]);
  PlanAction action = actions[at];
  if (action.action == ActionKind::Free)
    action = PlanAction::free({storage.last});
  pending[{end, action.action != ActionKind::Wait, count++}] = action;
}

void Lister::giveBack(double until) {
  while (!pending.empty() && std::get<0>(pending.begin()->first) <= until) {
    result.push_back(std::move(pending.begin()->second));
    pending.erase(pending.begin());
  }
}

std::vector<PlanAction> Lister::list(const std::vector<int32_t> &order) {
  for (size_t i = 0; i < storages.all.size(); ++i) {
    usersLeft[i] = storages.all[i].users.size();
    for (int32_t user : storages.all[i].users)
      lastUsers[user].push_back(i);
    if (usersLeft[i] == 0)
      giveBackLater(i);
  }
  for (int32_t job : order) {
    giveBack(begins[job]);
    PlanAction action = actions[job];
    action.stream = streamOf[job];
    listed.push_back({static_cast<int32_t>(result.size()), job});
    result.push_back(action);
    if (action.action == ActionKind::Fetch)
      pending[{ends[job], 0, count++}] = PlanAction::wait(*action.event);
    for (size_t storage : lastUsers[job])
      if (--usersLeft[storage] == 0)
        giveBackLater(storage);
  }
  giveBack(std::numeric_limits<double>::infinity());
  return result;
}

std::vector<int32_t> Lister::doneBy() const {
  std::vector<int32_t> done(result.size());
  for (auto [place, job] : listed) {
    auto next = llvm::partition_point(
        listed, [&, end = ends[job]](std::pair<int32_t, int32_t> other) {
          return begins[other.second] < end;
        });
    const auto end = next == listed.end() ? static_cast<int32_t>(result.size())
                                          : next->first;
    done[place] = std::max(end, place + 1);
  }
  return done;
}

std::vector<int32_t> Lister::from() const {
  std::vector<int32_t> places(result.size(), -1);
  for (auto [place, job] : listed)
    places[place] = job;
  return places;
}

StreamList memplan::scheduleStreams(const GraphIndex &index,
                                    const std::vector<PlanAction> &actions,
                                    const ScheduleOptions &options,
                                    const HandOvers &handOvers) {
  return Player(index, actions, options, handOvers).play();
}
