//===- OrderTiming.cpp - When jobs start in a given order -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderTiming.h"

using namespace memplan;

OrderTiming::OrderTiming(const FlatJobs &jobs, int32_t streams, int64_t limit)
    : jobs(jobs), scheduler(jobs, streams, StartRule::InOrder, limit),
      states(jobs.count() / stride + 1), newStates(states.size()),
      keptEnds(jobs.count()) {
  states.front() = scheduler.begin();
}

bool OrderTiming::pass(const std::vector<int32_t> &order, int32_t from,
                       double most) {
  const int32_t first = from / stride;
  State state = states[first];
  passed = first * stride;
  while (passed < jobs.count()) {
    if (passed % stride == 0 && passed > from)
      newStates[passed / stride] = state;
    const int32_t job = order[passed++];
    scheduler.start(state, job);
    if (scheduler.begins[job] + jobs.all[job].path > most)
      return false;
  }
  last = std::move(state);
  return true;
}

void OrderTiming::keep(const std::vector<int32_t> &order, int32_t from) {
  const int32_t first = from / stride;
  for (size_t i = first + 1; i < states.size(); ++i)
    std::swap(states[i], newStates[i]);
  for (int32_t place = first * stride; place < jobs.count(); ++place)
    keptEnds[order[place]] = scheduler.ends[order[place]];
}

void OrderTiming::leave(const std::vector<int32_t> &order, int32_t from) {
  for (int32_t place = from / stride * stride; place < passed; ++place)
    scheduler.ends[order[place]] = keptEnds[order[place]];
}
