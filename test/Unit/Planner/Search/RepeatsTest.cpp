//===- RepeatsTest.cpp - What is found for one micro-batch, for all -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/Repeats.h"
#include "../LayeredGraph.h"
#include "../MicroBatches.h"
#include "../Remat/VariantGraph.h"
#include "SearchState.h"
#include "WriteActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Bounds/OrderRows.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Bounds/ValueCut.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/Moves.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace memplan;

namespace {

/// A random plan that leaves first runs where they are.
std::vector<PlannedRun> makeRandomPlan(const SearchStep &step, Random &random) {
  RunSequence runs(step, /*freeOrder=*/false);
  Moves moves(step, runs, random, /*freeOrder=*/false);
  runs.reset(RunSequence::sourceOrder(step), 30);
  for (int i = 0; i < 40; ++i) {
    runs.begin();
    const bool applies = random.chance(0.7)
                             ? moves.drop(moves.pickHotSlot(), 1e300)
                             : moves.shift(moves.pickShifted());
    if (applies)
      runs.commit();
    else
      runs.undo();
  }
  return runs.plan();
}

double peakOf(const SearchStep &step, llvm::ArrayRef<PlannedRun> plan) {
  RunSequence runs(step, /*freeOrder=*/false);
  runs.reset(plan, 1e9);
  return runs.line().peakBytes();
}

// Turns would break producers, the order of first runs or the bytes.
TEST(Repeats, a_plan_of_one_turn_is_one_of_all_and_takes_no_more) {
  int recomputations = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int ops = 17 + int(seed % 17), turns = 3 + int(seed % 4);
    const Graph graph = makeMicroBatches(seed, ops, turns);
    const GraphIndex index(graph);
    const ContractedStep contracted(index, /*inPlace=*/true);
    const SearchStep step(contracted);
    const std::optional<SearchStep::Repeat> repeat = findRepeat(step);
    ASSERT_TRUE(repeat);
    EXPECT_GE(repeat->period * (repeat->turns - 1), (ops + 1) * (turns - 2));
    const SearchStep part = step.without(*repeat);
    EXPECT_EQ(part.numOps(),
              step.numOps() - repeat->period * (repeat->turns - 1));
    Random random(seed);
    const std::vector<PlannedRun> plan = makeRandomPlan(part, random);
    recomputations += int(plan.size()) - part.numOps() + 2;
    const std::optional<std::vector<PlannedRun>> all =
        repeatPlan(step, *repeat, part, plan);
    ASSERT_TRUE(all);
    std::vector<int32_t> sequence;
    for (PlannedRun run : *all)
      sequence.push_back(run.op);
    EXPECT_THAT(verifySchedule(index, contracted.expand(sequence)), Succeeds());
    if (seed % 2 == 0) // Else what all read stays between turns.
      EXPECT_LE(peakOf(step, *all), peakOf(part, plan));
  }
  EXPECT_GT(recomputations, 1000);
}

// What is copied in one turn would be fetched in others without a copy on the
// host, or copied out twice.
TEST(Repeats, a_plan_of_one_turn_with_copies_is_one_of_all) {
  int64_t copies = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph =
        makeMicroBatches(seed, 17 + int(seed % 17), 3 + int(seed % 4));
    graph.bandwidth = Bandwidth{1 + double(seed % 5), 1 + double(seed % 3), 0};
    const GraphIndex index(graph);
    const ContractedStep contracted(index, /*inPlace=*/true);
    const SearchStep step(contracted, CopyRules{*graph.bandwidth});
    const std::optional<SearchStep::Repeat> repeat = findRepeat(step);
    ASSERT_TRUE(repeat);
    const SearchStep part = step.without(*repeat);
    EXPECT_TRUE(part.hasCopies());
    SearchState state(part, {.mayCopy = true}, seed);
    state.reset(RunSequence::sourceOrder(part), 30);
    for (int i = 0; i < 60; ++i) {
      state.runs.begin();
      if (state.random.chance(0.6)
              ? state.moves.drop(state.moves.pickHotSlot(), 1e300)
              : state.moves.shiftCopy(state.moves.pickCopy())) {
        state.sweep();
        state.commit(state.times.measure());
      } else {
        state.undo();
      }
    }
    const std::optional<std::vector<PlannedRun>> all =
        repeatPlan(step, *repeat, part, state.runs.plan());
    ASSERT_TRUE(all);
    for (PlannedRun run : *all)
      copies += step.isCopy(run.op);
    Plan plan;
    plan.steps = writeActions(contracted, step, *all);
    plan.arenas.emplace_back().space = "host";
    llvm::Expected<Replay> replay = replayPlan(index, plan);
    ASSERT_TRUE(bool(replay)) << takeMessage(replay);
    SearchState anew(step, {.mayCopy = true}, seed);
    anew.reset(*all, 30);
    EXPECT_NEAR(replay->time * step.units().unitsPerCost, anew.time(),
                1e-6 * step.totalCost());
  }
  EXPECT_GT(copies, 1000);
}

// Multipliers of some turns, copied to the others, would prove more than a plan
// costs, or next to nothing.
TEST(Repeats, bounds_of_large_steps_stay_below_their_plans) {
  double proved = 0, paid = 0;
  for (uint64_t seed = 2; seed <= 24; seed += 2) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeMicroBatches(seed, 120, 12);
    const GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    const ContractedStep step(index, /*inPlace=*/true);
    const int64_t peak =
        measurePlan(problem,
                    step.expand(llvm::to_vector(llvm::seq(0, step.numOps()))))
            .peakBytes;
    problem.budgetBytes = peak * 8 / 10;
    SolveLimits limits;
    limits.effort = 20'000;
    llvm::Expected<RematPlan> plan = searchWithoutProof(problem, limits);
    ASSERT_TRUE(bool(plan));
    if (plan->schedule.runs.empty())
      continue;
    const ProvedBound bound = proveCost(step, *problem.budgetBytes, plan->cost,
                                        findRepeat(step), 20'000'000);
    EXPECT_LE(bound.cost, plan->cost * (1 + 1e-9));
    const double least = OrderRows(step).leastCost();
    proved += bound.cost - least;
    paid += plan->cost - least;
  }
  EXPECT_GT(paid, 0);
  EXPECT_GT(proved, 0.6 * paid);
}

// Layers of the forward pass repeat as micro-batches do, but memory is short
// behind them: a bound from a few of them would be none.
TEST(Repeats, bounds_of_layers_come_from_where_memory_is_short) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayeredStep made;
    made.seed = seed;
    made.layers = 60;
    made.opsOfLayer = 9;
    const Graph graph = made.make();
    const GraphIndex index(graph);
    const ContractedStep step(index, /*inPlace=*/true);
    ASSERT_TRUE(findRepeat(step));
    const OrderRows rows(step);
    const std::vector<int64_t> bytes = bytesOfAll(rows);
    const int64_t budget = *llvm::max_element(bytes) * 6 / 10;
    constexpr int64_t effort = 20'000'000;
    const double whole =
        proveCost(step, budget, std::nullopt, std::nullopt, effort).cost;
    ASSERT_GT(whole, rows.leastCost() * 1.01);
    const double repeated =
        proveCost(step, budget, std::nullopt, findRepeat(step), effort).cost;
    EXPECT_GE(repeated - rows.leastCost(), 0.9 * (whole - rows.leastCost()));
  }
}

TEST(Repeats, what_does_not_repeat_is_left_alone) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Graph graph = makeRandomGraph(seed, 40);
    const GraphIndex index(graph);
    const SearchStep step(ContractedStep(index, /*inPlace=*/true));
    EXPECT_FALSE(findRepeat(step)) << "seed " << seed;
  }
}

} // namespace
