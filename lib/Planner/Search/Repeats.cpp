//===- Repeats.cpp - Segments of a step that repeat -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/Repeats.h"
#include "StepBuilder.h"
#include "memplan/Planner/Search/ReadPlans.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
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
    for (const SearchStep::Variant &variant : step.variants(op))
      hash = mix(mix(hash, uint64_t(variant.cost)),
                 uint64_t(variant.workspaceBytes));
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
  auto sameVariant = [](const SearchStep::Variant &a,
                        const SearchStep::Variant &b) {
    return a.cost == b.cost && a.workspaceBytes == b.workspaceBytes;
  };
  auto samePair = [&](const SearchStep::Pair &a, const SearchStep::Pair &b) {
    return a.place == b.place && sameValue(a.value, b.value);
  };
  auto same = [](auto a, auto b, auto isSame) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), isSame);
  };
  return same(step.variants(op), step.variants(other), sameVariant) &&
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
  return RepeatFinder(step).find();
}

std::optional<StepRepeat> memplan::findRepeat(const ContractedStep &step) {
  if (step.numOps() < largeStep)
    return std::nullopt;
  return findRepeat(SearchStep(step));
}

namespace {
/// Where ops and values of a step stand in the step of one turn.
struct OneTurn {
  const SearchStep &step;
  int32_t begin, end; ///< Of the first turn.
  int32_t after;      ///< First op behind the last one.
  int32_t period;
  std::vector<int32_t> values;    ///< -1: left out.
  std::vector<int32_t> originals; ///< By value of one turn: in the step.
  std::vector<bool> isCarried;    ///< By op before the first turn.

  OneTurn(const SearchStep &step, const SearchStep::Repeat &repeat)
      : step(step), begin(repeat.begin), end(repeat.begin + repeat.period),
        after(repeat.begin + repeat.period * repeat.turns),
        period(repeat.period), isCarried(size_t(step.numOps()), false) {
    for (int32_t value = 0; value < step.numValues(); ++value) {
      values.push_back(-1);
      if (isLeftOut(step.producer(value)))
        continue;
      values.back() = static_cast<int32_t>(originals.size());
      originals.push_back(value);
    }
    // What the next turn reads of this one was not made like what this one
    // reads of the ops before it, and may not come back in the same way.
    for (int32_t op = begin; op < end && after > end; ++op)
      for (size_t i = 0; i < step.inputs(op).size(); ++i)
        if (const int32_t value = step.inputs(op)[i];
            step.inputs(op + period)[i] != value &&
            step.producer(value) < begin)
          isCarried[step.producer(value)] = true;
    // Of the last turn: those of the first.
    for (int32_t op = after - period; op < after && after > end; ++op)
      for (size_t place = 0; place < step.outputs(op).size(); ++place)
        values[step.outputs(op)[place]] =
            values[step.outputs(op - after + end)[place]];
  }

  bool isLeftOut(int32_t op) const { return op >= end && op < after; }
  bool isTurn(int32_t op) const { return op >= begin && op < end; }
  /// Of an op of the step of one turn, copies aside.
  int32_t originalOp(int32_t op) const {
    return op < end ? op : op + after - end;
  }
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
  /// What one of the first turn is in another; what no turn makes is the same.
  int32_t valueIn(int32_t value, int32_t turn) const {
    const int32_t producer = step.producer(value);
    return isTurn(producer)
               ? step.outputs(producer + turn * period)[step.place(value)]
               : value;
  }
};

/// Writes a plan of one turn out for all of them.
class TurnWriter {
public:
  TurnWriter(const SearchStep &step, const SearchStep::Repeat &repeat,
             const SearchStep &part)
      : step(step), part(part), map(step, repeat), turns(repeat.turns) {}
  std::vector<PlannedRun> write(llvm::ArrayRef<PlannedRun> plan);

private:
  void add(llvm::ArrayRef<PlannedRun> plan, int32_t turn);
  void addCopy(PlannedRun copy, int32_t turn);
  void dropUselessCopies();

  const SearchStep &step, &part;
  const OneTurn map;
  int32_t turns;
  std::vector<PlannedRun> runs;
};
} // namespace

/// What no turn makes is copied out once.
void TurnWriter::addCopy(PlannedRun copy, int32_t turn) {
  const int32_t value = map.originals[part.copiedValue(copy.op)];
  const bool isOfTurn = map.isTurn(step.producer(value));
  if (part.isFetch(copy.op))
    runs.push_back({step.fetchOf(map.valueIn(value, turn)), 0});
  else if (isOfTurn || turn == 0)
    runs.push_back({step.evictOf(map.valueIn(value, turn)), 0});
}

void TurnWriter::add(llvm::ArrayRef<PlannedRun> plan, int32_t turn) {
  for (PlannedRun run : plan) {
    if (part.isCopy(run.op)) {
      addCopy(run, turn);
      continue;
    }
    const int32_t op = map.originalOp(run.op);
    runs.push_back({map.isTurn(op) ? op + turn * map.period : op, run.variant});
  }
}

/// Where the next turn fetches a value again, or none reads what others do.
void TurnWriter::dropUselessCopies() {
  std::vector<bool> isRead(size_t(step.numValues())), isFetched = isRead;
  for (int32_t value : step.inputs(step.end()))
    isRead[value] = true;
  std::vector<PlannedRun> kept;
  for (PlannedRun run : llvm::reverse(runs)) {
    if (step.isCopy(run.op)) {
      const int32_t value = step.copiedValue(run.op);
      if (step.isFetch(run.op) ? !isRead[value]
                               : !isFetched[value] && !step.mustLeave(value))
        continue;
      isFetched[value] = true;
    }
    for (int32_t value : step.outputs(run.op))
      isRead[value] = false;
    for (int32_t value : step.inputs(run.op))
      isRead[value] = true;
    kept.push_back(run);
  }
  runs.assign(kept.rbegin(), kept.rend());
}

std::vector<PlannedRun> TurnWriter::write(llvm::ArrayRef<PlannedRun> plan) {
  size_t from = 0, to = 0; // Of the turn: behind the first run before it.
  int32_t next = 0;
  for (size_t at = 0; at < plan.size(); ++at) {
    if (plan[at].op != next)
      continue;
    ++next;
    if (next == map.begin)
      from = at + 1;
    if (next == map.end)
      to = at + 1;
  }
  runs.reserve(plan.size() + (to - from) * size_t(turns - 1));
  add(plan.take_front(to), 0);
  for (int32_t turn = 1; turn < turns; ++turn)
    add(plan.slice(from, to - from), turn);
  add(plan.drop_front(to), turns - 1);
  dropUselessCopies();
  return std::move(runs);
}

std::optional<std::vector<PlannedRun>>
memplan::repeatPlan(const SearchStep &step, const SearchStep::Repeat &repeat,
                    const SearchStep &part, llvm::ArrayRef<PlannedRun> plan) {
  std::vector<PlannedRun> runs = TurnWriter(step, repeat, part).write(plan);
  if (!isPlan(step, runs))
    return std::nullopt;
  return runs;
}

SearchStep SearchStep::without(const Repeat &repeat) const {
  const OneTurn map(*this, repeat);
  SearchStep made;
  StepBuilder builder(made);
  made.unitsOfStep = unitsOfStep;
  made.beginOp = beginOp - map.after + map.end;
  made.severalVariants = severalVariants;
  for (int32_t value : map.originals) {
    const int32_t its = producer(value);
    made.sizes.push_back(bytes(value));
    made.producers.push_back(its < map.end ? its : its - map.after + map.end);
    made.places.push_back(place(value));
    made.tensors.push_back(tensors[value]);
  }
  builder.usersOf.resize(made.sizes.size());
  for (int32_t op = 0; op <= beginOp; ++op) {
    if (map.isLeftOut(op))
      continue;
    const std::vector<int32_t> read = map.valuesOf(inputs(op));
    for (int32_t value : read)
      builder.usersOf[value].push_back(made.numOps());
    made.inputLists.add(read);
    made.outputLists.add(map.valuesOf(outputs(op)));
    made.afterLists.add(map.opsOf(after(op)));
    made.beforeLists.add(map.opsOf(before(op)));
    made.variantLists.add(variants(op));
    std::vector<Pair> kept;
    for (Pair pair : pairs(op))
      if ((pair.value = map.values[pair.value]) >= 0)
        kept.push_back(pair);
    made.pairLists.add(kept);
    made.once.push_back(once[op] || map.isCarried[op]);
    if (op != begin())
      made.sumCost += variants(op).front().cost;
  }
  made.leaves.assign(made.sizes.size(), 0);
  for (int32_t value = 0; value < numValues(); ++value)
    if (mustLeave(value) && map.values[value] >= 0)
      made.leaves[map.values[value]] = 1;
  builder.addCopiesOf(*this, map.originals);
  builder.finish();
  return made;
}
