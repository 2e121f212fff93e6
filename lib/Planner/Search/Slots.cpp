//===- Slots.cpp - Where runs stand on the line ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starting a sequence, and making room in it. There are four slots a run at
// first; where none is free, neighbours move aside, and where that takes long,
// all runs are spread anew.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/RunSequence.h"
#include <algorithm>
#include <bit>

using namespace memplan;

/// The last op in source order that makes or reads the value.
static int32_t lastUser(const SearchStep &step, int32_t value) {
  int32_t last = step.producer(value);
  for (int32_t reader : step.readers(value))
    if (!step.isCopy(reader))
      last = std::max(last, reader);
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
        if (step.mustLeave(value) && lastUser(step, value) == op)
          plan.push_back({step.evictOf(value), 0});
  }
  return plan;
}

std::vector<PlannedRun> RunSequence::plan() const {
  std::vector<PlannedRun> runs;
  runs.reserve(count);
  for (int32_t run = next(beginRun); run != endRun; run = next(run))
    runs.push_back({op(run), way(run)});
  return runs;
}

void RunSequence::reset(llvm::ArrayRef<PlannedRun> plan, double limitBytes) {
  list.clear();
  lastReaders.clear();
  for (std::vector<int32_t> &one : lists)
    one.clear();
  log.clear();
  removed.clear();
  runLists.resize(step.numOps());
  freeLists.resize(step.numOps());
  for (int32_t op = 0; op < step.numOps(); ++op) {
    runLists[op].clear();
    freeLists[op].clear();
  }
  sumCost = sumCopies = sumHost = 0;
  stamp = 0;
  int32_t latest = -1;
  auto append = [&](PlannedRun planned) {
    const int32_t run = newRun(planned.op, planned.way);
    list[run].previous = latest;
    if (latest >= 0)
      list[latest].next = run;
    latest = run;
    list[run].isSource =
        (keepsRuns || runLists[planned.op].empty()) && !step.isCopy(planned.op);
    runLists[planned.op].push_back(run);
    enlist(run);
    return run;
  };
  beginRun = append({step.begin(), 0});
  for (PlannedRun planned : plan)
    append(planned);
  endRun = append({step.end(), 0});
  count = list.size();
  // Blocks so many that one tells nearly single runs apart, so few that adding
  // to all of them takes a microsecond.
  const auto slots = std::max<uint32_t>(64, 4 * static_cast<uint32_t>(count));
  const uint32_t perBlock = std::bit_ceil(std::max<uint32_t>(4, slots / 1024));
  bytes.reset(0, 4, limitBytes);
  respread(static_cast<int32_t>(slots),
           static_cast<int32_t>(std::min<uint32_t>(perBlock, 256)));
  layOut();
}

/// Finds who reads what, and from it the bytes at every run.
void RunSequence::layOut() {
  for (int32_t run = beginRun; run >= 0; run = next(run))
    for (int32_t value : step.outputs(op(run)))
      setLastReader(run, value, run);
  for (int32_t run = beginRun; run >= 0; run = next(run))
    for (int32_t value : step.inputs(op(run)))
      setLastReader(serving(value, slot(run)), value, run);
  // Runs have the numbers of their places now.
  std::vector<double> change(count + 1, 0);
  for (int32_t run = beginRun; run >= 0; run = next(run))
    for (int32_t value : step.outputs(op(run))) {
      change[run] += step.bytes(value);
      change[lastReaderOf(run, value) + 1] -= step.bytes(value);
    }
  double live = 0;
  for (int32_t run = beginRun; run >= 0; run = next(run)) {
    live += change[run];
    bytes.put(slot(run), run, live + workspace(run));
  }
  for (int32_t run = next(beginRun); run >= 0; run = next(run))
    settleInPlace(run);
}

/// Spreads all runs over a new line, with the bytes that they have.
void RunSequence::respread(int32_t slots, int32_t slotsPerBlock) {
  slots = (slots + slotsPerBlock - 1) / slotsPerBlock * slotsPerBlock;
  std::vector<double> old;
  const bool hasBytes = bytes.numSlots() > 0;
  for (int32_t run = beginRun; hasBytes && run >= 0; run = next(run))
    old.push_back(bytes.bytesAt(slot(run)));
  bytes.reset(slots, slotsPerBlock, bytes.limitBytes());
  int64_t place = 0;
  for (int32_t run = beginRun; run >= 0; run = next(run), ++place) {
    list[run].slot =
        static_cast<int32_t>((2 * place + 1) * slots / (2 * int64_t(count)));
    if (hasBytes)
      bytes.put(slot(run), run, old[size_t(place)]);
  }
  setWeights();
}

/// Excess is weighed by the share of blocks, so that a finer line does not make
/// it dearer; a block over the limit at all, by the share of a run.
void RunSequence::setWeights() {
  const double share = std::min(1.0, 350.0 / bytes.numBlocks());
  excessWeight = bytes.limitBytes() > 0 ? share / bytes.limitBytes() : share;
  blockWeight = share / std::max(300, step.begin() + 1);
}

int32_t RunSequence::freeSlotAfter(int32_t run) {
  const int32_t follower = next(run);
  for (;;) {
    const int32_t left = slot(run), right = slot(follower);
    if (right - left > 6) // Most insertions stand before a reader.
      return right - 3;
    if (right - left > 1)
      return left + (right - left) / 2;
    if (count * 10 <= size_t(bytes.numSlots()) * 7 && shiftAside(left, right))
      continue;
    const int grow = count * 2 > size_t(bytes.numSlots()) ? 2 : 1;
    respread(bytes.numSlots() * grow, bytes.slotsPerBlock() * grow);
  }
}

/// Makes a free slot between two neighbouring ones by moving what stands right
/// of it, or left of it, by one. False if no empty slot is near.
bool RunSequence::shiftAside(int32_t left, int32_t right) {
  auto isFree = [&](int32_t at) {
    return at >= 0 && at < bytes.numSlots() && bytes.runAt(at) < 0;
  };
  auto move = [&](int32_t from, int32_t to) {
    list[bytes.runAt(from)].slot = to;
    bytes.moveStale(from, to);
  };
  for (int32_t distance = 1; distance < 256; ++distance) {
    if (isFree(right + distance)) {
      for (int32_t at = right + distance; at > right; --at)
        move(at - 1, at);
      bytes.refresh(bytes.blockOf(right), bytes.blockOf(right + distance));
      return true;
    }
    if (isFree(left - distance)) {
      for (int32_t at = left - distance; at < left; ++at)
        move(at + 1, at);
      bytes.refresh(bytes.blockOf(left - distance), bytes.blockOf(left));
      return true;
    }
  }
  return false;
}
