//===- RunEdits.cpp - Edits of a sequence that may be taken back ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/RunSequence.h"

using namespace memplan;

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
  if (step.isFetch(op(run)))
    eraseNeedlessEvict(step.copiedValue(op(run)));
}

/// Nobody fetches what it leaves on the host.
void RunSequence::eraseNeedlessEvict(int32_t value) {
  const int32_t evict = step.evictOf(value);
  if (evict >= 0 && !runLists[evict].empty() &&
      isRemovable(runLists[evict].front()))
    erase(runLists[evict].front());
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
/// gone from there as well.
int32_t RunSequence::lastBefore(int32_t run) const {
  for (size_t i = 0; i < log.size() && !isIn(run); ++i)
    if (log[i].kind == EditKind::Remove && log[i].run == run)
      run = log[i].detail;
  return run;
}

void RunSequence::setWay(int32_t run, int32_t way) {
  log.push_back({EditKind::SetWay, run, list[run].way});
  changeWay(run, way);
}
