//===- RunSequence.cpp - A plan as a sequence of runs, and edits ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/RunSequence.h"
#include <algorithm>

using namespace memplan;

int32_t RunSequence::serving(int32_t value, int32_t slot) const {
  auto latestOf = [&](int32_t op) {
    const std::vector<int32_t> &runs = runLists[op];
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

int32_t RunSequence::lastReaderBefore(int32_t value, int32_t run,
                                      int32_t slot) const {
  int32_t latest = run, at = list[run].slot;
  for (int32_t reader : step.readers(value)) {
    const std::vector<int32_t> &runs = runLists[reader];
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

int32_t RunSequence::firstReaderAfter(int32_t value, int32_t slot) const {
  int32_t earliest = -1, at = 0;
  for (int32_t reader : step.readers(value))
    for (int32_t run : runLists[reader]) {
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

bool RunSequence::isUnread(int32_t run) const {
  const auto outputs = static_cast<int32_t>(step.outputs(op(run)).size());
  for (int32_t place = 0; place < outputs; ++place)
    if (lastReader(run, place) != run)
      return false;
  return outputs > 0;
}

/// A fetch whose readers another instance can serve; an evict whose copy nobody
/// fetches.
bool RunSequence::isRemovableCopy(int32_t run) const {
  const int32_t its = op(run), value = step.copiedValue(its);
  if (step.isFetch(its))
    return lastReader(run, 0) == run || serving(value, slot(run)) >= 0;
  return runLists[its].size() > 1 ||
         (runLists[step.fetchOf(value)].empty() && !step.mustLeave(value));
}

bool RunSequence::isRemovable(int32_t run) const {
  const int32_t its = op(run);
  if (step.isCopy(its))
    return isRemovableCopy(run);
  if (keepsRuns || step.runsOnce(its) || runLists[its].size() < 2)
    return false;
  return runLists[its].front() != run || (freeOrder && isUnread(run));
}

bool RunSequence::isAllowedAt(int32_t op, int32_t slot) const {
  for (int32_t other : step.before(op))
    if (!runLists[other].empty() && list[runLists[other].front()].slot < slot)
      return false;
  for (int32_t other : step.after(op))
    if (runLists[other].empty() || list[runLists[other].back()].slot >= slot)
      return false;
  return true;
}

int32_t RunSequence::newRun(int32_t op, int32_t way) {
  int32_t run;
  if (freeLists[op].empty()) {
    run = static_cast<int32_t>(list.size());
    list.emplace_back();
    list[run].op = op;
    list[run].lastReaders = static_cast<int32_t>(lastReaders.size());
    lastReaders.resize(lastReaders.size() + step.outputs(op).size());
  } else {
    run = freeLists[op].back();
    freeLists[op].pop_back();
  }
  Run &made = list[run];
  made.way = way;
  made.isSource = false;
  made.savedBytes = 0;
  made.stamp = stamp;
  return run;
}

void RunSequence::freeRun(int32_t run) { freeLists[op(run)].push_back(run); }

/// Bytes of what stays after the run.
double RunSequence::bytesThrough(int32_t run) const {
  const int32_t its = op(run), at = slot(run);
  double through = bytes.bytesAt(at) - workspace(run) + list[run].savedBytes;
  for (int32_t value : step.inputs(its))
    if (lastReaderOf(serving(value, at), value) == run)
      through -= step.bytes(value);
  for (int32_t value : step.outputs(its))
    if (lastReaderOf(run, value) == run)
      through -= step.bytes(value);
  return through;
}

RunSequence::List RunSequence::listOf(int32_t run) const {
  if (step.isCopy(op(run)))
    return step.isFetch(op(run)) ? Fetches : Evicts;
  return list[run].isSource ? NoList : Reruns;
}

void RunSequence::addCopy(int32_t run, double sign) {
  const int32_t its = op(run);
  if (!step.isCopy(its))
    return;
  sumCopies += sign * step.copyTime(its);
  if (step.isEvict(its) && !step.mustLeave(step.copiedValue(its)))
    sumHost += sign * step.bytes(step.copiedValue(its));
}

void RunSequence::enlist(int32_t run) {
  const List which = listOf(run);
  sumCost += cost(run);
  addCopy(run, 1);
  if (which == NoList)
    return;
  list[run].place = static_cast<int32_t>(lists[which].size());
  lists[which].push_back(run);
}

void RunSequence::delist(int32_t run) {
  const List which = listOf(run);
  sumCost -= cost(run);
  addCopy(run, -1);
  if (which == NoList)
    return;
  const int32_t moved = lists[which].back();
  lists[which][list[run].place] = moved;
  list[moved].place = list[run].place;
  lists[which].pop_back();
}

void RunSequence::insertRun(int32_t run, int32_t after) {
  const int32_t its = op(run), at = freeSlotAfter(after);
  double live = bytesThrough(after) + workspace(run);
  Served earlier;
  for (int32_t value : step.outputs(its)) {
    earlier.push_back(serving(value, at));
    if (earlier.back() < 0 || slot(lastReaderOf(earlier.back(), value)) <= at)
      live += step.bytes(value);
  }
  std::vector<int32_t> &runs = runLists[its];
  list[run].slot = at;
  size_t place = runs.size();
  while (place > 0 && list[runs[place - 1]].slot > at)
    --place;
  runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(place), run);
  list[run].savedBytes = 0;
  bytes.put(at, run, live);
  link(run, after);
  takeReaders(run, earlier);
  extendInputs(run);
  settleInPlace(run);
  if (place == 0 && runs.size() > 1)
    settleInPlace(runs[1]); // No longer the first: unread outputs count now.
  enlist(run);
}

void RunSequence::link(int32_t run, int32_t after) {
  list[run].previous = after;
  list[run].next = list[after].next;
  list[list[after].next].previous = run;
  list[after].next = run;
  ++count;
}

/// Readers after the run read what it makes, no longer what was made before,
/// which then ends earlier.
void RunSequence::takeReaders(int32_t run, const Served &earlier) {
  const int32_t at = slot(run);
  const llvm::ArrayRef<int32_t> outputs = step.outputs(op(run));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const int32_t value = outputs[i];
    const int32_t latest =
        earlier[i] < 0 ? -1 : lastReaderOf(earlier[i], value);
    if (latest < 0 || slot(latest) <= at) {
      setLastReader(run, value, run);
      continue;
    }
    setLastReader(run, value, latest);
    const int32_t left = lastReaderBefore(value, earlier[i], at);
    setLastReader(earlier[i], value, left);
    bytes.add(slot(left) + 1, at - 1, -step.bytes(value));
    settleInPlace(left);
    settleReader(value, latest);
  }
}

/// Where a value may be on its way out, what its last reader may overwrite
/// depends on who made it.
void RunSequence::settleReader(int32_t value, int32_t reader) {
  if (step.evictOf(value) >= 0 && !runLists[step.evictOf(value)].empty())
    settleInPlace(reader);
}

void RunSequence::extendInputs(int32_t run) {
  const int32_t at = slot(run);
  for (int32_t value : step.inputs(op(run))) {
    const int32_t from = serving(value, at);
    const int32_t latest = lastReaderOf(from, value);
    if (slot(latest) >= at) {
      settleReader(value, latest);
      continue;
    }
    setLastReader(from, value, run);
    bytes.add(slot(latest) + 1, at, step.bytes(value));
    settleInPlace(latest);
  }
}

void RunSequence::removeRun(int32_t run) {
  const int32_t its = op(run), at = slot(run);
  std::vector<int32_t> &runs = runLists[its];
  const auto place = std::find(runs.begin(), runs.end(), run);
  const bool isFirst = place == runs.begin();
  runs.erase(place);
  bytes.clear(at);
  list[list[run].next].previous = list[run].previous;
  list[list[run].previous].next = list[run].next;
  list[run].slot = -1;
  --count;
  delist(run);
  returnReaders(run, at);
  if (isFirst && !runs.empty())
    settleInPlace(runs.front());
  shrinkInputs(run, at);
}

/// Readers of a run that was taken out of `at` read what was made before.
void RunSequence::returnReaders(int32_t run, int32_t at) {
  for (int32_t value : step.outputs(op(run))) {
    const int32_t latest = lastReaderOf(run, value);
    if (latest == run)
      continue;
    const int32_t earlier = serving(value, at);
    const int32_t left = lastReaderOf(earlier, value);
    setLastReader(earlier, value, latest);
    bytes.add(slot(left) + 1, at - 1, step.bytes(value));
    settleInPlace(left);
    settleReader(value, latest);
  }
}

/// Inputs of a run that was taken out of `at` end where they were read before.
void RunSequence::shrinkInputs(int32_t run, int32_t at) {
  for (int32_t value : step.inputs(op(run))) {
    const int32_t from = serving(value, at);
    if (lastReaderOf(from, value) != run) {
      if (step.isCopy(op(run)))
        settleInPlace(lastReaderOf(from, value));
      continue;
    }
    const int32_t latest = lastReaderBefore(value, from, at);
    setLastReader(from, value, latest);
    bytes.add(slot(latest) + 1, at, -step.bytes(value));
    settleInPlace(latest);
  }
}

/// An evict of what that run made stands before the slot: the bytes are given
/// back by the end of the copy, not taken over.
bool RunSequence::isLeaving(int32_t value, int32_t run, int32_t at) const {
  if (step.evictOf(value) < 0)
    return false;
  for (int32_t evict : runLists[step.evictOf(value)])
    if (slot(evict) > slot(run) && slot(evict) < at)
      return true;
  return false;
}

/// Bytes that outputs over inputs save at the run: first listed pair first, as
/// chooseInPlace() has it.
double RunSequence::savingOf(int32_t run) const {
  double saved = 0;
  const int32_t its = op(run);
  const bool again = runLists[its].front() != run;
  const llvm::ArrayRef<SearchStep::Pair> pairs = step.pairs(its);
  uint64_t taken = 0; ///< Pairs; more than 64 of an op are not looked at.
  for (size_t i = 0; i < std::min<size_t>(pairs.size(), 64); ++i) {
    const SearchStep::Pair &pair = pairs[i];
    bool isFree = !again || lastReader(run, pair.place) != run;
    for (size_t j = 0; j < i; ++j)
      isFree &= !(taken >> j & 1) ||
                (pairs[j].place != pair.place && pairs[j].value != pair.value);
    if (!isFree)
      continue;
    const int32_t from = serving(pair.value, slot(run));
    if (lastReaderOf(from, pair.value) != run ||
        isLeaving(pair.value, from, slot(run)))
      continue;
    taken |= uint64_t(1) << i;
    saved += step.bytes(pair.value);
  }
  return saved;
}

void RunSequence::settleInPlace(int32_t run) {
  if (step.pairs(op(run)).empty() || slot(run) < 0)
    return;
  const double saved = savingOf(run), before = list[run].savedBytes;
  if (saved == before)
    return;
  bytes.add(slot(run), slot(run), before - saved);
  list[run].savedBytes = saved;
}

void RunSequence::changeWay(int32_t run, int32_t way) {
  sumCost -= cost(run);
  const double before = workspace(run);
  list[run].way = way;
  sumCost += cost(run);
  bytes.add(slot(run), slot(run), workspace(run) - before);
}
