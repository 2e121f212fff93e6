//===- MaxBatchTest.cpp - The largest batch that fits ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/MaxBatch.h"
#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"

using namespace memplan;

namespace {

/// C(n) with so many bytes for each sample in every value; costs stay 1.
StepAtBatch chainOf(int n, int64_t bytesPerSample) {
  return [=](int64_t batch) -> llvm::Expected<Graph> {
    Graph graph = makeChain(n);
    for (Tensor &tensor : graph.tensors)
      tensor.bytes = bytesPerSample * batch;
    return graph;
  };
}

PlanOptions within(int64_t bytes, const char *remat) {
  PlanOptions options;
  options.remat = remat;
  options.alignmentBytes = 1;
  options.budgetBytes = bytes;
  return options;
}

int64_t largest(int n, const char *remat, const char *limit) {
  llvm::Expected<MaxBatch> found =
      maxBatch(chainOf(n, 2), 1, within(60, remat),
               llvm::cantFail(BatchLimit::parse(limit)));
  if (!found) {
    ADD_FAILURE() << takeMessage(found);
    return 0;
  }
  return found->best ? found->tried[*found->best].batch : 0;
}

// The paper's constraint (7) would be scaled by the batch, or count the loss as
// a part of the forward pass: C(4) may cost 13, C(8) may cost 25.
TEST(MaxBatch, CK12_one_more_forward_pass) {
  for (auto [n, allowed] : {std::pair(4, 13), {8, 25}}) {
    Graph graph = makeChain(n);
    EXPECT_EQ(2 * n + 1 + forwardCost(GraphIndex(graph)), allowed);
  }
  EXPECT_EQ(largest(4, "revolve", "forward"), 7);
  EXPECT_EQ(largest(8, "revolve", "forward"), 6);
  EXPECT_EQ(largest(4, "auto", "forward"), 7);
  EXPECT_EQ(largest(4, "checkpoint-all", "forward"), 5);
  EXPECT_EQ(largest(8, "checkpoint-all", "forward"), 3);
}

// A bound on the slowdown would be ignored: C(4) costs 9, 10 at five units and
// 11 at four.
TEST(MaxBatch, slowdowns_are_kept) {
  EXPECT_EQ(largest(4, "revolve", "1"), 5);
  EXPECT_EQ(largest(4, "revolve", "1.12"), 6);
  EXPECT_EQ(largest(4, "revolve", "1.23"), 7);
  EXPECT_EQ(largest(4, "revolve", "2"), 10);
}

// Batches between those of the grid would be passed over. Costs do not depend
// on the batch here, so that larger is cheaper by the sample until
// recomputations are expensive: 9/5, 10/6, 11/7, 15/10.
TEST(MaxBatch, least_cost_per_sample) {
  EXPECT_EQ(largest(4, "revolve", "per-sample"), 10);
}

// Where not one sample fits, a batch would be named all the same.
TEST(MaxBatch, nothing_fits) {
  llvm::Expected<MaxBatch> found =
      maxBatch(chainOf(4, 100), 8, within(60, "revolve"), {});
  ASSERT_THAT(found, Succeeds());
  EXPECT_FALSE(found->best);
  EXPECT_EQ(found->tried.front().batch, 1);
  EXPECT_THAT(maxBatch(chainOf(4, 1), 1, PlanOptions(), {}),
              FailsWith("needs a budget"));
  EXPECT_THAT(BatchLimit::parse("0.5"), FailsWith("at least 1"));
  EXPECT_THAT(BatchLimit::parse("nan"), FailsWith("at least 1"));
}

// Costs between measured batches would be guessed from one of them, and costs
// beyond them made up.
TEST(MaxBatch, costs_between_measured_batches) {
  auto chain = [](double cost) {
    Graph graph = makeChain(2);
    for (Node &node : graph.nodes)
      node.cost = cost;
    return graph;
  };
  BatchCosts costs;
  ASSERT_THAT(costs.add(32, chain(100)), Succeeds());
  ASSERT_THAT(costs.add(8, chain(40)), Succeeds());
  ASSERT_THAT(costs.add(16, chain(60)), Succeeds());
  auto at = [&](int64_t batch) {
    Graph graph = chain(1);
    llvm::Expected<bool> applied = costs.apply(batch, graph);
    EXPECT_TRUE(bool(applied));
    return *applied ? graph.nodes[1].cost : -1;
  };
  EXPECT_EQ(at(12), 50);
  EXPECT_EQ(at(24), 80);
  EXPECT_EQ(at(16), 1); // Measured: as the graph has it.
  EXPECT_EQ(at(4), -1);
  EXPECT_EQ(at(33), -1);
  EXPECT_THAT(costs.add(64, makeChain(3)), FailsWith("nodes"));
}

} // namespace
