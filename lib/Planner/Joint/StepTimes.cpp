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
  const size_t size = runs.numNumbers() + runs.numNumbers() / 2;
  marks.resize(size);
  links.resize(size);
  kept.resize(size);
  tried.resize(size);
  ended.resize(size);
}

void StepTimes::guessEnd(int32_t run, double time) {
  grow();
  kept[run].end = time;
}

void StepTimes::settle(int32_t run) {
  Mark &mark = marks[run];
  const int32_t op = runs.op(run);
  mark.cost = step.ways(op)[runs.way(run)].cost;
  mark.isFetch = step.isFetch(op);
  mark.copyTime = step.isCopy(op) ? step.copyTime(op) : 0;
}

/// The run or what happens at it is new.
void StepTimes::affect(int32_t run) {
  if (run >= 0 && runs.isIn(run) &&
      (affected < 0 || runs.slot(run) < runs.slot(affected)))
    affected = run;
}

void StepTimes::remove(int32_t copy, int32_t &head, int32_t Link::*next) {
  int32_t *at = &head;
  while (*at != copy)
    at = &(links[*at].*next);
  *at = links[copy].*next;
}

void StepTimes::unlink(int32_t copy) {
  const Link &its = links[copy];
  const bool isFetch = marks[copy].isFetch;
  if (its.issuedAt >= 0)
    remove(copy, marks[its.issuedAt].evictsAfter, &Link::next);
  if (its.waitedAt >= 0)
    remove(copy,
           isFetch ? marks[its.waitedAt].waitsBefore
                   : marks[its.waitedAt].waitsAfter,
           &Link::nextWait);
}

/// Evicts of one run are issued in the order in which they stand.
void StepTimes::link(int32_t copy) {
  const int32_t value = step.copiedValue(runs.op(copy));
  Link &its = links[copy];
  its.issuedAt = its.waitedAt = -1;
  if (step.isFetch(runs.op(copy))) {
    if (runs.lastReader(copy, 0) == copy)
      return;
    its.waitedAt = runs.firstReaderAfter(value, runs.slot(copy));
    its.nextWait = marks[its.waitedAt].waitsBefore;
    marks[its.waitedAt].waitsBefore = copy;
    return;
  }
  its.issuedAt = runs.serving(value, runs.slot(copy));
  int32_t *at = &marks[its.issuedAt].evictsAfter;
  while (*at >= 0 && runs.slot(*at) < runs.slot(copy))
    at = &links[*at].next;
  its.next = *at;
  *at = copy;
  its.waitedAt = runs.lastReaderOf(its.issuedAt, value);
  its.nextWait = marks[its.waitedAt].waitsAfter;
  marks[its.waitedAt].waitsAfter = copy;
}

/// All copies of the value.
void StepTimes::relink(int32_t value) {
  std::vector<int32_t> &copies = linked[value];
  for (int32_t copy : copies) {
    unlink(copy);
    if (!runs.isIn(copy)) {
      affect(links[copy].issuedAt);
      affect(links[copy].waitedAt);
      links[copy] = Link();
    }
  }
  copies.clear();
  for (int32_t op : {step.evictOf(value), step.fetchOf(value)}) {
    if (op < 0)
      continue;
    for (int32_t copy : runs.runsOf(op)) {
      const Link before = links[copy];
      link(copy);
      copies.push_back(copy);
      const Link &now = links[copy];
      if (before.issuedAt != now.issuedAt) {
        affect(before.issuedAt);
        affect(now.issuedAt);
      }
      if (before.waitedAt != now.waitedAt) {
        affect(before.waitedAt);
        affect(now.waitedAt);
      }
    }
  }
}

void StepTimes::takeEdits() {
  grow();
  ++passes;
  affected = runs.firstEdited();
  isOpen = true;
  runs.forEachEdited([&](int32_t run) {
    edited.push_back(run);
    settle(run);
    const int32_t op = runs.op(run);
    for (llvm::ArrayRef<int32_t> list : {step.inputs(op), step.outputs(op)})
      for (int32_t value : list) {
        if (step.fetchOf(value) < 0 || linkedIn[value] == passes)
          continue;
        linkedIn[value] = passes;
        values.push_back(value);
        relink(value);
      }
  });
}

/// For the copies of a list that the run waits for.
void StepTimes::wait(int32_t head, int32_t run, Clocks &clocks) {
  for (int32_t copy = head; copy >= 0; copy = links[copy].nextWait) {
    const Ended &its = ended[copy];
    const double end = its.pass == passes ? its.tried : its.kept;
    if (end <= clocks.now)
      continue;
    clocks.stall += end - clocks.now;
    clocks.now = end;
    newStalls.push_back(copy);
    newStalledAt.push_back(run);
  }
}

void StepTimes::issue(int32_t head, Clocks &clocks) {
  for (int32_t evict = head; evict >= 0; evict = links[evict].next) {
    clocks.toHost = std::max(clocks.now, clocks.toHost) + marks[evict].copyTime;
    ended[evict].tried = clocks.toHost;
    ended[evict].pass = passes;
  }
}

/// From the first affected run on.
double StepTimes::pass(double mostTime) {
  newStalls.clear();
  newStalledAt.clear();
  Clocks clocks;
  const int32_t before = runs.previous(affected);
  if (before >= 0)
    clocks = kept[before];
  // What is left to compute, and what the stream has waited for, is certain.
  const double mostStall = mostTime - runs.cost();
  for (int32_t run = affected; run >= 0; run = runs.next(run)) {
    const Mark &mark = marks[run];
    wait(mark.waitsBefore, run, clocks);
    clocks.now += mark.cost;
    if (mark.isFetch) {
      clocks.toDevice = std::max(clocks.now, clocks.toDevice) + mark.copyTime;
      ended[run].tried = clocks.toDevice;
      ended[run].pass = passes;
    }
    clocks.end = clocks.now;
    issue(mark.evictsAfter, clocks);
    wait(mark.waitsAfter, run, clocks);
    if (clocks.stall > mostStall)
      return never;
    tried[run] = clocks;
  }
  return std::max({clocks.now, clocks.toHost, clocks.toDevice});
}

double StepTimes::measure(double mostTime) {
  takeEdits();
  if (runs.fetches().empty() && runs.evicts().empty())
    return runs.cost() > mostTime ? never : runs.cost();
  if (isStale || affected < 0)
    affected = runs.first();
  const double time = pass(mostTime);
  return time > mostTime ? never : time;
}

void StepTimes::keep() {
  values.clear();
  edited.clear();
  if (!std::exchange(isOpen, false))
    return;
  isStale = runs.fetches().empty() && runs.evicts().empty();
  if (isStale) {
    stalling.clear();
    stalledAt.clear();
    return;
  }
  const int32_t first = runs.slot(affected);
  while (!stalledAt.empty() && (!runs.isIn(stalledAt.back()) ||
                                runs.slot(stalledAt.back()) >= first)) {
    stalling.pop_back();
    stalledAt.pop_back();
  }
  stalling.insert(stalling.end(), newStalls.begin(), newStalls.end());
  stalledAt.insert(stalledAt.end(), newStalledAt.begin(), newStalledAt.end());
  for (int32_t run = affected; run >= 0; run = runs.next(run)) {
    kept[run] = tried[run];
    const Mark &mark = marks[run];
    if (mark.isFetch)
      ended[run].kept = ended[run].tried;
    for (int32_t evict = mark.evictsAfter; evict >= 0;
         evict = links[evict].next)
      ended[evict].kept = ended[evict].tried;
  }
}

void StepTimes::drop() {
  if (!std::exchange(isOpen, false))
    return;
  for (int32_t run : edited)
    settle(run);
  for (int32_t value : values)
    relink(value);
  values.clear();
  edited.clear();
}

double StepTimes::restart() {
  grow();
  std::fill(marks.begin(), marks.end(), Mark());
  std::fill(links.begin(), links.end(), Link());
  for (std::vector<int32_t> &copies : linked)
    copies.clear();
  stalling.clear();
  stalledAt.clear();
  values.clear();
  edited.clear();
  ++passes;
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run))
    settle(run);
  for (const std::vector<int32_t> *copies : {&runs.evicts(), &runs.fetches()})
    for (int32_t copy : *copies) {
      link(copy);
      linked[step.copiedValue(runs.op(copy))].push_back(copy);
    }
  // Its ends serve to choose places, even if nothing is copied yet.
  affected = runs.first();
  const double time = pass(never);
  isOpen = true;
  keep();
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run))
    kept[run] = tried[run];
  return time;
}
