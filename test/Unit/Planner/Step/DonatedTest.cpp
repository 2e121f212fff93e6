//===- DonatedTest.cpp - Donated inputs inside the arena ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "PlanOracle.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Planner/Step/PlanStep.h"

using namespace memplan;

namespace {

int64_t deviceBytes(const Graph &graph, const Plan &plan) {
  int64_t bytes = graph.persistentBytes() + plan.arenas[0].bytes;
  for (TensorId id : plan.arenas[0].owns)
    bytes -= graph[id].bytes;
  return bytes;
}

/// Three or four nodes that read one or two donated inputs, with outputs that
/// may lie over them.
Graph makeDonatedGraph(uint64_t seed) {
  Dice dice(seed * 104729);
  SmallGraph g;
  std::vector<TensorId> there;
  for (int64_t i = 0, n = 1 + dice.roll(2); i < n; ++i)
    there.push_back(
        g.caller((1 + dice.roll(4)) * 8, TensorKind::Input, /*donated=*/true));
  there.push_back(g.caller(8));
  for (int64_t i = 0, n = 3 + dice.roll(2); i < n; ++i) {
    TensorId a = there[size_t(dice.roll(int64_t(there.size())))];
    TensorId b = there.back();
    std::vector<TensorId> inputs = {a};
    if (b != a)
      inputs.push_back(b);
    const bool over = dice.chance(30) && (g.graph[a].donated || i > 0) &&
                      g.graph[a].kind != TensorKind::Parameter;
    const int64_t bytes = over ? g.graph[a].bytes : (1 + dice.roll(4)) * 8;
    there.push_back(
        g.op(inputs, bytes, over ? std::optional(a) : std::nullopt));
  }
  g.keep(there.back());
  return g.graph;
}

// The bytes of a donated input would stay taken after its last user, and
// budgets that plans can keep would be refused.
TEST(Donated, least_bytes_with_donated_inputs) {
  int reached = 0, reused = 0, total = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeDonatedGraph(seed);
    ASSERT_THAT(graph.check(), Succeeds());
    GraphIndex index(graph);
    const int64_t least =
        PlanOracle(index, OracleSpace::FreeOrder).smallest().peakBytes;
    PlanOptions options;
    options.alignmentBytes = 8;
    options.budgetBytes = least;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    EXPECT_NE(plan->status, SolveStatus::Infeasible);
    ++total;
    if (!plan->steps.empty()) {
      ++reached;
      EXPECT_EQ(plan->peakBytes, least);
      EXPECT_EQ(deviceBytes(graph, *plan), least);
      for (size_t i = 0; i < graph.tensors.size(); ++i)
        EXPECT_EQ(llvm::is_contained(plan->arenas[0].owns, TensorId(i)),
                  graph.tensors[i].donated);
      int64_t own = 0;
      for (const Placement &placement : plan->arenas[0].placements)
        own += graph[placement.tensor].bytes;
      reused += own > plan->arenas[0].bytes;
    }
    // Without a budget they are freed too; nothing is smaller than the oracle.
    llvm::Expected<Plan> free = planStep(graph, {});
    ASSERT_THAT(free, Succeeds());
    EXPECT_GE(free->peakBytes, least);
  }
  EXPECT_GT(reached, total * 3 / 4);
  EXPECT_GT(reused, total / 3);
}

// A plan whose arena ends before the donated input does would be refused where
// only bytes after its last user fit.
TEST(Donated, bytes_of_a_donated_input_are_used_again) {
  SmallGraph g;
  TensorId x = g.caller(1024, TensorKind::Input, /*donated=*/true);
  TensorId a = g.op({x}, 256), b = g.op({a}, 1024), c = g.op({b}, 256);
  g.keep(c);
  PlanOptions options;
  options.budgetBytes = 1280;
  llvm::Expected<Plan> plan = planStep(g.graph, options);
  ASSERT_THAT(plan, Succeeds());
  ASSERT_FALSE(plan->steps.empty());
  EXPECT_EQ(plan->arenas[0].bytes, 1280);
  EXPECT_EQ(plan->arenas[0].owns, std::vector<TensorId>{x});
  EXPECT_EQ(plan->peakBytes, 1280);
  options.budgetBytes = 1279;
  llvm::Expected<Plan> none = planStep(g.graph, options);
  ASSERT_THAT(none, Succeeds());
  EXPECT_EQ(none->status, SolveStatus::Infeasible);
}

} // namespace
