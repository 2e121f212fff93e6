//===- WeighInPlaceTest.cpp - Pairs by what they do to the arena ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/InPlace/WeighInPlace.h"
#include "ErrorMatchers.h"
#include "Pack.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Planner/InPlace/InPlaceCandidates.h"
#include "memplan/Schedule/UsefulRuns.h"

using namespace memplan;

/// As many packings as planStep() allows the plan that it hands out.
static constexpr int mostPackings = 30;

namespace {
/// Packs choices of one schedule, without alignment.
class Packer {
public:
  Packer(const GraphIndex &index, const Schedule &schedule, const char *arena)
      : index(index), schedule(schedule) {
    options.alignmentBytes = 1;
    solvers.sharing = &solverNamed(sharingSolvers(), "none");
    solvers.arena = &solverNamed(arenaSolvers(), arena);
  }

  int64_t bytesOf(const InPlaceChoice &choice) const {
    return pack(choice).bytes;
  }
  int64_t liveBytesOf(const InPlaceChoice &choice) const {
    return *pack(choice).liveBytes;
  }

private:
  PlanArena pack(const InPlaceChoice &choice) const {
    RematPlan remat;
    remat.schedule = schedule;
    remat.inPlace = choice;
    PackedPlan packed = llvm::cantFail(
        packStep(index, std::move(remat), solvers, options, SolveLimits()));
    // All may lie over what the caller donates.
    return packed.plan.arenas.empty() ? PlanArena()
                                      : packed.plan.arenas.front();
  }

  const GraphIndex &index;
  const Schedule &schedule;
  PlanOptions options;
  StepSolvers solvers;
};

/// Every choice that the problem's verify() accepts.
class AllChoices {
public:
  AllChoices(const InPlaceProblem &problem,
             llvm::function_ref<void(const InPlaceChoice &)> visit)
      : problem(problem), visit(visit), choice(problem.schedule->runs.size()) {
    descend(0, 0);
  }
  size_t count = 0;

private:
  void descend(size_t run, size_t pair) {
    if (run == choice.size()) {
      ++count;
      return visit(choice);
    }
    const Graph &graph = problem.index->graph();
    const auto &pairs = graph[problem.schedule->runs[run]].inPlace;
    if (pair == pairs.size())
      return descend(run + 1, 0);
    descend(run, pair + 1);
    choice[run].push_back(pairs[pair]);
    if (!llvm::errorToBool(problem.verify(choice)))
      descend(run, pair + 1);
    choice[run].pop_back();
  }

  const InPlaceProblem &problem;
  llvm::function_ref<void(const InPlaceChoice &)> visit;
  InPlaceChoice choice;
};
} // namespace

static std::vector<int32_t> allRuns(const Schedule &schedule) {
  std::vector<int32_t> runs;
  for (size_t run = 0; run < schedule.runs.size(); ++run)
    runs.push_back(static_cast<int32_t>(run));
  return runs;
}

static WeighedChoice weigh(const InPlaceProblem &problem,
                           const Packer &packer) {
  const InPlaceChoice start = chooseInPlace(problem);
  const std::vector<int32_t> runs = allRuns(*problem.schedule);
  return llvm::cantFail(weighInPlace(
      problem, start, {packer.bytesOf(start), runs}, 0, mostPackings,
      [&](const InPlaceChoice &choice) -> llvm::Expected<WeighedArena> {
        return WeighedArena{packer.bytesOf(choice), runs};
      }));
}

/// Values of up to 8 bytes, most of which may lie over what their node reads.
static Graph makeSmallStep(uint64_t seed) {
  Dice dice(seed);
  SmallGraph g;
  std::vector<TensorId> values = {
      g.caller(1 + dice.roll(8), TensorKind::Input, dice.chance(50))};
  const int64_t nodes = 5 + dice.roll(6);
  for (int64_t n = 0; n < nodes; ++n) {
    std::vector<TensorId> inputs;
    const auto size = static_cast<int64_t>(values.size());
    for (int64_t i = 1 + dice.roll(3); i > 0; --i) {
      TensorId input = values[size - 1 - dice.roll(std::min<int64_t>(size, 4))];
      if (!llvm::is_contained(inputs, input))
        inputs.push_back(input);
    }
    std::vector<int64_t> bytes;
    for (int64_t i = dice.chance(25) ? 2 : 1; i > 0; --i)
      bytes.push_back(dice.chance(50) ? g.graph[inputs.front()].bytes
                                      : 1 + dice.roll(8));
    std::vector<TensorId> outputs = g.ops(inputs, bytes);
    for (TensorId output : outputs)
      for (TensorId input : inputs)
        if (dice.chance(75))
          g.lastNode().inPlace.push_back({output, input});
    values.insert(values.end(), outputs.begin(), outputs.end());
  }
  g.keep(values.back());
  return std::move(g.graph);
}

// --- Cases ----------------------------------------------------------------

// Two outputs may go over two inputs, and the first listed pairs leave one out.
TEST(WeighInPlaceCases, lets_the_other_candidate_have_a_storage) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({}, 4);
  std::vector<TensorId> outputs = g.ops({a, b}, {4, 4});
  g.lastNode().inPlace = {{outputs[0], a}, {outputs[0], b}, {outputs[1], a}};
  g.keep(outputs[0]);
  g.keep(outputs[1]);
  Planned planned(g);
  const Packer packer(planned.index, planned.schedule, "auto");
  EXPECT_EQ(packer.bytesOf(planned.inPlace), 12);
  const WeighedChoice weighed =
      weigh({&planned.index, &planned.schedule}, packer);
  EXPECT_EQ(weighed.bytes, 8);
  EXPECT_EQ(weighed.choice[2].size(), 2u);
}

// A small output over a large input saves bytes at its run and costs some for
// as long as it lives.
TEST(WeighInPlaceCases, takes_larger_storage_only_where_the_arena_falls) {
  SmallGraph alone;
  TensorId a = alone.op({}, 8), b = alone.op({a}, 2, a);
  alone.keep(b);
  Planned last(alone);
  WeighedChoice weighed = weigh({&last.index, &last.schedule},
                                Packer(last.index, last.schedule, "auto"));
  EXPECT_EQ(weighed.bytes, 8);
  EXPECT_EQ(weighed.choice[1], (std::vector<InPlacePair>{{b, a}}));

  SmallGraph followed;
  a = followed.op({}, 8), b = followed.op({a}, 2, a);
  TensorId c = followed.op({b}, 7);
  followed.keep(b);
  followed.keep(c);
  Planned early(followed);
  weighed = weigh({&early.index, &early.schedule},
                  Packer(early.index, early.schedule, "auto"));
  EXPECT_EQ(weighed.bytes, 10);
  EXPECT_TRUE(weighed.choice[1].empty());
}

// Where nothing but the packing suffers from a pair, it is given up. Found
// among 300,000 random steps: the merged live ranges pack worse in so few.
TEST(WeighInPlaceCases, gives_up_pairs_whose_live_range_packs_worse) {
  struct Op {
    int64_t bytes;
    std::vector<int> inputs;
    bool mayLieOverFirst = false;
  };
  const Op ops[] = {{1, {0}},
                    {6, {0, 1}},
                    {6, {1, 2}},
                    {5, {1, 3}},
                    {4, {4}},
                    {1, {2, 0}},
                    {1, {4, 2}},
                    {5, {4}, true},
                    {7, {1}},
                    {2, {5, 1}},
                    {4, {10}},
                    {1, {7, 10}, true},
                    {4, {5, 6}, true},
                    {4, {13, 11}, true},
                    {1, {7}, true},
                    {8, {7, 11, 13}},
                    {1, {12, 11}, true},
                    {8, {16}}};
  SmallGraph g;
  std::vector<TensorId> values = {g.caller(1, TensorKind::Input)};
  for (const Op &op : ops) {
    std::vector<TensorId> inputs;
    for (int input : op.inputs)
      inputs.push_back(values[input]);
    values.push_back(g.op(inputs, op.bytes,
                          op.mayLieOverFirst ? std::optional(inputs.front())
                                             : std::nullopt));
  }
  g.keep(values.back());
  Planned planned(g);
  const Packer exact(planned.index, planned.schedule, "exact");
  EXPECT_EQ(exact.liveBytesOf(planned.inPlace), 18);
  EXPECT_EQ(exact.bytesOf(planned.inPlace), 19);
  EXPECT_EQ(weigh({&planned.index, &planned.schedule},
                  Packer(planned.index, planned.schedule, "auto"))
                .bytes,
            18);
}

/// Packing leaves out what runs in vain.
static Schedule useful(const GraphIndex &index, Schedule schedule) {
  InPlaceChoice nothing(schedule.runs.size());
  leaveOutRunsInVain(index, schedule, nothing, /*keepsOrder=*/false);
  return schedule;
}

// --- Oracle ---------------------------------------------------------------

// Pairs must be worth the arena that they are taken for: against all legal
// choices, each packed by the solver that proves its packings. Stated distance:
// 98 of 100 steps optimal, none more than 15 percent above the optimum.
TEST(WeighInPlaceOracle, as_good_as_the_best_of_all_choices) {
  int steps = 0, optimal = 0, allPairsAreBest = 0;
  for (uint64_t seed = 1; steps < 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeSmallStep(seed);
    const GraphIndex index(graph);
    const Schedule schedule =
        useful(index, seed % 3 ? Planned::sourceOrder(graph)
                               : makeRandomSchedule(index, seed));
    const InPlaceProblem problem{&index, &schedule};
    size_t choices = 0;
    AllChoices(problem, [&](const InPlaceChoice &) { ++choices; });
    if (choices < 2 || choices > 300)
      continue;
    ++steps;
    const Packer exact(index, schedule, "exact"),
        quick(index, schedule, "auto");
    int64_t optimum = std::numeric_limits<int64_t>::max();
    AllChoices(problem, [&](const InPlaceChoice &choice) {
      optimum = std::min(optimum, exact.bytesOf(choice));
    });
    const int64_t all = exact.bytesOf(chooseInPlace(problem));
    const int64_t none = exact.bytesOf(InPlaceChoice(schedule.runs.size()));
    const WeighedChoice ours = weigh(problem, quick);
    ASSERT_THAT(problem.verify(ours.choice), Succeeds());
    EXPECT_LE(ours.packings, mostPackings);
    EXPECT_EQ(ours.bytes, exact.bytesOf(ours.choice));
    EXPECT_LE(ours.bytes, std::min(all, none));
    EXPECT_GE(ours.bytes, optimum);
    EXPECT_LE(ours.bytes * 100, optimum * 115);
    optimal += ours.bytes == optimum;
    allPairsAreBest += all == optimum;
  }
  EXPECT_GE(optimal, steps * 98 / 100);
  // Or there would have been little to weigh.
  EXPECT_LT(allPairsAreBest, steps * 80 / 100);
}

// What screening relies on: live bytes are those of the packed plan, and no
// choice has fewer than the bound says.
TEST(WeighInPlaceOracle, live_bytes_are_those_of_the_packed_plan) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph =
        seed % 2 ? makeSmallStep(seed) : makeRandomGraph(seed, 20);
    const GraphIndex index(graph);
    const Schedule schedule = useful(index, makeRandomSchedule(index, seed));
    const InPlaceProblem problem{&index, &schedule};
    const InPlaceCandidates candidates(problem);
    const Packer packer(index, schedule, "best-fit");
    Dice dice(seed);
    InPlaceCandidates::Taken taken(candidates.all().size());
    for (size_t i = 0; i < taken.size(); ++i)
      taken[i] = dice.chance(60);
    candidates.makeLegal(taken);
    const InPlaceChoice choice = candidates.choiceOf(taken);
    ASSERT_THAT(problem.verify(choice), Succeeds());
    EXPECT_EQ(candidates.takenIn(choice), taken);
    EXPECT_EQ(candidates.liveBytes(taken), packer.liveBytesOf(choice));
    EXPECT_LE(candidates.leastLiveBytes(), candidates.liveBytes(taken));
  }
}
