//===- LiveRanges.cpp - Who reads what in an order of runs ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/LiveRanges.h"
#include <algorithm>

using namespace memplan;

int32_t LiveRanges::serving(int32_t value, int32_t slot) const {
  auto latestOf = [&](int32_t op) {
    const std::vector<int32_t> &runs = runsOf(op);
    for (size_t i = runs.size(); i-- > 0;)
      if (list[runs[i]].slot < slot)
        return runs[i];
    return -1;
  };
  const int32_t made = latestOf(step.producer(value));
  if (step.fetchOf(value) < 0)
    return made;
  const int32_t fetched = latestOf(step.fetchOf(value));
  return made < 0 || (fetched >= 0 && list[fetched].slot > list[made].slot)
             ? fetched
             : made;
}

int32_t LiveRanges::lastUserBefore(int32_t value, int32_t run,
                                   int32_t slot) const {
  int32_t latest = run, at = list[run].slot;
  for (int32_t user : step.users(value)) {
    const std::vector<int32_t> &runs = runsOf(user);
    for (size_t i = runs.size(); i-- > 0;) {
      const int32_t its = list[runs[i]].slot;
      if (its >= slot)
        continue;
      if (its > at) {
        at = its;
        latest = runs[i];
      }
      break;
    }
  }
  return latest;
}

int32_t LiveRanges::firstUserAfter(int32_t value, int32_t slot) const {
  int32_t earliest = -1, at = 0;
  for (int32_t user : step.users(value))
    for (int32_t run : runsOf(user)) {
      const int32_t its = list[run].slot;
      if (its <= slot)
        continue;
      if (earliest < 0 || its < at) {
        at = its;
        earliest = run;
      }
      break;
    }
  return earliest;
}

bool LiveRanges::isUnread(int32_t run) const {
  const auto outputs = static_cast<int32_t>(step.outputs(op(run)).size());
  for (int32_t place = 0; place < outputs; ++place)
    if (lastUser(run, place) != run)
      return false;
  return outputs > 0;
}

void LiveRanges::findRanges() {
  lastUsers.assign(size_t(numOutputs), -1);
  savedBytes.assign(numNumbers(), 0);
  for (int32_t run = first(); run >= 0; run = next(run))
    for (int32_t value : step.outputs(op(run)))
      setLastUser(run, value, run);
  for (int32_t run = first(); run >= 0; run = next(run))
    for (int32_t value : step.inputs(op(run)))
      setLastUser(serving(value, slot(run)), value, run);
  // Runs have the numbers of their places now.
  std::vector<double> change(size() + 1, 0);
  for (int32_t run = first(); run >= 0; run = next(run))
    for (int32_t value : step.outputs(op(run))) {
      change[run] += step.bytes(value);
      change[lastUserOf(run, value) + 1] -= step.bytes(value);
    }
  double live = 0;
  for (int32_t run = first(); run >= 0; run = next(run)) {
    live += change[run];
    bytes.put(slot(run), run, live + workspace(run));
  }
  for (int32_t run = next(first()); run >= 0; run = next(run))
    settleInPlace(run);
}

/// Bytes of what stays after the run.
double LiveRanges::bytesThrough(int32_t run) const {
  const int32_t its = op(run), at = slot(run);
  double through = bytes.bytesAt(at) - workspace(run) + savedBytes[run];
  for (int32_t value : step.inputs(its))
    if (lastUserOf(serving(value, at), value) == run)
      through -= step.bytes(value);
  for (int32_t value : step.outputs(its))
    if (lastUserOf(run, value) == run)
      through -= step.bytes(value);
  return through;
}

/// For runs with new numbers.
void LiveRanges::grow() {
  if (savedBytes.size() < numNumbers())
    savedBytes.resize(numNumbers(), 0);
  if (lastUsers.size() < size_t(numOutputs))
    lastUsers.resize(size_t(numOutputs), -1);
}

void LiveRanges::insertRun(int32_t run, int32_t after) {
  const int32_t its = op(run), at = freeSlotAfter(after);
  double live = bytesThrough(after) + workspace(run);
  Served earlier;
  for (int32_t value : step.outputs(its)) {
    earlier.push_back(serving(value, at));
    if (earlier.back() < 0 || slot(lastUserOf(earlier.back(), value)) <= at)
      live += step.bytes(value);
  }
  grow();
  savedBytes[run] = 0;
  const bool isFirst = link(run, after, at);
  bytes.put(at, run, live);
  takeUsers(run, earlier);
  extendInputs(run);
  settleInPlace(run);
  if (isFirst)
    settleInPlace(runsOf(its)[1]); // Its unread outputs count now.
}

/// Users after the run read what it makes, no longer what was made before,
/// which then ends earlier.
void LiveRanges::takeUsers(int32_t run, const Served &earlier) {
  const int32_t at = slot(run);
  const llvm::ArrayRef<int32_t> outputs = step.outputs(op(run));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const int32_t value = outputs[i];
    const int32_t latest = earlier[i] < 0 ? -1 : lastUserOf(earlier[i], value);
    if (latest < 0 || slot(latest) <= at) {
      setLastUser(run, value, run);
      continue;
    }
    setLastUser(run, value, latest);
    const int32_t left = lastUserBefore(value, earlier[i], at);
    setLastUser(earlier[i], value, left);
    bytes.add(slot(left) + 1, at - 1, -step.bytes(value));
    settleInPlace(left);
    settleUser(value, latest);
  }
}

/// Where a value may be on its way out, what its last user may overwrite
/// depends on who made it.
void LiveRanges::settleUser(int32_t value, int32_t user) {
  if (step.evictOf(value) >= 0 && !runsOf(step.evictOf(value)).empty())
    settleInPlace(user);
}

void LiveRanges::extendInputs(int32_t run) {
  const int32_t at = slot(run);
  for (int32_t value : step.inputs(op(run))) {
    const int32_t from = serving(value, at);
    const int32_t latest = lastUserOf(from, value);
    if (slot(latest) >= at) {
      settleUser(value, latest);
      continue;
    }
    setLastUser(from, value, run);
    bytes.add(slot(latest) + 1, at, step.bytes(value));
    settleInPlace(latest);
  }
}

void LiveRanges::removeRun(int32_t run) {
  const int32_t its = op(run), at = slot(run);
  const bool wasFirst = unlink(run);
  returnUsers(run, at);
  if (wasFirst)
    settleInPlace(runsOf(its).front());
  shrinkInputs(run, at);
}

/// Users of a run that was taken out of `at` read what was made before.
void LiveRanges::returnUsers(int32_t run, int32_t at) {
  for (int32_t value : step.outputs(op(run))) {
    const int32_t latest = lastUserOf(run, value);
    if (latest == run)
      continue;
    const int32_t earlier = serving(value, at);
    const int32_t left = lastUserOf(earlier, value);
    setLastUser(earlier, value, latest);
    bytes.add(slot(left) + 1, at - 1, step.bytes(value));
    settleInPlace(left);
    settleUser(value, latest);
  }
}

/// Inputs of a run that was taken out of `at` end where they were read before.
void LiveRanges::shrinkInputs(int32_t run, int32_t at) {
  for (int32_t value : step.inputs(op(run))) {
    const int32_t from = serving(value, at);
    if (lastUserOf(from, value) != run) {
      if (step.isCopy(op(run)))
        settleInPlace(lastUserOf(from, value));
      continue;
    }
    const int32_t latest = lastUserBefore(value, from, at);
    setLastUser(from, value, latest);
    bytes.add(slot(latest) + 1, at, -step.bytes(value));
    settleInPlace(latest);
  }
}

/// An evict of what that run made stands before the slot: the bytes are given
/// back by the end of the copy, not taken over.
bool LiveRanges::isLeaving(int32_t value, int32_t run, int32_t at) const {
  if (step.evictOf(value) < 0)
    return false;
  for (int32_t evict : runsOf(step.evictOf(value)))
    if (slot(evict) > slot(run) && slot(evict) < at)
      return true;
  return false;
}

/// Bytes that outputs over inputs save at the run: first listed pair first, as
/// chooseInPlace() has it.
double LiveRanges::savingOf(int32_t run) const {
  double saved = 0;
  const int32_t its = op(run);
  const bool again = runsOf(its).front() != run;
  const llvm::ArrayRef<SearchStep::Pair> pairs = step.pairs(its);
  uint64_t taken = 0; ///< Pairs; more than 64 of an op are not looked at.
  for (size_t i = 0; i < std::min<size_t>(pairs.size(), 64); ++i) {
    const SearchStep::Pair &pair = pairs[i];
    bool isFree = !again || lastUser(run, pair.place) != run;
    for (size_t j = 0; j < i; ++j)
      isFree &= !(taken >> j & 1) ||
                (pairs[j].place != pair.place && pairs[j].value != pair.value);
    if (!isFree)
      continue;
    const int32_t from = serving(pair.value, slot(run));
    if (lastUserOf(from, pair.value) != run ||
        isLeaving(pair.value, from, slot(run)))
      continue;
    taken |= uint64_t(1) << i;
    saved += step.bytes(pair.value);
  }
  return saved;
}

void LiveRanges::settleInPlace(int32_t run) {
  if (step.pairs(op(run)).empty() || slot(run) < 0)
    return;
  const double saved = savingOf(run), before = savedBytes[run];
  if (saved == before)
    return;
  bytes.add(slot(run), slot(run), before - saved);
  savedBytes[run] = saved;
}

void LiveRanges::changeVariant(int32_t run, int32_t variant) {
  const double before = workspace(run);
  list[run].variant = variant;
  bytes.add(slot(run), slot(run), workspace(run) - before);
}
