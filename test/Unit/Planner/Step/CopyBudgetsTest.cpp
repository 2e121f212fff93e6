//===- CopyBudgetsTest.cpp - Budgets of plans with copies and streams -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Planner/Step/LeastBudget.h"
#include "memplan/Planner/Step/PackedPlan.h"

using namespace memplan;

namespace {

/// A random graph whose copies take about as long as its nodes.
Graph makeGraphWithCopies(uint64_t seed, int nodes) {
  Graph graph = makeRandomGraph(seed, nodes);
  Dice dice(seed);
  graph.bandwidth = Bandwidth{double(1 + dice.roll(40)),
                              double(1 + dice.roll(40)), double(dice.roll(3))};
  return graph;
}

PlanOptions optionsFor(const char *remat, const char *swap, int64_t effort) {
  PlanOptions options;
  options.remat = remat;
  options.swap = swap;
  options.alignmentBytes = 8;
  options.limits.effort = effort;
  return options;
}

// Who asks for the least budget would be told one that does not work, or be
// refused.
TEST(CopyBudgets, the_least_budget_works_with_copies_and_on_streams) {
  int lower = 0;
  for (const char *swap : {"none", "search", "tflms"})
    for (int64_t streams : {1, 2})
      for (uint64_t seed = 1; seed <= 6; ++seed) {
        if (swap == std::string("none") && streams == 1)
          continue;
        SCOPED_TRACE(std::string(swap) + ", " + std::to_string(streams) +
                     " streams, seed " + std::to_string(seed));
        const Graph graph = makeGraphWithCopies(seed, 12);
        PlanOptions options = optionsFor("auto", swap, 300);
        options.streams = streams;
        llvm::Expected<std::optional<LeastBudget>> least =
            leastBudget(graph, options);
        ASSERT_THAT(least, Succeeds());
        ASSERT_TRUE(*least);
        EXPECT_LE((*least)->bound.bytes, (*least)->bytes);
        EXPECT_LE(deviceBytesOf(graph, (*least)->plan), (*least)->bytes);
        for (int64_t more : {0, 1, 16}) {
          options.budgetBytes = (*least)->bytes + more;
          llvm::Expected<Plan> plan = planStep(graph, options);
          ASSERT_THAT(plan, Succeeds());
          EXPECT_TRUE(hasSteps(plan->status));
        }
        options.budgetBytes = std::nullopt;
        options.remat = "checkpoint-all";
        options.swap = "none";
        options.streams = 1;
        llvm::Expected<std::optional<LeastBudget>> kept =
            leastBudget(graph, options);
        ASSERT_THAT(kept, Succeeds());
        lower += swap != std::string("none") && *kept &&
                 (*least)->bytes < (*kept)->bytes;
      }
  EXPECT_GT(lower, 4);
}

/// What runs once is read at the end, beside large values in between.
Graph makeHeldValue() {
  SmallGraph small;
  const TensorId batch = small.caller(8, TensorKind::Input);
  const TensorId drawn = small.op({batch}, 400);
  small.lastNode().recompute = false;
  TensorId value = small.op({batch}, 8);
  for (int i = 0; i < 4; ++i)
    value = small.op({small.op({value}, 400)}, 8);
  small.keep(small.op({value, drawn}, 8));
  small.graph.bandwidth = Bandwidth{1000, 1000, 0};
  return std::move(small.graph);
}

// A budget would be called impossible because of what cannot be recomputed,
// although a copy of it saves the step.
TEST(CopyBudgets, what_cannot_be_recomputed_can_be_copied) {
  const Graph graph = makeHeldValue();
  PlanOptions options = optionsFor("auto", "none", 400);
  options.alignmentBytes = 1;
  options.budgetBytes = 500;
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_EQ(plan->status, SolveStatus::Infeasible);
  options.swap = "search";
  plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_TRUE(hasSteps(plan->status)) << plan->note;
}

// Who lets the planner recompute beside copies by rules would be told a larger
// budget than either takes alone, and refused within it.
TEST(CopyBudgets, recomputation_and_rules_together_need_no_more_than_alone) {
  int lower = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = seed == 1 ? makeChain(12) : makeGraphWithCopies(seed, 14);
    graph.bandwidth = Bandwidth{0.5, 0.5, 0};
    auto leastOf = [&](const char *remat, const char *swap) {
      const PlanOptions options = optionsFor(remat, swap, 300);
      llvm::Expected<std::optional<LeastBudget>> least =
          leastBudget(graph, options);
      EXPECT_THAT(least, Succeeds());
      return (*least)->bytes;
    };
    const int64_t recomputed = leastOf("auto", "none");
    const int64_t copied = leastOf("checkpoint-all", "tflms");
    EXPECT_LE(leastOf("auto", "tflms"), std::min(recomputed, copied));
    lower += copied != recomputed;
    PlanOptions options = optionsFor("auto", "tflms", 300);
    options.budgetBytes = std::min(recomputed, copied);
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    EXPECT_TRUE(hasSteps(plan->status)) << plan->note;
  }
  EXPECT_GT(lower, 1);
}

// The user would not know what to ask for instead.
TEST(CopyBudgets, an_impossible_budget_is_explained) {
  const Graph graph = makeHeldValue();
  for (const char *swap : {"search", "tflms"}) {
    SCOPED_TRACE(swap);
    PlanOptions options = optionsFor("auto", swap, 400);
    options.alignmentBytes = 1;
    options.budgetBytes = 410;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    EXPECT_EQ(plan->status, SolveStatus::Infeasible);
    EXPECT_EQ(plan->boundBytes, 424);
    EXPECT_TRUE(plan->witnessNode);
    ASSERT_TRUE(plan->minimumBudgetBytes);
    options.budgetBytes = plan->minimumBudgetBytes;
    plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    EXPECT_TRUE(hasSteps(plan->status));
  }
}

} // namespace
