//===- StepTimes.cpp - When the runs and copies of a sequence end ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepTimes.h"
#include <algorithm>
#include <utility>

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
  mark.cost = step.variants(op)[runs.variant(run)].cost;
  mark.isFetch = step.isFetch(op);
  mark.copyTime = step.isCopy(op) ? step.copyTime(op) : 0;
}

/// The run or what happens at it is new.
void StepTimes::affect(int32_t run) {
  if (run < 0 || !runs.isIn(run))
    return;
  if (affected < 0 || runs.slot(run) < runs.slot(affected))
    affected = run;
  if (lastAffected < 0 || runs.slot(run) > runs.slot(lastAffected))
    lastAffected = run;
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
    if (runs.lastUser(copy, 0) == copy)
      return;
    its.waitedAt = runs.firstUserAfter(value, runs.slot(copy));
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
  its.waitedAt = runs.lastUserOf(its.issuedAt, value);
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
  affected = lastAffected = -1;
  runs.forEachPlaceEdited([&](int32_t run) { affect(run); });
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
    changed -= end != its.kept;
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
    changed += ended[evict].tried != ended[evict].kept;
  }
}

/// Whether everything after the run happens as it did, but for a shift.
bool StepTimes::agrees(int32_t run, const Clocks &clocks) const {
  const Clocks &old = kept[run];
  const bool areIdle = std::max(clocks.toHost, clocks.toDevice) <= clocks.now &&
                       std::max(old.toHost, old.toDevice) <= old.now;
  return areIdle ||
         (changed == 0 && clocks.now == old.now &&
          clocks.toHost == old.toHost && clocks.toDevice == old.toDevice);
}

/// From the first affected run on.
double StepTimes::pass(double mostTime) {
  newStalls.clear();
  newStalledAt.clear();
  agreed = -1;
  changed = 0;
  Clocks clocks;
  const int32_t before = runs.previous(affected);
  if (before >= 0)
    clocks = kept[before];
  // What is left to compute, and what the stream has waited for, is certain.
  const double mostStall = mostTime - runs.cost();
  const int32_t last = lastAffected < 0 ? std::numeric_limits<int32_t>::max()
                                        : runs.slot(lastAffected);
  for (int32_t run = affected; run >= 0; run = runs.next(run)) {
    const Mark &mark = marks[run];
    wait(mark.waitsBefore, run, clocks);
    clocks.now += mark.cost;
    if (mark.isFetch) {
      clocks.toDevice = std::max(clocks.now, clocks.toDevice) + mark.copyTime;
      ended[run].tried = clocks.toDevice;
      ended[run].pass = passes;
      changed += ended[run].tried != ended[run].kept;
    }
    clocks.end = clocks.now;
    issue(mark.evictsAfter, clocks);
    wait(mark.waitsAfter, run, clocks);
    if (clocks.stall > mostStall)
      return never;
    tried[run] = clocks;
    if (runs.slot(run) > last && agrees(run, clocks)) {
      agreed = run;
      shift = clocks.now - kept[run].now;
      shiftOfStall = clocks.stall - kept[run].stall;
      return keptTime + shift;
    }
  }
  return std::max({clocks.now, clocks.toHost, clocks.toDevice});
}

double StepTimes::measure(double mostTime) {
  takeEdits();
  if (runs.fetches().empty() && runs.evicts().empty())
    return runs.cost() > mostTime ? never : runs.cost();
  if (isStale || affected < 0) {
    affected = runs.first();
    lastAffected = -1;
  }
  triedTime = pass(mostTime);
  return triedTime > mostTime ? never : triedTime;
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
  keepStalls();
  keptTime = triedTime;
  const double by = agreed >= 0 ? shift : 0;
  bool isAfter = false;
  for (int32_t run = affected; run >= 0; run = runs.next(run)) {
    const Mark &mark = marks[run];
    auto keepEnd = [&](Ended &its) {
      its.kept = isAfter ? its.kept + by : its.tried;
    };
    if (mark.isFetch)
      keepEnd(ended[run]);
    for (int32_t evict = mark.evictsAfter; evict >= 0;
         evict = links[evict].next)
      keepEnd(ended[evict]);
    if (isAfter) {
      Clocks &clocks = kept[run];
      for (double *clock :
           {&clocks.end, &clocks.now, &clocks.toHost, &clocks.toDevice})
        *clock += by;
      clocks.stall += shiftOfStall;
    } else {
      kept[run] = tried[run];
    }
    isAfter |= run == agreed;
    if (isAfter && by == 0 && shiftOfStall == 0)
      return;
  }
}

/// Stalls before the first affected run and after the place of agreement stay.
void StepTimes::keepStalls() {
  const int32_t first = runs.slot(affected);
  std::vector<std::pair<int32_t, int32_t>> after;
  auto take = [&] {
    after.push_back({stalling.back(), stalledAt.back()});
    stalling.pop_back();
    stalledAt.pop_back();
  };
  while (agreed >= 0 && !stalledAt.empty() && runs.isIn(stalledAt.back()) &&
         runs.slot(stalledAt.back()) > runs.slot(agreed))
    take();
  const size_t numAfter = after.size();
  while (!stalledAt.empty() &&
         (!runs.isIn(stalledAt.back()) || runs.slot(stalledAt.back()) >= first))
    take();
  after.resize(numAfter);
  stalling.insert(stalling.end(), newStalls.begin(), newStalls.end());
  stalledAt.insert(stalledAt.end(), newStalledAt.begin(), newStalledAt.end());
  for (size_t i = numAfter; i-- > 0;) {
    stalling.push_back(after[i].first);
    stalledAt.push_back(after[i].second);
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
  lastAffected = -1;
  isStale = true;
  triedTime = pass(never);
  isOpen = true;
  keep();
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run))
    kept[run] = tried[run];
  return triedTime;
}
