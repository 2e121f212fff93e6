//===- RepeatPlan.cpp - A plan of some turns, written out for all ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatMap.h"
#include "memplan/Planner/Search/ReadPlans.h"
#include "memplan/Planner/Search/Repeats.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
/// Writes a plan of the part out for all turns: each one is run like the turn
/// of the part that lies at the same share of the way.
class TurnWriter {
public:
  TurnWriter(const SearchStep &step, const SearchStep::Repeat &repeat,
             const SearchStep &part)
      : step(step), part(part), repeat(repeat), map(step, repeat),
        isOnHost(size_t(step.numValues()), false),
        isEvicted(size_t(step.numValues()), false) {}
  std::vector<PlannedRun> write(llvm::ArrayRef<PlannedRun> plan);

private:
  /// Places in the plan: behind the first run of that op of the part.
  std::vector<size_t> findPlaces(llvm::ArrayRef<PlannedRun> plan) const;
  void addTurns(llvm::ArrayRef<PlannedRun> plan, llvm::ArrayRef<size_t> places,
                int32_t begin, int32_t period, bool isBackward);
  void add(llvm::ArrayRef<PlannedRun> plan, int32_t turn, int32_t partTurn);
  void addCopy(PlannedRun copy, int32_t later);
  int32_t opIn(int32_t op, int32_t later) const;
  void dropUselessCopies();

  const SearchStep &step, &part;
  const SearchStep::Repeat repeat;
  const RepeatMap map;
  std::vector<bool> isOnHost, isEvicted; ///< By value of the step.
  std::vector<PlannedRun> runs;
};
} // namespace

/// The op, so many turns later if it is of a turn; -1 if there are not as many.
int32_t TurnWriter::opIn(int32_t op, int32_t later) const {
  const int32_t turn = map.turnOf(op);
  if (turn < 0)
    return op;
  return map.opInTurn(op, map.partTurn(turn) + later);
}

/// What no turn makes is copied out once, and so is what several turns of the
/// part would copy in one of the step.
void TurnWriter::addCopy(PlannedRun copy, int32_t later) {
  const int32_t original = map.originals()[part.copiedValue(copy.op)];
  const int32_t turn = map.turnOf(step.producer(original));
  const int32_t value =
      turn < 0 ? original
               : map.valueInTurn(original, map.partTurn(turn) + later);
  if (value < 0)
    return;
  if (part.isFetch(copy.op)) {
    if (isOnHost[value] || step.isHosted(value))
      runs.push_back({step.fetchOf(value), 0});
  } else if (!isEvicted[value]) {
    isEvicted[value] = isOnHost[value] = true;
    runs.push_back({step.evictOf(value), 0});
  }
}

void TurnWriter::add(llvm::ArrayRef<PlannedRun> plan, int32_t turn,
                     int32_t partTurn) {
  for (PlannedRun run : plan)
    if (part.isCopy(run.op))
      addCopy(run, turn - partTurn);
    else if (const int32_t op = opIn(map.originalOp(run.op), turn - partTurn);
             op >= 0)
      runs.push_back({op, run.variant});
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

std::vector<size_t>
TurnWriter::findPlaces(llvm::ArrayRef<PlannedRun> plan) const {
  std::vector<size_t> places{0};
  for (size_t at = 0; at < plan.size(); ++at)
    if (plan[at].op + 1 == static_cast<int32_t>(places.size()))
      places.push_back(at + 1);
  return places;
}

/// `begin`: first op of the turns in the part.
void TurnWriter::addTurns(llvm::ArrayRef<PlannedRun> plan,
                          llvm::ArrayRef<size_t> places, int32_t begin,
                          int32_t period, bool isBackward) {
  const int32_t turns = map.turns(), kept = map.keptTurns();
  for (int32_t i = 0; i < turns; ++i) {
    const int32_t turn = isBackward ? turns - 1 - i : i;
    const auto its = int32_t((2 * int64_t(turn) + 1) * kept / (2 * turns));
    const int32_t at = begin + period * (isBackward ? kept - 1 - its : its);
    add(plan.slice(places[at], places[at + period] - places[at]), turn, its);
  }
}

std::vector<PlannedRun> TurnWriter::write(llvm::ArrayRef<PlannedRun> plan) {
  const std::vector<size_t> places = findPlaces(plan);
  const int32_t kept = map.keptTurns(), last = map.turns() - 1;
  const int32_t end = repeat.begin + kept * repeat.period;
  runs.reserve(plan.size() * size_t(map.turns()) / size_t(kept));
  add(plan.take_front(places[repeat.begin]), 0, 0);
  addTurns(plan, places, repeat.begin, repeat.period, false);
  if (repeat.backwardPeriod == 0) {
    add(plan.drop_front(places[end]), last, kept - 1);
  } else {
    const int32_t begin = map.partOp(repeat.backwardBegin);
    const size_t back = places[begin],
                 behind = places[begin + kept * repeat.backwardPeriod];
    add(plan.slice(places[end], back - places[end]), last, kept - 1);
    addTurns(plan, places, begin, repeat.backwardPeriod, true);
    add(plan.drop_front(behind), 0, 0);
  }
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
