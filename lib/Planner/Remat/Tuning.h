//===- Tuning.h - The tuned numbers of solvers ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every number of this room that was chosen by trial: how long solvers work by
// default. Published methods have theirs beside the code, from their papers.
// What was measured while they were chosen are the graphs of benchmarks/data:
// random steps of 25 to 100 nodes, and networks. No record says which number
// owes what to which graph.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_REMAT_TUNING_H
#define MEMPLAN_LIB_PLANNER_REMAT_TUNING_H

#include <cstddef>
#include <cstdint>

namespace memplan::tuning {

// `search`.

/// Moves: so many an op, but enough for a small step and not more than some
/// seconds for a large one.
constexpr int64_t movesOfOp = 1500, mostMovesOfSmallOp = 5000;
constexpr int64_t enoughMoves = 100'000, mostMoves = 1'000'000;
/// Visits for a proof at the end: some ten seconds at most, so many for a move
/// that was asked for, and what a core does in a second.
constexpr int64_t mostClosingVisits = 1'200'000'000, visitsOfMove = 1000;
constexpr double visitsOfSecond = 100e6;
/// Sets of needs for a first plan where multipliers find none, and runs for an
/// op of such a plan: longer ones pack badly.
constexpr int64_t needSetsOfStart = 2000, longestStart = 10;
/// Visits for a bound beside the moves, and for an op: multipliers of larger
/// steps take longer to settle.
constexpr int64_t boundVisitsOfMove = 20, mostVisitsByMoves = 20'000'000;
constexpr int64_t manyOps = 4000, visitsOfOp = 12'000, visitsOfManyOps = 50'000;
constexpr int64_t mostBoundVisits = 600'000'000;
/// Visits for a bound at least, and the share of them before moves: the rest
/// knows the plan that moves have found.
constexpr int64_t leastBoundVisits = 4, partOfFirstBound = 4;
/// A plan this close to its bound is as good as proved; a fifth of what
/// "optimal" allows.
constexpr double closeToBound = 2e-5;
/// Packing a plan takes as long as a move for each so many ops.
constexpr int32_t opsOfMove = 4;
/// Parts of the budget that a start from needs leaves free, the largest first:
/// with some bytes to spare it packs better, and there is more to improve.
constexpr int64_t partsToSpare[] = {8, 16};
/// Seconds of a time limit that visits are counted for, at most.
constexpr double mostSecondsOfVisits = 100;

// `milp`.

/// Visits for the proofs that come before an integer program.
constexpr int64_t visitsBeforeProgram = 100'000'000;
/// Gap at which a program ends: half of what "optimal" allows. A bound that is
/// above the plan by less than the second is taken for it.
constexpr double gapOfProgram = 5e-5, aboveByRounding = 1e-6;
/// What is known of a cost where no plan is: so many times the sum of costs.
constexpr double costOfNoPlan = 1000;
/// More than that, spent on sets of live values, takes much memory.
constexpr int64_t mostVisitsOfSets = 600'000'000;
/// Iterations of the simplex: their time grows with the terms, so that this is
/// some minutes for any size.
constexpr int64_t fewestIterations = 2000, iterationTerms = 4'000'000'000,
                  termsOfAny = 20'000;
/// Iterations of a first program, and how that grows: most answers break memory
/// somewhere, so that the first cheap one will do.
constexpr int64_t firstProbe = 4000, probeGrowth = 16;
/// Programs of one solve.
constexpr int64_t mostPrograms = 100;
/// Programs have bytes in units of at most so many, else scaled to a limit of
/// the second, and costs that sum to it: tolerances of solvers are absolute.
constexpr int64_t mostUnitsOfRows = 10000;
constexpr double totalOfRows = 1000;
/// Live bytes above a limit by less, in units of the program, are within it.
constexpr double slackOfUnits = 1e-9;
/// Terms of a relaxation: those of more take minutes.
constexpr int64_t mostTermsToRelax = 1'000'000;

// Checkpoints.

/// Boundaries of a chain of blocks: its program is cubic in them.
constexpr size_t mostBoundaries = 200;
/// Values of a forward pass of which every segment is tried; with more, sizes
/// grow from one part in so many of the mean on, by one part in so many. Large
/// steps are tried at doubled sizes: a plan of 8,068 nodes takes 10 ms
/// to make, of a hundred thousand half a second. Finer sizes led to the same
/// plans of five transformers of 2,979 to 8,116 nodes.
constexpr size_t fewValues = 64;
constexpr int64_t partsOfMean = 8, partsOfSize = 16;
/// Stages of all plans of a solver together: a plan of a thousand nodes takes
/// some milliseconds to make.
constexpr int32_t mostStagesPlanned = 1'000'000;
/// Sizes of segments that a search compares its plans with.
constexpr int64_t sizesBesideSearch = 160;
/// Every layer, every second, and so on up to so many is a boundary; and at how
/// many shares `selective` keeps values beside them, fewer on largest steps.
constexpr size_t mostLayersApart = 4;
constexpr int sharesOfSelective = 8, sharesOfLarge = 2;
/// `revolve`: chains of more states are tried with a growing grid of slots, by
/// one part in so many.
constexpr size_t mostStatesForAllSlots = 100;
constexpr int64_t partsOfSlots = 8;
/// `rotor`: slots of memory, so many that the table takes so many entries; and
/// the limits that are tried, since its program counts more than plans take, or
/// less: upwards by one part in so many, until two are this close.
constexpr double entriesOfTable = 2e8, fewestSlots = 50, mostSlots = 500;
constexpr int roundsOfRotor = 10;
constexpr int64_t partsOfRaise = 4, partsOfClose = 500;
/// `dtr` on a known sequence: runs after which it makes values again without
/// end in sight, an op and besides; and limits that are tried.
constexpr size_t runsOfOp = 4, runsBesides = 100;
constexpr int roundsOfDtr = 6;
/// What keeps the score of a value finite that is used at once, as a share of
/// the step's time, and of one without costs.
constexpr double leastDistance = 1e-8, leastScore = 1e-300;

// Checkpoints by least cuts.

/// The least multiplier, as a share of the step's cost for a byte of the
/// forward pass, and the factor between levels: all 4096 span what keeps
/// everything and what keeps next to nothing. Chosen on transformers of 5,580
/// and 8,116 nodes.
constexpr double leastCostOfCut = 1e-3, stepOfCut = 1.0025;
constexpr int levelsOfCut = 4096;
/// Levels that are looked at, in equal steps, where the last one needs more
/// bytes than are given. Each takes .05 seconds on 8,000 nodes. Seen on 48
/// layers in 4 micro-batches.
constexpr int partsOfCutLevels = 32;
/// What costs this many times the step is never worth it, and flows are whole
/// numbers of 64 bits.
constexpr double mostCostOfCut = 1e3;
/// The first op's bytes cost so much more than the last one's: layers change
/// one after the other, and those kept are the ones that are needed first.
constexpr double slopeOfCut = 0.1;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_REMAT_TUNING_H
