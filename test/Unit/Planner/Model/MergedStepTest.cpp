//===- MergedStepTest.cpp - Merging against all plans ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Model/MergedStep.h"
#include "../Remat/TinyGraph.h"
#include "LiveSetSearch.h"
#include "PeakMilp.h"
#include "PlanOracle.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <cmath>
#include <numeric>

using namespace memplan;

namespace {

/// A random graph with more to merge: ops without cost, outputs that the same
/// ops read, and values that are passed on.
class MergeableGraph {
public:
  explicit MergeableGraph(uint64_t seed)
      : dice(seed * 104'729), graph(makeTinyGraph(seed, 3 + int(seed % 3))) {
    for (Node &node : graph.nodes)
      if (dice.chance(40)) {
        node.cost = 0;
        node.variants.clear();
        node.workspaceBytes = dice.chance(70) ? 0 : node.workspaceBytes;
      }
    if (dice.chance(60))
      addIdentical();
    for (int i = 0; i < 2; ++i)
      if (dice.chance(70) && graph.nodes.size() < 7)
        passOn();
    EXPECT_FALSE(llvm::errorToBool(graph.check()));
  }

  Dice dice;
  Graph graph;

private:
  /// Readers of a value of its own, and views that it has.
  std::vector<Node *> usersOf(TensorId tensor) {
    std::vector<Node *> users;
    for (Node &node : graph.nodes)
      if (llvm::is_contained(node.inputs, tensor))
        users.push_back(&node);
    return users;
  }
  TensorId addTensor(int64_t bytes) {
    Tensor tensor;
    tensor.externalId = 5000 + int64_t(graph.tensors.size());
    tensor.bytes = bytes;
    graph.tensors.push_back(tensor);
    return TensorId(graph.tensors.size() - 1);
  }
  std::optional<TensorId> anOutput(const Node &node) const {
    for (TensorId tensor : node.outputs)
      if (!graph[tensor].viewOf && graph[tensor].kind != TensorKind::Output)
        return tensor;
    return std::nullopt;
  }

  void addIdentical() {
    const size_t at = size_t(dice.roll(int64_t(graph.nodes.size())));
    const std::optional<TensorId> of = anOutput(graph.nodes[at]);
    if (!of)
      return;
    const TensorId second = addTensor(8 * (1 + dice.roll(2)));
    for (Node *user : usersOf(*of))
      user->inputs.push_back(second);
    graph.nodes[at].outputs.push_back(second);
    // Some stay identical only if nothing lies over them.
    if (dice.chance(70))
      for (Node &node : graph.nodes)
        llvm::erase_if(node.inPlace, [&](const InPlacePair &pair) {
          return pair.input == *of || pair.output == *of;
        });
  }

  /// Puts an op behind another one that its users read instead.
  void passOn() {
    const size_t at = size_t(dice.roll(int64_t(graph.nodes.size())));
    const std::optional<TensorId> of = anOutput(graph.nodes[at]);
    if (!of)
      return;
    const int64_t bytes = graph[*of].bytes;
    const TensorId made =
        addTensor(dice.chance(70) ? bytes : 8 * (1 + dice.roll(3)));
    for (Node *user : usersOf(*of)) {
      std::replace(user->inputs.begin(), user->inputs.end(), *of, made);
      for (InPlacePair &pair : user->inPlace)
        pair.input = pair.input == *of ? made : pair.input;
    }
    Node node;
    node.externalId = 9000 + int64_t(graph.nodes.size());
    node.cost = double(dice.roll(4));
    node.inputs = {*of};
    node.outputs = {made};
    if (dice.chance(60))
      node.inPlace = {{made, *of}};
    graph.nodes.insert(graph.nodes.begin() + int64_t(at) + 1, node);
  }
};

struct Case {
  Case(uint64_t seed)
      : graph(MergeableGraph(seed).graph), index(graph), inPlace(seed % 4 != 0),
        step(index, inPlace), merged(step) {}

  /// Bytes of the sequence in ops of the graph; infinite where it is no plan:
  /// live sets know neither versions nor what dies with its base.
  int64_t peakOf(llvm::ArrayRef<int32_t> sequence, double &cost) const {
    RematProblem problem;
    problem.index = &index;
    problem.inPlace = inPlace;
    Schedule schedule = step.expand(sequence);
    if (llvm::errorToBool(verifySchedule(index, schedule)))
      return std::numeric_limits<int64_t>::max();
    const RematPlan plan = measurePlan(problem, std::move(schedule));
    cost = plan.cost;
    return plan.peakBytes;
  }

  Graph graph;
  GraphIndex index;
  bool inPlace;
  ContractedStep step;
  MergedStep merged;
};

// Merging would lose the cheapest plan, call what fits impossible, or make
// plans that break the budget.
TEST(MergedStep, has_the_optimum_of_the_step_at_every_budget) {
  const char *times = std::getenv("MEMPLAN_ORACLE_RUNS");
  const int count = 600 * (times ? std::max(1, std::atoi(times)) : 1);
  int identical = 0, free = 0, series = 0, changed = 0, kept = 0, exact = 0;
  for (int seed = 1; seed <= count; ++seed) {
    const Case is{uint64_t(seed)};
    identical += is.merged.numIdentical() > 0;
    free += is.merged.numFree() > 0;
    series += is.merged.numSeries() > 0;
    changed +=
        is.merged.numIdentical() + is.merged.numFree() + is.merged.numSeries() >
        0;
    PlanOracle oracle(is.index, OracleSpace::FixedOrder, is.inPlace);
    const int64_t least = oracle.smallest().peakBytes;
    const OrderRows rows(is.step), fewer(is.merged.step());
    EXPECT_NEAR(rows.leastCost(), fewer.leastCost(), 1e-9);
    for (int64_t budget : {least - 8, least, least + 8, least + 24}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                   std::to_string(budget));
      const LiveSetAnswer plain =
          searchLiveSets(rows, budget, INFINITY, {}, 100'000);
      const LiveSetAnswer answer =
          searchLiveSets(fewer, budget, INFINITY, {}, 100'000);
      ASSERT_EQ(plain.outcome, answer.outcome);
      const std::optional<PlanOracle::Answer> best = oracle.cheapest(budget);
      if (answer.outcome != LiveSetAnswer::Outcome::Cheapest) {
        EXPECT_FALSE(best);
        continue;
      }
      EXPECT_NEAR(plain.cost, answer.cost, 1e-9);
      if (best)
        EXPECT_LE(answer.cost, best->cost + 1e-9);
      double costBefore, costNow;
      const int64_t before = is.peakOf(plain.sequence, costBefore);
      const int64_t now =
          is.peakOf(is.merged.expand(answer.sequence, false), costNow);
      // Both may take more than they count, for views and storages.
      kept += now <= budget;
      exact += before <= budget;
      if (before <= budget && now <= budget && is.step.costOutside() == 0)
        EXPECT_NEAR(costBefore, costNow, 1e-9);
      // A known plan has a point, and comes back the same or smaller.
      double again;
      EXPECT_LE(
          is.peakOf(is.merged.expand(is.merged.merge(plain.sequence), false),
                    again),
          std::max(before, budget));
      EXPECT_LE(again, costBefore + 1e-9);
    }
  }
  RecordProperty("changed", changed);
  EXPECT_GT(changed, count / 3);
  EXPECT_GT(identical, count / 20);
  EXPECT_GT(free, count / 30);
  EXPECT_GT(series, count / 10);
  EXPECT_GE(kept, exact);
}

} // namespace
