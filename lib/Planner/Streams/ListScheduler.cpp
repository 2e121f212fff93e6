//===- ListScheduler.cpp - Jobs on streams, one by one --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: list scheduling (Graham). Cost: O(arity + streams + jobs that run) a
// job.
//
//===----------------------------------------------------------------------===//

#include "ListScheduler.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

FlatJobs::FlatJobs(const JobGraph &graph) : initialBytes(graph.initialBytes) {
  const size_t count = graph.jobs.size();
  std::vector<int32_t> number(graph.actions.size(), -1);
  for (size_t i = 0; i < count; ++i)
    number[graph.jobs[i]] = static_cast<int32_t>(i);
  std::vector<std::vector<int32_t>> before(count), later(count);
  for (size_t i = 0; i < count; ++i)
    for (int32_t after : graph.later[graph.jobs[i]]) {
      before[number[after]].push_back(static_cast<int32_t>(i));
      later[i].push_back(number[after]);
    }
  auto append = [](std::vector<int32_t> &to, std::vector<int32_t> from) {
    llvm::sort(from);
    to.insert(to.end(), from.begin(), llvm::unique(from));
  };
  for (size_t i = 0; i <= count; ++i) {
    Job &job = all.emplace_back();
    job.firstBefore = static_cast<int32_t>(allBefore.size());
    job.firstLater = static_cast<int32_t>(allLater.size());
    job.firstStorage = static_cast<int32_t>(allStorages.size());
    if (i == count)
      break;
    const int32_t at = graph.jobs[i];
    job.time = graph.times[at];
    job.path = graph.path[at];
    job.takes = graph.takes[at];
    job.keepsPlace = graph.keepsPlace(at);
    job.communicates = graph.communicates(at);
    if (!graph.isRun(at))
      job.engine = graph.actions[at].action == ActionKind::Fetch;
    append(allBefore, std::move(before[i]));
    append(allLater, std::move(later[i]));
    append(allStorages, graph.usedBy[at]);
  }
  for (size_t i = 0; i < graph.storages.all.size(); ++i) {
    const ActionStorage &storage = graph.storages.all[i];
    users.push_back(static_cast<int32_t>(storage.users.size()));
    storageBytes.push_back(
        graph.isGivenBack(static_cast<int32_t>(i)) ? storage.bytes : 0);
  }
}

ListScheduler::ListScheduler(const FlatJobs &jobs, int32_t streams,
                             StartRule rule, int64_t liveLimit)
    : begins(jobs.count()), ends(jobs.count()), streamOf(jobs.count()),
      jobs(jobs), streams(streams), rule(rule), limit(liveLimit) {}

ListScheduler::State ListScheduler::begin() const {
  State state;
  state.live = jobs.initialBytes;
  state.streamEnds.assign(streams, 0);
  // A stream that nothing is for is never idle.
  state.streamEnds.push_back(
      jobs.communicate() ? 0 : std::numeric_limits<double>::infinity());
  state.lastOn.assign(streams + 1, -1);
  state.usersLeft = jobs.users;
  return state;
}

int32_t ListScheduler::endFirst(State &state) const {
  const auto [end, job] = state.running.pop_back_val();
  state.now = std::max(state.now, end);
  for (int32_t storage : jobs.storages(job))
    if (--state.usersLeft[storage] == 0)
      state.live -= jobs.storageBytes[storage];
  return job;
}

int64_t ListScheduler::growth(const State &state, int32_t number) const {
  int64_t bytes = jobs.all[number].takes;
  for (int32_t storage : jobs.storages(number))
    if (state.usersLeft[storage] == 1)
      bytes -= jobs.storageBytes[storage];
  return bytes;
}

bool ListScheduler::isQueueIdle(const State &state, int32_t number) const {
  const FlatJobs::Job &job = jobs.all[number];
  if (job.engine >= 0 && state.engineEnds[job.engine] > state.now)
    return false;
  return whenStreamIsIdle(state, job) <= state.now;
}

/// Some stream on which the job may run. A copy is issued from one that
/// computes.
double ListScheduler::whenStreamIsIdle(const State &state,
                                       const FlatJobs::Job &job) const {
  const auto computing = llvm::ArrayRef(state.streamEnds).drop_back();
  return job.communicates ? state.streamEnds.back()
         : job.keepsPlace ? computing.front()
                          : *llvm::min_element(computing);
}

double ListScheduler::startOf(State &state, int32_t number) const {
  const FlatJobs::Job &job = jobs.all[number];
  double start = whenStreamIsIdle(state, job);
  for (int32_t before : jobs.before(number))
    start = std::max(start, ends[before]);
  if (job.engine >= 0)
    start = std::max(start, state.engineEnds[job.engine]);
  if (rule == StartRule::PerQueue)
    return start;
  start = std::max(start, state.now);
  while (!state.running.empty() && state.running.back().first <= start)
    endFirst(state);
  while (state.live + job.takes > limit && !state.running.empty()) {
    start = std::max(start, state.running.back().first);
    endFirst(state);
  }
  return start;
}

/// An idle one: that of a run that it follows, else the last one that ended.
int32_t ListScheduler::streamFor(const State &state, int32_t number,
                                 double start) const {
  if (jobs.all[number].communicates)
    return streams;
  if (jobs.all[number].keepsPlace)
    return 0;
  int32_t best = -1;
  std::pair<bool, double> bestKey;
  for (int32_t stream = 0; stream < streams; ++stream) {
    if (state.streamEnds[stream] > start)
      continue;
    const std::pair key(
        llvm::is_contained(jobs.before(number), state.lastOn[stream]),
        state.lastOn[stream] < 0 ? -1 : state.streamEnds[stream]);
    if (best < 0 || key > bestKey) {
      best = stream;
      bestKey = key;
    }
  }
  return best;
}

void ListScheduler::start(State &state, int32_t number) {
  const FlatJobs::Job &job = jobs.all[number];
  const double start = startOf(state, number), end = start + job.time;
  const int32_t stream = streamFor(state, number, start);
  begins[number] = start;
  ends[number] = end;
  streamOf[number] = stream;
  state.time = std::max(state.time, end);
  if (job.engine >= 0) {
    state.engineEnds[job.engine] = end;
  } else {
    state.streamEnds[stream] = end;
    state.lastOn[stream] = number;
  }
  if (rule == StartRule::PerQueue)
    return;
  state.now = start;
  state.live += job.takes;
  state.excess = std::max(state.excess, state.live - limit);
  const std::pair<double, int32_t> entry(end, number);
  state.running.insert(
      llvm::upper_bound(state.running, entry, std::greater<>()), entry);
}
