//===- JointSearch.cpp - From a limit to the fastest plan found -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JointSearch.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace memplan;

void JointSearch::keepRuns(std::vector<PlannedRun> plan) {
  state.runs.keepRuns();
  origin = std::move(plan);
}

void JointSearch::addStart(std::vector<PlannedRun> plan) {
  starts.push_back({rules, std::move(plan)});
}

/// What copies would have to move before and after the highest place, as a
/// share of the time there.
double JointSearch::engineLoad() {
  state.reset(origin, packing.limit());
  const BytesLine &line = state.runs.line();
  double highest = 0, at = 0, before = 0;
  for (int32_t run = state.runs.first(); run >= 0; run = state.runs.next(run)) {
    before += step.ways(state.runs.op(run))[0].cost;
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

/// Each by prices as they are and, where there are many moves, by blurred ones.
void JointSearch::addStarts(int64_t moves) {
  const bool isLong = moves >= 200 * int64_t(step.begin());
  auto add = [&](GapRules its) {
    for (double noise : {0.0, 1.0})
      if (noise == 0 || isLong)
        starts.push_back({its, {}, noise});
  };
  if (rules.mayCopy && rules.mayRerun && load < 1.5)
    add({false, true});
  if (rules.mayCopy && rules.mayRerun && load > 0.5)
    add({true, false});
  add(rules);
}

void JointSearch::rampFrom(llvm::ArrayRef<PlannedRun> plan, double noise) {
  state.reset(plan, packing.limit());
  const double share = load < 0.8 ? 0.003 : 0.1;
  ramp.run(noise > 0 ? share * (0.1 + state.random.unit()) : share, noise);
  if (state.runs.fits())
    ramp.removeNeedless();
  fastest.offer(state);
}

double JointSearch::heatFor(int64_t moves) const {
  // With few moves a node, hot cycles only undo what the ramp has found.
  return std::clamp(double(moves) / (1000.0 * step.begin()), 0.01, 1.0);
}

void JointSearch::tryStart(Start &start, int64_t moves) {
  const int64_t end = effort.movesLeft() - moves;
  state.moves.rules = start.rules;
  const bool isGiven = !start.plan.empty();
  rampFrom(isGiven ? start.plan : origin, start.noise * state.random.unit());
  start.plan = state.runs.plan();
  if (!packing.accepted())
    settle(); // Whoever waits has a plan early.
  goOn(start, effort.movesLeft() - end, heatFor(moves));
}

/// Bytes weigh more from cycle to cycle until a plan fits: where one copy takes
/// many times as long as the step computes, they would not count beside time.
void JointSearch::cycle(int64_t moves, double heat, bool hasPlan) {
  annealing.runCycle(moves, heat, hasPlan ? 1 : strictness);
  if (!state.runs.fits())
    strictness = std::min(1e6, 2 * strictness);
}

/// Anneals from the plan of a start and leaves what comes out there.
void JointSearch::goOn(Start &start, int64_t moves, double heat) {
  if (moves <= 0)
    return;
  state.reset(start.plan, packing.limit());
  state.moves.rules = rules.mayRerun == start.rules.mayRerun &&
                              rules.mayCopy == start.rules.mayCopy
                          ? rules
                          : start.rules;
  cycle(moves, heat, state.runs.fits());
  start.plan = state.runs.plan();
  start.time = state.time();
  start.penalty = state.runs.penalty();
}

/// Packs the best plan of the limit. Where it packs badly, or better than plans
/// of more bytes did, the search goes on with another limit.
void JointSearch::settle() {
  if (!fastest.plan())
    return;
  const double limit = packing.limit(), known = packing.costLimit();
  // Plans that differ a little pack otherwise.
  if (!packing.offer(*fastest.plan(), fastest.peakBytes()))
    for (const CostedPlan &plan : llvm::reverse(fastest.earlierPlans()))
      if (effort.isSpent() || packing.offerInstead(plan))
        break;
  follow(limit, known);
}

/// Packs what waits for more work.
void JointSearch::insist() {
  const double limit = packing.limit(), known = packing.costLimit();
  packing.insist();
  follow(limit, known);
}

/// What packing has changed.
void JointSearch::follow(double limit, double known) {
  if (packing.costLimit() < known)
    effort.report({"search+cost", packing.costLimit() / step.unitsPerCost(),
                   std::nullopt, effort.seconds()});
  if (packing.limit() == limit || !fastest.plan())
    return;
  state.reset(fastest.plan()->runs, packing.limit());
  fastest.reset(packing.costLimit());
}

/// Those that lead first.
void JointSearch::rank() {
  for (size_t i = 0; i < starts.size(); ++i)
    starts[i].number = i;
  llvm::sort(starts, [](const Start &a, const Start &b) {
    return std::tie(a.penalty, a.time, a.number) <
           std::tie(b.penalty, b.time, b.number);
  });
}

void JointSearch::search(double enoughTime, int64_t moves) {
  searchAll(enoughTime, moves);
  insist();
}

bool JointSearch::isDone(double enoughTime) {
  if (fastest.plan() && fastest.plan()->cost <= enoughTime)
    insist();
  return packing.costLimit() <= enoughTime;
}

void JointSearch::searchAll(double enoughTime, int64_t moves) {
  const int64_t end = effort.movesLeft() - moves;
  load = rules.mayCopy ? engineLoad() : 0;
  if (!isGivenStart)
    addStarts(moves);
  for (Start &start : starts) {
    tryStart(start, moves / (4 * int64_t(starts.size())));
    settle();
    if (isDone(enoughTime) || effort.isSpent())
      return;
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
        return;
    }
  }
  state.moves.rules = rules;
  insist();
  if (fastest.plan())
    state.reset(fastest.plan()->runs, packing.limit());
  improve(enoughTime, end, effort.movesLeft() - end);
}

void JointSearch::improve(double enoughTime, int64_t end, int64_t all) {
  static const double heats[] = {0.3, 1, 0.1, 3};
  const double heat = heatFor(all);
  int64_t length = std::max<int64_t>(1000, all / 20);
  for (int round = 0; !effort.isSpent() && effort.movesLeft() > end; ++round) {
    if (isDone(enoughTime))
      return;
    length = std::min(length, effort.movesLeft() - end);
    const bool hasPlan = packing.accepted() || fastest.plan();
    cycle(length, heat * heats[round % 4], hasPlan);
    settle();
    restart(round, hasPlan);
    length += length / 4;
  }
}

void JointSearch::restart(int round, bool hasPlan) {
  if (hasPlan && round % 4 == 2 && !isGivenStart) {
    // By both ways, by copies alone, by reruns alone in turn.
    const int which = rules.mayCopy && rules.mayRerun ? restarts++ % 3 : 0;
    state.moves.rules = {rules.mayRerun && which != 1,
                         rules.mayCopy && which != 2};
    rampFrom(origin, 3 * state.random.unit());
    state.moves.rules = rules;
    return;
  }
  if (round % 2 == 0 && state.runs.fits())
    return;
  if (fastest.plan())
    state.reset(fastest.plan()->runs, packing.limit());
  else if (packing.accepted())
    state.reset(packing.accepted()->runs, packing.limit());
}
