//===- OrderTiming.cpp - When jobs start in a given order -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderTiming.h"
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

OrderTiming::OrderTiming(const FlatJobs &jobs, int32_t streams, int64_t limit)
    : jobs(jobs), streams(streams), limit(limit),
      moments(jobs.count() / stride + 1), newMoments(moments.size()),
      begins(jobs.count()), ends(jobs.count()), streamOf(jobs.count()),
      keptEnds(jobs.count()) {
  Moment &first = moments.front();
  first.live = jobs.initialBytes;
  first.streamEnds.assign(streams, 0);
  first.lastOn.assign(streams, -1);
  first.usersLeft = jobs.users;
}

/// What ends first ends.
void OrderTiming::endFirst(Moment &moment) const {
  const int32_t job = moment.running.pop_back_val().second;
  for (int32_t storage : jobs.storages(job))
    if (--moment.usersLeft[storage] == 0)
      moment.live -= jobs.storageBytes[storage];
}

/// When the job can start, with all ended that has by then.
double OrderTiming::startOf(Moment &moment, int32_t number) const {
  const FlatJobs::Job &job = jobs.all[number];
  double start = std::max(
      moment.now, job.keepsPlace ? moment.streamEnds.front()
                                 : *llvm::min_element(moment.streamEnds));
  for (int32_t before : jobs.before(number))
    start = std::max(start, ends[before]);
  if (job.engine >= 0)
    start = std::max(start, moment.engineEnds[job.engine]);
  while (!moment.running.empty() && moment.running.back().first <= start)
    endFirst(moment);
  while (moment.live + job.takes > limit && !moment.running.empty()) {
    start = std::max(start, moment.running.back().first);
    endFirst(moment);
  }
  return start;
}

/// An idle one: that of a run that it follows, else the last one that ended.
int32_t OrderTiming::streamFor(const Moment &moment, int32_t number,
                               double start) const {
  if (jobs.all[number].keepsPlace)
    return 0;
  int32_t best = -1;
  std::pair<bool, double> bestKey;
  for (int32_t stream = 0; stream < streams; ++stream) {
    if (moment.streamEnds[stream] > start)
      continue;
    const std::pair key(
        llvm::is_contained(jobs.before(number), moment.lastOn[stream]),
        moment.lastOn[stream] < 0 ? -1 : moment.streamEnds[stream]);
    if (best < 0 || key > bestKey) {
      best = stream;
      bestKey = key;
    }
  }
  return best;
}

void OrderTiming::startNext(Moment &moment, int32_t number) {
  const FlatJobs::Job &job = jobs.all[number];
  const double start = startOf(moment, number), end = start + job.time;
  const int32_t stream = streamFor(moment, number, start);
  begins[number] = start;
  ends[number] = end;
  streamOf[number] = stream;
  moment.now = start;
  moment.time = std::max(moment.time, end);
  moment.live += job.takes;
  moment.excess = std::max(moment.excess, moment.live - limit);
  if (job.engine >= 0) {
    moment.engineEnds[job.engine] = end;
  } else {
    moment.streamEnds[stream] = end;
    moment.lastOn[stream] = number;
  }
  const std::pair<double, int32_t> entry(end, number);
  moment.running.insert(
      llvm::upper_bound(moment.running, entry, std::greater<>()), entry);
}

bool OrderTiming::pass(const std::vector<int32_t> &order, int32_t from,
                       double most) {
  const int32_t first = from / stride;
  Moment moment = moments[first];
  passed = first * stride;
  while (passed < jobs.count()) {
    if (passed % stride == 0 && passed > from)
      newMoments[passed / stride] = moment;
    const int32_t job = order[passed++];
    startNext(moment, job);
    if (begins[job] + jobs.all[job].path > most)
      return false;
  }
  last = std::move(moment);
  return true;
}

void OrderTiming::keep(const std::vector<int32_t> &order, int32_t from) {
  const int32_t first = from / stride;
  for (size_t i = first + 1; i < moments.size(); ++i)
    std::swap(moments[i], newMoments[i]);
  for (int32_t place = first * stride; place < jobs.count(); ++place)
    keptEnds[order[place]] = ends[order[place]];
}

void OrderTiming::leave(const std::vector<int32_t> &order, int32_t from) {
  for (int32_t place = from / stride * stride; place < passed; ++place)
    ends[order[place]] = keptEnds[order[place]];
}
