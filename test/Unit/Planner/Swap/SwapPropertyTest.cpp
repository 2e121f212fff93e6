//===- SwapPropertyTest.cpp - TFLMS on random steps -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "RandomGraph.h"
#include "Rewriting.h"
#include "memplan/Planner/Options.h"
#include "memplan/Planner/Step/PlanCopies.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Schedule/UsefulRuns.h"
#include <set>

using namespace memplan;

namespace {
/// A random step whose second half is its backward pass, run in some order with
/// recomputations, and parameters of every sort.
struct RandomSwap {
  explicit RandomSwap(uint64_t seed)
      : dice(seed * 31 + 7), graph(makeGraph(seed)), index(graph),
        schedule(dice.chance(50) ? makeRandomSchedule(index, seed)
                                 : sourceSchedule(graph)),
        inPlace(makeRandomInPlace(index, schedule, seed)) {
    problem.index = &index;
    problem.schedule = &schedule;
    problem.inPlace = &inPlace;
    TflmsParameters &p = problem.tflms;
    if (dice.chance(20))
      p.optimizerScopes = {"none"};
    if (dice.chance(30))
      p.ctrldStrategy = ControlStrategy::DirectOrder;
    const int64_t lb = 1 + dice.roll(4);
    if (!dice.chance(10))
      p.lb = lb;
    else
      p.lb.reset();
    p.ub = lb + dice.roll(20);
    p.fuseSwapins = dice.chance(40);
    p.closeness = dice.roll(4);
    p.swapBranches = dice.chance(40);
    p.branchThreshold = dice.roll(3);
    if (dice.chance(50))
      p.threshold = dice.roll(4);
    if (dice.chance(20))
      p.nTensors = dice.roll(5);
  }

  Graph makeGraph(uint64_t seed) {
    Graph made = makeRandomGraph(seed, 18);
    for (size_t n = made.nodes.size() / 2; n < made.nodes.size(); ++n)
      made.nodes[n].backward = true;
    if (dice.chance(70))
      made.bandwidth =
          Bandwidth{double(1 + dice.roll(20)), double(1 + dice.roll(20)),
                    double(dice.roll(2))};
    if (dice.chance(20))
      made.hostBudgetBytes = dice.roll(60);
    return made;
  }

  Dice dice;
  Graph graph;
  GraphIndex index;
  Schedule schedule;
  InPlaceChoice inPlace;
  SwapProblem problem;
};

/// Runs, swap-outs and swap-ins as vertices.
struct Rewritten {
  std::vector<std::set<int>> after; ///< By vertex.

  int add() {
    after.emplace_back();
    return static_cast<int>(after.size()) - 1;
  }
  bool reaches(int from, int to) const {
    std::set<int> seen = {from};
    std::vector<int> open = {from};
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      for (int each : after[next])
        if (seen.insert(each).second)
          open.push_back(each);
    }
    return seen.count(to) && from != to;
  }
  bool isAcyclic() const {
    std::vector<int> before(after.size());
    for (const std::set<int> &each : after)
      for (int next : each)
        ++before[next];
    std::vector<int> open;
    for (size_t i = 0; i < before.size(); ++i)
      if (before[i] == 0)
        open.push_back(static_cast<int>(i));
    size_t done = 0;
    for (; done < open.size(); ++done)
      for (int next : after[open[done]])
        if (--before[next] == 0)
          open.push_back(next);
    return done == after.size();
  }
};
} // namespace

/// Every edge of the step: data, and versions of what is written.
static Rewritten edgesOf(const RunGraph &graph) {
  const SwapProblem &problem = graph.problem;
  Rewritten result;
  result.after.resize(graph.numRuns());
  for (int32_t run = 0; run < graph.numRuns(); ++run)
    for (int32_t user : graph.after[run])
      result.after[run].insert(user);
  for (int32_t writer = 0; writer < graph.numRuns(); ++writer)
    for (TensorId target : graph.nodeOf(writer).writes)
      for (int32_t user = 0; user < graph.numRuns(); ++user) {
        auto used = problem.index->usedBases(problem.schedule->runs[user]);
        if (user != writer &&
            llvm::is_contained(used, problem.index->base(target)))
          result.after[std::min(user, writer)].insert(std::max(user, writer));
      }
  return result;
}

// TL-9: taking the copies out again gives the step as it was, every control op
// stands between producer and consumer and leads to the consumer, and there is
// no cycle, through updates neither.
TEST(SwapProperty, rewriting_keeps_the_step_and_makes_no_cycle) {
  size_t ins = 0, controls = 0, updates = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSwap its(seed);
    RunGraph graph(its.problem);
    Rewriting rewriting =
        Rewriter(graph).rewrite({its.problem.tflms.threshold.value_or(1),
                                 its.problem.tflms.lb.value_or(1)});
    const Rewritten plain = edgesOf(graph);
    Rewritten rewritten = plain;
    std::set<int32_t> swapped;
    for (const SwappedValue &each : rewriting.swapped) {
      const RunValue &value = graph.values[each.value];
      EXPECT_TRUE(swapped.insert(each.value).second);
      EXPECT_FALSE(isCallerOwned(its.graph[value.tensor].kind));
      const int out = rewritten.add();
      rewritten.after[value.producer].insert(out);
      std::multiset<int32_t> consumers;
      for (const SwapIn &in : each.ins) {
        const int copy = rewritten.add();
        rewritten.after[out].insert(copy);
        for (int32_t consumer : in.consumers) {
          consumers.insert(consumer);
          rewritten.after[copy].insert(consumer);
        }
        ++ins;
        if (!in.control)
          continue;
        ++controls;
        rewritten.after[*in.control].insert(copy);
        bool leadsToOne = false;
        for (int32_t consumer : in.consumers)
          leadsToOne |= plain.reaches(*in.control, consumer) &&
                        graph.levels[*in.control] < graph.levels[consumer];
        EXPECT_TRUE(leadsToOne);
        EXPECT_GT(graph.levels[*in.control], graph.levels[value.producer]);
      }
      for (int32_t consumer : consumers) {
        EXPECT_EQ(consumers.count(consumer), 1u);
        EXPECT_TRUE(llvm::is_contained(value.uses, consumer));
      }
    }
    for (const Node &node : its.graph.nodes)
      updates += node.writes.size();
    EXPECT_TRUE(rewritten.isAcyclic());
  }
  // The generator makes what this is about.
  EXPECT_GT(ins, 500u);
  EXPECT_GT(controls, 200u);
  EXPECT_GT(updates, 200u);
}

// solve() replays every plan. Nothing here knows how copies are placed.
TEST(SwapProperty, plans_of_random_steps_pass_the_replay) {
  const SwapSolver &tflms = solverNamed(swapSolvers(), "tflms");
  int64_t copies = 0, saved = 0, failed = 0, viewsAgain = 0;
  for (uint64_t seed = 1; seed <= 700; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSwap its(seed);
    ASSERT_THAT(its.problem.check(), Succeeds());
    const int64_t peak =
        measureSchedule(its.index, its.schedule, its.inPlace).peakBytes;
    if (its.dice.chance(60))
      its.problem.budgetBytes =
          std::max<int64_t>(1, peak * (50 + its.dice.roll(60)) / 100);
    llvm::Expected<SwapPlan> plan = solve(its.problem, tflms, {});
    ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
    failed += plan->report.status == SolveStatus::NoPlan;
    int64_t computes = 0;
    for (const PlanAction &action : plan->actions) {
      copies += action.action == ActionKind::Fetch;
      computes += action.action == ActionKind::Compute;
    }
    if (!plan->actions.empty())
      viewsAgain += computes - int64_t(its.schedule.runs.size());
    saved += !plan->actions.empty() && its.problem.budgetBytes &&
             peak > *its.problem.budgetBytes;
    // What is planned twice is planned the same.
    llvm::Expected<SwapPlan> again = solve(its.problem, tflms, {});
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(again->actions.size(), plan->actions.size());
    EXPECT_EQ(again->time, plan->time);
  }
  EXPECT_GT(copies, 300);
  EXPECT_GT(saved, 10);
  EXPECT_GT(failed, 10);
  EXPECT_GT(viewsAgain, 5);
}

// Through planStep(): packed within the budget, verified, and with the copies
// on the host in an arena of their own.
TEST(SwapProperty, steps_with_copies_keep_their_budget) {
  int planned = 0, copied = 0;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSwap its(seed);
    PlanOptions options;
    options.remat = seed % 2 ? "checkpoint-all" : "greedy";
    options.swap = "tflms";
    options.tflms = "optimizer_scopes=none";
    options.alignmentBytes = 1;
    options.limits.effort = 50;
    options.budgetBytes =
        std::max<int64_t>(1, measureUnplanned(its.index).peakBytes *
                                 (50 + its.dice.roll(50)) / 100);
    llvm::Expected<Plan> plan = planStep(its.graph, options);
    ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
    EXPECT_THAT(verifyPlan(its.index, *plan, options.budgetBytes), Succeeds());
    planned += !plan->steps.empty();
    copied += plan->arenas.size() > 1;
  }
  EXPECT_GT(planned, 10);
  EXPECT_GT(copied, 5);
}

// As the pass does it: the runs are those that somebody else chose.
TEST(SwapStep, copies_are_planned_for_runs_that_stand) {
  int planned = 0, recomputations = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSwap its(seed);
    PlanOptions options;
    options.swap = "tflms";
    options.tflms = "optimizer_scopes=none,threshold=1";
    options.limits.effort = 50;
    llvm::Expected<Plan> plan = planCopies(its.graph, its.schedule, options);
    ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
    std::vector<NodeId> runs;
    for (const PlanAction &action : plan->steps)
      if (action.action == ActionKind::Compute)
        runs.push_back(action.node);
    planned += plan->arenas.size() > 1;
    Schedule useful = its.schedule;
    InPlaceChoice nothing(useful.runs.size());
    leaveOutRunsInVain(GraphIndex(its.graph), useful, nothing,
                       /*keepsOrder=*/false);
    recomputations += its.schedule.runs.size() > its.graph.nodes.size();
    // In their order, without those in vain; views may be recomputed in
    // between.
    auto next = runs.begin();
    for (NodeId run : useful.runs) {
      next = std::find(next, runs.end(), run);
      ASSERT_NE(next, runs.end());
      ++next;
    }
  }
  EXPECT_GT(planned, 10);
  EXPECT_GT(recomputations, 5);
}
