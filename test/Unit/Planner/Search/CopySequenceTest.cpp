//===- CopySequenceTest.cpp - Sequences with copies, and their times ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annealing.h"
#include "ErrorMatchers.h"
#include "RandomGraph.h"
#include "SearchState.h"
#include "WriteActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Search/SearchProblem.h"
#include <map>

using namespace memplan;

namespace {

/// Bytes at every run and who reads what last, by place in the sequence.
struct Picture {
  std::vector<PlannedRun> plan;
  std::vector<double> bytes;
  std::vector<int32_t> lastUsers;
  double cost = 0, copyTime = 0, time = 0;
  bool operator==(const Picture &) const = default;
};

Picture pictureOf(SearchState &state) {
  const SearchStep &step = state.step;
  const RunSequence &runs = state.runs;
  Picture picture{runs.plan(),          {}, {}, runs.cost(), runs.copyTime(),
                  state.times.measure()};
  std::map<int32_t, int32_t> place;
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run))
    place[run] = static_cast<int32_t>(place.size());
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run)) {
    picture.bytes.push_back(runs.line().bytesAt(runs.slot(run)));
    for (int32_t value : step.outputs(runs.op(run)))
      picture.lastUsers.push_back(place[runs.lastUserOf(run, value)]);
  }
  return picture;
}

/// Vanished nodes cost nothing, so that the replay counts what the search does.
Graph makeGraph(uint64_t seed, int nodes, Dice &dice) {
  Graph graph = makeRandomGraph(seed, nodes);
  graph.bandwidth = Bandwidth{double(1 + dice.roll(40)),
                              double(1 + dice.roll(40)), double(dice.roll(3))};
  const GraphIndex index(graph);
  const ContractedStep contracted(index, true);
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    if (contracted.vanishes(NodeId(n))) {
      graph.nodes[n].cost = 0;
      graph.nodes[n].variants.clear();
    }
  return graph;
}

bool applyMove(SearchState &state) {
  switch (state.random.below(6)) {
  case 0:
  case 1:
    return state.moves.drop(state.moves.pickHotSlot(), 1e300);
  case 2:
    return state.moves.shiftCopy(state.moves.pickCopy());
  case 3:
    return state.moves.swap(state.moves.pickMade(), 1e300);
  case 4:
    return state.moves.convert();
  default:
    return state.moves.retain(state.moves.pickMade());
  }
}

/// What the replay says of the actions that the sequence is written as.
void expectReplayed(const ContractedStep &contracted, SearchState &state,
                    const std::vector<TensorId> &hosted) {
  const GraphIndex &index = contracted.index();
  Plan plan;
  plan.steps = writeActions(contracted, state.step, state.runs.plan());
  PlanArena &host = plan.arenas.emplace_back();
  host.space = "host";
  host.owns = hosted;
  llvm::Expected<Replay> replay = replayPlan(index, plan);
  ASSERT_TRUE(bool(replay)) << takeMessage(replay);
  const double units = state.step.units().unitsPerCost;
  EXPECT_NEAR(replay->time * units, state.times.measure(),
              1e-6 * state.step.totalCost());
  int64_t resident = contracted.residentBytes();
  for (TensorId id : hosted)
    resident -= index.graph()[id].bytes;
  EXPECT_LE(double(replay->peakBytes - resident),
            state.runs.line().peakBytes());
}

/// The clocks that passes from the first edit on have kept.
void expectTimesOfNewStart(SearchState &state) {
  SearchState anew(state.step, {.mayCopy = true}, 1);
  anew.reset(state.runs.plan(), state.runs.line().limitBytes());
  ASSERT_EQ(state.time(), anew.time());
  EXPECT_EQ(state.times.measure(state.time()), state.time());
  EXPECT_EQ(state.times.measure(state.time() - 1), StepTimes::never);
  state.times.drop();
  const RunSequence &runs = state.runs;
  if (runs.fetches().empty() && runs.evicts().empty())
    return;
  EXPECT_EQ(state.times.stalls().empty(), anew.times.stalls().empty());
  int32_t other = anew.runs.first();
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run)) {
    ASSERT_EQ(state.times.end(run), anew.times.end(other));
    other = anew.runs.next(other);
  }
}

// An edit would leave bytes, users or times behind that the sequence does not
// have, taking it back would not restore them, or the actions written would be
// others than those searched.
TEST(CopySequence, edits_agree_with_a_new_start_and_with_the_replay) {
  int64_t performed = 0, kept = 0, copies = 0, onHost = 0;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Graph graph = makeGraph(seed, 5 + int(seed % 40), dice);
    const GraphIndex index(graph);
    const ContractedStep contracted(index, seed % 3 != 0);
    const std::vector<TensorId> hosted =
        seed % 2 ? hostableTensors(index) : std::vector<TensorId>();
    onHost += int64_t(hosted.size());
    const SearchStep step(contracted, CopyRules{*graph.bandwidth, hosted});
    SearchState state(step, {.mayCopy = true}, seed);
    const double limit = 60 + double(state.random.below(100));
    state.reset(RunSequence::sourceOrder(step), limit);
    for (int i = 0; i < 120; ++i) {
      const Picture before = pictureOf(state);
      state.runs.begin();
      const bool applies = applyMove(state);
      performed += applies;
      if (applies)
        state.runs.sweep();
      if (!applies || state.random.chance(0.4)) {
        state.undo();
        ASSERT_EQ(before, pictureOf(state));
      } else {
        state.commit(state.times.measure());
        ++kept;
        expectTimesOfNewStart(state);
      }
    }
    state.runs.begin();
    SearchState anew(step, {.mayCopy = true}, seed);
    anew.reset(state.runs.plan(), limit);
    EXPECT_EQ(pictureOf(anew), pictureOf(state));
    copies += int64_t(state.runs.fetches().size());
    expectReplayed(contracted, state, hosted);
  }
  EXPECT_GT(performed, 2000);
  EXPECT_GT(kept, 1000);
  EXPECT_GT(copies, 100);
  EXPECT_GT(onHost, 20);
}

TEST(BytesLine, counts_bytes_times_slots_that_are_added) {
  BytesLine line;
  line.reset(64, 4, 100);
  line.add(0, 9, 50);
  line.add(20, 20, -10);
  EXPECT_DOUBLE_EQ(line.addedArea(), (500.0 - 10) / (100 * 64));
  line.forgetArea();
  line.add(3, 2, 7); // No slot.
  EXPECT_EQ(line.addedArea(), 0);
  line.reset(64, 4, 0);
  line.add(0, 9, 50);
  EXPECT_EQ(line.addedArea(), 0);
}

/// Bytes at all runs after an annealing of a plan that fits, as a share of the
/// limit.
double fullness(const SearchStep &step, uint64_t seed, double weight) {
  SearchState state(step, {.mayCopy = true}, seed);
  state.weighBytes(weight);
  const std::vector<PlannedRun> source = RunSequence::sourceOrder(step);
  state.reset(source, 1e9);
  const double limit = state.runs.line().peakBytes();
  state.reset(source, limit);
  SolveLimits limits;
  Effort effort(limits, 3000);
  Incumbent incumbent;
  Annealing(state, effort, incumbent).runCycle(3000, 1, 1);
  const BytesLine &line = state.runs.line();
  double bytes = 0, runs = 0;
  for (int32_t run = state.runs.first(); run >= 0; run = state.runs.next(run)) {
    bytes += line.bytesAt(state.runs.slot(run));
    ++runs;
  }
  return bytes / limit / runs;
}

// What costs no time would fill the step until nothing packs.
TEST(SearchState, bytes_that_count_do_not_spread) {
  double without = 0, with = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Dice dice(seed);
    const Graph graph = makeGraph(seed, 40, dice);
    const GraphIndex index(graph);
    const ContractedStep contracted(index, /*inPlace=*/true);
    const SearchStep step(contracted, CopyRules{*graph.bandwidth, {}});
    without += fullness(step, seed, 0);
    with += fullness(step, seed, searchTuning::weightOfAreaOfLarge);
  }
  EXPECT_LT(with, 0.9 * without);
  RecordProperty("with", std::to_string(with / without));
}

} // namespace
