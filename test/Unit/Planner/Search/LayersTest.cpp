//===- LayersTest.cpp - Equal layers, found and planned -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LayeredGraph.h"
#include "SearchState.h"
#include "WriteActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Search/Repeats.h"
#include "gtest/gtest.h"

using namespace memplan;

namespace {

std::optional<StepRepeat> layersOf(const Graph &graph) {
  const GraphIndex index(graph);
  return findLayers(SearchStep(ContractedStep(index, /*inPlace=*/true)));
}

// A layer would begin in the middle of one and end in another, or its backward
// pass would be that of a neighbor.
TEST(Layers, are_found_with_their_backward_pass) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayeredStep made;
    made.seed = seed;
    made.layers = 11 + int(seed % 7);
    made.opsOfLayer = 6 + int(seed % 9);
    made.isShuffled = seed % 2;
    const Graph graph = made.make();
    const std::optional<StepRepeat> layers = layersOf(graph);
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->period, made.firstNodes[1] - made.firstNodes[0]);
    EXPECT_EQ(layers->backwardPeriod,
              made.firstBackwardNodes[1] - made.firstBackwardNodes[0]);
    // What a layer reads of others may set those at the ends apart.
    EXPECT_GE(layers->turns, made.layers - 2);
    // Each backward turn reads ops of its own forward turn more than of any
    // other one.
    std::vector<int> producer(graph.tensors.size(), -1);
    for (size_t node = 0; node < graph.nodes.size(); ++node)
      for (TensorId output : graph.nodes[node].outputs)
        producer[output.index] = int(node);
    for (int turn = 0; turn < layers->turns; ++turn) {
      std::vector<int> reads(size_t(layers->turns), 0);
      const int begin = layers->backwardBegin +
                        (layers->turns - 1 - turn) * layers->backwardPeriod;
      for (int node = begin; node < begin + layers->backwardPeriod; ++node)
        for (TensorId input : graph.nodes[size_t(node)].inputs)
          if (const int from = producer[input.index] - layers->begin;
              from >= 0 && from < layers->period * layers->turns)
            ++reads[size_t(from / layers->period)];
      EXPECT_EQ(llvm::max_element(reads) - reads.begin(), turn);
    }
  }
}

// Layers on one side of one that is a little different would not be found, or
// it would be planned like the others.
TEST(Layers, end_at_one_that_differs) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayeredStep made;
    made.seed = seed;
    made.layers = 24;
    made.oddLayer = seed % 2 ? 5 : 18;
    const Graph graph = made.make();
    const std::optional<StepRepeat> layers = layersOf(graph);
    ASSERT_TRUE(layers);
    EXPECT_GE(layers->turns, 16);
    const int32_t odd = made.firstNodes[size_t(made.oddLayer)];
    EXPECT_TRUE(layers->begin + layers->turns * layers->period <= odd + 2 ||
                layers->begin >= odd + made.opsOfLayer)
        << layers->begin << " " << odd;
  }
}

// A search would plan with what is not there.
TEST(Layers, are_not_found_where_there_are_none) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_FALSE(layersOf(RandomGraphBuilder(seed, 150).make()));
    LayeredStep made;
    made.seed = seed;
    made.isTrained = false; // Turns, but no backward pass.
    EXPECT_FALSE(layersOf(made.make()));
    made.isTrained = true;
    made.layers = 5; // As many as are searched.
    EXPECT_FALSE(layersOf(made.make()));
  }
}

// Layers that were left out would recompute from what is freed, fetch what was
// not copied, or copy twice.
TEST(Layers, a_plan_of_some_written_out_for_all_is_a_plan) {
  int64_t copies = 0, recomputations = 0, written = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayeredStep made;
    made.seed = seed;
    made.layers = 9 + int(seed % 12);
    made.opsOfLayer = 5 + int(seed % 7);
    made.isShuffled = seed % 3 == 0;
    Graph graph = made.make();
    graph.bandwidth = Bandwidth{1 + double(seed % 5), 1 + double(seed % 3), 0};
    const GraphIndex index(graph);
    const ContractedStep contracted(index, /*inPlace=*/true);
    const bool mayCopy = seed % 2;
    const SearchStep step =
        mayCopy ? SearchStep(contracted, CopyRules{*graph.bandwidth})
                : SearchStep(contracted);
    const std::optional<SearchStep::Repeat> layers = findLayers(step);
    if (!layers) // Too few besides those at the ends.
      continue;
    const SearchStep part = step.without(*layers);
    EXPECT_LT(part.numOps(), step.numOps());
    SearchState state(part, {.mayCopy = mayCopy}, seed);
    state.reset(RunSequence::sourceOrder(part), 100);
    for (int i = 0; i < 80; ++i) {
      state.runs.begin();
      const bool applies =
          !mayCopy || state.random.chance(0.6)
              ? state.moves.drop(state.moves.pickHotSlot(), 1e300)
              : state.moves.shiftCopy(state.moves.pickCopy());
      if (applies) {
        state.sweep();
        state.commit(state.times.measure());
      } else {
        state.undo();
      }
    }
    const std::optional<std::vector<PlannedRun>> all =
        repeatPlan(step, *layers, part, state.runs.plan());
    if (!all)
      continue;
    ++written;
    for (PlannedRun run : *all)
      copies += step.isCopy(run.op);
    recomputations += int64_t(all->size()) - step.end() - 1;
    Plan plan;
    plan.steps = writeActions(contracted, step, *all);
    plan.arenas.emplace_back().space = "host";
    llvm::Expected<Replay> replay = replayPlan(index, plan);
    ASSERT_TRUE(bool(replay)) << llvm::toString(replay.takeError());
    SearchState anew(step, {.mayCopy = mayCopy}, seed);
    anew.reset(*all, 100);
    EXPECT_NEAR(replay->time * step.units().unitsPerCost, anew.time(),
                1e-6 * step.totalCost());
  }
  EXPECT_GT(written, 60);
  EXPECT_GT(copies, 1000);
  EXPECT_GT(recomputations, 1000);
}

} // namespace
