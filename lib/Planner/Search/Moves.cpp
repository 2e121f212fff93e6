//===- Moves.cpp - Moves that change a plan -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/Moves.h"
#include "memplan/Planner/Search/Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>
#include <bit>
#include <limits>

using namespace memplan;

int32_t Moves::recompute(int32_t op, int32_t before, FreedInputs freed,
                         double mostCost, double byteCost) {
  allowance = searchTuning::mostRecomputations;
  costOfByte = byteCost;
  costLeft = mostCost;
  return recomputeWithin(op, before, freed, 0);
}

int32_t Moves::recomputeWithin(int32_t op, int32_t before, FreedInputs freed,
                               int depth) {
  if (step.runsOnce(op) || !runs.isAllowedAt(op, runs.slot(before)) ||
      allowance-- <= 0)
    return -1;
  int32_t earlier = -1;
  for (int32_t run : runs.runsOf(op))
    if (runs.slot(run) < runs.slot(before))
      earlier = run;
  if (earlier < 0)
    return -1;
  if (earlier == runs.runsOf(op).front())
    costLeft -= step.variants(op).front().cost;
  for (int32_t value : step.inputs(op)) {
    const int32_t at = runs.slot(before), from = runs.serving(value, at);
    if (from < 0 || costLeft < 0)
      return -1;
    if (!isFreed(value, from, at) ||
        depth > searchTuning::deepestRecomputation ||
        bringBack(value, from, before))
      continue;
    const int32_t producer = step.producer(value);
    if (freed == FreedInputs::Recompute ||
        (freed == FreedInputs::ByBytes && breaksLimit(value, from, at) &&
         step.variants(producer).front().cost <=
             costOfByte * step.bytes(value)))
      recomputeWithin(producer, before, freed, depth + 1);
  }
  if (costLeft < 0)
    return -1;
  const int32_t made = runs.insert(op, 0, before);
  fitVariant(made);
  runs.prune(earlier);
  return made;
}

/// The value is not there at the slot any more, and was not made for this move.
bool Moves::isFreed(int32_t value, int32_t from, int32_t slot) const {
  return runs.slot(runs.lastUserOf(from, value)) < slot && !runs.isNew(from);
}

bool Moves::breaksLimit(int32_t value, int32_t from, int32_t slot) const {
  const int32_t latest = runs.lastUserOf(from, value);
  return runs.line().largest(runs.slot(latest) + 1, slot - 1) +
             step.bytes(value) >
         runs.line().limitBytes();
}

/// The cheapest variant that keeps the limit beside what lives at the run, else
/// the one of least workspace.
void Moves::fitVariant(int32_t run) {
  const llvm::ArrayRef<SearchStep::Variant> variants =
      step.variants(runs.op(run));
  if (variants.size() < 2)
    return;
  const double others = runs.line().bytesAt(runs.slot(run)) -
                        variants[runs.variant(run)].workspaceBytes;
  int32_t variant = 0;
  while (variant + 1 < static_cast<int32_t>(variants.size()) &&
         others + variants[variant].workspaceBytes > runs.line().limitBytes())
    ++variant;
  if (variant != runs.variant(run))
    runs.setVariant(run, variant);
}

bool Moves::changeVariant(int32_t run) {
  if (run < 0)
    return false;
  const auto count = static_cast<int32_t>(step.variants(runs.op(run)).size());
  if (count < 2)
    return false;
  const int32_t before = runs.variant(run);
  if (random.chance(0.5))
    fitVariant(run);
  if (runs.variant(run) == before)
    runs.setVariant(run, (before + 1 + random.below(count - 1)) % count);
  return true;
}

int32_t Moves::pickDistance(int32_t most) {
  const auto range = static_cast<uint32_t>(most) + 1;
  const int bits = random.below(std::bit_width(range));
  return std::min(most, (1 << bits) - 1 + random.below(1 << bits));
}

int32_t Moves::pickRun(int32_t first, int32_t last) {
  if (first > last)
    return -1;
  const BytesLine &line = runs.line();
  const int32_t slot = first + random.below(last - first + 1);
  for (int32_t away = 0; away < searchTuning::slotsAway; ++away) {
    if (slot + away <= last && line.runAt(slot + away) >= 0)
      return line.runAt(slot + away);
    if (slot - away >= first && line.runAt(slot - away) >= 0)
      return line.runAt(slot - away);
  }
  return -1;
}

int32_t Moves::pickRecomputation() {
  const std::vector<int32_t> &recomputations = runs.recomputations();
  return recomputations.empty()
             ? -1
             : recomputations[random.below(int32_t(recomputations.size()))];
}

int32_t Moves::pickShifted() {
  if (!freeOrder || random.chance(0.5))
    return pickRecomputation();
  if (const int32_t hot = random.chance(0.5) ? pickHotSlot() : -1; hot >= 0)
    return runs.line().runAt(hot);
  return pickRun(runs.slot(runs.first()) + 1, runs.slot(runs.last()) - 1);
}

int32_t Moves::pickHotSlot() {
  const BytesLine &line = runs.line();
  const int32_t blocks = line.numBlocks();
  int32_t block = -1;
  double best = -1;
  for (int i = 0; i < searchTuning::looksForHotBlock && best <= 2; ++i) {
    const int32_t one = random.below(blocks);
    const double excess = line.excess(one);
    if (excess < -line.limitBytes()) // Empty.
      continue;
    const double rank =
        random.unit() +
        (excess > 0                                                 ? 2
         : excess > -searchTuning::closeToLimit * line.limitBytes() ? 1
                                                                    : 0);
    if (rank > best) {
      best = rank;
      block = one;
    }
  }
  if (best <= 2 && !runs.fits()) {
    const int32_t start = random.below(blocks);
    for (int32_t i = 0; i < blocks; ++i)
      if (line.isOver((start + i) % blocks)) {
        block = (start + i) % blocks;
        break;
      }
  }
  return block < 0 ? -1 : line.peakSlot(block);
}

/// A value that is live at the slot, and neither made nor read there. It is
/// looked for by its run, near ones more often than far ones: there are no
/// lists of what lives where.
bool Moves::findIdle(int32_t slot, int32_t &run, int32_t &value) {
  const BytesLine &line = runs.line();
  for (int i = 0; i < searchTuning::looksForIdle; ++i) {
    int32_t at = slot - (i % 2 ? random.below(slot + 1) : pickDistance(slot));
    for (int back = 0;
         back < searchTuning::slotsBack && at > 0 && line.runAt(at) < 0; ++back)
      --at;
    if (line.runAt(at) < 0 || at >= slot)
      continue;
    run = line.runAt(at);
    const int32_t op = runs.op(run);
    const llvm::ArrayRef<int32_t> outputs = step.outputs(op);
    if (outputs.empty() || !mayFree(op))
      continue;
    value = outputs.size() == 1
                ? outputs.front()
                : outputs[random.below(int32_t(outputs.size()))];
    if (step.bytes(value) > 0 && runs.slot(runs.lastUserOf(run, value)) > slot)
      return true;
  }
  return false;
}

bool Moves::drop(int32_t slot, double mostCost) {
  int32_t run, value;
  return slot >= 0 && findIdle(slot, run, value) &&
         dropByRecomputing(slot, value, mostCost);
}

bool Moves::dropByRecomputing(int32_t slot, int32_t value, double mostCost) {
  const int32_t op = step.producer(value);
  if (step.variants(op).front().cost > mostCost)
    return false;
  const int32_t user = runs.firstUserAfter(value, slot);
  if (user < 0)
    return false;
  int32_t before = user;
  if (random.chance(searchTuning::chanceElsewhere)) {
    const int32_t other = pickRun(slot + 1, runs.slot(user));
    if (other >= 0)
      before = other;
  }
  const double draw = random.unit();
  const bool withInputs = random.chance(searchTuning::chanceWithInputs);
  // At times only what is cheap beside its bytes is recomputed: on large steps,
  // where few moves an op are to be had and this saves the most.
  double byteCost = std::numeric_limits<double>::infinity();
  if (draw < searchTuning::chanceOnlyCheap && step.numOps() >= largeStep)
    byteCost = double(1 << random.below(searchTuning::doublingsOfCheap)) *
               step.variants(op).front().cost / step.bytes(value);
  const int32_t made =
      recompute(op, before,
                draw < searchTuning::chanceByBytes ? FreedInputs::ByBytes
                : draw < searchTuning::chanceByBytes + searchTuning::chanceKept
                    ? FreedInputs::Keep
                    : FreedInputs::Recompute,
                mostCost, byteCost);
  if (made < 0)
    return false;
  if (withInputs)
    recomputeIdleInputs(made, slot);
  return true;
}

/// Makes inputs of a new run again that lay idle around the slot for it alone,
/// and theirs: a run of values that are dropped together.
void Moves::recomputeIdleInputs(int32_t run, int32_t slot) {
  int left = 1 + random.below(searchTuning::mostIdleInputs);
  costLeft = costOfByte = std::numeric_limits<double>::infinity();
  pending.assign(1, run);
  while (!pending.empty() && left-- > 0) {
    const int32_t one = pending.back();
    pending.pop_back();
    if (!runs.isIn(one))
      continue;
    for (int32_t value : step.inputs(runs.op(one))) {
      const int32_t at = runs.slot(one), from = runs.serving(value, at);
      if (runs.isNew(from) || runs.slot(from) > slot ||
          step.bytes(value) <= 0 || step.runsOnce(runs.op(from)) ||
          runs.slot(runs.lastUserBefore(value, from, at)) > slot)
        continue;
      const int32_t made =
          recomputeWithin(runs.op(from), one, FreedInputs::ByBytes, 0);
      if (made >= 0)
        pending.push_back(made);
    }
  }
}

bool Moves::retain(int32_t run) {
  if (run < 0 || !runs.isIn(run) || !runs.isRemovable(run))
    return false;
  runs.erase(run);
  return true;
}

/// Slot of the largest bytes in the worst block around a slot, mostly before
/// it: what is retained lay idle there.
int32_t Moves::worstSlotNear(int32_t slot) {
  const BytesLine &line = runs.line();
  const int32_t center = std::min(line.blockOf(slot), line.numBlocks() - 1);
  int32_t worst = -1;
  for (int32_t block = std::max(0, center - searchTuning::blocksBefore);
       block <=
       std::min(line.numBlocks() - 1, center + searchTuning::blocksAfter);
       ++block)
    if (line.excess(block) > (worst < 0 ? 0 : line.excess(worst)))
      worst = block;
  return worst < 0 ? pickHotSlot() : line.peakSlot(worst);
}

bool Moves::swap(int32_t run, double mostCost) {
  if (run < 0)
    return false;
  const int32_t slot = runs.slot(run);
  const double penalty = runs.penalty(), cost = runs.cost();
  if (!retain(run))
    return false;
  for (int i = 0; i < searchTuning::dropsOfSwap && runs.penalty() > penalty;
       ++i) {
    const int32_t hot = worstSlotNear(slot);
    if (hot < 0)
      break;
    drop(hot, cost - runs.cost() + mostCost);
  }
  return true;
}

/// A run before which another may stand instead, in between its inputs and its
/// first user.
bool Moves::pickPlace(int32_t run, int32_t &before) {
  const int32_t op = runs.op(run), at = runs.slot(run);
  // Only a free order lets another run of the op become its first.
  int32_t low = freeOrder ? 0 : runs.slot(runs.runsOf(op).front()), high = -1;
  for (int32_t value : step.inputs(op))
    low = std::max(low, runs.slot(runs.serving(value, at)));
  for (int32_t value : step.outputs(op)) {
    if (runs.lastUser(run, step.place(value)) == run)
      continue;
    const int32_t user = runs.firstUserAfter(value, at);
    if (user >= 0 && (high < 0 || runs.slot(user) < high))
      high = runs.slot(user);
  }
  if (high < 0) {
    if (!runs.isSource(run))
      return false;
    high = runs.slot(runs.last());
  }
  const double draw = random.unit();
  if (draw < searchTuning::chanceAtReader)
    before = runs.line().runAt(high);
  else if (draw < searchTuning::chanceAtReader + searchTuning::chanceNearReader)
    before = pickRun(std::max(low + 1, high - pickDistance(high - low)), high);
  else
    before = pickRun(low + 1, high);
  return before >= 0 && before != run && runs.previous(before) != run &&
         before != runs.first() && runs.slot(before) > low &&
         runs.isAllowedAt(op, runs.slot(before));
}

/// Puts a run of the op before another one and takes the old one out, where
/// nothing reads it any more.
int32_t Moves::move(int32_t run, int32_t before) {
  const int32_t op = runs.op(run);
  const int32_t made = runs.insert(op, runs.variant(run), before);
  // What runs once has no user before the new place.
  if (step.runsOnce(op) || step.outputs(op).empty() ||
      runs.slot(made) < runs.slot(run))
    runs.erase(run);
  else
    runs.prune(run);
  return made;
}

/// The only user of what a first run makes, if it is a first run too.
int32_t Moves::onlyUser(int32_t run) const {
  int32_t user = -1;
  for (int32_t value : step.outputs(runs.op(run))) {
    const int32_t last = runs.lastUserOf(run, value);
    if (last == run)
      continue;
    if (runs.firstUserAfter(value, runs.slot(run)) != last ||
        (user >= 0 && user != last))
      return -1;
    user = last;
  }
  return user >= 0 && user != runs.last() && runs.isSource(user) ? user : -1;
}

/// Moves a first run and those that only wait for it to a later place: a
/// gradient with its update. Each alone would leave the gradient live in
/// between.
bool Moves::shiftChain(int32_t run) {
  llvm::SmallVector<int32_t, 8> chain{run};
  while (chain.size() < searchTuning::longestChain &&
         onlyUser(chain.back()) >= 0)
    chain.push_back(onlyUser(chain.back()));
  int32_t before;
  if (chain.size() < 2 || !pickPlace(chain.back(), before) ||
      runs.slot(before) < runs.slot(chain.back()))
    return false;
  while (!chain.empty()) {
    const int32_t one = chain.pop_back_val();
    if (!runs.isAllowedAt(runs.op(one), runs.slot(before)))
      return false;
    before = move(one, before);
  }
  return true;
}

bool Moves::shift(int32_t run) {
  if (run < 0 || !runs.isIn(run) || run == runs.last() || run == runs.first())
    return false;
  if (freeOrder && runs.isSource(run) &&
      random.chance(searchTuning::chanceOfChain))
    return shiftChain(run);
  int32_t before;
  if ((runs.isSource(run) && !freeOrder) || !pickPlace(run, before))
    return false;
  move(run, before);
  return true;
}
