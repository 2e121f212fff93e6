//===- StepTimes.cpp - When the runs and copies of a sequence end ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepTimes.h"
#include <algorithm>

using namespace memplan;

void StepTimes::grow() {
  if (marks.size() >= runs.numNumbers())
    return;
  marks.resize(runs.numNumbers() + runs.numNumbers() / 2);
  links.resize(marks.size());
}

void StepTimes::guessEnd(int32_t run, double time) {
  grow();
  marks[run].end = time;
}

/// Of this pass.
StepTimes::Mark &StepTimes::mark(int32_t run) {
  Mark &one = marks[run];
  if (one.pass != pass) {
    one.pass = pass;
    one.waitsBefore = one.evictsAfter = one.waitsAfter = -1;
  }
  return one;
}

/// Evicts of one run are issued in the order in which they stand.
void StepTimes::linkEvict(int32_t evict) {
  const int32_t value = step.copiedValue(runs.op(evict));
  const int32_t from = runs.serving(value, runs.slot(evict));
  int32_t *at = &mark(from).evictsAfter;
  while (*at >= 0 && runs.slot(*at) < runs.slot(evict))
    at = &links[*at].next;
  links[evict].next = *at;
  *at = evict;
  Mark &last = mark(runs.lastReaderOf(from, value));
  links[evict].nextWait = last.waitsAfter;
  last.waitsAfter = evict;
}

void StepTimes::linkCopies() {
  for (int32_t evict : runs.evicts())
    linkEvict(evict);
  for (int32_t fetch : runs.fetches()) {
    if (runs.lastReader(fetch, 0) == fetch)
      continue;
    Mark &reader = mark(runs.firstReaderAfter(step.copiedValue(runs.op(fetch)),
                                              runs.slot(fetch)));
    links[fetch].nextWait = reader.waitsBefore;
    reader.waitsBefore = fetch;
  }
}

void StepTimes::waitFor(int32_t copy) {
  if (marks[copy].copyEnd <= now)
    return;
  now = marks[copy].copyEnd;
  stalling.push_back(copy);
}

double StepTimes::measure() {
  stalling.clear(); // Their numbers may be those of another sequence.
  if (runs.fetches().empty() && runs.evicts().empty())
    return runs.cost();
  grow();
  ++pass;
  linkCopies();
  now = 0;
  double toHost = 0, toDevice = 0;
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run)) {
    Mark &one = marks[run];
    const bool isMarked = one.pass == pass;
    if (isMarked)
      for (int32_t fetch = one.waitsBefore; fetch >= 0;
           fetch = links[fetch].nextWait)
        waitFor(fetch);
    const int32_t op = runs.op(run);
    if (!step.isCopy(op)) {
      now += step.ways(op)[runs.way(run)].cost;
    } else if (step.isFetch(op)) {
      toDevice = std::max(now, toDevice) + step.copyTime(op);
      one.copyEnd = toDevice;
    }
    one.end = now;
    if (!isMarked)
      continue;
    for (int32_t evict = one.evictsAfter; evict >= 0;
         evict = links[evict].next) {
      toHost = std::max(now, toHost) + step.copyTime(runs.op(evict));
      marks[evict].copyEnd = toHost;
    }
    for (int32_t evict = one.waitsAfter; evict >= 0;
         evict = links[evict].nextWait)
      waitFor(evict);
  }
  return std::max({now, toHost, toDevice});
}

void StepTimes::measureWithoutCopies() {
  grow();
  now = 0;
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run)) {
    now += step.ways(runs.op(run))[runs.way(run)].cost;
    marks[run].end = now;
  }
}
