//===- PlanStepTest.cpp - Whole steps within a budget ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "GraphBuilder.h"
#include "PlanOracle.h"
#include "Planner/RematGraphs.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Step/LeastBudget.h"
#include "memplan/Solver/MilpModel.h"
#include "memplan/Support/Random.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace memplan;

namespace {

int64_t deviceBytes(const Graph &graph, const Plan &plan) {
  int64_t bytes = graph.persistentBytes() + plan.arenas[0].bytes;
  for (TensorId id : plan.arenas[0].owns)
    bytes -= graph[id].bytes;
  return bytes;
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
TEST(PlanStep, arena_fits_the_budget) {
  Graph graph = makeResidualNet(12);
  GraphIndex index(graph);
  for (int percent : {100, 80, 60})
    for (const char *sharing : {"none", "counter"}) {
      PlanOptions options;
      options.remat = "greedy";
      options.sharing = sharing;
      options.alignmentBytes = 64;
      options.limits.effort = 5000;
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

// --order=source would be believed of a plan in any order. Who does not choose
// gets plans in source order too, but may bring one in another.
TEST(PlanStep, nodes_run_first_in_the_order_that_was_asked_for) {
  SmallGraph g;
  TensorId x = g.caller(8);
  g.keep(g.op({x}, 8));
  g.keep(g.op({x}, 8));
  GraphIndex index(g.graph);
  PlanOptions options;
  llvm::Expected<Plan> plan = planStep(g.graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_EQ(firstRunsAskedFor(options), FirstRuns::AnyOrder);
  for (PlanAction &action : plan->steps)
    if (action.action == ActionKind::Compute)
      action.node = NodeId(1 - action.node.index);
  ASSERT_THAT(setOption(options, "order", "source"), Succeeds());
  EXPECT_THAT(verifyStepPlan(index, *plan, options), FailsWith("plan_c17"));
  EXPECT_EQ(firstRunsAskedFor(options), FirstRuns::SourceOrder);
}

// A name that nobody knows would be taken for something else.
TEST(PlanStep, unknown_names_list_the_valid_ones) {
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
TEST(PlanStep, a_proved_failure_names_node_bound_and_budget) {
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
TEST(PlanStep, an_unproved_failure_is_no_plan) {
  Graph graph = makeSmallUNet();
  PlanOptions options;
  options.remat = "checkpoint-all";
  options.alignmentBytes = 1;
  options.budgetBytes = 26;
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_EQ(plan->status, SolveStatus::NoPlan);
  EXPECT_EQ(plan->boundBytes, 25);
  EXPECT_TRUE(plan->witnessNode);
  ASSERT_TRUE(plan->minimumBudgetBytes);
  EXPECT_GT(*plan->minimumBudgetBytes, 26);
  EXPECT_LT(*plan->minimumBudgetBytes, 40);
}

// A budget would be called too small although a plan for it is known.
TEST(PlanStep, failures_ask_for_more_than_the_budget) {
  Graph graph = makeResidualNet(8);
  for (int percent = 30; percent < 100; percent += 10) {
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

// The same input would give another plan on another run or machine: each kind
// of plan has a search of its own.
TEST(PlanStep, the_same_bytes_in_every_run) {
  Graph graph = makeResidualNet(6);
  graph.bandwidth = Bandwidth{2000, 2000, 0.1};
  for (const char *remat : {"greedy", "auto"})
    for (const char *swap : {"none", "search"})
      for (int64_t streams : {1, 2}) {
        SCOPED_TRACE(std::string(remat) + ", " + swap + ", " +
                     std::to_string(streams) + " streams");
        PlanOptions options;
        options.remat = remat;
        options.swap = swap;
        options.streams = streams;
        options.budgetBytes = budgetAt(graph, 70);
        options.limits.effort = 300;
        std::string first;
        for (int run = 0; run < 5; ++run) {
          llvm::Expected<Plan> plan = planStep(graph, options);
          ASSERT_THAT(plan, Succeeds());
          std::string text = textOf(graph, *plan);
          if (run == 0)
            first = text;
          ASSERT_EQ(text, first) << "run " << run;
        }
        EXPECT_NE(first.find("compute"), std::string::npos);
      }
}

// The integer program would take another path with another clock or address.
TEST(PlanStep, milp_gives_the_same_bytes_in_every_run) {
  Graph graph = makeChain(5);
  PlanOptions options;
  options.remat = "milp";
  options.alignmentBytes = 1;
  options.budgetBytes = 4;
  std::string first;
  for (int run = 0; run < 6; ++run) {
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    ASSERT_FALSE(plan->steps.empty());
    if (run == 0)
      first = textOf(graph, *plan);
    ASSERT_EQ(textOf(graph, *plan), first) << "run " << run;
  }
}

// Ctrl-C would lose the plan, or not end.
TEST(PlanStep, stopping_returns_what_is_known) {
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

// A stop in the first moments would lose a plan that takes no search.
TEST(PlanStep, a_stop_at_once_returns_a_checkpointing_plan) {
  Graph graph = makeResidualNet(24);
  std::atomic<bool> stop = true;
  PlanOptions options;
  options.budgetBytes = budgetAt(graph, 70);
  options.limits.stop = &stop;
  for (const char *solver : {"auto", "milp"}) {
    options.remat = solver;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    EXPECT_FALSE(plan->steps.empty()) << solver;
  }
  options.limits.stop = nullptr;
  options.limits.timeLimitSeconds = 0;
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_FALSE(plan->steps.empty());
}

// What the integer program proves of its stages would hide a plan that knows no
// stages, or be called a contradiction to it.
TEST(PlanStep, a_proof_about_stages_leaves_other_plans_alone) {
  if (!createHighsBackend())
    GTEST_SKIP() << "built without HiGHS";
  Graph graph = makeGraph({{}, {0}, {0}, {1}, {1, 2}, {0, 4, 3}},
                          {3, 1, 2, 2, 1, 2}, {1, 2, 1, 2, 3, 1}, 6);
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = 7;
  SolveLimits paper;
  paper.milpFormulation = "paper";
  llvm::Expected<RematPlan> staged =
      solve(problem, solverNamed(rematSolvers(), "milp"), paper);
  ASSERT_THAT(staged, Succeeds());
  EXPECT_EQ(staged->report.status, SolveStatus::Infeasible);
  EXPECT_EQ(staged->report.boundSpace, "staged");
  EXPECT_EQ(staged->boundBytes, 8);
  PlanOptions options;
  options.remat = "milp";
  options.order = "source";
  options.limits.milpFormulation = "paper";
  options.alignmentBytes = 1;
  options.budgetBytes = 7;
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_EQ(plan->cost, 16);
  EXPECT_LE(*plan->bound, 16);
}

/// A chain whose middle nodes run fast with a workspace or slowly without.
Graph chainWithVariants() {
  Graph graph = makeChain(6);
  for (size_t n = 1; n < 12; ++n) {
    graph.nodes[n].workspaceBytes = 4;
    graph.nodes[n].variants = {{1.25, 0}, {5, 0}, {1.125, 2}};
  }
  return graph;
}

// A node would keep its large workspace where a slower variant is cheaper than
// running other nodes twice, or take the slow variant where the fast one fits.
TEST(PlanStep, runs_take_the_cheapest_variant_that_fits) {
  Graph graph = chainWithVariants();
  GraphIndex index(graph);
  for (const char *solver : {"auto", "checkpoint-all", "linearized-greedy"}) {
    double before = 0;
    for (int64_t budget : {12, 10, 9, 8}) {
      SCOPED_TRACE(std::string(solver) + " " + std::to_string(budget));
      PlanOptions options;
      options.remat = solver;
      options.alignmentBytes = 1;
      options.limits.effort = 2000;
      options.budgetBytes = budget;
      llvm::Expected<Plan> plan = planStep(graph, options);
      ASSERT_THAT(plan, Succeeds());
      ASSERT_FALSE(plan->steps.empty());
      EXPECT_GE(plan->cost, before) << "less room";
      before = plan->cost;
      // Seven values live at the loss, one run in a workspace beside some.
      llvm::Expected<Replay> replay = replayPlan(index, *plan);
      ASSERT_THAT(replay, Succeeds());
      int used[4] = {0, 0, 0, 0};
      for (size_t i = 0; i < plan->steps.size(); ++i) {
        const PlanAction &action = plan->steps[i];
        if (action.action != ActionKind::Compute)
          continue;
        ++used[action.variant];
        if (action.variant == 0 || graph[action.node].variants.empty())
          continue;
        const int64_t others =
            replay->bytesAtStep[i] -
            graph[action.node].variant(action.variant).workspaceBytes;
        EXPECT_GT(others + 4, budget) << "step " << i << " has room";
      }
      EXPECT_EQ(used[2], 0) << "slower than variant 1, and no smaller";
      EXPECT_GT(used[0], 0);
      if (budget < 11)
        EXPECT_GT(used[1] + used[3], 0);
    }
  }
}

// A recomputed value would have other bits than the one that it stands for:
// implementations of one operation add in different orders.
TEST(PlanStep, all_runs_of_a_node_take_one_variant) {
  int64_t recomputed = 0, slower = 0;
  for (int64_t workspace : {1, 2, 3, 4}) {
    Graph graph = makeChain(9);
    for (size_t n = 1; n < 18; ++n) {
      graph.nodes[n].workspaceBytes = workspace;
      graph.nodes[n].variants = {{1.25, 0}};
    }
    for (const char *swap : {"none", "search"}) {
      double before = 0;
      for (int64_t budget = 16; budget >= 5; --budget) {
        SCOPED_TRACE(std::to_string(workspace) + " " + swap + " " +
                     std::to_string(budget));
        PlanOptions options;
        options.swap = swap;
        options.limits.effort = 300;
        options.alignmentBytes = 1;
        options.budgetBytes = budget;
        llvm::Expected<Plan> plan = planStep(graph, options);
        ASSERT_THAT(plan, Succeeds());
        if (plan->steps.empty())
          continue;
        EXPECT_GE(plan->makespan(), before) << "promise 7";
        before = plan->makespan();
        std::map<int32_t, int32_t> variants;
        for (const PlanAction &action : plan->steps) {
          if (action.action != ActionKind::Compute)
            continue;
          auto [first, isFirst] =
              variants.try_emplace(action.node.index, action.variant);
          EXPECT_EQ(first->second, action.variant)
              << "node " << action.node.index;
          recomputed += !isFirst && !graph[action.node].variants.empty();
          slower += action.variant != 0;
        }
      }
    }
  }
  EXPECT_GT(recomputed, 0);
  EXPECT_GT(slower, 0);
}

// The integer program would count variant 0 only, and prove what is not so.
TEST(PlanStep, milp_plans_with_variants) {
  std::unique_ptr<MilpBackend> backend =
      llvm::cantFail(createMilpBackend("auto"));
  if (!backend)
    GTEST_SKIP() << "built without a solver of integer programs";
  Graph graph = makeChain(3);
  graph.nodes[3].workspaceBytes = 2;
  graph.nodes[3].variants = {{1.5, 0}};
  PlanOptions options;
  options.remat = "milp";
  options.alignmentBytes = 1;
  options.budgetBytes = 4;
  GraphIndex index(graph);
  std::optional<PlanOracle::Answer> best =
      PlanOracle(index, OracleSpace::FixedOrder).cheapest(4);
  ASSERT_TRUE(best);
  ASSERT_LT(graph.totalCost(), best->cost);
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_EQ(plan->status, SolveStatus::Optimal);
  EXPECT_EQ(plan->cost, best->cost);
  EXPECT_EQ(plan->boundSpace, "fixed-order");
}

// A bound for the order of an order solver says nothing of source order by
// itself; what is claimed has to hold there.
TEST(PlanStep, bounds_of_another_order_hold_in_source_order) {
  int reordered = 0, claimed = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Graph graph = makeRandomGraph(seed, 8);
    GraphIndex index(graph);
    const OrderSolver &early = solverNamed(orderSolvers(), "early-updates");
    llvm::Expected<OrderPlan> order = solve(OrderProblem{&index}, early, {});
    ASSERT_THAT(order, Succeeds());
    if (std::is_sorted(order->order.begin(), order->order.end()))
      continue;
    PlanOptions options;
    options.order = "early-updates";
    options.alignmentBytes = 1;
    options.limits.effort = 200;
    options.budgetBytes = (largestWorkingSet(index, true).bytes +
                           measureUnplanned(index).peakBytes) /
                          2;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    ++reordered;
    if (!plan->bound || plan->boundSpace != "fixed-order")
      continue;
    ++claimed;
    std::optional<PlanOracle::Answer> best =
        PlanOracle(index, OracleSpace::FixedOrder)
            .cheapest(*options.budgetBytes);
    if (best) {
      EXPECT_LE(*plan->bound, best->cost * (1 + 1e-9)) << "seed " << seed;
    }
  }
  EXPECT_GT(reordered, 20);
  EXPECT_GT(claimed, 5); // Others leave a first run in vain out.
}

// Nothing but one run of each node was proved of plans that leave a first run
// in vain out, since they may cost less than any plan in source order.
TEST(PlanStep, plans_that_leave_the_order_are_bounded_in_their_own_too) {
  int claimed = 0, below = 0;
  for (int length = 4; length <= 5; ++length)
    for (int64_t bytes = 2; bytes <= 3; ++bytes) {
      // A chain that is trained, and before it what only its end reads.
      GraphBuilder g;
      const TensorId weight = g.tensor(1, TensorKind::Parameter);
      const TensorId late = g.tensor(bytes);
      g.node({weight}, {late}, 1);
      std::vector<TensorId> made{g.tensor(1)};
      g.node({weight}, {made.back()});
      for (int i = 1; i < length; ++i) {
        made.push_back(g.tensor(1));
        g.node({made[size_t(i) - 1]}, {made.back()});
      }
      TensorId gradient = g.tensor(1);
      g.node({made.back()}, {gradient});
      for (int i = length; i-- > 0;) {
        const TensorId next = g.tensor(1);
        g[g.node({gradient, made[size_t(i)]}, {next})].backward = true;
        gradient = next;
      }
      g.node({gradient, late}, {g.tensor(1, TensorKind::Output)});
      const GraphIndex index(g.graph);
      PlanOptions options;
      options.order = "early-updates"; // There are none.
      options.limits.effort = 2000;
      options.alignmentBytes = 1;
      for (int64_t budget = 5; budget < length + bytes + 2; ++budget) {
        options.budgetBytes = budget;
        llvm::Expected<Plan> plan = planStep(g.graph, options);
        ASSERT_THAT(plan, Succeeds());
        if (plan->steps.empty())
          continue;
        EXPECT_LE(*plan->bound, plan->cost);
        const std::optional<PlanOracle::Answer> best =
            PlanOracle(index, OracleSpace::FixedOrder).cheapest(budget);
        if (!best || plan->cost >= best->cost ||
            plan->cost == g.graph.totalCost())
          continue;
        ++below;
        claimed += plan->boundSpace == "fixed-order" &&
                   *plan->bound > g.graph.totalCost() + 0.5;
        EXPECT_LE(*plan->bound, best->cost);
      }
    }
  EXPECT_GT(below, 5);
  EXPECT_GT(claimed, below / 2);
}

// An early update takes the weight away from recomputations, so that the
// cheapest plan after it costs more than one in source order.
TEST(PlanStep, a_bound_of_early_updates_does_not_exceed_source_order) {
  GraphBuilder g;
  const TensorId weight = g.tensor(1, TensorKind::Parameter);
  const TensorId other = g.tensor(1, TensorKind::Parameter);
  const TensorId seed = g.tensor(4), cheap = g.tensor(4),
                 gradient = g.tensor(1), expensive = g.tensor(4),
                 small = g.tensor(1), middle = g.tensor(1), last = g.tensor(1);
  g.node({weight}, {seed}); // The update waits for its user only.
  g.node({seed}, {cheap});
  g.node({cheap}, {gradient});
  g.node({other}, {expensive}, 10);
  g.node({expensive}, {small}); // Else its first run would be one in vain.
  g[g.node({other}, {middle})].workspaceBytes = 8;
  g.node({small, middle, cheap, expensive}, {last});
  const NodeId update = g.node({gradient}, {});
  g[update].writes = {weight};
  PlanOptions options;
  options.alignmentBytes = 1;
  options.budgetBytes = 17;
  GraphIndex index(g.graph);
  std::optional<PlanOracle::Answer> best =
      PlanOracle(index, OracleSpace::FixedOrder).cheapest(17);
  ASSERT_TRUE(best);
  for (const char *order : {"source", "early-updates"}) {
    options.order = order;
    llvm::Expected<Plan> plan = planStep(g.graph, options);
    ASSERT_THAT(plan, Succeeds());
    EXPECT_EQ(plan->cost, best->cost + (options.order == "source" ? 0 : 8));
    EXPECT_EQ(plan->boundSpace, "fixed-order");
    EXPECT_NEAR(*plan->bound, best->cost, 0.01);
  }
}

// Whoever makes a value again must find the weight that made it: the update
// waits for the last user of what its forward users make.
TEST(PlanStep, early_updates_leave_old_versions_to_recomputations) {
  GraphBuilder g;
  const TensorId weight = g.tensor(1, TensorKind::Parameter);
  const TensorId other = g.tensor(1, TensorKind::Parameter);
  const TensorId cheap = g.tensor(4), gradient = g.tensor(1),
                 expensive = g.tensor(4), middle = g.tensor(1),
                 last = g.tensor(1), more = g.tensor(12);
  const NodeId user = g.node({weight}, {cheap});
  g.node({cheap}, {gradient});
  g.node({other}, {expensive}, 10);
  g[g.node({other}, {middle})].workspaceBytes = 8;
  const NodeId join = g.node({middle, cheap, expensive}, {last});
  g.node({last}, {more}); // Where the gradient is in the way.
  const NodeId update = g.node({gradient}, {});
  g[update].writes = {weight};
  GraphIndex index(g.graph);
  PlanOptions options;
  options.alignmentBytes = 1;
  options.budgetBytes = 16;
  std::optional<PlanOracle::Answer> best =
      PlanOracle(index, OracleSpace::FixedOrder).cheapest(16);
  ASSERT_TRUE(best);
  for (const char *order : {"auto", "early-updates"}) {
    options.order = order;
    llvm::Expected<Plan> plan = planStep(g.graph, options);
    ASSERT_THAT(plan, Succeeds());
    EXPECT_LE(plan->cost, best->cost) << order;
    if (options.order == "auto")
      continue; // Cheaper still, by late runs.
    std::vector<NodeId> runs;
    for (const PlanAction &action : plan->steps)
      if (action.action == ActionKind::Compute)
        runs.push_back(action.node);
    EXPECT_EQ(llvm::count(runs, user), 2);
    auto at = [&](NodeId node) {
      return llvm::find(runs, node) - runs.begin();
    };
    EXPECT_EQ(at(update), at(join) + 1) << order;
  }
}

// Updates move where that makes the arena smaller, and where it is as small,
// where it leaves more room under a budget.
TEST(PlanStep, moves_updates_by_default_where_bytes_fall) {
  int smaller = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeRandomGraph(seed, 16);
    const GraphIndex index(graph);
    const OrderPlan order =
        llvm::cantFail(solve(OrderProblem{&index},
                             solverNamed(orderSolvers(), "early-updates"), {}));
    if (std::is_sorted(order.order.begin(), order.order.end()))
      continue;
    auto arenaOf = [&](const char *order) {
      PlanOptions options;
      options.order = order;
      options.alignmentBytes = 1;
      llvm::Expected<Plan> plan = planStep(graph, options);
      return llvm::cantFail(std::move(plan)).arenas.front().bytes;
    };
    const int64_t source = arenaOf("source"), early = arenaOf("early-updates");
    // Late runs may take fewer yet.
    EXPECT_LE(arenaOf("auto"), std::min(source, early));
    smaller += early < source;
  }
  EXPECT_GT(smaller, 1);

  // The peak is at the first node, and yet four gradients do not fit at once.
  GraphBuilder g;
  g[g.node({}, {g.tensor(1)})].workspaceBytes = 40;
  std::vector<TensorId> weights, gradients;
  for (int i = 0; i < 4; ++i)
    weights.push_back(g.tensor(1, TensorKind::Parameter));
  for (int i = 0; i < 4; ++i) {
    gradients.push_back(g.tensor(8));
    g[g.node({weights[i]}, {gradients[i]})].recompute = false;
  }
  for (int i = 0; i < 4; ++i)
    g[g.node({gradients[i]}, {})].writes = {weights[i]};
  g.graph.nodes[0].variants = {{1, 40}, {2, 0}};
  PlanOptions options;
  options.alignmentBytes = 1;
  options.budgetBytes = 16;
  EXPECT_EQ(llvm::cantFail(planStep(g.graph, options)).status,
            SolveStatus::Optimal);
  options.order = "source";
  EXPECT_EQ(llvm::cantFail(planStep(g.graph, options)).status,
            SolveStatus::Infeasible);
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
TEST(PlanStep, greedy_never_costs_more_than_the_checkpointing_family) {
  int compared = 0;
  auto compare = [&](const Graph &graph, int percent) {
    PlanOptions options;
    options.alignmentBytes = 1;
    options.arena = "best-fit"; // Packs badly enough to matter.
    options.limits.effort = 4000;
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
  for (int percent = 45; percent < 100; percent += 9) {
    compare(makeChain(24), percent);
    for (uint64_t seed = 1; seed <= 15; ++seed)
      compare(chainOfRandomSizes(seed, 10), percent);
  }
  EXPECT_GT(compared, 20);
}

// On the largest steps checkpoints are planned only where a search finds
// nothing; a budget that they just keep would be refused.
TEST(PlanStep, the_largest_steps_keep_what_checkpoints_keep) {
  const Graph graph = makeChain(10'020);
  PlanOptions options;
  options.alignmentBytes = 1;
  options.limits.effort = 1;
  options.remat = "linearized-sqrt";
  llvm::Expected<Plan> checkpoints = planStep(graph, options);
  ASSERT_THAT(checkpoints, Succeeds());
  ASSERT_FALSE(checkpoints->steps.empty());
  options.remat = "auto";
  options.budgetBytes = deviceBytes(graph, *checkpoints);
  llvm::Expected<Plan> plan = planStep(graph, options);
  ASSERT_THAT(plan, Succeeds());
  ASSERT_FALSE(plan->steps.empty());
  EXPECT_LE(plan->cost, checkpoints->cost);
}

// Views, several outputs, updates, workspaces or donated inputs would break the
// road to offsets.
TEST(PlanStep, graphs_with_everything) {
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

// Bisection would not come below the plan without recomputation, or not as low
// as is possible.
TEST(PlanStep, the_least_budget_of_the_small_unet) {
  Graph graph = makeSmallUNet();
  for (auto [solver, bytes] :
       {std::pair("auto", 25), std::pair("checkpoint-all", 27)}) {
    PlanOptions options;
    options.remat = solver;
    options.alignmentBytes = 1;
    llvm::Expected<std::optional<LeastBudget>> least =
        leastBudget(graph, options);
    ASSERT_THAT(least, Succeeds());
    ASSERT_TRUE(*least);
    EXPECT_EQ((*least)->bytes, bytes) << solver;
    // All sets of values that fit fewer were searched.
    EXPECT_EQ((*least)->bound.bytes, 25) << solver;
    EXPECT_EQ((*least)->bound.space, "fixed-order") << solver;
  }
}

/// Options under which a hundred plans of a small graph take a second.
PlanOptions quickOptions(const char *remat) {
  PlanOptions options;
  options.remat = remat;
  options.alignmentBytes = 8;
  options.limits.effort = 300;
  return options;
}

// The budget printed as known to work would not work, or a larger budget would
// lose the plan that a smaller one has.
void checkBudgets(const Graph &graph, PlanOptions options) {
  llvm::Expected<std::optional<LeastBudget>> least =
      leastBudget(graph, options);
  ASSERT_THAT(least, Succeeds());
  ASSERT_TRUE(*least);
  const LeastBudget &known = **least;
  EXPECT_THAT(verifyPlan(GraphIndex(graph), known.plan, known.bytes),
              Succeeds());
  EXPECT_EQ(deviceBytes(graph, known.plan), known.bytes);
  EXPECT_LE(known.bound.bytes, known.bytes);
  options.budgetBytes.reset();
  llvm::Expected<Plan> free = planStep(graph, options);
  ASSERT_THAT(free, Succeeds());
  const int64_t most = deviceBytes(graph, *free);
  std::vector<int64_t> budgets{known.bytes - 1, known.bytes, known.bytes + 1};
  for (int64_t part = 0; part <= 8; ++part)
    budgets.push_back(known.bound.bytes +
                      (most - known.bound.bytes) * part / 8);
  for (int64_t budget : budgets) {
    if (budget <= 0)
      continue;
    options.budgetBytes = budget;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_TRUE(bool(plan)) << budget << ": " << takeMessage(plan);
    const bool planned = plan->status == SolveStatus::Optimal ||
                         plan->status == SolveStatus::Feasible;
    if (budget >= known.bytes)
      ASSERT_TRUE(planned) << budget << " but " << known.bytes << " works";
    if (budget == known.bytes)
      EXPECT_LE(plan->cost, known.plan.cost);
    if (!planned) {
      EXPECT_EQ(plan->minimumBudgetBytes, known.bytes) << budget;
    } else if (budget < known.bytes) {
      // A solver that proves things may find more than the walk did.
      EXPECT_EQ(options.remat, "milp") << budget << " below " << known.bytes;
    }
  }
}

TEST(PlanStep, a_budget_known_to_work_works_and_so_does_every_larger_one) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    Graph graph = makeRandomGraph(seed, 12);
    for (const char *solver : {"auto", "linearized-greedy", "ap-sqrt"}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + solver);
      checkBudgets(graph, quickOptions(solver));
    }
  }
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE("chain of seed " + std::to_string(seed));
    Graph chain = chainOfRandomSizes(seed, 6);
    checkBudgets(chain, quickOptions("auto"));
    if (seed <= 1)
      checkBudgets(chain, quickOptions("milp"));
  }
  Graph residual = makeResidualNet(4);
  for (const char *sharing : {"none", "counter"}) {
    SCOPED_TRACE(sharing);
    PlanOptions options = quickOptions("auto");
    options.sharing = sharing;
    options.alignmentBytes = 256;
    checkBudgets(residual, options);
  }
}

} // namespace
