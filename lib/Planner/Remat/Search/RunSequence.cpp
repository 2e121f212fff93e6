//===- RunSequence.cpp - A plan as a sequence of runs, and edits ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Search/RunSequence.h"
#include <algorithm>

using namespace memplan;

int32_t RunSequence::serving(int32_t value, int32_t slot) const {
  const std::vector<int32_t> &runs = runLists[step.producer(value)];
  for (size_t i = runs.size(); i-- > 0;)
    if (list[runs[i]].slot < slot)
      return runs[i];
  return -1;
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

bool RunSequence::isRemovable(int32_t run) const {
  const int32_t its = op(run);
  if (step.runsOnce(its) || runLists[its].size() < 2)
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
    if (lastReader(serving(value, at), step.place(value)) == run)
      through -= step.bytes(value);
  for (int32_t value : step.outputs(its))
    if (lastReader(run, step.place(value)) == run)
      through -= step.bytes(value);
  return through;
}

void RunSequence::insertRun(int32_t run, int32_t after) {
  const int32_t its = op(run), at = freeSlotAfter(after);
  double live = bytesThrough(after) + workspace(run);
  std::vector<int32_t> &runs = runLists[its];
  list[run].slot = at;
  size_t place = runs.size();
  while (place > 0 && list[runs[place - 1]].slot > at)
    --place;
  runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(place), run);
  const int32_t earlier = place > 0 ? runs[place - 1] : -1;
  auto isThere = [&](int32_t value) {
    return earlier >= 0 && slot(lastReader(earlier, step.place(value))) > at;
  };
  for (int32_t value : step.outputs(its))
    if (!isThere(value))
      live += step.bytes(value);
  list[run].savedBytes = 0;
  bytes.put(at, run, live);
  link(run, after);
  takeReaders(run, earlier);
  extendInputs(run);
  settleInPlace(run);
  if (earlier < 0 && runs.size() > 1)
    settleInPlace(runs[1]); // No longer the first: unread outputs count now.
  sumCost += cost(run);
}

void RunSequence::link(int32_t run, int32_t after) {
  list[run].previous = after;
  list[run].next = list[after].next;
  list[list[after].next].previous = run;
  list[after].next = run;
  ++count;
  if (list[run].isSource)
    return;
  list[run].rerunPlace = static_cast<int32_t>(rerunList.size());
  rerunList.push_back(run);
}

/// Readers after the run read what it makes, no longer what `earlier` made,
/// which then ends before.
void RunSequence::takeReaders(int32_t run, int32_t earlier) {
  const int32_t at = slot(run);
  for (int32_t value : step.outputs(op(run))) {
    const int32_t place = step.place(value);
    const int32_t latest = earlier < 0 ? -1 : lastReader(earlier, place);
    if (latest < 0 || slot(latest) <= at) {
      setLastReader(run, place, run);
      continue;
    }
    setLastReader(run, place, latest);
    const int32_t left = lastReaderBefore(value, earlier, at);
    setLastReader(earlier, place, left);
    bytes.add(slot(left) + 1, at - 1, -step.bytes(value));
    settleInPlace(left);
  }
}

void RunSequence::extendInputs(int32_t run) {
  const int32_t at = slot(run);
  for (int32_t value : step.inputs(op(run))) {
    const int32_t from = serving(value, at), place = step.place(value);
    const int32_t latest = lastReader(from, place);
    if (slot(latest) >= at)
      continue;
    setLastReader(from, place, run);
    bytes.add(slot(latest) + 1, at, step.bytes(value));
    settleInPlace(latest);
  }
}

void RunSequence::removeRun(int32_t run) {
  const int32_t its = op(run), at = slot(run);
  std::vector<int32_t> &runs = runLists[its];
  const auto place = std::find(runs.begin(), runs.end(), run);
  const int32_t earlier = place == runs.begin() ? -1 : *std::prev(place);
  runs.erase(place);
  bytes.clear(at);
  list[list[run].next].previous = list[run].previous;
  list[list[run].previous].next = list[run].next;
  list[run].slot = -1;
  --count;
  if (!list[run].isSource) {
    const int32_t moved = rerunList.back();
    rerunList[list[run].rerunPlace] = moved;
    list[moved].rerunPlace = list[run].rerunPlace;
    rerunList.pop_back();
  }
  for (int32_t value : step.outputs(its)) {
    const int32_t latest = lastReader(run, step.place(value));
    if (latest == run)
      continue;
    const int32_t left = lastReader(earlier, step.place(value));
    setLastReader(earlier, step.place(value), latest);
    bytes.add(slot(left) + 1, at - 1, step.bytes(value));
    settleInPlace(left);
  }
  if (earlier < 0 && !runs.empty())
    settleInPlace(runs.front());
  shrinkInputs(run, at);
  sumCost -= cost(run);
}

/// Inputs of a run that was taken out of `at` end where they were read before.
void RunSequence::shrinkInputs(int32_t run, int32_t at) {
  for (int32_t value : step.inputs(op(run))) {
    const int32_t from = serving(value, at), place = step.place(value);
    if (lastReader(from, place) != run)
      continue;
    const int32_t latest = lastReaderBefore(value, from, at);
    setLastReader(from, place, latest);
    bytes.add(slot(latest) + 1, at, -step.bytes(value));
    settleInPlace(latest);
  }
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
    if (!isFree || lastReader(serving(pair.value, slot(run)),
                              step.place(pair.value)) != run)
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

void RunSequence::begin() {
  log.clear();
  removed.clear();
  ++stamp;
}

void RunSequence::commit() {
  for (int32_t run : removed)
    freeRun(run);
  log.clear();
  removed.clear();
}

void RunSequence::undo() {
  for (size_t i = log.size(); i-- > 0;) {
    const Edit &edit = log[i];
    if (edit.kind == EditKind::SetWay) {
      changeWay(edit.run, edit.detail);
    } else if (edit.kind == EditKind::Remove) {
      insertRun(edit.run, edit.detail);
    } else {
      removeRun(edit.run);
      freeRun(edit.run);
    }
  }
  log.clear();
  removed.clear();
}

int32_t RunSequence::insert(int32_t op, int32_t way, int32_t before) {
  const int32_t run = newRun(op, way), after = previous(before);
  insertRun(run, after);
  log.push_back({EditKind::Insert, run, after});
  return run;
}

void RunSequence::prune(int32_t run) {
  if (isIn(run) && !isNew(run) && isRemovable(run) && isUnread(run))
    erase(run);
}

void RunSequence::erase(int32_t run) {
  llvm::SmallVector<int32_t, 8> served;
  for (int32_t value : step.inputs(op(run)))
    served.push_back(serving(value, slot(run)));
  const int32_t after = previous(run);
  removeRun(run);
  log.push_back({EditKind::Remove, run, after});
  removed.push_back(run);
  for (int32_t producer : served)
    prune(producer);
}

void RunSequence::setWay(int32_t run, int32_t way) {
  log.push_back({EditKind::SetWay, run, list[run].way});
  changeWay(run, way);
}
