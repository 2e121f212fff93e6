//===- Tuning.h - The tuned numbers of packing ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every number of this room that was chosen by trial. None can make a packing
// wrong: they decide how long is searched, and for what first. Those of orders
// and restarts were chosen on MiniMalloc's eleven tables (benchmarks/data) and
// on copies of them; benchmarks/arena/compare.py packs others. Where nothing
// else is said, no record says on which table. Numbers of a published method
// stand beside its code.
//
// Ten numbers of `search` were doubled and halved on nine tables (minimalloc E
// to K, other G_1 and resnet50), whose heights are 18.1 % above the bounds
// together. What changed is said beside them; where nothing did, the others
// gave the same heights on all nine: farPart, roundsOfMerged, fewMerged,
// oddsOfLife, mostWork.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_TUNING_H
#define MEMPLAN_LIB_PLANNER_ARENA_TUNING_H

#include "RankedOrders.h"
#include <cstddef>
#include <cstdint>

namespace memplan::tuning {

// How long.

/// Work on orders of a part, in valleys: a second or two.
constexpr int64_t mostWork = 12'000'000;
/// Seconds from one report of progress to the next.
constexpr double secondsOfReport = 0.1;
/// What a solver spends by default, on all parts together: orders, how many of
/// them in a row may find nothing, work on orders, and placements of the proof.
struct DefaultWork {
  int64_t orders, patience, work, trials;
};
/// `exact` proves: few orders and most of its time in placements.
constexpr DefaultWork workOfExact = {20, 10, 2'000'000, 4'000'000};
/// `auto` is called for each of many schedules: it ends within milliseconds.
constexpr DefaultWork workOfAuto = {200, 40, 400'000, 4'000};
/// Orders, at most so many times those of the default, where an effort is
/// asked for: the rest of it is placements.
constexpr int64_t ordersOfEffort = 20;
/// Work grows with the buffers of a part beyond so many.
constexpr int64_t buffersOfWork = 1000;
/// `search`: orders, and how many in a row may find nothing: so many, and so
/// many shared by the buffers of a part, since small parts are packed in no
/// time, but no more than the last. Halved: 22.8 % (two tables worse); doubled:
/// nothing.
constexpr int64_t defaultOrders = 2'000, patience = 100, patienceOfAll = 30'000,
                  mostPatience = 300;
/// A part of more buffers ends within one part in so many of its target: the
/// last bytes of it take longest.
constexpr int64_t largePart = 20'000, closeEnough = 100'000;
/// Arcs that the flow of an antichain may look at, about a second, and the arcs
/// that it may have: beyond, the bound is the largest live bytes alone.
constexpr int64_t mostVisits = 100'000'000;
constexpr size_t mostArcs = 4'000'000;
/// Looks of the waste at items that count as one placement more: some tens of
/// microseconds.
constexpr int64_t looksOfTrial = 100'000;
/// Placements of the first question for each buffer of a part: all questions
/// get as much before any gets more.
constexpr int64_t firstTrialsOfItem = 40;
/// Heights that are asked for, in eighths of the way from the goal to the best:
/// low ones decide most, high ones are likely to be answered.
constexpr int64_t heightsInEighths[] = {0, 4, 7, 8};
/// Placements from one look at the clock to the next, less one.
constexpr int64_t trialsOfLook = 255;
/// Conflicts that hill climbing lists, some hundred MB; and pairs that all of
/// its attempts may go over.
constexpr size_t mostConflicts = 30'000'000;
constexpr int64_t pairsOfAttempts = 20'000'000;
/// Entries of all lists of sections, and of all lists of conflicts, of the
/// exact search: memory.
constexpr size_t mostEntries = size_t(1) << 25;
/// Items of a part whose reasons are kept: with more, they take too long.
constexpr int32_t mostReasonedItems = 4096;

// Orders.

/// A part of more buffers is first fitted by intervals instead of by a bit for
/// each pair.
constexpr size_t smallPart = 2000;
/// What a look at one buffer counts for, by either: bits are read 64 at a time;
/// collecting takes so many looks, and one for each so many ranges.
constexpr int64_t looksOfCollecting = 10, rangesOfLook = 4;
/// Above the target by more than one part in so many, other orders alone do not
/// help.
constexpr int64_t farPart = 50;
/// A buffer that ends above the target comes to this share of its place: less
/// than a quarter, so that what is blamed again and again gets to the front.
/// 0.9: 17.7 % (one table better, three worse); 0.64: 16.1 % (one, two).
constexpr double blamedPlace = 0.8;
/// Rounds of blame at first (8: 22.0 %, one table worse; 2: nothing), and where
/// merging left few items.
constexpr int firstRounds = 4, roundsOfMerged = 100;
/// Merging left few items where it left at most one part in so many.
constexpr size_t fewMerged = 8;
/// So many pairs fit at one boundary by chance: with more, none is merged. 16
/// and 4: 20.0 % (one and two tables worse).
constexpr int32_t mostPairsByChance = 8;
/// Odds that two items have one life by chance: of lives that are cut at
/// random, few are the same; of short ones, more.
constexpr double oddsOfLife = 0.01;

/// In a part of more buffers, dives by weights take the place of blame, which
/// found nothing in plans of transformers of 5,580 and 8,116 nodes. In the 27
/// smaller tables of benchmarks/data, blame finds more.
constexpr size_t manyItems = 1000;
/// Weights of orders that are tried first: what OrderWeights has, in its order.
/// Chosen one after the other from 1,200 random ones on 30 plans of seven steps
/// with copies (transformers and networks of benchmarks/), each as the one that
/// lowers the mean height most. For transformers that were left out of the
/// choice, ten of them came to 1.016 and 1.067 of the bound, where all 1,200
/// came to 1.006 and 1.044.
constexpr OrderWeights goodWeights[] = {
    {1.097, 0.805, 0.127, -0.301, 0.192}, {1.41, 0.054, 0, 0, 0.057},
    {0.324, 0.405, 0.375, 0, 0.935},      {0.762, 0.712, 0, 0, 0.051},
    {1.004, 0.093, 0, 0, 0.85},           {1.269, 0.16, 0.127, -0.351, 0.091},
    {0.639, 1.972, 0.366, 0, 0.249},      {1.913, 0.196, 0.354, 0, 0},
    {0.532, 0.279, 0.805, 0.16, 0},       {0.885, 0.531, 0, -0.143, 0},
    {1.938, 0.9, 1.176, -0.295, -0.286},  {1.312, 1.973, 0.257, 0, 0.556}};
/// Most bytes differ little between items, and places are shares of the part.
constexpr double scaleOfMostBytes = 20, scaleOfPlaces = 5;
/// Odds that further weights are near the best ones, how near, and the odds
/// that one which was 0 changes too; elsewhere, the odds that one is 0.
constexpr double oddsOfNearWeights = 0.7, changeOfWeight = 0.15,
                 oddsOfNewWeight = 0.2, oddsOfNoWeight = 0.35;
/// Mean of the sum of three random numbers from 0 to 1.
constexpr double meanOfThree = 1.5;
// The exact search.

/// Weights of buffers that ended a branch grow by this factor from one to the
/// next, so that late ones count more, and are scaled down at the limit.
constexpr double growthOfBlame = 1.3, mostBlame = 1e50;
/// A restart multiplies ranks by factors from the first number on, over so
/// wide a range: about 2/3 to 3/2.
constexpr double leastNoise = 0.65, noiseRange = 0.85;
/// A list of open items is made anew when it holds at most this share of the
/// old one, in quarters.
constexpr int32_t quartersKept = 3;

// A range of batches.

/// Weight of bytes at smaller batches in the score of an order, at most.
constexpr double mostWeight = 20;
/// Work by default, and for each unit of effort. On the networks that
/// docs/Benchmarks/Batches.md has, the last gains come before the first.
constexpr int64_t workOfBatches = 500'000'000, workOfBatchEffort = 100'000;
/// Orders that are made better, of those that starts and rules give.
constexpr size_t mostImproved = 4;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_ARENA_TUNING_H
