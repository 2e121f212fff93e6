//===- BudgetBoundTest.cpp - Budgets that cannot work ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/BudgetBound.h"
#include "ErrorMatchers.h"
#include "GraphBuilder.h"
#include "PlanOracle.h"
#include "Planner/Remat/TinyGraph.h"
#include "memplan/Planner/Bounds/ValueCut.h"
#include "memplan/Planner/Step/LeastBudget.h"

using namespace memplan;

namespace {

// A budget would be called impossible although a plan keeps it; or nothing
// would be said where all plans can be tried.
TEST(BudgetBound, is_never_above_the_smallest_plan) {
  int tight = 0, beyondWorkingSets = 0, compared = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeTinyGraph(seed);
    GraphIndex index(graph);
    const int64_t fixed =
        PlanOracle(index, OracleSpace::FixedOrder).smallest().peakBytes;
    PlanOptions source;
    source.order = "source";
    // As if a plan of a few bytes more were known.
    const BudgetBound bound =
        boundBudget(index, source, fixed + int64_t(seed % 3) * 8);
    EXPECT_LE(bound.bytes, fixed) << bound.reason;
    ++compared;
    tight += bound.bytes == fixed;
    beyondWorkingSets += bound.space == "fixed-order";
    PlanOptions any;
    any.order = "search";
    const BudgetBound free = boundBudget(index, any, fixed);
    EXPECT_EQ(free.space, "free-order");
    EXPECT_LE(free.bytes,
              PlanOracle(index, OracleSpace::FreeOrder).smallest().peakBytes);
  }
  EXPECT_GT(tight, compared / 2);
  EXPECT_GT(beyondWorkingSets, 10);
}

// Nobody would know what to make smaller.
TEST(BudgetBound, names_the_op_and_what_it_needs) {
  GraphBuilder g;
  const TensorId data = g.tensor(10, TensorKind::Input);
  const TensorId kept = g.tensor(7), large = g.tensor(20), last = g.tensor(1);
  g[g.node({data}, {kept})].recompute = false;
  g.node({data}, {large});
  g.node({large, kept}, {last});
  GraphIndex index(g.graph);
  PlanOptions options;
  options.order = "source";
  options.alignmentBytes = 1;
  BudgetBound bound = boundBudget(index, options, 38);
  EXPECT_EQ(bound.bytes, 38);
  EXPECT_EQ(describeReason(g.graph, bound),
            "the working set of node 2: tensor 2 (20 bytes), tensor 1 (7 "
            "bytes), tensor 3 (1 bytes)");
  options.budgetBytes = 37;
  llvm::Expected<Plan> none = planStep(g.graph, options);
  ASSERT_THAT(none, Succeeds());
  EXPECT_EQ(none->status, SolveStatus::Infeasible);
  EXPECT_EQ(none->boundBytes, 38);
  EXPECT_EQ(none->minimumBudgetBytes, 38);
  EXPECT_EQ(none->witnessNode, NodeId(2));
}

// What no recomputation brings back counts at every op between its making and
// its use.
TEST(BudgetBound, counts_what_nothing_makes_again) {
  GraphBuilder g;
  const TensorId data = g.tensor(10, TensorKind::Input);
  const TensorId kept = g.tensor(7), large = g.tensor(20), small = g.tensor(1),
                 last = g.tensor(1);
  g[g.node({data}, {kept})].recompute = false;
  g.node({data}, {large});
  g.node({large}, {small});
  g.node({small, kept}, {last});
  GraphIndex index(g.graph);
  PlanOptions options;
  options.order = "source";
  options.alignmentBytes = 1;
  const BudgetBound bound = boundBudget(index, options, 100);
  EXPECT_EQ(bound.bytes, 38);
  EXPECT_EQ(bound.space, "fixed-order");
  EXPECT_EQ(bound.node, NodeId(2));
  EXPECT_EQ(bound.tensors, (std::vector<TensorId>{kept, large, small}));
  llvm::Expected<std::optional<LeastBudget>> least =
      leastBudget(g.graph, options);
  ASSERT_THAT(least, Succeeds());
  ASSERT_TRUE(*least);
  EXPECT_EQ((*least)->bytes, 38);
  EXPECT_EQ((*least)->bound.bytes, 38);
}

// What can be recomputed only from something as large would count as free.
TEST(BudgetBound, counts_what_values_can_be_made_from) {
  GraphBuilder g;
  const TensorId data = g.tensor(10, TensorKind::Input);
  const TensorId once = g.tensor(9), kept = g.tensor(7), large = g.tensor(20),
                 small = g.tensor(1), last = g.tensor(1);
  g[g.node({data}, {once})].recompute = false;
  g.node({once}, {kept});
  g.node({data}, {large});
  g.node({large}, {small});
  g.node({small, kept}, {last});
  GraphIndex index(g.graph);
  const ContractedStep step(index, /*inPlace=*/true);
  const ValueCut cut = cutAt(OrderRows(step), 3);
  EXPECT_EQ(cut.values, std::vector<int32_t>{1});
  EXPECT_EQ(cut.bytes, 10 + 20 + 1 + 7);
  PlanOptions options;
  options.order = "source";
  options.alignmentBytes = 1;
  const BudgetBound bound = boundBudget(index, options, 100);
  EXPECT_EQ(bound.bytes, 38);
  EXPECT_EQ(bound.tensors, (std::vector<TensorId>{kept, large, small}));
}

// No cut may ask for more than the smallest plan has, at any op.
TEST(BudgetBound, cuts_are_never_above_the_smallest_plan) {
  int raised = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeTinyGraph(seed);
    graph.nodes.front().recompute = false;
    const GraphIndex index(graph);
    const int64_t fixed =
        PlanOracle(index, OracleSpace::FixedOrder).smallest().peakBytes;
    const ContractedStep step(index, /*inPlace=*/true);
    const OrderRows rows(step);
    const int64_t largest = largestCut(rows).bytes;
    for (int32_t op = 0; op < rows.numRows(); ++op) {
      const ValueCut cut = cutAt(rows, op);
      EXPECT_LE(cut.bytes, fixed);
      EXPECT_LE(cut.bytes, largest);
      EXPECT_GE(cut.bytes, rows.bytesAt(op));
      raised += cut.bytes > rows.bytesAt(op);
    }
  }
  EXPECT_GT(raised, 10);
}

} // namespace
