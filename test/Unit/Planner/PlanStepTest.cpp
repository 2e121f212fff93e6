//===- PlanStepTest.cpp - Whole steps within a budget ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PlanStep.h"
#include "ErrorMatchers.h"
#include "RandomGraph.h"
#include "RematGraphs.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Support/Random.h"
#include "llvm/Support/raw_ostream.h"

using namespace memplan;

namespace {

int64_t deviceBytes(const Graph &graph, const Plan &plan) {
  return graph.persistentBytes() + plan.arenas[0].bytes;
}

std::string textOf(const Graph &graph, const Plan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(graph, plan, os);
  return text;
}

/// A budget between what is always there and what the step takes without
/// recomputation.
int64_t budgetAt(const Graph &graph, int percent) {
  llvm::Expected<Plan> plan = planStep(graph, {});
  EXPECT_THAT(plan, Succeeds());
  return graph.persistentBytes() + plan->arenas[0].bytes * percent / 100;
}

// The arena would not keep the budget after packing.
TEST(PlanAction, arena_fits_the_budget) {
  Graph graph = makeResidualNet(12);
  GraphIndex index(graph);
  for (int percent : {100, 80, 60})
    for (const char *sharing : {"none", "counter"}) {
      PlanOptions options;
      options.remat = "greedy";
      options.sharing = sharing;
      options.alignmentBytes = 64;
      options.budgetBytes = budgetAt(graph, percent);
      llvm::Expected<Plan> plan = planStep(graph, options);
      ASSERT_THAT(plan, Succeeds()) << percent << " " << sharing;
      if (plan->steps.empty()) {
        EXPECT_STREQ(sharing, "counter")
            << percent; // Whole storages may need more.
        continue;
      }
      EXPECT_LE(deviceBytes(graph, *plan), *options.budgetBytes);
      EXPECT_GE(deviceBytes(graph, *plan), plan->peakBytes);
      EXPECT_THAT(verifyPlan(index, *plan, *options.budgetBytes), Succeeds());
    }
}

// A name that nobody knows would be taken for something else.
TEST(PlanAction, unknown_names_list_the_valid_ones) {
  Graph graph = makeChain(3);
  auto with = [&](auto set) {
    PlanOptions options;
    set(options);
    return planStep(graph, options);
  };
  EXPECT_THAT(
      with([](PlanOptions &o) { o.remat = "best"; }),
      FailsWith(
          "unknown remat solver 'best'; there are 'auto', 'checkpoint-all'"));
  EXPECT_THAT(with([](PlanOptions &o) { o.arena = "tight"; }),
              FailsWith("unknown arena solver 'tight'; there are 'auto'"));
  EXPECT_THAT(
      with([](PlanOptions &o) { o.sharing = "all"; }),
      FailsWith("unknown sharing solver 'all'; there are 'auto', 'none'"));
  EXPECT_THAT(
      with([](PlanOptions &o) { o.order = "best"; }),
      FailsWith("unknown order solver 'best'; there are 'auto', 'source'"));
  EXPECT_THAT(with([](PlanOptions &o) { o.alignmentBytes = 48; }),
              FailsWith("not a power of two"));
  EXPECT_THAT(with([](PlanOptions &o) { o.budgetBytes = -1; }),
              FailsWith("not positive"));
}

// A budget that nothing meets would not say why, nor what would work.
TEST(PlanAction, a_proved_failure_names_node_bound_and_budget) {
  Graph graph = makeSmallUNet();
  PlanOptions options;
  options.remat = "greedy";
  options.alignmentBytes = 1;
  options.budgetBytes = 20;
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_EQ(plan->status, SolveStatus::Infeasible);
  EXPECT_EQ(plan->boundBytes, 21);
  EXPECT_EQ(plan->witnessNode, NodeId(6));
  EXPECT_EQ(plan->witnessTensors.size(), 4u);
  ASSERT_TRUE(plan->minimumBudgetBytes);
  options.budgetBytes = *plan->minimumBudgetBytes;
  llvm::Expected<Plan> works = planStep(graph, options);
  ASSERT_THAT(works, Succeeds());
  EXPECT_FALSE(works->steps.empty());
}

// A failure without a proof would be called one.
TEST(PlanAction, an_unproved_failure_is_no_plan) {
  Graph graph = makeSmallUNet();
  PlanOptions options;
  options.remat = "checkpoint-all";
  options.alignmentBytes = 1;
  options.budgetBytes = 22;
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_EQ(plan->status, SolveStatus::NoPlan);
  EXPECT_TRUE(plan->witnessNode);
  ASSERT_TRUE(plan->minimumBudgetBytes);
  EXPECT_GT(*plan->minimumBudgetBytes, 22);
  EXPECT_LT(*plan->minimumBudgetBytes, 40);
}

// A budget would be called too small although a plan for it is known.
TEST(PlanAction, failures_ask_for_more_than_the_budget) {
  Graph graph = makeResidualNet(12);
  for (int percent = 30; percent < 100; percent += 5) {
    PlanOptions options;
    options.remat = "greedy";
    options.alignmentBytes = 64;
    options.limits.effort = 1; // Gives up where the search for advice does not.
    options.budgetBytes = budgetAt(graph, percent);
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds()) << percent;
    if (plan->steps.empty())
      EXPECT_GT(plan->minimumBudgetBytes, options.budgetBytes) << percent;
    else
      EXPECT_LE(deviceBytes(graph, *plan), *options.budgetBytes) << percent;
  }
}

// The same input would give another plan on another run or machine.
TEST(PlanAction, the_same_bytes_in_every_run) {
  Graph graph = makeResidualNet(6);
  PlanOptions options;
  options.remat = "greedy";
  options.budgetBytes = budgetAt(graph, 70);
  options.limits.effort = 3000;
  std::string first;
  for (int run = 0; run < 20; ++run) {
    options.limits.threads = 1 << run % 3;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    std::string text = textOf(graph, *plan);
    if (run == 0)
      first = text;
    ASSERT_EQ(text, first) << "run " << run;
  }
  EXPECT_NE(first.find("compute"), std::string::npos);
}

// The integer program would take another path with other threads.
TEST(PlanAction, milp_gives_the_same_bytes_in_every_run) {
  Graph graph = makeChain(5);
  PlanOptions options;
  options.remat = "milp";
  options.alignmentBytes = 1;
  options.budgetBytes = 4;
  std::string first;
  for (int run = 0; run < 20; ++run) {
    options.limits.threads = 1 << run % 3;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    ASSERT_FALSE(plan->steps.empty());
    if (run == 0)
      first = textOf(graph, *plan);
    ASSERT_EQ(textOf(graph, *plan), first) << "run " << run;
  }
}

// Ctrl-C would lose the plan, or not end.
TEST(PlanAction, stopping_returns_what_is_known) {
  Graph graph = makeResidualNet(24);
  std::atomic<bool> stop = false;
  int reports = 0;
  PlanOptions options;
  options.remat = "greedy";
  options.budgetBytes = budgetAt(graph, 80);
  options.limits.stop = &stop;
  options.limits.progress = [&](const Progress &) {
    ++reports;
    stop = true;
  };
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_FALSE(plan->steps.empty());
  EXPECT_EQ(reports, 1);
}

/// makeChain() with other sizes and costs, alike on the way there and back.
Graph chainOfRandomSizes(uint64_t seed, int length) {
  Random random(seed);
  Graph graph = makeChain(length);
  const size_t last = graph.nodes.size() - 1;
  for (size_t i = 0; i <= last / 2; ++i) {
    const int64_t bytes = int64_t(1) << random.below(7);
    const double cost = 1 + random.below(16);
    for (size_t at : {i, last - i}) {
      graph.tensors[graph.nodes[at].outputs[0].index].bytes = bytes;
      graph.nodes[at].cost = cost;
    }
  }
  return graph;
}

// A search that packs badly would lose to a checkpointing that packs well.
TEST(PlanAction, greedy_never_costs_more_than_the_checkpointing_family) {
  int compared = 0;
  auto compare = [&](const Graph &graph, int percent) {
    PlanOptions options;
    options.alignmentBytes = 1;
    options.arena = "best-fit"; // Packs badly enough to matter.
    options.limits.effort = 20000;
    options.budgetBytes = budgetAt(graph, percent);
    options.remat = "greedy";
    llvm::Expected<Plan> greedy = planStep(graph, options);
    ASSERT_THAT(greedy, Succeeds());
    for (const char *member :
         {"ap-greedy", "linearized-greedy", "ap-sqrt", "linearized-sqrt"}) {
      options.remat = member;
      llvm::Expected<Plan> plan = planStep(graph, options);
      ASSERT_THAT(plan, Succeeds());
      if (plan->steps.empty() || plan->solver != member)
        continue;
      ++compared;
      ASSERT_FALSE(greedy->steps.empty()) << percent << " " << member;
      EXPECT_LE(greedy->cost, plan->cost) << percent << " " << member;
    }
  };
  for (int percent = 45; percent < 100; percent += 5) {
    compare(makeChain(24), percent);
    for (uint64_t seed = 1; seed <= 40; ++seed)
      compare(chainOfRandomSizes(seed, 10), percent);
  }
  EXPECT_GT(compared, 20);
}

// Views, several outputs, updates, workspaces or donated inputs would break the
// road to offsets.
TEST(PlanAction, graphs_with_everything) {
  int planned = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Graph graph = makeRandomGraph(seed, 14);
    PlanOptions options;
    options.remat = "greedy";
    options.alignmentBytes = 8;
    options.limits.effort = 1000;
    options.budgetBytes = std::max<int64_t>(1, budgetAt(graph, 75));
    // planStep() verifies what it returns.
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_TRUE(bool(plan)) << "seed " << seed << ": " << takeMessage(plan);
    planned += !plan->steps.empty();
  }
  EXPECT_GT(planned, 10);
}

} // namespace
