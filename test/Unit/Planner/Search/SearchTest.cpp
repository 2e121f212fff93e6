//===- SearchTest.cpp - Edits of sequences of runs ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Remat/VariantGraph.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/Moves.h"
#include <map>

using namespace memplan;

namespace {

/// Bytes at every run and who reads what last, by place in the sequence.
struct Picture {
  std::vector<PlannedRun> plan;
  std::vector<double> bytes;
  std::vector<int32_t> lastUsers;
  double cost = 0;
  bool operator==(const Picture &) const = default;
};

Picture pictureOf(const SearchStep &step, const RunSequence &runs) {
  Picture picture;
  picture.plan = runs.plan();
  picture.cost = runs.cost();
  std::map<int32_t, int32_t> place;
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run))
    place[run] = static_cast<int32_t>(place.size());
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run)) {
    picture.bytes.push_back(runs.line().bytesAt(runs.slot(run)));
    for (int32_t value : step.outputs(runs.op(run)))
      picture.lastUsers.push_back(place[runs.lastUser(run, step.place(value))]);
  }
  return picture;
}

/// Excess and blocks over the limit, counted block by block.
void expectSums(const BytesLine &line) {
  double excess = 0, over = 0;
  for (int32_t block = 0; block < line.numBlocks(); ++block) {
    double top = 0;
    for (int32_t i = 0; i < line.slotsPerBlock(); ++i)
      if (line.runAt(line.firstSlot(block) + i) >= 0)
        top = std::max(top, line.bytesAt(line.firstSlot(block) + i));
    excess += std::max(0.0, top - line.limitBytes());
    over += top > line.limitBytes();
  }
  EXPECT_EQ(excess, line.excessBytes());
  EXPECT_EQ(over, line.blocksOver());
}

/// What the schedule of the sequence takes according to its live ranges.
void expectMeasured(const ContractedStep &contracted, const SearchStep &step,
                    const RunSequence &runs) {
  std::vector<int32_t> sequence;
  for (PlannedRun run : runs.plan())
    sequence.push_back(run.op);
  Schedule schedule = contracted.expand(sequence);
  ASSERT_THAT(verifySchedule(contracted.index(), schedule), Succeeds());
  const InPlaceChoice choice = chooseInPlace({&contracted.index(), &schedule});
  const std::vector<int64_t> bytes =
      measureSchedule(contracted.index(), schedule, choice).bytesAtRun;
  size_t at = 0;
  for (int32_t run = runs.next(runs.first()); run != runs.last();
       run = runs.next(run), ++at) {
    NodeId node = contracted.ops()[runs.op(run)].node;
    while (schedule.runs[at] != node)
      ++at; // Views.
    const Node &facts = contracted.index().graph()[node];
    const double others =
        double(bytes[at] - facts.workspaceBytes - contracted.residentBytes());
    EXPECT_EQ(runs.line().bytesAt(runs.slot(run)),
              others +
                  step.variants(runs.op(run))[runs.variant(run)].workspaceBytes)
        << "run " << at;
  }
}

// An edit would leave bytes, users or costs behind that the sequence does not
// have, or taking it back would not restore them.
TEST(RunSequence, edits_agree_with_a_new_start_and_with_the_live_ranges) {
  int64_t performed = 0, kept = 0;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = withVariants(makeRandomGraph(seed, 5 + int(seed % 40)), seed);
    GraphIndex index(graph);
    ContractedStep contracted(index, true);
    SearchStep step(contracted);
    const bool freeOrder = seed % 2;
    Random random(seed);
    RunSequence runs(step, freeOrder);
    Moves moves(step, runs, random, freeOrder);
    const double limit = 60 + double(random.below(100));
    runs.reset(RunSequence::sourceOrder(step), limit);
    for (int i = 0; i < 120; ++i) {
      const Picture before = pictureOf(step, runs);
      runs.begin();
      bool applies = false;
      switch (random.below(6)) {
      case 0:
      case 1:
        applies = moves.drop(moves.pickHotSlot(), 1e300);
        break;
      case 2:
        applies = moves.shift(moves.pickShifted());
        break;
      case 3:
        applies = moves.swap(moves.pickRecomputation(), 1e300);
        break;
      case 4:
        applies = moves.retain(moves.pickRecomputation());
        break;
      default:
        applies = moves.changeVariant(moves.pickRecomputation());
      }
      performed += applies;
      if (!applies || random.chance(0.4)) {
        runs.undo();
        ASSERT_EQ(before, pictureOf(step, runs));
      } else {
        runs.commit();
        ++kept;
      }
      expectSums(runs.line());
    }
    RunSequence anew(step, freeOrder);
    anew.reset(runs.plan(), limit);
    EXPECT_EQ(pictureOf(step, anew), pictureOf(step, runs));
    expectMeasured(contracted, step, runs);
  }
  EXPECT_GT(performed, 2000);
  EXPECT_GT(kept, 1000);
}

/// Layers whose costly op is followed by a cheap one of two outputs (a value
/// and a mask), both read on the way back.
Graph makeMaskedLayers(int layers) {
  Graph graph;
  auto make = [&](std::vector<TensorId> inputs, std::vector<int64_t> sizes,
                  double cost) {
    Node node;
    node.name = "n" + std::to_string(graph.nodes.size());
    node.inputs = std::move(inputs);
    node.cost = cost;
    for (int64_t bytes : sizes) {
      graph.tensors.emplace_back().bytes = bytes;
      node.outputs.push_back(TensorId(graph.tensors.size() - 1));
    }
    graph.nodes.push_back(node);
    return node.outputs;
  };
  graph.tensors.emplace_back().bytes = 4;
  graph.tensors.back().kind = TensorKind::Input;
  TensorId at(0);
  std::vector<std::vector<TensorId>> saved;
  for (int layer = 0; layer < layers; ++layer) {
    saved.push_back(make(make({at}, {4}, 100), {4, 2}, 1));
    at = saved.back()[0];
  }
  for (int layer = layers - 1; layer >= 0; --layer)
    at = make({at, saved[layer][0], saved[layer][1]}, {4}, 1)[0];
  graph.tensors[at.index].kind = TensorKind::Output;
  return graph;
}

// The first plan would run the costly ops again, although what they make may
// stay instead of the value and the mask that come of it.
TEST(Search, keeps_what_costs_more_to_make_than_to_keep) {
  const Graph graph = makeMaskedLayers(12);
  const GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  SolveLimits limits;
  limits.effort = 1;
  llvm::Expected<RematPlan> unplanned = searchWithoutProof(problem, limits);
  ASSERT_TRUE(bool(unplanned));
  problem.budgetBytes = unplanned->peakBytes - 8;
  llvm::Expected<RematPlan> plan = searchWithoutProof(problem, limits);
  ASSERT_TRUE(bool(plan));
  ASSERT_FALSE(plan->schedule.runs.empty());
  EXPECT_LT(plan->cost, unplanned->cost + 100);
}

} // namespace
