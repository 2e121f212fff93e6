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

#include <cstddef>
#include <cstdint>

namespace memplan::tuning {

// Tolerances. Those of rounding are far above what sums of a million doubles
// lose (1e-10 of them at most, 1e-13 as a rule), and far below what a user
// sees.

/// A bound is lowered by this share of it for the rounding of its sum, and a
/// share that others are to add up to 1 with by the next.
constexpr double lessForSums = 1e-12, lessForShares = 1e-9;
/// Rounding of one term in the sum of a bound on the time, as a share of it.
constexpr double roundingOfTerm = 1e-11;
/// "Optimal" means that no plan is cheaper by more than 1e-4 (isOptimalBound).
/// Searches look for plans that are cheaper by a little less, so that rounding
/// does not leave them at the limit; the second is what they then have proved.
constexpr double soughtGap = 0.99e-4, provedGap = 0.995e-4;
/// A cost that is a whole number is better by a unit less this share of it.
constexpr double lessOfUnit = 1e-6;
/// Costs up to here are whole numbers of which a double holds every one.
constexpr double mostWholeCost = 1e15;
/// Ascents end this close to their target, where nothing is left to prove: in
/// units of the target over gaps and in a model of peaks, and of what lies
/// between the least and the known time.
constexpr double closeOfGaps = 1e-4, closeOfPeaks = 1e-6, closeOfTime = 1e-4;
/// Steps shorter than this change nothing that a double shows in the bound.
constexpr double leastLengthOfGaps = 1e-6, leastLengthOfTime = 1e-5;
/// What keeps a step finite where the average of squares is 0, in units of a
/// row's bytes over the budget and of a need.
constexpr double leastRootOfRow = 1e-5, leastRootOfNeed = 1e-3;
/// Where a value has no use yet, it counts as so many: parts stay above 0.
constexpr double leastUses = 1e-3;
/// A cut is broken where the point misses it by this share; HiGHS and CBC keep
/// rows to 1e-7.
constexpr double brokenBy = 1e-6;
/// Programs have bytes in units of at most so many, else scaled to a limit of
/// the second, and costs that sum to it: tolerances of solvers are absolute.
constexpr int64_t mostUnits = 10000;
constexpr double scaledTotal = 1000;
/// A cost so many doublings above all costs is none that a plan pays.
constexpr int doublingsOfNever = 20;

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
/// Target of an ascent where no plan is known, as a share of the least cost.
constexpr double unknownTarget = 0.1;
/// What was used before counts for one part in so many, when parts are shared
/// anew by use.
constexpr double partOfFormerUses = 3;
/// Weight of a step in the mean of what stays.
constexpr double newMean = 0.1;

// Efforts, in visits of gaps and ops; a core makes about 100 million a second.

/// proveCost() by default: a fraction of a second.
constexpr int64_t costEffort = 40'000'000;
/// Parts of it for one ascent over gaps, and for one over a model of peaks.
constexpr int64_t gapShare = 40, peakShare = 5;
/// Sizes of trees of recomputations over gaps that are tried in turn, and how
/// often each but 0 is shared anew by use: larger ones prove more and take
/// longer.
constexpr int treeSizes[] = {0, 1, 3, 12};
constexpr int sharings = 3;
/// Rows of the highest multipliers that a model of peaks is made of, in turn,
/// after one of them.
constexpr size_t countsOfPeaks[] = {2, 4, 16};
/// Rows that belong to one time at which memory is short lie no further apart:
/// one part in so many of the step, tried in turn, and at least so many. With
/// one row each flows say most, with several the ascent may say more.
constexpr int32_t partsOfHills[] = {64, 256}, leastHill = 16;
/// Such times count where they have this share of the highest multiplier. At
/// one budget of a transformer of 4 layers and 90 micro-batches, others had
/// 1e-5 of it, and left .55 of the overhead proved instead of .96.
constexpr double leastOfHills = 1e-3;
/// Before the first program: the size of trees, steps and sharings for rows.
constexpr int treeOfFirstRows = 3;
constexpr int64_t stepsOfFirstRows = 400;
/// Bound on the time: segments and sizes of trees that are tried in turn, each
/// with a part of the steps. Few segments converge, many say more; trees help
/// where recomputations are paid.
struct TimeShape {
  int segments, treeSize;
};
constexpr TimeShape timeShapes[] = {{2, 0}, {2, 4}, {8, 0}, {8, 4}};
constexpr int64_t partsOfTimeSteps = 6;
/// Least cuts at one of the highest rows, and rows of a step that is not large:
/// the share of copies is known to a thousandth.
constexpr int flowsOfTimeCut = 10;
constexpr size_t rowsOfTimeCuts = 8;
/// A cut counts the step's cost as so many units, and none at more than the
/// second.
constexpr double unitsOfCut = double(int64_t(1) << 40),
                 mostUnitsOfCut = double(int64_t(1) << 50);
/// Largest flows for the multiplier of a row, which meet the best one after
/// some. The factor between the first ones, and how far below the first one may
/// be; how close two lines are to the bound where they meet; and what all bytes
/// cost at most, in units of the step's cost, as flows have 64 bits.
constexpr int mostFlowsOfRow = 12;
constexpr double growthOfFlows = 4, leastOfFlows = 1e-4, closeOfFlows = 1e-6,
                 mostCostOfBytes = 1 << 20;
/// Segments at most: an array of that length is kept for each gap.
constexpr int mostSegments = 16;
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
/// A part of an effort for a first search of live sets.
constexpr int64_t partOfFirstSets = 4;
/// States of a search for any plan: first so many, then by this factor; a
/// search that aims at the op that was not reached has as many times more.
constexpr int64_t firstStates = 2000, growthOfStates = 4;
/// Choices of what is freed, for each state.
constexpr int64_t choicesOfState = 20;
/// Values that a live set can hold: four words, which a state is compared by.
constexpr int32_t mostLiveValues = 256;
/// Sums of bytes are told apart up to so many units: a bit each.
constexpr int64_t mostSums = 1 << 14;
/// Sets that were looked at, each so many of which count as one more.
constexpr int64_t lookedOfSet = 10000;
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
/// Rounds of ascent and fixing at the root and below, and what a round takes
/// besides its steps, in steps.
constexpr int rootRounds = 4, nodeRounds = 2;
constexpr int64_t stepsOfRound = 10;
/// Doubt of a place whose value always stays or never does: large ones are
/// still branched on before small ones. And what a branch that proves nothing
/// counts for, as a share of the gap.
constexpr double leastDoubt = 0.02, leastRise = 1e-3;
/// First steps below the root beside those at the root.
constexpr double nodeLength = 0.4;
/// Places that are compared by a few steps on both sides before one branches.
constexpr int64_t mostCandidates = 5, candidateSteps = 8;

// Cuts of a large step.

/// Ops around which a cut is looked for; those within 1 / 64 of the step of one
/// another have cuts alike.
constexpr size_t mostCuts = 8;
constexpr int32_t cutsApart = 64;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_TUNING_H
