//===- OffloadStartTest.cpp - Copies around a given schedule --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LayeredGraph.h"
#include "CopyStarts.h"
#include "SearchState.h"
#include "memplan/Planner/Search/ReadPlans.h"
#include <gtest/gtest.h>

using namespace memplan;

namespace {

std::vector<PlannedRun> withoutCopies(const SearchStep &step,
                                      llvm::ArrayRef<PlannedRun> plan) {
  std::vector<PlannedRun> runs;
  llvm::copy_if(plan, std::back_inserter(runs),
                [&](const PlannedRun &run) { return !step.isCopy(run.op); });
  return runs;
}

/// Live bytes by run that is no copy.
std::vector<double> bytesOf(const SearchStep &step,
                            llvm::ArrayRef<PlannedRun> plan, double limit) {
  SearchState state(step, {.mayCopy = true}, 1);
  state.reset(plan, limit);
  std::vector<double> bytes;
  const RunSequence &runs = state.runs;
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run))
    if (!step.isCopy(runs.op(run)))
      bytes.push_back(runs.line().bytesAt(runs.slot(run)));
  return bytes;
}

// Copies would come back before they left, or hold bytes beside the value that
// they stand for; runs would be lost or doubled.
TEST(OffloadStart, property_a_plan_of_the_same_runs_with_no_more_bytes) {
  int offloaded = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Graph graph = makeRandomGraph(seed, 6 + int(seed % 30));
    const GraphIndex index(graph);
    const ContractedStep contracted(index, true);
    const SearchStep step(contracted, {Bandwidth{double(1 + dice.roll(400)),
                                                 double(1 + dice.roll(400)),
                                                 double(dice.roll(3))},
                                       {}});
    // With some recomputation: what a search has put in.
    SearchState state(step, {.mayCopy = true}, seed);
    state.reset(RunSequence::sourceOrder(step), 0);
    for (int move = 0; move < 10; ++move) {
      state.runs.begin();
      if (state.moves.drop(state.moves.pickHotSlot(), 1e300))
        state.commit(state.measure(state.times.measure()));
      else
        state.undo();
    }
    const std::vector<PlannedRun> base = withoutCopies(step, state.runs.plan());
    if (!isPlan(step, base))
      continue;
    const std::vector<double> before = bytesOf(step, base, 0);
    const double limit =
        *llvm::max_element(before) * double(dice.roll(100)) / 100;
    const std::vector<PlannedRun> plan = offloadStart(step, base, limit);
    EXPECT_TRUE(isPlan(step, plan));
    EXPECT_TRUE(llvm::equal(withoutCopies(step, plan), base,
                            [](const PlannedRun &a, const PlannedRun &b) {
                              return a.op == b.op && a.variant == b.variant;
                            }));
    const std::vector<double> after = bytesOf(step, plan, limit);
    ASSERT_EQ(after.size(), before.size());
    for (size_t place = 0; place < after.size(); ++place)
      EXPECT_LE(after[place], before[place]);
    offloaded += plan.size() > base.size();
  }
  EXPECT_GT(offloaded, 100);
}

// Where engines are fast, all that exceeds would have to be copied in no time;
// where they are slow, what is offloaded has to be what hides.
TEST(OffloadStart, takes_what_hides) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayeredStep made;
    made.seed = seed;
    made.layers = 10 + int(seed % 20);
    const Graph graph = made.make();
    const GraphIndex index(graph);
    const ContractedStep contracted(index, true);
    const std::vector<double> before = [&] {
      const SearchStep plain(contracted);
      return bytesOf(plain, RunSequence::sourceOrder(plain), 0);
    }();
    const double peak = *llvm::max_element(before);
    double atHalf = 0;
    for (double bytesOfUnit : {1e6, 4.0}) {
      const SearchStep step(contracted,
                            {Bandwidth{bytesOfUnit, bytesOfUnit, 0}, {}});
      SearchState state(step, {.mayCopy = true}, 1);
      state.reset(offloadStart(step, RunSequence::sourceOrder(step), peak / 2),
                  peak / 2);
      if (bytesOfUnit == 1e6) {
        EXPECT_TRUE(state.runs.fits());
        EXPECT_LE(state.time(), step.totalCost() * 1.001);
        atHalf = state.runs.copyTime();
      } else {
        // Each way the engine works at most as long as the step.
        EXPECT_LE(state.runs.copyTime(), 2 * step.totalCost());
        EXPECT_LE(state.time(), step.totalCost() * 1.3);
      }
    }
    EXPECT_GT(atHalf, 0);
  }
}

} // namespace
