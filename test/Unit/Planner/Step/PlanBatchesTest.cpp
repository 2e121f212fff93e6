//===- PlanBatchesTest.cpp - One plan for every batch of a range ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PlanBatches.h"
#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "RandomGraph.h"
#include "memplan/Plan/BatchPlan.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "llvm/Support/raw_ostream.h"

using namespace memplan;

namespace {

/// A random step; each tensor has bytes of its own, and more for each sample.
StepAtBatch randomSteps(uint64_t seed) {
  return [=](int64_t batch) -> llvm::Expected<Graph> {
    Graph graph = makeRandomGraph(seed, 4 + int(seed % 15));
    Dice dice(seed + 1000);
    for (Tensor &tensor : graph.tensors) {
      const int64_t perSample = dice.chance(60) ? dice.roll(70) : 0;
      if (!tensor.viewOf)
        tensor.bytes += perSample * batch;
    }
    // Scratch of kernels follows no formula.
    for (Node &node : graph.nodes)
      if (node.workspaceBytes > 0)
        node.workspaceBytes += batch * batch % 7 * dice.roll(30);
    return graph;
  };
}

PlanOptions quickly() {
  PlanOptions options;
  options.alignmentBytes = 16;
  options.limits.effort = 1;
  return options;
}

int64_t arenaBytes(const Plan &plan) { return plan.arenas.front().bytes; }

// If what was proved at the breakpoints did not hold at some batch, the plan of
// that batch would be refused by the verifier, which knows nothing of ranges.
TEST(PlanBatches, random_plans_verify_at_every_batch) {
  int64_t batches = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const StepAtBatch stepAt = randomSteps(seed);
    const int64_t least = 1 + int64_t(seed % 3),
                  most = least + int64_t(seed % 23);
    llvm::Expected<BatchPlan> made =
        planBatches(stepAt, least, most, quickly());
    ASSERT_THAT(made, Succeeds());
    ASSERT_TRUE(made->plan.batches);
    // A file says all of it.
    std::string text;
    llvm::raw_string_ostream os(text);
    writePlan(made->graph, made->plan, os);
    llvm::Expected<Plan> read = parsePlan(made->graph, text);
    ASSERT_THAT(read, Succeeds());
    EXPECT_THAT(verifyPlan(GraphIndex(made->graph), *read), Succeeds());
    for (int64_t batch = least; batch <= most; ++batch, ++batches) {
      SCOPED_TRACE("batch " + std::to_string(batch));
      Graph step = llvm::cantFail(stepAt(batch));
      GraphIndex index(step);
      llvm::Expected<Plan> at = planAtBatch(index, *read, batch);
      ASSERT_THAT(at, Succeeds());
      EXPECT_THAT(verifyPlan(index, *at), Succeeds());
    }
    const ComparedBatch &largest = made->compared.front();
    EXPECT_EQ(largest.batch, most);
    EXPECT_LE(largest.deviceBytes,
              largest.ownDeviceBytes + largest.ownArenaBytes / 1000);
    EXPECT_EQ(made->compared.back().batch, least);
  }
  EXPECT_GT(batches, 500);
}

/// C(n) with so many bytes for each sample in every value.
StepAtBatch chainOf(int n, int64_t bytesPerSample) {
  return [=](int64_t batch) -> llvm::Expected<Graph> {
    Graph graph = makeChain(n);
    for (Tensor &tensor : graph.tensors)
      tensor.bytes = bytesPerSample * batch;
    return graph;
  };
}

// All bytes of a chain are of the batch: one plan is as good as any at each.
TEST(PlanBatches, a_chain_costs_no_byte_at_any_batch) {
  PlanOptions options;
  options.alignmentBytes = 16;
  llvm::Expected<BatchPlan> made = planBatches(chainOf(6, 32), 1, 20, options);
  ASSERT_THAT(made, Succeeds());
  ASSERT_EQ(made->compared.size(), 3u);
  for (const ComparedBatch &at : made->compared) {
    EXPECT_TRUE(at.hasOwn);
    EXPECT_EQ(at.arenaBytes, at.ownArenaBytes) << at.batch;
    EXPECT_EQ(at.arenaBytes % at.batch, 0) << at.batch;
  }
}

// A budget would be kept at the largest batch alone, or by no recomputation.
TEST(PlanBatches, a_budget_holds_at_the_largest_batch_and_below) {
  PlanOptions options;
  options.alignmentBytes = 1;
  options.budgetBytes = 2 * 10 * 6; // C(8) takes nine values without it.
  llvm::Expected<BatchPlan> made = planBatches(chainOf(8, 2), 1, 10, options);
  ASSERT_THAT(made, Succeeds());
  ASSERT_TRUE(hasSteps(made->plan.status));
  EXPECT_GT(made->plan.cost, 17);
  EXPECT_LE(arenaBytes(made->plan), *options.budgetBytes);
  options.budgetBytes = 10;
  made = planBatches(chainOf(8, 2), 1, 10, options);
  ASSERT_THAT(made, Succeeds());
  EXPECT_FALSE(hasSteps(made->plan.status));
}

TEST(PlanBatches, batches_outside_and_other_steps_are_refused) {
  PlanOptions options;
  options.alignmentBytes = 1;
  llvm::Expected<BatchPlan> made = planBatches(chainOf(4, 2), 2, 8, options);
  ASSERT_THAT(made, Succeeds());
  auto at = [&](const StepAtBatch &steps, int64_t batch, int64_t asked) {
    Graph step = llvm::cantFail(steps(batch));
    GraphIndex index(step);
    return takeMessage(planAtBatch(index, made->plan, asked).takeError());
  };
  EXPECT_EQ(at(chainOf(4, 2), 5, 5), "");
  EXPECT_EQ(at(chainOf(4, 2), 9, 9),
            "the plan is for batches from 2 to 8, not for 9; plan again with "
            "--batch=2:9");
  EXPECT_NE(at(chainOf(4, 2), 1, 1).find("--batch=1:8"), std::string::npos);
  EXPECT_NE(at(chainOf(4, 3), 5, 5).find("of another step"), std::string::npos);
  EXPECT_NE(at(chainOf(4, 2), 6, 5).find("of another step"), std::string::npos);
  EXPECT_NE(at(chainOf(5, 2), 5, 5).find("of another step"), std::string::npos);
  EXPECT_THAT(planBatches(chainOf(4, 2), 5, 4, options),
              FailsWith("no batches from 5 to 4"));
}

// A matrix of batch x batch would get the bytes of a line.
TEST(PlanBatches, bytes_that_are_not_affine_are_refused) {
  StepAtBatch square = [](int64_t batch) -> llvm::Expected<Graph> {
    Graph graph = makeChain(2);
    for (Tensor &tensor : graph.tensors)
      tensor.bytes = 4 * batch;
    graph.tensors[1].bytes = batch * batch;
    return graph;
  };
  EXPECT_THAT(planBatches(square, 1, 8, PlanOptions()), FailsWith("tensor 1"));
  EXPECT_THAT(planBatches(square, 1, 8, PlanOptions()),
              FailsWith("64 bytes at batch 8, 1 at 1 and 16 at 4"));
}

// A kernel that takes more scratch than it said would write over its
// neighbours.
TEST(PlanBatches, more_scratch_than_planned_is_refused) {
  auto steps = [](int64_t more) -> StepAtBatch {
    return [=](int64_t batch) -> llvm::Expected<Graph> {
      Graph graph = makeChain(3);
      for (Tensor &tensor : graph.tensors)
        tensor.bytes = 4 * batch;
      graph.nodes[2].workspaceBytes = 10 * (batch % 3) + more;
      return graph;
    };
  };
  PlanOptions options;
  options.alignmentBytes = 1;
  llvm::Expected<BatchPlan> made = planBatches(steps(0), 1, 6, options);
  ASSERT_THAT(made, Succeeds());
  for (int64_t batch = 1; batch <= 6; ++batch) {
    Graph fits = llvm::cantFail(steps(0)(batch)),
          larger = llvm::cantFail(steps(100)(batch));
    EXPECT_THAT(planAtBatch(GraphIndex(fits), made->plan, batch), Succeeds());
    EXPECT_THAT(planAtBatch(GraphIndex(larger), made->plan, batch),
                FailsWith("bytes of scratch"));
  }
}

} // namespace
