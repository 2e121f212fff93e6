//===- SearchDriver.cpp - From a limit to the best plan found -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchDriver.h"
#include "RepeatSearch.h"
#include "memplan/Planner/Search/Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>
#include <utility>

using namespace memplan;

static int64_t shareOf(int64_t moves, double share) {
  return int64_t(double(moves) * share);
}

SearchDriver::SearchDriver(const SearchStep &step, Packing &packing,
                           SearchRules rules, uint64_t seed, Effort &effort)
    : step(step), packing(packing), rules(rules), effort(effort),
      state(step, rules, seed), ramp(state, effort),
      annealing(state, effort, incumbent),
      origin(RunSequence::sourceOrder(step)) {
  if (step.hasCopies())
    state.weighBytes(packing.staysBelow() ? searchTuning::weightOfAreaOfLarge
                                          : searchTuning::weightOfArea);
}

void SearchDriver::keepRuns(std::vector<PlannedRun> plan) {
  state.runs.keepRuns();
  areRunsKept = true;
  origin = std::move(plan);
}

void SearchDriver::addStart(std::vector<PlannedRun> plan) {
  starts.push_back({rules, std::move(plan)});
}

void SearchDriver::start(std::vector<PlannedRun> plan) {
  const double limit = packing.limit();
  rampFrom(plan, 0);
  settle();
  // A ramp and a packing of a largest step take seconds, at each of ten
  // budgets.
  if (packing.limit() < limit && step.numOps() <= largestStep)
    repair();
}

bool SearchDriver::startFromTurns() {
  RepeatSearch part(step, rules, effort);
  if (areRunsKept || part.isEmpty())
    return false;
  if (std::optional<std::vector<PlannedRun>> plan =
          part.search(packing.limit()))
    start(std::move(*plan));
  return true;
}

/// What copies would have to move before and after the highest place, as a
/// share of the time there.
double SearchDriver::engineLoad() {
  state.reset(origin, packing.limit());
  const BytesLine &line = state.runs.line();
  double highest = 0, at = 0, before = 0;
  for (int32_t run = state.runs.first(); run >= 0; run = state.runs.next(run)) {
    before += step.variants(state.runs.op(run))[0].cost;
    if (line.bytesAt(state.runs.slot(run)) > highest) {
      highest = line.bytesAt(state.runs.slot(run));
      at = before;
    }
  }
  double bytes = 0, toHost = 0, toDevice = 0;
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (step.evictOf(value) >= 0) {
      bytes += step.bytes(value);
      toHost += step.copyTime(step.evictOf(value));
      toDevice += step.copyTime(step.fetchOf(value));
    }
  if (bytes <= 0)
    return std::numeric_limits<double>::infinity();
  const double excess = std::max(0.0, highest - line.limitBytes());
  return std::max(excess / bytes * toHost / std::max(1.0, at),
                  excess / bytes * toDevice /
                      std::max(1.0, step.totalCost() - at));
}

/// Each by multipliers as they are and, where there are many moves, by
/// perturbed ones.
void SearchDriver::addStarts(int64_t moves) {
  const bool isLong =
      moves >= searchTuning::movesOfBlurredStarts * int64_t(step.begin());
  auto add = [&](bool mayRecompute, bool mayCopy) {
    for (double noise : {0.0, 1.0})
      if (noise == 0 || isLong)
        starts.push_back(
            {{mayRecompute, mayCopy, rules.mayReorder}, {}, noise});
  };
  if (rules.mayCopy && rules.mayRecompute &&
      load < searchTuning::mostLoadOfCopies)
    add(false, true);
  if (rules.mayCopy && rules.mayRecompute &&
      load > searchTuning::leastLoadOfRuns)
    add(true, false);
  add(rules.mayRecompute, rules.mayCopy);
  if (areRunsKept)
    return;
  if (std::optional<std::vector<PlannedRun>> plan =
          RepeatSearch(step, rules, effort).search(packing.limit()))
    addStart(std::move(*plan));
}

void SearchDriver::rampFrom(llvm::ArrayRef<PlannedRun> plan, double noise) {
  state.reset(plan, packing.limit());
  rampOn(noise);
}

/// From the plan that the state holds.
void SearchDriver::rampOn(double noise) {
  double share = load < searchTuning::loadOfShare
                     ? searchTuning::idleCopyShare
                     : searchTuning::loadedCopyShare;
  if (noise > 0 && rules.mayCopy)
    share *= searchTuning::leastBlurOfShare + state.random.unit();
  ramp.run(share, noise);
  if (state.runs.fits())
    ramp.removeNeedless();
  incumbent.offer(state);
}

double SearchDriver::heatFor(int64_t moves) const {
  return std::clamp(double(moves) /
                        (searchTuning::movesOfFullHeat * (step.begin() + 1)),
                    searchTuning::leastHeat, 1.0);
}

void SearchDriver::tryStart(Start &start, int64_t moves) {
  const int64_t end = effort.movesLeft() - moves;
  state.moves.rules = start.rules;
  const bool isGiven = !start.plan.empty();
  rampFrom(isGiven ? start.plan : origin, start.noise * state.random.unit());
  // A caller that waits has a plan early; and what is given packs well as it
  // is, but worse once annealed.
  const double limit = packing.limit();
  if (!packing.accepted() || isGiven)
    settle();
  if (isGiven && packing.limit() < limit)
    repair();
  start.plan = state.runs.plan();
  start.time = state.time();
  start.penalty = state.runs.penalty();
  if (!isGiven)
    goOn(start, effort.movesLeft() - end, heatFor(moves));
}

/// Bytes weigh more from cycle to cycle until a plan fits: where one copy takes
/// many times as long as the step computes, they would not count beside time.
void SearchDriver::runCycle(int64_t moves, double heat, bool hasPlan) {
  annealing.runCycle(moves, heat, hasPlan ? 1 : strictness);
  if (!state.runs.fits())
    strictness = std::min(searchTuning::mostStrictness, 2 * strictness);
}

/// Anneals from the plan of a start and leaves what comes out there.
void SearchDriver::goOn(Start &start, int64_t moves, double heat) {
  if (moves <= 0)
    return;
  state.reset(start.plan, packing.limit());
  state.moves.rules = start.rules;
  runCycle(moves, heat, state.runs.fits());
  start.plan = state.runs.plan();
  start.time = state.time();
  start.penalty = state.runs.penalty();
}

/// On a large step only what takes a good deal less time.
bool SearchDriver::isWorthPacking() const {
  return !packing.staysBelow() || !packing.accepted() ||
         incumbent.plan()->cost <
             searchTuning::leastGainToPack * packing.costLimit();
}

/// Packs the best plan of the limit. Where it packs badly, or better than plans
/// of more bytes did, the search goes on with another limit.
void SearchDriver::settle(bool isLast) {
  if (!incumbent.plan() || (!isLast && !isWorthPacking()))
    return;
  const double limit = packing.limit(), known = packing.costLimit();
  // Plans that differ a little pack otherwise.
  if (!packing.offer(*incumbent.plan(), incumbent.peakBytes()) &&
      !packing.staysBelow())
    for (const CostedPlan &plan : llvm::reverse(incumbent.earlierPlans()))
      if (effort.isSpent() || packing.offerInstead(plan))
        break;
  follow(limit, known);
}

/// Packs what waits for more work.
void SearchDriver::insist() {
  const double limit = packing.limit(), known = packing.costLimit();
  packing.insist();
  follow(limit, known);
}

/// What packing has changed.
void SearchDriver::follow(double limit, double known) {
  if (packing.costLimit() < known)
    effort.report({"search", packing.costLimit() / step.units().unitsPerCost,
                   std::nullopt, effort.seconds()});
  if (packing.limit() == limit || !incumbent.plan())
    return;
  state.reset(incumbent.plan()->runs, packing.limit());
  incumbent.reset(packing.costLimit());
}

/// Sorts the starts, those that lead first.
void SearchDriver::rank() {
  for (size_t i = 0; i < starts.size(); ++i)
    starts[i].number = i;
  llvm::sort(starts, [](const Start &a, const Start &b) {
    return std::tie(a.penalty, a.time, a.number) <
           std::tie(b.penalty, b.time, b.number);
  });
}

bool SearchDriver::isDone(double enoughTime) {
  if (incumbent.plan() && incumbent.plan()->cost <= enoughTime)
    insist();
  return packing.costLimit() <= enoughTime;
}

void SearchDriver::search(double enoughTime, int64_t moves) {
  const int64_t end = effort.movesLeft() - moves;
  const int64_t reserve =
      packing.mayRefuse() ? shareOf(moves, searchTuning::shareOfRepairs) : 0;
  if (tryStarts(enoughTime, moves - reserve))
    improve(enoughTime, effort.movesLeft() - end - reserve);
  const double limit = packing.limit();
  settle(/*isLast=*/true);
  insist();
  if (packing.limit() < limit)
    repair();
}

/// What was refused exceeds the budget by little: a ramp makes it fit the fewer
/// live bytes that this calls for, which takes few moves.
void SearchDriver::repair() {
  double limit = std::numeric_limits<double>::infinity();
  // Without copies ramps go on when moves are spent.
  auto isStopped = [&] {
    return step.hasCopies() ? effort.isSpent() : effort.isCut();
  };
  for (int tries = 0; tries < searchTuning::mostRepairs && !isStopped() &&
                      packing.limit() < limit;
       ++tries) {
    limit = packing.limit();
    rampFrom(state.runs.plan(), 0);
    settle();
  }
}

/// False where there is nothing left to do.
bool SearchDriver::tryStarts(double enoughTime, int64_t moves) {
  load = rules.mayCopy ? engineLoad() : 0;
  const int64_t end = effort.movesLeft() - moves;
  if (!isGivenStart)
    addStarts(moves);
  moves = effort.movesLeft() - end;
  for (Start &start : starts) {
    tryStart(start,
             moves / (searchTuning::partOfStarts * int64_t(starts.size())));
    settle();
    if (isDone(enoughTime) || effort.isCut())
      return false;
    // What is given may be a plan as it is: moves are spent, and no time lost.
    if (isGivenStart && !packing.accepted())
      continue;
    if (effort.isSpent())
      return false;
    if (effort.movesLeft() <= end)
      break;
  }
  // Everything is allowed to those that lead.
  for (size_t left : searchTuning::startsThatLead) {
    rank();
    starts.resize(std::min(left, starts.size()));
    for (Start &start : starts) {
      start.rules = rules;
      goOn(start, moves / (searchTuning::partOfRound * int64_t(starts.size())),
           searchTuning::heatOfRound * heatFor(moves));
      settle();
      if (isDone(enoughTime) || effort.isSpent())
        return false;
      if (effort.movesLeft() <= end)
        break;
    }
  }
  state.moves.rules = rules;
  insist();
  if (incumbent.plan())
    state.reset(incumbent.plan()->runs, packing.limit());
  return true;
}

void SearchDriver::improve(double enoughTime, int64_t all) {
  const searchTuning::Pace &pace = rules.mayCopy
                                       ? searchTuning::paceWithCopies
                                       : searchTuning::paceWithoutCopies;
  const int64_t end = effort.movesLeft() - all;
  const double heat = heatFor(all);
  int64_t length = std::max(searchTuning::shortestCycle, all / pace.cycles);
  bool hasInsisted = rules.mayCopy;
  for (int cycle = 0; !effort.isSpent() && effort.movesLeft() > end; ++cycle) {
    if (isDone(enoughTime))
      return;
    const int64_t left = effort.movesLeft() - end;
    if (left < all / 2 && !std::exchange(hasInsisted, true))
      insist();
    const bool isEarly = double(left) > double(all) * pace.early;
    length = std::min(length, left);
    // Without a plan, what matters is to come closer to one.
    const bool isKnown = hasPlan();
    runCycle(length, heat * pace.heats[cycle % 4], isKnown);
    settle();
    restart(cycle, isEarly && isKnown);
    if (!isEarly)
      length += length / pace.growth;
  }
}

/// Large neighborhood search (Shaw, 1998): a part of the best plan gives its
/// recomputations up, and a ramp with perturbed multipliers makes it fit again.
void SearchDriver::rebuildPart() {
  state.reset(incumbent.plan()->runs, packing.limit());
  RunSequence &runs = state.runs;
  const double slots = runs.slot(runs.last());
  const double middle = slots * state.random.unit();
  const double half =
      slots * searchTuning::mostOfRebuild / 2 * state.random.unit();
  std::vector<int32_t> freed;
  for (int32_t run : runs.recomputations())
    if (std::abs(runs.slot(run) - middle) <= half)
      freed.push_back(run);
  llvm::sort(freed,
             [&](int32_t a, int32_t b) { return runs.slot(a) > runs.slot(b); });
  for (int32_t run : freed) {
    effort.spend();
    runs.begin();
    if (state.moves.retain(run))
      state.commit(runs.cost());
    else
      state.undo();
  }
  rampOn(state.random.unit());
}

/// From a ramp with perturbed multipliers at times, else from the plan that the
/// state holds or from the best one.
void SearchDriver::restart(int cycle, bool isEarly) {
  const bool isDue = isEarly ? cycle % searchTuning::cyclesOfEarlyRestart == 0
                             : cycle % searchTuning::cyclesOfRestart == 2;
  if (isDue && !isGivenStart && (hasPlan() || !rules.mayCopy)) {
    if (!rules.mayCopy && incumbent.plan() &&
        state.random.chance(searchTuning::chanceOfRebuild))
      return rebuildPart();
    // By both ways, by copies alone, by recomputation alone in turn.
    const int which = rules.mayCopy && rules.mayRecompute ? restarts++ % 3 : 0;
    state.moves.rules = {rules.mayRecompute && which != 1,
                         rules.mayCopy && which != 2, rules.mayReorder};
    rampFrom(origin, searchTuning::blurOfRestart * state.random.unit());
    state.moves.rules = rules;
    return;
  }
  if (cycle % 2 == 0 && state.runs.fits())
    return;
  if (incumbent.plan())
    state.reset(incumbent.plan()->runs, packing.limit());
  else if (packing.accepted())
    state.reset(packing.accepted()->runs, packing.limit());
}
