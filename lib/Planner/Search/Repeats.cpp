//===- Repeats.cpp - Stretches of a step that repeat ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/Repeats.h"
#include <algorithm>

using namespace memplan;

namespace {
/// Looks for the distance at which most ops are like others.
class RepeatFinder {
public:
  explicit RepeatFinder(const SearchStep &step) : step(step) {}
  std::optional<SearchStep::Repeat> find();

private:
  void hashOps();
  bool isLike(int32_t op, int32_t distance) const;
  bool isLikeValue(int32_t value, int32_t other, int32_t distance) const;
  bool areLike(llvm::ArrayRef<int32_t> ops, llvm::ArrayRef<int32_t> others,
               int32_t distance) const;
  void tryAround(int32_t op);
  void tryDistance(int32_t op, int32_t distance);

  const SearchStep &step;
  int32_t numOps = 0; ///< Without end and begin.
  std::vector<uint64_t> hashes;
  SearchStep::Repeat best;
  int64_t bestSaved = 0;
};
} // namespace

static uint64_t mix(uint64_t hash, uint64_t with) {
  hash = (hash ^ with) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

/// Of an op and the ones after it: layers of one kind look alike for a while.
void RepeatFinder::hashOps() {
  constexpr int32_t context = 16;
  std::vector<uint64_t> own(size_t(numOps), 0);
  for (int32_t op = 0; op < numOps; ++op) {
    uint64_t hash = step.runsOnce(op);
    for (const SearchStep::Way &way : step.ways(op))
      hash = mix(mix(hash, uint64_t(way.cost)), uint64_t(way.workspaceBytes));
    for (int32_t value : step.outputs(op))
      hash = mix(hash, uint64_t(step.bytes(value)));
    own[op] = mix(hash, step.inputs(op).size());
  }
  hashes.assign(size_t(numOps), 0);
  for (int32_t op = 0; op < numOps; ++op)
    for (int32_t i = op; i < std::min(op + context, numOps); ++i)
      hashes[op] = mix(hashes[op], own[i]);
}

/// The same value, or what the producer makes in the other turn.
bool RepeatFinder::isLikeValue(int32_t value, int32_t other,
                               int32_t distance) const {
  return value == other ||
         (step.producer(other) == step.producer(value) + distance &&
          step.producer(value) != step.begin() &&
          step.place(other) == step.place(value));
}

bool RepeatFinder::areLike(llvm::ArrayRef<int32_t> ops,
                           llvm::ArrayRef<int32_t> others,
                           int32_t distance) const {
  return std::equal(ops.begin(), ops.end(), others.begin(), others.end(),
                    [&](int32_t op, int32_t other) {
                      return op == other || op + distance == other;
                    });
}

bool RepeatFinder::isLike(int32_t op, int32_t distance) const {
  const int32_t other = op + distance;
  if (op < 0 || other >= numOps || step.runsOnce(op) != step.runsOnce(other))
    return false;
  auto sameValue = [&](int32_t a, int32_t b) {
    return isLikeValue(a, b, distance);
  };
  auto sameBytes = [&](int32_t a, int32_t b) {
    return step.bytes(a) == step.bytes(b);
  };
  auto sameWay = [](const SearchStep::Way &a, const SearchStep::Way &b) {
    return a.cost == b.cost && a.workspaceBytes == b.workspaceBytes;
  };
  auto samePair = [&](const SearchStep::Pair &a, const SearchStep::Pair &b) {
    return a.place == b.place && sameValue(a.value, b.value);
  };
  auto same = [](auto a, auto b, auto isSame) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), isSame);
  };
  return same(step.ways(op), step.ways(other), sameWay) &&
         same(step.outputs(op), step.outputs(other), sameBytes) &&
         same(step.inputs(op), step.inputs(other), sameValue) &&
         same(step.pairs(op), step.pairs(other), samePair) &&
         areLike(step.before(op), step.before(other), distance) &&
         areLike(step.after(op), step.after(other), distance);
}

void RepeatFinder::tryDistance(int32_t op, int32_t distance) {
  int32_t first = op, last = op;
  while (isLike(last, distance))
    ++last;
  while (isLike(first - 1, distance))
    --first;
  const int32_t turns = (last - first) / distance;
  const int64_t saved = int64_t(turns) * distance;
  if (saved <= bestSaved)
    return;
  bestSaved = saved;
  best = {first, distance, turns + 1};
}

void RepeatFinder::tryAround(int32_t op) {
  for (int32_t other = op + 1; other < numOps && bestSaved < numOps / 2;
       ++other)
    if (hashes[other] == hashes[op])
      tryDistance(op, other - op);
}

std::optional<SearchStep::Repeat> RepeatFinder::find() {
  numOps = step.end();
  hashOps();
  for (int32_t eighth : {2, 4, 5, 6, 7})
    tryAround(int32_t(int64_t(numOps) * eighth / 8));
  if (bestSaved < numOps / 4)
    return std::nullopt;
  return best;
}

std::optional<SearchStep::Repeat> memplan::findRepeat(const SearchStep &step) {
  return step.hasCopies() ? std::nullopt : RepeatFinder(step).find();
}

/// Producers come first, and all other rules of the step hold.
static bool isPlan(const SearchStep &step, llvm::ArrayRef<PlannedRun> plan) {
  std::vector<int32_t> first(size_t(step.numOps()), -1), last = first;
  const auto count = static_cast<int32_t>(plan.size());
  int32_t next = 0;
  for (int32_t at = 0; at < count; ++at) {
    const int32_t op = plan[at].op;
    if (first[op] < 0) {
      if (op != next++)
        return false;
      first[op] = at;
    } else if (step.runsOnce(op)) {
      return false;
    }
    last[op] = at;
  }
  if (next < step.end())
    return false;
  for (int32_t op = 0; op < step.end(); ++op) {
    for (int32_t other : step.after(op))
      if (last[other] > first[op])
        return false;
    for (int32_t other : step.before(op))
      if (first[other] >= 0 && last[op] > first[other])
        return false;
  }
  return true;
}

std::optional<std::vector<PlannedRun>>
memplan::repeatPlan(const SearchStep &step, const SearchStep::Repeat &repeat,
                    llvm::ArrayRef<PlannedRun> plan) {
  const int32_t begin = repeat.begin, end = begin + repeat.period,
                left = repeat.period * (repeat.turns - 1);
  std::vector<PlannedRun> runs;
  size_t from = 0, to = 0; // Of the turn: behind the first run before it.
  int32_t next = 0;
  for (size_t at = 0; at < plan.size(); ++at) {
    if (plan[at].op != next)
      continue;
    ++next;
    if (next == begin)
      from = at + 1;
    if (next == end)
      to = at + 1;
  }
  auto add = [&](size_t first, size_t last, int32_t by) {
    for (size_t at = first; at < last; ++at) {
      const int32_t op = plan[at].op;
      runs.push_back({op < begin ? op : op + by, plan[at].way});
    }
  };
  runs.reserve(plan.size() + (to - from) * size_t(repeat.turns - 1));
  add(0, to, 0);
  for (int32_t turn = 1; turn < repeat.turns; ++turn)
    add(from, to, turn * repeat.period);
  add(to, plan.size(), left);
  if (!isPlan(step, runs))
    return std::nullopt;
  return runs;
}

namespace {
/// Where ops and values of a step stand in the step of one turn.
struct OneTurn {
  const SearchStep &step;
  int32_t end;   ///< Of the first turn.
  int32_t after; ///< First op behind the last one.
  int32_t period;
  std::vector<int32_t> values; ///< -1: left out.
  std::vector<bool> isCarried; ///< By op before the first turn.

  OneTurn(const SearchStep &step, const SearchStep::Repeat &repeat)
      : step(step), end(repeat.begin + repeat.period),
        after(repeat.begin + repeat.period * repeat.turns),
        period(repeat.period), isCarried(size_t(step.numOps()), false) {
    int32_t next = 0;
    for (int32_t value = 0; value < step.numValues(); ++value) {
      const int32_t producer = step.producer(value);
      values.push_back(producer >= end && producer < after ? -1 : next++);
    }
    // What the next turn reads of this one was not made like what this one
    // reads of the ops before it, and may not come back in the same way.
    for (int32_t op = repeat.begin; op < end && after > end; ++op)
      for (size_t i = 0; i < step.inputs(op).size(); ++i)
        if (const int32_t value = step.inputs(op)[i];
            step.inputs(op + period)[i] != value &&
            step.producer(value) < repeat.begin)
          isCarried[step.producer(value)] = true;
    // Of the last turn: those of the first.
    for (int32_t op = after - period; op < after && after > end; ++op)
      for (size_t place = 0; place < step.outputs(op).size(); ++place)
        values[step.outputs(op)[place]] =
            values[step.outputs(op - after + end)[place]];
  }

  bool isLeftOut(int32_t op) const { return op >= end && op < after; }
  std::vector<int32_t> valuesOf(llvm::ArrayRef<int32_t> list) const {
    std::vector<int32_t> kept;
    for (int32_t value : list)
      if (values[value] >= 0)
        kept.push_back(values[value]);
    return kept;
  }
  std::vector<int32_t> opsOf(llvm::ArrayRef<int32_t> list) const {
    std::vector<int32_t> kept;
    for (int32_t op : list)
      if (op < end || op >= after - period)
        kept.push_back(op < end ? op : op - after + end);
    return kept;
  }
};
} // namespace

SearchStep SearchStep::without(const Repeat &repeat) const {
  const OneTurn map(*this, repeat);
  SearchStep made;
  made.shift = shift;
  made.costScale = costScale;
  made.residentBytes = residentBytes;
  made.beginOp = beginOp - map.after + map.end;
  made.severalWays = severalWays;
  std::vector<std::vector<int32_t>> readersOf;
  for (int32_t value = 0; value < numValues(); ++value) {
    const int32_t its = producer(value);
    if (map.isLeftOut(its))
      continue;
    made.sizes.push_back(bytes(value));
    made.producers.push_back(its < map.end ? its : its - map.after + map.end);
    made.places.push_back(place(value));
    made.tensors.push_back(tensors[value]);
    readersOf.emplace_back();
  }
  for (int32_t op = 0; op < numOps(); ++op) {
    if (map.isLeftOut(op))
      continue;
    const std::vector<int32_t> read = map.valuesOf(inputs(op));
    for (int32_t value : read)
      readersOf[value].push_back(made.numOps());
    made.inputLists.add(read);
    made.outputLists.add(map.valuesOf(outputs(op)));
    made.afterLists.add(map.opsOf(after(op)));
    made.beforeLists.add(map.opsOf(before(op)));
    made.wayLists.add(ways(op));
    std::vector<Pair> kept;
    for (Pair pair : pairs(op))
      if ((pair.value = map.values[pair.value]) >= 0)
        kept.push_back(pair);
    made.pairLists.add(kept);
    made.once.push_back(once[op] || map.isCarried[op]);
    if (op != begin())
      made.sumCost += ways(op).front().cost;
  }
  for (const std::vector<int32_t> &readers : readersOf)
    made.readerLists.add(readers);
  made.fetchOps.assign(made.sizes.size(), -1);
  made.evictOps = made.fetchOps;
  made.leaves.assign(made.sizes.size(), 0);
  return made;
}
