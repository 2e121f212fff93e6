//===- Tuning.h - The tuned numbers of the loops ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every number of this room that was chosen by trial. They decide how many
// plans are looked at and how long: none can make a plan wrong, and none breaks
// the rule that more budget never costs more. Walks and their efforts were
// chosen on the gate's cases (benchmarks/gate). Where nothing else is said, no
// record says which number owes what to which of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_TUNING_H
#define MEMPLAN_LIB_PLANNER_STEP_TUNING_H

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace memplan::tuning {

// Walks over budgets.

/// Halvings of the bytes between the ends: a thousandth of them. A solver by
/// name has more, since it makes no other use of a place.
constexpr int halvings = 10, halvingsOfSolver = 14;
/// A walk ends where the low end has a plan this close to the high end's time.
constexpr double closedWalk = 1e-4;
/// Down to an eighth of what lies between the ends, plans differ too much to go
/// on from one another.
constexpr int depthByItself = 3;
/// Recomputation alone is left out where it takes so many times as long as what
/// copies too: plans outside the bound's space, whose first runs are left out
/// in vain, come below it by less.
constexpr double clearlySlower = 1.01;
/// Ends are far apart where the plan of the lower takes so many times that of
/// the upper: a little less takes much longer.
constexpr double farApart = 1.03;
/// A place whose plan is this close to the least time gets no search of its
/// own.
constexpr double closeToLeast = 1.003;
/// Beside a proof a rough answer does, which so many halvings give: what
/// follows costs ten times as much.
constexpr int roughDepth = 3;
/// Moves of a search that recomputes, by itself: an op, and at least and at
/// most. Chosen on the gate's cases that recompute.
constexpr int64_t movesOfNode = 400, fewestMoves = 40'000, mostMoves = 250'000;
/// Moves of one on a large step, which starts from checkpoints by least cuts.
constexpr int64_t movesOfLarge = 60'000;
/// The same on one that stands for many turns: so many, shared by its nodes.
/// What it costs more is paid in all of them, and one of 12,000 nodes takes
/// seconds with as many as above. Chosen on a transformer of 20 layers and 40
/// micro-batches at .5: 8.9 % with 60,000 moves, 8.3 with 160,000.
constexpr int64_t movesTimesNodesOfTurns = 500'000'000;
/// The smallest plan of a large step is improved where a walk comes as near to
/// it as one part in so many of the walk's bytes. On the largest, without cuts,
/// it is not: that took 16 s of 132,512 nodes, and found nothing.
constexpr int64_t partOfLowPlaces = 32;
/// A search that goes on has one part in so many of them; where an effort is
/// asked for, one in the second.
constexpr int64_t partToGoOn = 4, partOfAskedToGoOn = 2;
/// Steps from the next larger plan down to a budget within which none is known:
/// a plan for far more bytes is little help.
constexpr int64_t stepsDown = 4;

/// From so many nodes on, one of the turns that are alike is planned for all of
/// them. Of 132,512 nodes at .5 that takes 11 instead of 45 s, of 16,328 4
/// instead of 15. Below, walks take seconds, and the whole step has plans that
/// are up to 3 % of their overhead better (12,600 nodes at .3).
constexpr int64_t fewestNodesOfTurns = 15'000;

/// A thread that waits for another asks so often whether the caller stops both.
constexpr std::chrono::milliseconds betweenLooks{20};

// One budget.

/// Schedules that are tried until one packs: of a walk over a solver by name,
/// of a solver for one budget, and of integer programs, which take longer.
constexpr int roundsOfWalk = 6, roundsOfBudget = 12, roundsOfMilp = 3;
/// Limits on live bytes for a swap solver until its arenas fit, and schedules
/// of fewer live bytes that it is given.
constexpr int roundsOfCopies = 8;
constexpr int64_t schedulesOfCopies = 4;
/// Shares of a time limit: for recomputation alone where copies follow, which
/// need most of it; for what is not asked for first.
constexpr double shareBesideCopies = 0.25, shareOfOther = 0.5;
/// Share of a time limit for plans of one turn for all, whose proof follows.
constexpr double shareBeforeProof = 0.7;
/// After a time limit that left no plan: little work at each place; and, on
/// small steps, no more than some seconds.
constexpr int64_t littleEffort = 50, mostUnstoppedEffort = 500'000;
/// After a time limit that left a plan of little more than the budget, within
/// one part in so many of it: one more ramp, as many times the excess below.
constexpr int64_t partOfNearExcess = 50;
constexpr double partsBelowExcess = 1.5;
/// Live bytes that packed and that did not are this close, as a part of the
/// target: nothing lies between them that would show.
constexpr int64_t partOfCloseLimits = 200;
/// A trace that is made better: limits on live bytes until it packs.
constexpr int roundsOfTrace = 4;
/// Changes of a trace that are tried: so much work, in runs, and at least and
/// at most.
constexpr int64_t workOfTrace = int64_t(1) << 23, fewestTrials = 200,
                  mostTrials = 20'000;

// Packing.

/// Effort of a packing in a loop: so much work, in pairs of nodes, and at least
/// and at most. It is enough for small steps, and little beside the search for
/// large ones.
constexpr int64_t pairsOfPacking = 20'000'000, leastPacking = 20,
                  mostPacking = 5'000;
/// Effort of one among several packings: of steps with copies, of lists for
/// several streams, and of two orders that are compared.
constexpr int64_t packingOfCopies = 200, packingOfStreams = 2000,
                  packingOfOrder = 100;
/// Placements for a schedule that is changed where it is highest: in loops, and
/// for the plan that is handed out.
constexpr int packingsInLoop = 6, packingsAtEnd = 30;
/// A plan that is further above its target, as a part of it, would hardly come
/// down so far.
constexpr int64_t partToTighten = 20;
/// Alignment alone may keep offsets so far above a bound on live bytes.
constexpr int64_t partOfAlignment = 5000;
/// Actions around the ends of what lies highest, of which changes are drawn.
constexpr int32_t actionsNearTop = 12;
/// Chances of a change: that a recomputation moves, else a pair is given up or
/// taken; that it goes to the end of its room, or else to the start.
constexpr double chanceOfMove = 0.7, chanceToEnd = 0.3, chanceToStart = 0.3;
/// Drafts for each packing: most changes do not apply, and cost nothing.
constexpr int draftsOfPacking = 20;

// Several streams.

/// Plans for one stream that streams start from: the fastest within these
/// percents of the bytes. Runs side by side need more bytes than one after the
/// other, and what another stream can hide costs nothing. Fewer for a large
/// step with one stream that computes: it keeps its order but for a little.
/// Chosen on inception_v3 and two_branch (docs/Benchmarks/Streams.md).
constexpr int64_t sharesOnSeveralStreams[] = {100, 96, 90, 80, 65};
constexpr int64_t sharesBesideCommunication[] = {100, 98, 95, 90};
/// Levels of the budget, and halvings towards it; fewer for such a step.
constexpr int levelsOfStreams = 8, levelsBesideCommunication = 3;
constexpr int depthOfStreams = 8, depthBesideCommunication = 4;
/// Sources behind the first have one part in so many of a search's moves, and
/// sources of a level are those of so many halvings.
constexpr int64_t partOfOtherSources = 3;
constexpr int depthOfSources = 3;
/// Bytes beyond what one stream has use of, in eighths of that.
constexpr int64_t spaciousInEighths[] = {9, 10, 12, 16};
/// Limits on live bytes for lists by time: in sixteenths of what is live on one
/// stream, and in percent of the budget.
constexpr int64_t liveInSixteenths[] = {32, 24, 20, 18, 16, 15, 14, 12};
constexpr int64_t liveInPercent[] = {100, 98, 95, 92};
/// Bytes within which communication moves up, in percent; those above 100 only
/// where no budget is. And how much of them it is tried with, in thousandths:
/// what packing leaves unused is not known before.
constexpr int64_t prefetchInPercent[] = {100, 105, 125, 200};
constexpr int64_t prefetchInThousandths[] = {1000, 985, 965};
/// A search for an order has so much of its bytes, in thousandths, since
/// packing takes a few percent more than what is live; and one with a part in
/// so many more of the bytes, of which packing may have no need.
constexpr int64_t searchedInThousandths[] = {980, 960, 930};
constexpr int64_t partBeyond = 40;
/// Moves of a search for an order: at most, for each job, and shared by all
/// jobs. On a large step so many take half a second. Of an effort it has one
/// part in so many.
constexpr int64_t mostOrderMoves = 20'000, orderMovesOfJob = 200,
                  orderMovesTimesJobs = 20'000'000, partOfEffort = 5;

// Orders.

/// An order is taken where first plans cost less than this share in it: they
/// are as good as a tenth of their overhead. And the budgets they are made for,
/// in quarters of the way to the unplanned peak. On large steps that is the
/// lowest, which tells most: an LSTM of 4,082 nodes got another order by it
/// than by the others, and 9 instead of 12 % at .57. On the largest it is the
/// middle one, which takes a second of 132,512 nodes; the lowest takes three.
constexpr double clearlyLess = 0.9;
constexpr int64_t probesInQuarters[] = {3, 2, 1};
/// Moves of an op for such a plan, at most: where there is one, 1 to 13 are
/// enough. Without a limit those in vain take 17 to 136. Chosen on ten networks
/// and on nine random layered steps of 50 to 1,000 nodes.
constexpr int64_t movesOfProbe = 20;

// Proofs.

/// Visits for a bound and to close a gap: about a fifth of a second, and half a
/// second. Of an effort in moves they take so many for each: a move and so many
/// visits take about as long.
constexpr int64_t mostVisits = 20'000'000, mostToClose = 100'000'000;
constexpr int64_t visitsOfMove = 20, closingVisitsOfMove = 1000;
/// The same on a large step, for each node and at most: multipliers of more
/// rows take longer to settle. A transformer of 8,068 nodes at .5 has .67 of
/// its overhead proved by 20 million and .93 by 600, in 2 s more; one of
/// 132,512 .02 and .83.
constexpr int64_t visitsOfNode = 40'000, mostVisitsOfLarge = 600'000'000;
/// Times the time of a plan that a bound is to reach: it ends within a
/// thousandth below what is asked for.
constexpr double beyondKnown = 1.01;
/// Each point of a curve has one part in so many of them.
constexpr int64_t partOfPoint = 8;
/// Visits of one search through sets for the least budget, about a twentieth of
/// a second; and how close, as a part of the budget, it is bisected.
constexpr int64_t visitsOfSets = 5'000'000, partOfLeast = 500;
/// Tensors that the reason of a bound names.
constexpr size_t mostTensors = 8;

// Batches.

/// From the largest batch down, by one part in so many, where the least cost of
/// a sample is looked for.
constexpr int64_t partOfBatch = 4;
/// Batches at which a kernel is asked for its scratch.
constexpr int64_t mostAskedBatches = 128;
/// Plans of other batches that are placed for the whole range; what bytes at
/// the largest batch count for beside those elsewhere; and the bytes that may
/// be given there, as a part of its arena. What saves a hundredth elsewhere may
/// cost a thousandth there.
constexpr size_t mostOthers = 3;
constexpr double weightOfLargest = 10;
constexpr int64_t partOfSlack = 1000;
/// Moves that no search takes.
constexpr double endlessMoves = 1e15;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_STEP_TUNING_H
