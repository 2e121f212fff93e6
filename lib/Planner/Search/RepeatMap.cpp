//===- RepeatMap.cpp - A step and the same with fewer turns ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatMap.h"
#include "StepBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

RepeatMap::RepeatMap(const SearchStep &step, const SearchStep::Repeat &repeat)
    : step(step), repeat(repeat),
      forwardCut(repeat.begin + repeat.keptFirst * repeat.period),
      backwardCut(repeat.backwardBegin +
                  repeat.keptLast * repeat.backwardPeriod),
      forwardLeft(leftOutTurns() * repeat.period),
      backwardLeft(leftOutTurns() * repeat.backwardPeriod),
      isCarried(size_t(step.numOps()), false) {
  for (int32_t value = 0; value < step.numValues(); ++value) {
    partOfValue.push_back(-1);
    if (isLeftOut(step.producer(value)))
      continue;
    partOfValue.back() = static_cast<int32_t>(originalValues.size());
    originalValues.push_back(value);
  }
  if (keptTurns() > 1)
    return;
  // What the next turn reads of this one was not made like what this one reads
  // of the ops before it, and may not come back in the same way.
  for (int32_t op = repeat.begin; op < forwardCut; ++op)
    for (size_t i = 0; i < step.inputs(op).size(); ++i)
      if (const int32_t value = step.inputs(op)[i];
          step.inputs(op + repeat.period)[i] != value &&
          step.producer(value) < repeat.begin)
        isCarried[step.producer(value)] = true;
}

int32_t RepeatMap::turnOf(int32_t op) const {
  if (isForward(op))
    return (op - repeat.begin) / repeat.period;
  const int32_t behind = op - repeat.backwardBegin;
  if (repeat.backwardPeriod > 0 && behind >= 0 &&
      behind < repeat.backwardPeriod * repeat.turns)
    return repeat.turns - 1 - behind / repeat.backwardPeriod;
  return -1;
}

int32_t RepeatMap::opInTurn(int32_t op, int32_t turn) const {
  if (turn < 0 || turn >= repeat.turns)
    return -1;
  const int32_t later = turn - turnOf(op);
  return isForward(op) ? op + later * repeat.period
                       : op - later * repeat.backwardPeriod;
}

int32_t RepeatMap::valueInTurn(int32_t value, int32_t turn) const {
  const int32_t producer = step.producer(value);
  if (turnOf(producer) < 0)
    return value;
  const int32_t op = opInTurn(producer, turn);
  return op < 0 ? -1 : step.outputs(op)[step.place(value)];
}

int32_t RepeatMap::partOp(int32_t op) const {
  if (op < forwardCut)
    return op;
  return backwardLeft > 0 && op >= backwardCut + backwardLeft
             ? op - forwardLeft - backwardLeft
             : op - forwardLeft;
}

int32_t RepeatMap::originalOp(int32_t partOp) const {
  if (partOp < forwardCut)
    return partOp;
  const int32_t op = partOp + forwardLeft;
  return backwardLeft > 0 && op >= backwardCut ? op + backwardLeft : op;
}

/// The op that is next to `op`, in the part, where `other` is in the step. The
/// turns above those left out are now next to the turns below them.
int32_t RepeatMap::standIn(int32_t op, int32_t other) const {
  const int32_t turn = turnOf(other);
  if (!isLeftOutTurn(turn))
    return other;
  const int32_t reader = turnOf(op);
  const bool isBelow = reader >= 0 && reader < repeat.keptFirst;
  if (reader < 0 && keptTurns() > 1)
    return -1;
  const int32_t its = isBelow ? turn + leftOutTurns() : turn - leftOutTurns();
  return its < 0 || isLeftOutTurn(its) ? -1 : opInTurn(other, its);
}

int32_t RepeatMap::partValue(int32_t op, int32_t value) const {
  const int32_t producer = standIn(op, step.producer(value));
  if (producer < 0)
    return -1;
  return producer == step.producer(value)
             ? partOfValue[value]
             : partOfValue[step.outputs(producer)[step.place(value)]];
}

std::vector<int32_t>
RepeatMap::partValues(int32_t op, llvm::ArrayRef<int32_t> values) const {
  std::vector<int32_t> kept;
  for (int32_t value : values)
    if (const int32_t its = partValue(op, value);
        its >= 0 && !llvm::is_contained(kept, its))
      kept.push_back(its);
  return kept;
}

std::vector<int32_t> RepeatMap::partOps(int32_t op,
                                        llvm::ArrayRef<int32_t> ops) const {
  std::vector<int32_t> kept;
  for (int32_t other : ops)
    if (const int32_t its = standIn(op, other);
        its >= 0 && !llvm::is_contained(kept, partOp(its)))
      kept.push_back(partOp(its));
  return kept;
}

SearchStep SearchStep::without(const Repeat &repeat) const {
  const RepeatMap map(*this, repeat);
  SearchStep made;
  StepBuilder builder(made);
  made.unitsOfStep = unitsOfStep;
  made.beginOp = map.partOp(beginOp);
  made.severalVariants = severalVariants;
  for (int32_t value : map.originals()) {
    made.sizes.push_back(bytes(value));
    made.producers.push_back(map.partOp(producer(value)));
    made.places.push_back(place(value));
    made.tensors.push_back(tensors[value]);
    made.leaves.push_back(mustLeave(value));
  }
  builder.usersOf.resize(made.sizes.size());
  for (int32_t op = 0; op <= beginOp; ++op) {
    if (map.isLeftOut(op))
      continue;
    const std::vector<int32_t> read = map.partValues(op, inputs(op));
    for (int32_t value : read)
      builder.usersOf[value].push_back(made.numOps());
    made.inputLists.add(read);
    made.outputLists.add(map.partValues(op, outputs(op)));
    made.afterLists.add(map.partOps(op, after(op)));
    made.beforeLists.add(map.partOps(op, before(op)));
    made.variantLists.add(variants(op));
    std::vector<Pair> kept;
    for (Pair pair : pairs(op))
      if ((pair.value = map.partValue(op, pair.value)) >= 0)
        kept.push_back(pair);
    made.pairLists.add(kept);
    made.once.push_back(once[op] || map.isReadByFirstTurnOnly(op));
    if (op != begin())
      made.sumCost += variants(op).front().cost;
  }
  builder.addCopiesOf(*this, map.originals());
  builder.finish();
  return made;
}
