//===- SearchDriver.cpp - From a limit to the best plan found -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchDriver.h"
#include "RepeatSearch.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>
#include <utility>

using namespace memplan;

namespace {
/// How a search spends its moves after its starts. Without copies it has one
/// start, so that the first part goes to short cycles with many restarts; with
/// copies, the starts have had that part.
struct Pace {
  double heats[4];
  int64_t cycles; ///< Of the first length that all moves would make.
  double early;   ///< The share of moves left from which cycles grow.
  int64_t growth; ///< Cycles grow by one part in so many.
};
} // namespace

/// Chosen on the networks of benchmarks/data, at 4,000 to a million moves.
static constexpr Pace withoutCopies{{1, 0.3, 3, 0.1}, 50, 0.6, 2},
    withCopies{{0.3, 1, 0.1, 3}, 20, 1, 4};

SearchDriver::SearchDriver(const SearchStep &step, Packing &packing,
                           SearchRules rules, uint64_t seed, Effort &effort)
    : step(step), packing(packing), rules(rules), effort(effort),
      state(step, rules, seed), ramp(state, effort),
      annealing(state, effort, incumbent),
      origin(RunSequence::sourceOrder(step)) {}

void SearchDriver::keepRuns(std::vector<PlannedRun> plan) {
  state.runs.keepRuns();
  areRunsKept = true;
  origin = std::move(plan);
}

void SearchDriver::addStart(std::vector<PlannedRun> plan) {
  starts.push_back({rules, std::move(plan)});
}

void SearchDriver::start(std::vector<PlannedRun> plan) {
  rampFrom(plan, 0);
  settle();
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
  const bool isLong = moves >= 200 * int64_t(step.begin());
  auto add = [&](bool mayRecompute, bool mayCopy) {
    for (double noise : {0.0, 1.0})
      if (noise == 0 || isLong)
        starts.push_back(
            {{mayRecompute, mayCopy, rules.mayReorder}, {}, noise});
  };
  if (rules.mayCopy && rules.mayRecompute && load < 1.5)
    add(false, true);
  if (rules.mayCopy && rules.mayRecompute && load > 0.5)
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
  double share = load < 0.8 ? 0.003 : 0.1;
  if (noise > 0 && rules.mayCopy)
    share *= 0.1 + state.random.unit();
  ramp.run(share, noise);
  if (state.runs.fits())
    ramp.removeNeedless();
  incumbent.offer(state);
}

double SearchDriver::heatFor(int64_t moves) const {
  // With few moves a node, hot cycles only undo what the ramp has found.
  return std::clamp(double(moves) / (1000.0 * (step.begin() + 1)), 0.01, 1.0);
}

void SearchDriver::tryStart(Start &start, int64_t moves) {
  const int64_t end = effort.movesLeft() - moves;
  state.moves.rules = start.rules;
  const bool isGiven = !start.plan.empty();
  rampFrom(isGiven ? start.plan : origin, start.noise * state.random.unit());
  start.plan = state.runs.plan();
  if (!packing.accepted())
    settle(); // A caller that waits has a plan early.
  goOn(start, effort.movesLeft() - end, heatFor(moves));
}

/// Bytes weigh more from cycle to cycle until a plan fits: where one copy takes
/// many times as long as the step computes, they would not count beside time.
void SearchDriver::runCycle(int64_t moves, double heat, bool hasPlan) {
  annealing.runCycle(moves, heat, hasPlan ? 1 : strictness);
  if (!state.runs.fits())
    strictness = std::min(1e6, 2 * strictness);
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

/// Packs the best plan of the limit. Where it packs badly, or better than plans
/// of more bytes did, the search goes on with another limit.
void SearchDriver::settle() {
  if (!incumbent.plan())
    return;
  const double limit = packing.limit(), known = packing.costLimit();
  // Plans that differ a little pack otherwise.
  if (!packing.offer(*incumbent.plan(), incumbent.peakBytes()))
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

/// Those that lead first.
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
  if (tryStarts(enoughTime, moves))
    improve(enoughTime, effort.movesLeft() - end);
  insist();
}

/// False where there is nothing left to do.
bool SearchDriver::tryStarts(double enoughTime, int64_t moves) {
  load = rules.mayCopy ? engineLoad() : 0;
  const int64_t end = effort.movesLeft() - moves;
  if (!isGivenStart)
    addStarts(moves);
  moves = effort.movesLeft() - end;
  for (Start &start : starts) {
    tryStart(start, moves / (4 * int64_t(starts.size())));
    settle();
    if (isDone(enoughTime) || effort.isSpent())
      return false;
  }
  // Everything is allowed to those that lead.
  for (size_t left : {4, 2}) {
    rank();
    starts.resize(std::min(left, starts.size()));
    for (Start &start : starts) {
      start.rules = rules;
      goOn(start, moves / (6 * int64_t(starts.size())), 0.3 * heatFor(moves));
      settle();
      if (isDone(enoughTime) || effort.isSpent())
        return false;
    }
  }
  state.moves.rules = rules;
  insist();
  if (incumbent.plan())
    state.reset(incumbent.plan()->runs, packing.limit());
  return true;
}

void SearchDriver::improve(double enoughTime, int64_t all) {
  const Pace &pace = rules.mayCopy ? withCopies : withoutCopies;
  const int64_t end = effort.movesLeft() - all;
  const double heat = heatFor(all);
  int64_t length = std::max<int64_t>(1000, all / pace.cycles);
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

/// From a ramp with perturbed multipliers at times, else from the plan that the
/// state holds or from the best one.
void SearchDriver::restart(int cycle, bool isEarly) {
  const bool isDue = isEarly ? cycle % 2 == 0 : cycle % 4 == 2;
  if (isDue && !isGivenStart && (hasPlan() || !rules.mayCopy)) {
    // By both ways, by copies alone, by recomputation alone in turn.
    const int which = rules.mayCopy && rules.mayRecompute ? restarts++ % 3 : 0;
    state.moves.rules = {rules.mayRecompute && which != 1,
                         rules.mayCopy && which != 2, rules.mayReorder};
    rampFrom(origin, 3 * state.random.unit());
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
