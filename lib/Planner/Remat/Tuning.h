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

// `milp`.

/// Visits for the proofs that come before an integer program.
constexpr int64_t visitsBeforeProgram = 100'000'000;
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

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_REMAT_TUNING_H
