//===- CopyMoves.cpp - Moves that change a plan with copies ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyMoves.h"
#include "memplan/Planner/Search/Tuning.h"
#include <algorithm>
#include <limits>

using namespace memplan;

double CopyMoves::copyTime(int32_t value) const {
  const int32_t evict = step.evictOf(value);
  return step.copyTime(step.fetchOf(value)) +
         (evict >= 0 ? step.copyTime(evict) : 0);
}

int32_t CopyMoves::evictRun(int32_t value) const {
  const int32_t evict = step.evictOf(value);
  return evict < 0 || runs.runsOf(evict).empty() ? -1
                                                 : runs.runsOf(evict).front();
}

/// Whether a fetch in that slot finds a copy on the host.
bool CopyMoves::isOnHost(int32_t value, int32_t slot) const {
  if (step.isHosted(value))
    return true;
  const int32_t evict = evictRun(value);
  return evict >= 0 && runs.slot(evict) < slot;
}

int32_t CopyMoves::lastEndedBy(int32_t first, int32_t last, double time) const {
  const BytesLine &line = runs.line();
  int32_t best = -1;
  for (; first <= last && best < 0; ++first)
    best = line.runAt(first);
  if (best < 0 || times.end(best) > time)
    return best;
  for (--first; first < last;) {
    const int32_t middle = first + (last - first + 1) / 2;
    int32_t at = middle;
    while (at > first && line.runAt(at) < 0)
      --at;
    if (at == first) {
      first = middle;
    } else if (times.end(line.runAt(at)) <= time) {
      best = line.runAt(at);
      first = middle;
    } else {
      last = at - 1;
    }
  }
  return best;
}

/// One, or between 1 and 8 with small ones as likely as large ones: engines
/// queue.
double CopyMoves::drawFactor() {
  if (random.chance(0.5))
    return 1;
  const int doublings = random.below(searchTuning::doublingsOfFactor);
  return double(1 << doublings) * (1 + random.unit());
}

int32_t CopyMoves::put(int32_t op, int32_t before) {
  const double time = times.end(runs.previous(before));
  const int32_t made = runs.insert(op, 0, before);
  times.guessEnd(made, time);
  return made;
}

/// In the slots from `after` up to the user, so early that it hides.
int32_t CopyMoves::putFetch(int32_t value, int32_t after, int32_t user,
                            double factor) {
  if (factor <= 0)
    factor = drawFactor();
  const double start =
      times.start(user) - step.copyTime(step.fetchOf(value)) * factor;
  int32_t before = lastEndedBy(after, runs.slot(user), start);
  if (before < 0)
    return -1;
  if (before != user && times.end(before) <= start)
    before = runs.next(before);
  return put(step.fetchOf(value), before);
}

/// After the last user of the value before the slot, so late that it hides.
int32_t CopyMoves::putEvict(int32_t value, int32_t slot, double factor) {
  if (!step.mustLeave(value) &&
      runs.hostBytes() + step.bytes(value) > hostLimitBytes)
    return -1;
  if (factor <= 0)
    factor = drawFactor();
  const int32_t from = runs.serving(value, slot);
  const int32_t user = runs.lastUserBefore(value, from, slot);
  const double end =
      times.end(from) + step.copyTime(step.evictOf(value)) * factor;
  const int32_t after = lastEndedBy(runs.slot(user), slot - 1, end);
  return after < 0 ? -1 : put(step.evictOf(value), runs.next(after));
}

bool CopyMoves::copyAway(int32_t slot, int32_t value, double factor) {
  int32_t here = runs.line().runAt(slot);
  const int32_t from = runs.serving(value, slot);
  if (here < 0 || from < 0 || firstUserFrom(value, slot) < 0)
    return false;
  if (!step.isHosted(value)) {
    const int32_t old = evictRun(value);
    const bool isLate = old >= 0 && runs.slot(old) >= slot;
    if (old < 0 || isLate) {
      if (putEvict(value, slot, factor) < 0)
        return false;
      if (isLate && runs.isRemovable(old)) {
        if (here == old) // It may be what stands at the violated place.
          here = runs.next(old);
        runs.erase(old);
      }
    }
  }
  // Slots may have moved meanwhile; what was read there is none of its users.
  // Where the link is slow, a fetch that hides would begin before that slot.
  const int32_t first = firstUserFrom(value, runs.slot(here));
  if (first < 0 || putFetch(value, runs.slot(here) + 1, first, factor) < 0)
    return false;
  runs.prune(from);
  return true;
}

/// The first user after a slot that is no copy.
int32_t CopyMoves::firstUserFrom(int32_t value, int32_t slot) const {
  int32_t user = runs.firstUserAfter(value, slot);
  while (user >= 0 && step.isCopy(runs.op(user)))
    user = runs.firstUserAfter(value, runs.slot(user));
  return user;
}

bool CopyMoves::bringBack(int32_t value, int32_t from, int32_t before) {
  if (!canCopy(value) || !isOnHost(value, runs.slot(before)) ||
      !random.chance(0.5))
    return false;
  const int32_t evict = evictRun(value);
  const int32_t after = std::max(runs.slot(runs.lastUserOf(from, value)),
                                 step.isHosted(value) ? 0 : runs.slot(evict));
  return putFetch(value, after + 1, before, 0) >= 0;
}

bool CopyMoves::drop(int32_t slot, double mostCost) {
  int32_t run, value;
  if (slot < 0 || !findIdle(slot, run, value))
    return false;
  const bool byRun =
      canRecompute(value) &&
      step.variants(step.producer(value)).front().cost <= mostCost;
  if (canCopy(value) && (!byRun || random.chance(0.5)))
    return copyAway(slot, value, 0);
  return byRun && dropByRecomputing(slot, value, mostCost);
}

/// The earliest slot down to `low` from which the bytes of the value fit up to
/// `from`, or a block later.
int32_t CopyMoves::earliestWithin(int32_t value, int32_t low, int32_t from) {
  const BytesLine &line = runs.line();
  const double bytes = step.bytes(value);
  int32_t at = from - 1;
  while (at > low) {
    const int32_t block = line.blockOf(at), first = line.firstSlot(block);
    if (at == first + line.slotsPerBlock() - 1 && first > low &&
        line.excess(block) + bytes <= 0) {
      at = first - 1;
      continue;
    }
    if (line.runAt(at) >= 0 && line.bytesAt(at) + bytes > line.limitBytes())
      break;
    --at;
  }
  return at + 1;
}

/// The latest slot up to `high` to which they fit from `from` on.
int32_t CopyMoves::latestWithin(int32_t value, int32_t from, int32_t high) {
  const BytesLine &line = runs.line();
  const double bytes = step.bytes(value);
  int32_t at = from + 1;
  while (at < high) {
    const int32_t block = line.blockOf(at);
    const int32_t after = line.firstSlot(block) + line.slotsPerBlock();
    if (at == line.firstSlot(block) && after < high &&
        line.excess(block) + bytes <= 0) {
      at = after;
      continue;
    }
    if (line.runAt(at) >= 0 && line.bytesAt(at) + bytes > line.limitBytes())
      break;
    ++at;
  }
  return at - 1;
}

bool CopyMoves::shiftCopy(int32_t copy) {
  if (copy < 0 || !runs.isIn(copy))
    return false;
  return step.isFetch(runs.op(copy)) ? shiftFetch(copy) : shiftEvict(copy);
}

bool CopyMoves::shiftFetch(int32_t fetch) {
  const int32_t op = runs.op(fetch), value = step.copiedValue(op);
  const int32_t at = runs.slot(fetch);
  const int32_t user = runs.firstUserAfter(value, at);
  if (user < 0)
    return false;
  const int32_t earlier = runs.serving(value, at);
  int32_t low =
      runs.slot(earlier < 0 ? runs.first() : runs.lastUserOf(earlier, value));
  if (const int32_t evict = evictRun(value);
      evict >= 0 && !step.isHosted(value))
    low = std::max(low, runs.slot(evict));
  ++low;
  const int32_t high = runs.slot(user);
  if (low > high)
    return false;
  const double draw = random.unit();
  int32_t before;
  if (draw < searchTuning::chanceHidden) {
    before = lastEndedBy(low, high,
                         times.start(user) - step.copyTime(op) * drawFactor());
  } else if (draw <
             searchTuning::chanceHidden + searchTuning::chanceWithinBytes) {
    const int32_t first = earliestWithin(value, low, at);
    before =
        pickRun(first, std::min(high, first + runs.line().slotsPerBlock()));
  } else if (draw < searchTuning::chanceHidden +
                        searchTuning::chanceWithinBytes +
                        searchTuning::chanceByDistance) {
    const int32_t distance = pickDistance(high - low);
    const int32_t to = at + (random.chance(0.5) ? distance : -distance);
    before = pickRun(std::clamp(to, low, high), high);
  } else {
    before = pickRun(low, high);
  }
  if (before < 0 || before == fetch || runs.previous(before) == fetch)
    return false;
  put(op, before);
  if (!runs.isIn(fetch) || !runs.isRemovable(fetch))
    return false;
  runs.erase(fetch);
  return true;
}

bool CopyMoves::shiftEvict(int32_t evict) {
  const int32_t op = runs.op(evict), value = step.copiedValue(op);
  const std::vector<int32_t> &fetched = runs.runsOf(step.fetchOf(value));
  if (fetched.empty() && !step.mustLeave(value))
    return false;
  const int32_t high =
      fetched.empty() ? runs.slot(runs.last()) : runs.slot(fetched.front());
  const int32_t from = runs.serving(value, runs.slot(evict));
  const int32_t user = lastOtherUser(value, from, high, evict);
  const int32_t low = runs.slot(user);
  if (low >= high)
    return false;
  const double draw = random.unit();
  int32_t after;
  if (draw < searchTuning::chanceHidden) {
    after = lastEndedBy(low, high - 1,
                        times.end(from) + step.copyTime(op) * drawFactor());
  } else if (draw <
             searchTuning::chanceHidden + searchTuning::chanceWithinBytes) {
    const int32_t last = latestWithin(value, runs.slot(evict), high);
    after = pickRun(std::max(low, last - runs.line().slotsPerBlock()), last);
  } else if (draw < searchTuning::chanceHidden +
                        searchTuning::chanceWithinBytes +
                        searchTuning::chanceByDistance) {
    const int32_t distance = pickDistance(high - low);
    const int32_t to =
        runs.slot(evict) + (random.chance(0.5) ? distance : -distance);
    after = pickRun(low, std::clamp(to, low, high - 1));
  } else {
    after = user;
  }
  if (after < 0 || after == evict || runs.next(after) == evict)
    return false;
  put(op, runs.next(after));
  if (!runs.isIn(evict) || !runs.isRemovable(evict))
    return false;
  runs.erase(evict);
  return true;
}

/// The last user of what a run made before the slot, but for an evict.
int32_t CopyMoves::lastOtherUser(int32_t value, int32_t from, int32_t slot,
                                 int32_t but) const {
  const int32_t last = runs.lastUserBefore(value, from, slot);
  return last == but ? runs.lastUserBefore(value, from, runs.slot(but)) : last;
}

bool CopyMoves::convert() {
  if (!rules.mayCopy || !rules.mayRecompute)
    return false;
  const int32_t run = pickMade();
  if (run < 0)
    return false;
  return step.isFetch(runs.op(run)) ? toRecomputation(run) : toFetch(run);
}

bool CopyMoves::toFetch(int32_t recomputed) {
  const int32_t op = runs.op(recomputed);
  const llvm::ArrayRef<int32_t> outputs = step.outputs(op);
  if (outputs.empty())
    return false;
  const int32_t value = outputs[random.below(int32_t(outputs.size()))];
  if (!canCopy(value) || runs.lastUserOf(recomputed, value) == recomputed)
    return false;
  const int32_t slot = runs.slot(recomputed), from = runs.serving(value, slot);
  const int32_t old = evictRun(value);
  if (from < 0 || (old >= 0 && runs.slot(old) >= slot))
    return false;
  if (old < 0 && putEvict(value, slot, 0) < 0)
    return false;
  const int32_t user = firstUserFrom(value, runs.slot(recomputed));
  const int32_t after = std::max(runs.slot(runs.lastUserOf(from, value)),
                                 runs.slot(evictRun(value)));
  if (user < 0 || putFetch(value, after + 1, user, 0) < 0)
    return false;
  if (!runs.isIn(recomputed) || !runs.isRemovable(recomputed))
    return true;
  bool isAlone = true;
  for (int32_t other : outputs)
    isAlone &=
        other == value || runs.lastUserOf(recomputed, other) == recomputed;
  if (isAlone || random.chance(0.5))
    runs.erase(recomputed);
  return true;
}

bool CopyMoves::toRecomputation(int32_t fetch) {
  const int32_t value = step.copiedValue(runs.op(fetch));
  const int32_t user = runs.firstUserAfter(value, runs.slot(fetch));
  if (user < 0 || !canRecompute(value) ||
      recompute(step.producer(value), user, FreedInputs::ByBytes,
                std::numeric_limits<double>::infinity()) < 0)
    return false;
  if (runs.isIn(fetch))
    runs.erase(fetch);
  return true;
}

int32_t CopyMoves::pickCopy() {
  const std::vector<int32_t> &held = times.stalls();
  if (!held.empty() && random.chance(searchTuning::chanceOfStall)) {
    const int32_t copy = held[random.below(int32_t(held.size()))];
    if (runs.isIn(copy) && step.isCopy(runs.op(copy)))
      return copy;
  }
  return pickOf(runs.fetches(), runs.evicts());
}

int32_t CopyMoves::pickMade() {
  return pickOf(runs.recomputations(), runs.fetches());
}

int32_t CopyMoves::pickOf(llvm::ArrayRef<int32_t> some,
                          llvm::ArrayRef<int32_t> others) {
  const auto count = int32_t(some.size()), all = count + int32_t(others.size());
  if (all == 0)
    return -1;
  const int32_t one = random.below(all);
  return one < count ? some[one] : others[one - count];
}
