//===- Tuning.h - The numbers by which the search is tuned ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of them, each with its reason; the gate (benchmarks/gate) holds what came
// out. Chosen by trial: where no graphs are named, no record says on which.
// Numbers that follow from what they count (bits, lanes, halves) stand in the
// code.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_TUNING_H
#define MEMPLAN_PLANNER_SEARCH_TUNING_H

#include <cstddef>
#include <cstdint>

namespace memplan::searchTuning {

// How long.

/// Moves of a search with copies without a given effort: for each op, and at
/// least and at most. Some seconds on one core.
inline constexpr int64_t copyMovesOfOp = 600, fewestCopyMoves = 20'000,
                         mostCopyMoves = 400'000;
/// Moves of one budget on a walk, in parts of all: by itself, and from plans of
/// other budgets, which need less. Chosen on the ten cells of
/// docs/Benchmarks/Copies.md, "Walks over budgets".
inline constexpr double shareByItself = 0.75, shareToGoOn = 0.5;
/// All searches of a walk try so many times the effort that is asked for. That
/// is all that they find use for where plans are known. A place where none is
/// has one part in so many of what is left. Chosen on the gate's first 14 cases
/// and on random layered steps of 50 to 600 nodes.
inline constexpr int64_t effortsOfWalk = 5, partsOfAsked = 5;
/// Without one, places where no plan is known share so many of a walk's largest
/// searches. Chosen on random layered steps of 50 and 100 nodes and on a
/// ResNet-50 of 571 ops.
inline constexpr int64_t effortsInVain = 6, partsOfDefault = 2;
/// Moves that the first place of a walk has at least, an op and at most. A
/// random layered step of 100 nodes (rl100_s2 at 80 % in free order) is planned
/// by ramps that take most of them.
inline constexpr int64_t rampMovesOfOp = 300, mostRampMoves = 50'000;
/// Shares on large steps, where a search needs a million moves, and fewer from
/// starts by least cuts. A walk halves what lies between no recomputation and
/// the least. Most moves go where that comes close to the budget for the first
/// time, from which others go on. By depth from the top on; from starts by
/// least cuts, also at the place next to the budget. Chosen on transformers of
/// 5,580 and 8,116 nodes at nine budgets.
inline constexpr int64_t copyMovesOfLarge = 800'000,
                         copyMovesFromCuts = 300'000;
inline constexpr double sharesByDepth[] = {0.05, 0.15, 0.4, 1, 0.25},
                        sharesFromCuts[] = {0.05, 0.1, 0.3, 1, 0.4},
                        shareOfLastPlace = 0.5;
/// Starts by least cuts leave to copies such shares of what these can have
/// moved where most bytes are live, the best ones first. Chosen on the same.
inline constexpr double sharesOfCopies[] = {1, 0.9, 0.8, 1.1, 0.5, 0};
/// Below the large steps the first of them are starts beside others, and on few
/// nodes there are enough without. Chosen on the gate's nine cases with copies:
/// 1, 2, 3 and 6 of them came to 24.1, 23.5, 22.6 and 23.5 points together.
inline constexpr size_t cutStartsBeside = 3;
inline constexpr int64_t fewestNodesOfCuts = 100;
/// A start leaves out what its copies move at less than this share of the best
/// rate: latency takes most of the engine's time.
inline constexpr double leastRateOfCopy = 0.5;
/// On small graphs, many moves an op take a fraction of a second.
inline constexpr int64_t movesOfSmallOp = 800, mostMovesOfSmall = 60'000;
/// Searches of a budget whose plan holds up all below it.
inline constexpr int triesOfBudget = 3;
/// Equal turns: the share of moves for one of them, where the search has
/// nothing else to begin with, and where it has.
inline constexpr double shareOfTurns = 0.9, shareOfTurnsBeside = 0.5;
/// Six layers are searched first with fewer moves an op: with more, the search
/// of the whole step may find more. Seen on transformers of 32 and 40 layers
/// (5,580 and 8,116 nodes). It was better at 13 moves an op with two budgets of
/// two, at 37 with one of two.
inline constexpr int64_t enoughMovesOfOp = 20;
/// A step is searched by turns if that leaves out this share of its ops. With
/// less, writing the turns out costs about what it saves.
inline constexpr double leastRepeated = 0.25;

/// Ops after an op that tell its layer from others of the same cost, where
/// turns are looked for. Then the places that are looked around, in eighths of
/// the step. Turns of micro-batches are anywhere but at the start; the forward
/// part of layers lies in the first half. Seen on transformers of
/// benchmarks/generate.
inline constexpr int32_t opsOfContext = 16;
inline constexpr int placesOfTurns[] = {2, 4, 5, 6, 7},
                     placesOfLayers[] = {1, 2, 3};
/// Layers: fewer are searched as they are. Of more, so many are kept: a first,
/// a last, and some that are like all others.
inline constexpr int32_t fewestTurns = 9, keptTurns = 6;
/// The limit of the kept layers is found by so many ramps, or when it is known
/// to this share of their peak.
inline constexpr int mostProbesOfLimit = 6;
inline constexpr double closeLimitOfPart = 0.01;
/// A plan this close to the least time is as good as it: a tenth of what
/// "optimal" allows.
inline constexpr double closeToLeastTime = 1e-5;

/// CPU seconds for a plan within one budget, by the nodes of the step. They are
/// those besides the moves of its searches, and those for each move of the
/// effort that is asked for. Several searches of a walk over budgets each take
/// a share of these. `--effort=20s` is a count by this table, so that it is the
/// same on every machine. Measured by benchmarks/effort/measure.py;
/// docs/Benchmarks/Effort.md holds the steps.
struct EffortTime {
  double nodes, fixedSeconds, secondsOfMove;
};
inline constexpr EffortTime timeWithoutCopies[] = {
    {25, 0.03, 1e-5},    {165, 0.05, 1.3e-5}, {600, 0.6, 2.8e-5},
    {1000, 0.7, 2.8e-5}, {1001, 0.4, 1e-5},   {1740, 0.4, 1e-5},
    {5580, 1.4, 1e-5},   {8116, 4, 1.2e-5}};
inline constexpr EffortTime timeWithCopies[] = {
    {25, 0.02, 1.8e-5}, {165, 0.06, 1.5e-5}, {600, 0.9, 5e-5},
    {1000, 0.9, 5e-5},  {1001, 0.9, 2e-5},   {1740, 0.6, 2e-5},
    {5580, 2, 1.35e-5}, {8116, 2, 1.9e-5}};

// How live bytes over the limit are weighed.

/// Slots for each run at first, so that one is free nearly everywhere.
inline constexpr uint32_t slotsOfRun = 4;
/// Slots at least, and of a block: lines of few runs have few blocks.
inline constexpr uint32_t fewestSlots = 64, fewestSlotsOfBlock = 4;
/// Where more than the first lie free between two runs, a new one goes so many
/// before the second: most insertions stand before a user.
inline constexpr int32_t manyFreeSlots = 6, slotsBeforeUser = 3;
/// Up to so many tenths of all slots in use, runs are moved aside, so far.
/// Beyond, that takes longer than spreading all of them anew.
inline constexpr size_t tenthsToShift = 7;
inline constexpr int32_t farthestShift = 256;
/// Doublings of the blocks of one group: what lies between two of them is
/// added to at once.
inline constexpr int doublingsOfGroup = 5;
/// Blocks of the line, and slots in one. They are so many that a block tells
/// nearly single runs apart, so few that adding to all of them takes a
/// microsecond.
inline constexpr uint32_t blocksOfLine = 1024, mostSlotsOfBlock = 256;
/// Blocks among which the penalty is shared: as many as the lines have of the
/// networks on which all weights beside it were chosen.
inline constexpr double blocksOfPenalty = 350;
/// The share of a block over the limit, at most: on steps of few runs it would
/// outweigh bytes.
inline constexpr int fewestRunsOfPenalty = 300;

// First plans, by a rising multiplier.

/// The multiplier rises by this factor: less gives no cheaper plans, and takes
/// longer. Blurred ramps draw from a range around it.
inline constexpr double rampFactor = 1.3, leastBlurredFactor = 1.1,
                        blurOfFactor = 0.3;
/// The multiplier rises faster once a ramp has tried so many gaps, for each op
/// and besides. Where copies are tried beside recomputation, that takes more.
struct RampLength {
  int64_t ofOp, ofOpWithCopies, besides;
};
inline constexpr RampLength rampIsFine{5, 6, 10'000}, rampIsLong{8, 10, 25'000},
    rampIsHopeless{10, 20, 50'000};
inline constexpr double longFactor = 1.7, longestFactor = 3;
inline constexpr int mostPasses = 300;
/// The multiplier rises fastest after so many passes that kept nothing, and
/// after as many again nothing helps: the multiplier is a billionfold by then.
/// A budget that nothing else keeps took 218 passes a ramp, 17 s at an effort
/// of 1. That was on a random layered step of 100 nodes (rl100_s2 of
/// benchmarks/data at 60 %).
inline constexpr int idlePasses = 20;
/// Above it, nothing more is bought: the multiplier is in units of the step's
/// cost.
inline constexpr double mostMultiplier = 1e12;
/// What was not worth its cost may be a little later.
inline constexpr double retryFactor = 1.01, leastMultiplier = 1e-13;
/// On steps of so many ops without copies, a try that does not pay waits for
/// the multiplier at which it would. Transformers of 5,488 to 8,116 nodes then
/// take two thirds of the time. Plans of an LSTM of 1,500 ops got worse by .8
/// %, so smaller steps do not wait. With 16,000 ops the passes themselves take
/// the time.
inline constexpr int32_t fewestOpsOfWait = 5'000, mostOpsOfWait = 10'000;
/// A try that does not pay is followed up to this times the multiplier, to know
/// when it will. Beyond, a pass over the clocks takes longer than it is worth.
inline constexpr double lookAhead = 8;
/// By how much a try waits: one that says nothing of what it would take, and
/// any other at most.
struct RampWait {
  double ofBlind, longest;
};
inline constexpr RampWait waitWithCopies = {2, lookAhead}, waitOfRuns = {3, 3};
/// Twice what freeing the value saves: runs of several outputs free others too.
inline constexpr double mostCostOfGap = 2;
/// The share of its copies' time that a hidden gap costs: where engines are
/// mostly idle, and where they are loaded above the bound.
inline constexpr double idleCopyShare = 0.003, loadedCopyShare = 0.1,
                        loadOfShare = 0.8, leastBlurOfShare = 0.1;
/// What a fetch is ranked at beside recomputation when what is not needed goes.
inline constexpr double fetchRank = 0.3;
inline constexpr int shiftsOfCopy = 3;

// Starts of a search with copies.

/// Load of the engines, were everything copied, up to which copies alone are
/// tried, and from which on recomputation alone is.
inline constexpr double mostLoadOfCopies = 1.5, leastLoadOfRuns = 0.5;
/// Moves an op from which on each start is tried twice, once blurred.
inline constexpr int64_t movesOfBlurredStarts = 200;
/// All starts share a fourth of the moves, and each round of the better half a
/// sixth; the rest goes to the best.
inline constexpr int64_t partOfStarts = 4, partOfRound = 6;
inline constexpr double heatOfRound = 0.3;
inline constexpr double blurOfRestart = 3;

// Annealing.

/// With few moves an op, hot cycles only undo what the ramp has found: full
/// heat from so many on.
inline constexpr double movesOfFullHeat = 1000, leastHeat = 0.01;
/// The temperature begins at half of the mean cost of an op and falls a
/// thousandfold. The weight of the penalty begins low enough that plans may
/// cross the limit and ends high enough that none does.
inline constexpr double firstTemperature = 0.5, firstWeight = 0.3;
/// While no plan fits, bytes weigh more from cycle to cycle.
inline constexpr double firstStrictness = 10, mostStrictness = 1e6;
/// Levels of a cycle, by each of which the temperature falls and the weight of
/// the penalty rises: 1000^(-1/64) and 30^(1/64).
inline constexpr int levelsOfCycle = 64;
inline constexpr double coolingOfLevel = 0.8976871324473142,
                        weightingOfLevel = 1.0545776850105633;
/// Tries that came to no move and count as one: they are cheap, but must end.
inline constexpr int triesOfMove = 16;
/// Starts that go on after the first part, and after the second.
inline constexpr size_t startsThatLead[] = {4, 2};
/// Cycles from one restart to the next, early and later.
inline constexpr int cyclesOfEarlyRestart = 2, cyclesOfRestart = 4;
inline constexpr int64_t shortestCycle = 1000;
/// Restarts that rebuild a part of the best plan instead of all, and its
/// largest share of the step. Chosen on seven random layered steps of 250 to
/// 1,000 nodes at 80 and 90 %. Overheads came to 9.43 points with none, to 9.15
/// with half and to 9.08 with these. Parts of a fifth at most came to 9.14.
inline constexpr double chanceOfRebuild = 0.8, mostOfRebuild = 0.5;
/// How a search spends its moves after its starts. Chosen on the networks of
/// benchmarks/data, at 4,000 to a million moves. Without copies it has one
/// start, so that the first part goes to short cycles with many restarts. With
/// copies, the starts have had that part.
struct Pace {
  double heats[4];
  int64_t cycles; ///< Cycles of the first length that all moves would make.
  double early;   ///< The share of moves left from which cycles grow.
  int64_t growth; ///< Cycles grow by one part in so many.
};
inline constexpr Pace paceWithoutCopies{{1, 0.3, 3, 0.1}, 50, 0.6, 2},
    paceWithCopies{{0.3, 1, 0.1, 3}, 20, 1, 4};
/// Weight of the copies' own time, as a share of the time. It is enough that of
/// equal plans the one with fewer copies wins, too little to buy time with it.
inline constexpr double copyTimeWeight = 0.002;
/// Weight of bytes that are live longer, where there are copies: of the step's
/// time, for all of the limit all the time. Large steps, which are packed
/// rarely, have the second. The best plan of a step of 8,116 nodes within 47.5
/// GiB exceeded that by 6.4 % once packed without it, by 0.1 % with it. 0.03
/// and 0.3 were as good on nine budgets of two transformers together. The
/// gate's cases come to 490.4, 486.2 and 484.8 points with 0, 0.1 and 0.01.
inline constexpr double weightOfArea = 0.01, weightOfAreaOfLarge = 0.1;
/// Plans that were the best before, which pack otherwise.
inline constexpr size_t mostEarlierPlans = 8;
/// Writing a plan down takes as long as many moves: not more often than each so
/// many runs' eighth.
inline constexpr size_t partOfPlanBetween = 8;
/// Chances of moves: of one of copies, and among these of recomputation turned
/// into a copy or back. Of another variant. Of freeing a value where the plan
/// fits, and where it does not. Of shifts and of swaps. The rest retain.
inline constexpr double chanceOfCopyMove = 0.3, chanceOfConversion = 0.25,
                        chanceOfVariant = 0.1, chanceOfDrop = 0.3,
                        chanceOfDropOver = 0.55, chanceOfShift = 0.2,
                        chanceOfSwap = 0.2;

// Moves.

/// Runs that a single move may put in, and how deep one may call for others.
inline constexpr int mostRecomputations = 40, deepestRecomputation = 40;
/// Blocks looked at for one over the limit or this close to it.
inline constexpr int looksForHotBlock = 24;
inline constexpr double closeToLimit = 0.1;
/// There are no lists of what lives where: runs looked at for an idle value,
/// and empty slots skipped for each.
inline constexpr int looksForIdle = 40, slotsBack = 8, slotsAway = 64;
/// Chances of a drop: that the value is recomputed before another run than its
/// next user, and that inputs idle with it. On large steps, that only what is
/// cheap beside its bytes is recomputed. There few moves an op are to be had
/// and this saves the most. Then what happens to freed inputs (recomputed where
/// that keeps the limit, kept, else recomputed).
inline constexpr double chanceElsewhere = 0.3, chanceWithInputs = 0.15,
                        chanceOnlyCheap = 0.15, chanceByBytes = 0.6,
                        chanceKept = 0.2;
inline constexpr int doublingsOfCheap = 7, mostIdleInputs = 12;
/// A swap drops so many values at most, in blocks around what it retained:
/// mostly before it, where that lay idle.
inline constexpr int dropsOfSwap = 3, blocksBefore = 40, blocksAfter = 4;
/// Chances of a shift: right before the first user, near it; anywhere else.
inline constexpr double chanceAtReader = 0.3, chanceNearReader = 0.3;
/// Chance that a first evaluation moves with those that only wait for it,
/// where it may move.
inline constexpr double chanceOfChain = 0.4;
inline constexpr size_t longestChain = 6;
/// Chances of a copy's shift: to where it hides, as far as bytes allow, by some
/// distance; anywhere else.
inline constexpr double chanceHidden = 0.3, chanceWithinBytes = 0.2,
                        chanceByDistance = 0.4;
/// Engines queue: a copy gets its time, or up to 2^3 times as much.
inline constexpr int doublingsOfFactor = 3;
/// Chance of moving a copy that held up the stream.
inline constexpr double chanceOfStall = 0.4;

// Packing.

/// Steps of more nodes are not changed to pack better while searches go on.
inline constexpr size_t mostNodesToTighten = 5000;
/// Placements for each move; a placement looks at what lives beside it, so that
/// large steps get fewer, and from so many ops on none.
inline constexpr int64_t movesOfPlacement = 20, fewestPlacementsOfOp = 4,
                         mostPlacements = 20'000,
                         placementsTimesOps = 15'000'000,
                         mostOpsToRepack = 5000;
/// With fewer moves than ops, one placement for so many ops. On random layered
/// steps of 250 to 1,000 nodes that takes half the time of 4 placements an op.
/// Two of three plans are the same, one costs 2 % more.
inline constexpr int64_t opsOfPlacement = 4;
/// Beyond `largeStep` nodes, each packing of a search with copies has so many
/// placements, since it takes as long as ten thousand moves. 12 and 60 were no
/// better. A plan is packed at the end, or once it takes less than this share
/// of the time of the last one that was.
inline constexpr int64_t placementsOfLarge = 24;
inline constexpr double leastGainToPack = 0.998;
/// Plans that are packed with more work at a time, the cheapest first.
inline constexpr int mostRepacked = 3;
/// Plans of more runs that exceed the budget by more than this share of it are
/// not packed with more work. Of 105 such plans, of random layered steps and
/// the gate's, that made one fit. It took up to two thirds of the time.
inline constexpr size_t mostRunsToRepackAll = 400;
inline constexpr double mostExcessToRepack = 0.05;
/// Where limits of plans that packed and that did not are this close, the
/// search tries all bytes again.
inline constexpr double closeLimits = 1.002;
/// Moves kept to make plans fit that were refused at the end, and how often.
inline constexpr double shareOfRepairs = 0.1;
inline constexpr int mostRepairs = 6;
/// Packing a plan takes as long as a move for each so many ops.
inline constexpr int32_t opsOfMove = 4;
/// Placements of a plan among many.
inline constexpr int64_t placementsOfOneOfMany = 200;

} // namespace memplan::searchTuning

#endif // MEMPLAN_PLANNER_SEARCH_TUNING_H
