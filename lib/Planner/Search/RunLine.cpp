//===- RunLine.cpp - Runs in order, in slots of a line --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/RunLine.h"
#include "memplan/Planner/Search/Tuning.h"
#include <algorithm>
#include <bit>

using namespace memplan;

std::vector<PlannedRun> RunLine::plan() const {
  std::vector<PlannedRun> runs;
  runs.reserve(count);
  for (int32_t run = next(beginRun); run != endRun; run = next(run))
    runs.push_back({op(run), variant(run)});
  return runs;
}

int32_t RunLine::append(PlannedRun planned, int32_t latest) {
  const int32_t run = newRun(planned.op, planned.variant);
  list[run].previous = latest;
  if (latest >= 0)
    list[latest].next = run;
  runLists[planned.op].push_back(run);
  return run;
}

void RunLine::layOutRuns(llvm::ArrayRef<PlannedRun> plan, double limitBytes) {
  list.clear();
  numOutputs = 0;
  runLists.resize(step.numOps());
  freeLists.resize(step.numOps());
  for (int32_t op = 0; op < step.numOps(); ++op) {
    runLists[op].clear();
    freeLists[op].clear();
  }
  int32_t latest = beginRun = append({step.begin(), 0}, -1);
  for (PlannedRun planned : plan)
    latest = append(planned, latest);
  endRun = append({step.end(), 0}, latest);
  count = list.size();
  const auto slots = std::max<uint32_t>(searchTuning::fewestSlots,
                                        searchTuning::slotsOfRun *
                                            static_cast<uint32_t>(count));
  const uint32_t perBlock = std::bit_ceil(std::max<uint32_t>(
      searchTuning::fewestSlotsOfBlock, slots / searchTuning::blocksOfLine));
  bytes.reset(0, int32_t(searchTuning::fewestSlotsOfBlock), limitBytes);
  respread(
      static_cast<int32_t>(slots),
      static_cast<int32_t>(std::min(perBlock, searchTuning::mostSlotsOfBlock)));
}

int32_t RunLine::newRun(int32_t op, int32_t variant) {
  int32_t run;
  if (freeLists[op].empty()) {
    run = static_cast<int32_t>(list.size());
    list.emplace_back();
    list[run].op = op;
    list[run].firstOutput = numOutputs;
    numOutputs += static_cast<int32_t>(step.outputs(op).size());
  } else {
    run = freeLists[op].back();
    freeLists[op].pop_back();
  }
  list[run].variant = variant;
  return run;
}

bool RunLine::link(int32_t run, int32_t after, int32_t slot) {
  list[run].slot = slot;
  list[run].previous = after;
  list[run].next = list[after].next;
  list[list[after].next].previous = run;
  list[after].next = run;
  ++count;
  std::vector<int32_t> &runs = runLists[op(run)];
  auto place = runs.end();
  while (place != runs.begin() && list[*(place - 1)].slot > slot)
    --place;
  const bool isFirst = place == runs.begin() && !runs.empty();
  runs.insert(place, run);
  return isFirst;
}

bool RunLine::unlink(int32_t run) {
  std::vector<int32_t> &runs = runLists[op(run)];
  const auto place = std::find(runs.begin(), runs.end(), run);
  const bool isFirst = place == runs.begin();
  runs.erase(place);
  bytes.clear(slot(run));
  list[list[run].next].previous = list[run].previous;
  list[list[run].previous].next = list[run].next;
  list[run].slot = -1;
  --count;
  return isFirst && !runs.empty();
}

/// Spreads all runs over a new line, with the bytes that they have.
void RunLine::respread(int32_t slots, int32_t slotsPerBlock) {
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
}

int32_t RunLine::freeSlotAfter(int32_t run) {
  const int32_t follower = next(run);
  for (;;) {
    const int32_t left = slot(run), right = slot(follower);
    if (right - left > searchTuning::manyFreeSlots)
      return right - searchTuning::slotsBeforeUser;
    if (right - left > 1)
      return left + (right - left) / 2;
    if (count * 10 <= size_t(bytes.numSlots()) * searchTuning::tenthsToShift &&
        shiftAside(left, right))
      continue;
    const int grow = count * 2 > size_t(bytes.numSlots()) ? 2 : 1;
    respread(bytes.numSlots() * grow, bytes.slotsPerBlock() * grow);
  }
}

/// Makes a free slot between two neighbouring ones by moving what stands right
/// of it, or left of it, by one. False if no empty slot is near.
bool RunLine::shiftAside(int32_t left, int32_t right) {
  auto isFree = [&](int32_t at) {
    return at >= 0 && at < bytes.numSlots() && bytes.runAt(at) < 0;
  };
  auto move = [&](int32_t from, int32_t to) {
    list[bytes.runAt(from)].slot = to;
    bytes.moveStale(from, to);
  };
  for (int32_t distance = 1; distance < searchTuning::farthestShift;
       ++distance) {
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
