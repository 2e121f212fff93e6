//===- Tuning.h - The tuned numbers of the proofs ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every number of this room that was chosen by trial. None can make a bound
// wrong: they decide how good multipliers get and when a search gives up. What
// was measured while they were chosen are the graphs of benchmarks/data: random
// steps of 25 to 100 nodes, and networks. No record says which number owes what
// to which graph.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_TUNING_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_TUNING_H

#include <cstdint>

namespace memplan::tuning {

// Ascents.

/// What the direction of an ascent keeps of the last one: less zigzags where
/// rows of memory are alike, more overshoots.
constexpr double keptDirection = 0.6;
/// Evaluations without a better bound after which steps get shorter, by how
/// much, and what counts as better.
constexpr int failuresToShorten = 80;
constexpr double shortened = 0.6;
constexpr double betterBy = 5e-4, betterFactor = 1.0005;
/// Least share of the way to the target that a step aims at: near the target
/// steps would vanish.
constexpr double leastAim = 0.01;
/// Averages of "Adam": shorter than in the paper, since an ascent has hundreds
/// of steps and not thousands.
constexpr double keptRise = 0.8, newRise = 0.2;
constexpr double keptSquare = 0.99, newSquare = 0.01;
/// Length of a first step beside the budget or the mean cost of an op, and what
/// is left of the length at the end.
constexpr double firstLength = 0.03, lastLength = 0.003;

// Efforts, in visits of gaps and ops; a core makes about 100 million a second.

/// proveCost() by default: a fraction of a second.
constexpr int64_t costEffort = 40'000'000;
/// Parts of it for one ascent over gaps, and for one over a model of peaks.
constexpr int64_t gapShare = 40, peakShare = 5;
/// Steps of the second: fewer find nothing, more gain nothing.
constexpr int64_t fewestPeakSteps = 50, mostPeakSteps = 4000;
/// closeGap() by default: some ten seconds.
constexpr int64_t closingEffort = 2'000'000'000;
/// isImpossible() by default: about a second.
constexpr int64_t impossibleEffort = 100'000'000;
/// What a state of the search over live sets counts for.
constexpr int64_t visitsOfState = 500;
/// States for a first try: small steps are decided by them.
constexpr int64_t fewStates = 10'000;
/// Sets of needs that are looked at; those that decide are found early.
constexpr int64_t mostNeedSets = 50'000;
/// Ops of a search for needs that may take as long as they are allowed to.
constexpr int64_t mostLongOps = 16;
/// States for one segment of a relaxed plan: cuts are many and cheap.
constexpr int64_t statesOfSegment = 4000;
/// Sets that a new one is compared with; each so many comparisons cost a state.
constexpr int64_t mostCompared = 2000, comparisonsOfState = 200;

// Branching.

/// Steps of an ascent at the root, again at the root, and in other nodes, where
/// the parent's multipliers are good.
constexpr int64_t rootSteps = 1500, nextRootSteps = 300, nodeSteps = 40;
/// First steps below the root beside those at the root.
constexpr double nodeLength = 0.4;
/// Places that are compared by a few steps on both sides before one branches.
constexpr int64_t mostCandidates = 5, candidateSteps = 8;

// Cuts of a large step.

/// Ops around which a cut is looked for; those within 1 / 64 of the step of one
/// another have cuts alike.
constexpr int32_t mostCuts = 8, cutsApart = 64;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_TUNING_H
