//===- SlowCopiesTest.cpp - Copies that take longer than the step ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "memplan/Planner/Step/PlanStep.h"

using namespace memplan;

namespace {

constexpr int64_t layerBytes = 100;

struct Chain {
  int layers = 8;
  bool runsOnce = false;
  int64_t workspaceBytes = 0; ///< Of the second backward node.
  double rate = 1;            ///< Bytes of a copy for each unit of cost.
};

/// Layers of equal bytes, forward and back: the backward pass of each reads
/// what its forward pass read.
Graph makeChain(const Chain &chain) {
  Graph graph;
  graph.name = "chain";
  graph.bandwidth = Bandwidth{chain.rate, chain.rate, 0};
  auto addTensor = [&](TensorKind kind) {
    Tensor tensor;
    tensor.externalId = int64_t(graph.tensors.size());
    tensor.bytes = layerBytes;
    tensor.kind = kind;
    graph.tensors.push_back(tensor);
    return TensorId(graph.tensors.size() - 1);
  };
  auto addNode = [&](std::vector<TensorId> inputs, TensorId output) {
    Node node;
    node.externalId = int64_t(graph.nodes.size());
    node.cost = 1;
    node.inputs = std::move(inputs);
    node.outputs = {output};
    node.recompute = !chain.runsOnce;
    graph.nodes.push_back(std::move(node));
  };
  std::vector<TensorId> forward{addTensor(TensorKind::Input)};
  for (int layer = 0; layer < chain.layers; ++layer) {
    const TensorId made = addTensor(TensorKind::Activation);
    addNode({forward.back()}, made);
    forward.push_back(made);
  }
  TensorId gradient = forward.back();
  for (int layer = chain.layers; layer-- > 0;) {
    const TensorId made =
        addTensor(layer == 0 ? TensorKind::Output : TensorKind::Activation);
    if (gradient == forward[layer])
      addNode({gradient}, made);
    else
      addNode({gradient, forward[layer]}, made);
    graph.nodes.back().backward = true;
    gradient = made;
  }
  graph.nodes[chain.layers + 1].workspaceBytes = chain.workspaceBytes;
  return graph;
}

PlanOptions copiesAlone(int64_t budget) {
  PlanOptions options;
  options.remat = "checkpoint-all";
  options.swap = "search";
  options.order = "source";
  options.alignmentBytes = 1;
  options.budgetBytes = budget;
  options.limits.effort = 4000;
  return options;
}

// Where a copy takes longer than the step, each fetch would begin before the
// peak that it is to relieve, and no budget below the unplanned bytes would
// have a plan.
TEST(SlowCopies, every_budget_above_the_working_set_has_a_plan) {
  for (const Chain &chain :
       {Chain{.layers = 4}, Chain{.layers = 8}, Chain{.layers = 16},
        Chain{.layers = 8, .runsOnce = true},
        Chain{.layers = 8, .workspaceBytes = 3 * layerBytes},
        Chain{.layers = 8, .runsOnce = true, .workspaceBytes = 3 * layerBytes},
        Chain{.layers = 8, .rate = 0.01}, Chain{.layers = 8, .rate = 10}}) {
    const Graph graph = makeChain(chain);
    // Input, gradient, what it reads and what it makes.
    const int64_t least = 4 * layerBytes + chain.workspaceBytes;
    for (int64_t budget :
         {least, least + layerBytes, least + chain.layers * layerBytes / 2}) {
      SCOPED_TRACE(std::to_string(chain.layers) + " layers, rate " +
                   std::to_string(chain.rate) + ", budget " +
                   std::to_string(budget));
      llvm::Expected<Plan> plan = planStep(graph, copiesAlone(budget));
      ASSERT_TRUE(bool(plan)) << takeMessage(plan);
      EXPECT_TRUE(hasSteps(plan->status));
    }
  }
}

// Walks would end where live bytes do, although small tensors at aligned
// offsets take more than twice as many: budgets in between would have no plan,
// or the slow one of the smallest.
TEST(SlowCopies, aligned_offsets_of_small_tensors_leave_no_gap) {
  constexpr int64_t aligned = 256;
  const Graph graph =
      makeChain({.layers = 8, .runsOnce = true, .workspaceBytes = 300});
  PlanOptions options = copiesAlone(0);
  options.alignmentBytes = aligned;
  options.budgetBytes.reset();
  llvm::Expected<Plan> unplanned = planStep(graph, options);
  ASSERT_TRUE(bool(unplanned)) << takeMessage(unplanned);
  const int64_t most = layerBytes + unplanned->arenas.front().bytes;
  ASSERT_GT(most, 8 * aligned);
  double slowest = 0, fastest = 0;
  for (int64_t budget = 6 * aligned; budget < most; budget += aligned) {
    options.budgetBytes = budget;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_TRUE(bool(plan)) << takeMessage(plan);
    ASSERT_TRUE(hasSteps(plan->status)) << budget;
    fastest = plan->makespan();
    slowest = std::max(slowest, fastest);
  }
  EXPECT_LT(fastest, slowest / 2);
}

} // namespace
