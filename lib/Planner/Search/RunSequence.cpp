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

/// The last op in source order that makes or reads the value.
static int32_t lastTouching(const SearchStep &step, int32_t value) {
  int32_t last = step.producer(value);
  for (int32_t user : step.users(value))
    if (!step.isCopy(user))
      last = std::max(last, user);
  return last;
}

std::vector<PlannedRun> RunSequence::sourceOrder(const SearchStep &step) {
  std::vector<PlannedRun> plan;
  std::vector<bool> isFetched(step.numValues());
  for (int32_t op = 0; op < step.end(); ++op) {
    for (int32_t value : step.inputs(op))
      if (step.isHosted(value) && !isFetched[value]) {
        isFetched[value] = true;
        plan.push_back({step.fetchOf(value), 0});
      }
    plan.push_back({op, 0});
    for (llvm::ArrayRef<int32_t> values : {step.inputs(op), step.outputs(op)})
      for (int32_t value : values)
        if (step.mustLeave(value) && lastTouching(step, value) == op)
          plan.push_back({step.evictOf(value), 0});
  }
  return plan;
}

void RunSequence::reset(llvm::ArrayRef<PlannedRun> plan, double limitBytes) {
  log.clear();
  removed.clear();
  stamp = 0;
  layOutRuns(plan, limitBytes);
  stamps.assign(numNumbers(), 0);
  totals.clear();
  for (int32_t run = first(); run >= 0; run = next(run))
    totals.add(run, op(run), variant(run),
               (keepsRuns || runsOf(op(run)).front() == run) &&
                   !step.isCopy(op(run)));
  findRanges();
}

double RunSequence::weightOfByte() const {
  return line().limitBytes() > 0 ? shareOfBlock() / line().limitBytes()
                                 : shareOfBlock();
}

double RunSequence::weightOfBlock() const {
  return shareOfBlock() /
         std::max(searchTuning::fewestRunsOfPenalty, step.begin() + 1);
}

/// A fetch whose users another instance can serve; an evict whose copy nothing
/// fetches.
bool RunSequence::isRemovableCopy(int32_t run) const {
  const int32_t its = op(run), value = step.copiedValue(its);
  if (step.isFetch(its))
    return lastUser(run, 0) == run || serving(value, slot(run)) >= 0;
  return runsOf(its).size() > 1 ||
         (runsOf(step.fetchOf(value)).empty() && !step.mustLeave(value));
}

bool RunSequence::isRemovable(int32_t run) const {
  const int32_t its = op(run);
  if (step.isCopy(its))
    return isRemovableCopy(run);
  if (keepsRuns || step.runsOnce(its) || runsOf(its).size() < 2)
    return false;
  return runsOf(its).front() != run || (freeOrder && isUnread(run));
}

bool RunSequence::isAllowedAt(int32_t op, int32_t slot) const {
  for (int32_t other : step.before(op))
    if (!runsOf(other).empty() && list[runsOf(other).front()].slot < slot)
      return false;
  for (int32_t other : step.after(op))
    if (runsOf(other).empty() || list[runsOf(other).back()].slot >= slot)
      return false;
  return true;
}

void RunSequence::putIn(int32_t run, int32_t after, bool isSource) {
  insertRun(run, after);
  totals.add(run, op(run), variant(run), isSource);
}

void RunSequence::takeOut(int32_t run) {
  totals.remove(run, op(run), variant(run));
  removeRun(run);
}

void RunSequence::changeVariant(int32_t run, int32_t variant) {
  totals.changeVariant(op(run), this->variant(run), variant);
  LiveRanges::changeVariant(run, variant);
}

void RunSequence::begin() {
  log.clear();
  removed.clear();
  ++stamp;
  forgetArea();
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
    if (edit.kind == EditKind::SetVariant) {
      changeVariant(edit.run, edit.detail);
    } else if (edit.kind == EditKind::Remove) {
      putIn(edit.run, edit.detail, totals.isSource(edit.run));
    } else {
      takeOut(edit.run);
      freeRun(edit.run);
    }
  }
  log.clear();
  removed.clear();
}

int32_t RunSequence::insert(int32_t op, int32_t variant, int32_t before) {
  const int32_t run = newRun(op, variant), after = previous(before);
  if (size_t(run) >= stamps.size())
    stamps.resize(numNumbers());
  stamps[run] = stamp;
  putIn(run, after, /*isSource=*/false);
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
  takeOut(run);
  log.push_back({EditKind::Remove, run, after});
  removed.push_back(run);
  for (int32_t producer : served)
    prune(producer);
  if (step.isFetch(op(run)))
    eraseNeedlessEvict(step.copiedValue(op(run)));
}

/// Nothing fetches what it leaves on the host.
void RunSequence::eraseNeedlessEvict(int32_t value) {
  const int32_t evict = step.evictOf(value);
  if (evict >= 0 && !runsOf(evict).empty() &&
      isRemovable(runsOf(evict).front()))
    erase(runsOf(evict).front());
}

void RunSequence::sweep() {
  ++stamp; // Nothing is new from here on.
  auto isPutIn = [&](size_t edit) {
    return log[edit].kind == EditKind::Insert && isIn(log[edit].run);
  };
  for (size_t i = 0; i < log.size(); ++i) {
    const int32_t run = log[i].run;
    for (int32_t value : step.outputs(op(run)))
      if (isPutIn(i)) {
        const int32_t earlier = serving(value, slot(run));
        if (earlier >= 0)
          prune(earlier);
      }
  }
  for (size_t i = 0; i < log.size(); ++i)
    if (isPutIn(i))
      prune(log[i].run);
}

/// The run that stands before the place of one that was taken out, which may be
/// freed there as well.
int32_t RunSequence::lastBefore(int32_t run) const {
  for (size_t i = 0; i < log.size() && !isIn(run); ++i)
    if (log[i].kind == EditKind::Remove && log[i].run == run)
      run = log[i].detail;
  return run;
}

void RunSequence::setVariant(int32_t run, int32_t variant) {
  log.push_back({EditKind::SetVariant, run, this->variant(run)});
  changeVariant(run, variant);
}
