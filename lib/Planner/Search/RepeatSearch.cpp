//===- RepeatSearch.cpp - A search with some of a step's turns ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatSearch.h"
#include "SearchDriver.h"
#include "memplan/Planner/Search/Repeats.h"
#include "memplan/Planner/Search/Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>

using namespace memplan;

/// Whether some of the caller's tensors live on the host between steps: plans
/// of layers say nothing of when those of others are fetched.
static bool hasHosted(const SearchStep &step) {
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (step.isHosted(value))
      return true;
  return false;
}

RepeatSearch::RepeatSearch(const SearchStep &step, SearchRules rules,
                           Effort &effort)
    : step(step), rules{rules.mayRecompute, rules.mayCopy}, effort(effort) {
  if (step.begin() + 1 < largeStep)
    return;
  if (rules.mayCopy && !hasHosted(step) &&
      effort.movesLeft() < searchTuning::enoughMovesOfOp * step.begin())
    repeat = findLayers(step);
  if (!repeat)
    repeat = findRepeat(step);
}

/// What a search with so many moves finds, written out; with none, a ramp.
std::optional<std::vector<PlannedRun>>
RepeatSearch::planOf(const SearchStep &part, double limitBytes, int64_t moves) {
  Packing live(limitBytes, {});
  SearchDriver driver(part, live, rules, /*seed=*/1, effort);
  if (moves > 0 && rules.mayCopy) {
    driver.search(part.totalCost(), moves);
  } else {
    driver.start();
    driver.improve(part.totalCost(), moves);
  }
  if (!live.accepted())
    return std::nullopt;
  return repeatPlan(step, *repeat, part, live.accepted()->runs);
}

static double peakOf(const SearchStep &step, llvm::ArrayRef<PlannedRun> plan) {
  RunSequence runs(step, /*freeOrder=*/false);
  runs.reset(plan, /*limitBytes=*/0);
  return runs.line().peakBytes();
}

/// Bytes that no plan goes below.
static double mostBytesTouched(const SearchStep &step) {
  double most = 0;
  for (int32_t op = 0; op < step.begin(); ++op) {
    double bytes = step.variants(op).back().workspaceBytes;
    for (int32_t value : step.inputs(op))
      bytes += step.bytes(value);
    for (int32_t value : step.outputs(op))
      bytes += step.bytes(value);
    most = std::max(most, bytes);
  }
  return most;
}

/// The limit within which plans of some layers, written out for all of them,
/// come close to that of the step: every layer that was left out keeps as much
/// as the others do. A secant over ramps, which are quick.
double RepeatSearch::limitOfPart(const SearchStep &part, double limitBytes) {
  const double least = mostBytesTouched(part),
               most = peakOf(part, RunSequence::sourceOrder(part)),
               share = (most - least) /
                       (peakOf(step, RunSequence::sourceOrder(step)) - least);
  double low = least, high = most, best = low;
  double next = least + (limitBytes - least) * share;
  for (int i = 0; i < searchTuning::mostProbesOfLimit &&
                  high - low > searchTuning::closeLimitOfPart * most;
       ++i) {
    if (next <= low || next >= high)
      next = (low + high) / 2;
    const std::optional<std::vector<PlannedRun>> plan = planOf(part, next, 0);
    if (!plan) {
      low = next;
      best = (low + high) / 2;
      continue;
    }
    const double over = peakOf(step, *plan) - limitBytes;
    const bool isOver = over > searchTuning::closeLimitOfPart * limitBytes;
    (isOver ? high : low) = next;
    if (!isOver)
      best = next;
    if (!isOver && over >= -searchTuning::closeLimitOfPart * limitBytes)
      break;
    next -= over * share;
  }
  return best;
}

std::optional<std::vector<PlannedRun>> RepeatSearch::search(double limitBytes) {
  if (!repeat)
    return std::nullopt;
  const SearchStep part = step.without(*repeat);
  if (repeat->backwardPeriod > 0)
    limitBytes = limitOfPart(part, limitBytes);
  return planOf(part, limitBytes,
                int64_t(double(effort.movesLeft()) *
                        (rules.mayCopy ? searchTuning::shareOfTurnsBeside
                                       : searchTuning::shareOfTurns)));
}
