//===- CloseGap.cpp - Proofs of optimality --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: memory holds at a few rows first. Branch and bound proves that nothing
//   is cheaper than the best known plan, or finds what may stay at these rows
//   and is cheaper; then it breaks memory at another row, which is added, or it
//   is a better plan. Where few sets of values fit, all of them are searched.
// Guarantee: every bound on the way is evaluated in integers.
//
//===----------------------------------------------------------------------===//

#include "LiveSetSearch.h"
#include "NeedSearch.h"
#include "RowRefiner.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include <algorithm>
#include <limits>

using namespace memplan;

using tuning::visitsOfState;

/// Closes by live sets, if there are few enough. True where that is decided.
static bool closeByLiveSets(const OrderRows &rows, RowRefiner &refiner,
                            int64_t budgetBytes, const LiveSetBound &bound,
                            int64_t mostStates, const std::atomic<bool> *stop,
                            Closing &closing) {
  while (true) {
    const LiveSetAnswer answer = searchLiveSets(
        rows, budgetBytes, refiner.cutoff(), bound, mostStates, stop);
    if (answer.outcome != LiveSetAnswer::Outcome::Cheapest)
      return false;
    // Nothing is cheaper than the cutoff: then nothing is better by 1e-4.
    closing.bound = {answer.sequence.empty()
                         ? refiner.bestCost() * (1 - tuning::provedGap)
                         : std::min(answer.cost, refiner.bestCost()) *
                               (1 - tuning::lessForSums),
                     "fixed-order", "exact"};
    // It may need more bytes than were counted.
    if (!answer.sequence.empty() && !refiner.takePlan(answer.sequence))
      return true;
    closing.better = refiner.betterPlan();
    closing.isClosed =
        answer.sequence.empty() ||
        refiner.bestCost() <= answer.cost * (1 + tuning::lessForShares);
    if (closing.isClosed)
      return true;
  }
}

Closing memplan::closeGap(
    const ContractedStep &step, int64_t budgetBytes, double bestKnown,
    llvm::function_ref<std::optional<double>(llvm::ArrayRef<int32_t> sequence)>
        costOfPlan,
    int64_t effort, const std::atomic<bool> *stop) {
  if (effort <= 0)
    effort = tuning::closingEffort;
  Closing closing{{0, "fixed-order", "rounded-dual"}, false, {}};
  const OrderRows rows(step);
  RowRefiner refiner(step, budgetBytes, bestKnown, costOfPlan);
  const int64_t few = std::min<int64_t>(
      tuning::fewStates, effort / visitsOfState / tuning::partOfFirstSets);
  if (closeByLiveSets(rows, refiner, budgetBytes, LiveSetBound(), few, stop,
                      closing))
    return closing;
  int64_t left = effort / 2;
  refiner.firstPeaks();
  LiveSetBound guide; // That of the best model.
  while (true) {
    const PeakModel model = refiner.model();
    PeakSearch search(model, refiner.cutoff(), left, stop);
    const PeakSearch::Outcome outcome = search.run(refiner.multipliers(model));
    const double proved = PeakDual(model).prove(search.rootMultipliers());
    if (proved > closing.bound.cost)
      guide = LiveSetBound(model, search.rootMultipliers());
    closing.bound.cost = std::max(closing.bound.cost, proved);
    closing.better = refiner.betterPlan();
    refiner.setMultipliers(search.rootMultipliers());
    if (outcome == PeakSearch::Outcome::Proved) {
      closing.isClosed = true;
      closing.bound.cost = std::max(
          closing.bound.cost, refiner.bestCost() * (1 - tuning::provedGap));
      return closing;
    }
    if (outcome == PeakSearch::Outcome::Stopped ||
        !refiner.refine(model, search.found()))
      break;
  }
  // What is left to decide is memory during runs again.
  closeByLiveSets(rows, refiner, budgetBytes, guide,
                  (effort / 2 + std::max<int64_t>(left, 0)) / visitsOfState,
                  stop, closing);
  return closing;
}

bool memplan::isImpossible(const ContractedStep &step, int64_t budgetBytes,
                           int64_t effort, const std::atomic<bool> *stop) {
  const OrderRows rows(step);
  const int64_t states =
      (effort > 0 ? effort : tuning::impossibleEffort) / visitsOfState;
  const NeedAnswer needs = searchNeeds(
      rows, budgetBytes, std::min(states, tuning::mostNeedSets), stop);
  if (needs.outcome != NeedAnswer::Outcome::Unknown)
    return needs.outcome == NeedAnswer::Outcome::Impossible;
  return searchAnyPlan(rows, budgetBytes, states, stop).outcome ==
         LiveSetAnswer::Outcome::Impossible;
}
