//===- RematOracleTest.cpp - Remat solvers against exhaustive search ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "RandomGraph.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Solver/MilpModel.h"
#include <map>

using namespace memplan;

namespace {

/// Least cost over all schedules, or nothing if none fits. One value per node,
/// no in-place.
class Oracle {
public:
  Oracle(const Graph &graph, int64_t budget) : graph(graph), budget(budget) {}

  /// Checkmate's stages: within a stage nodes run in index order, once each.
  std::optional<double> staged() const {
    std::map<uint32_t, double> states{{0, 0.0}};
    for (size_t stage = 0; stage < graph.nodes.size(); ++stage)
      for (size_t node = 0; node <= stage; ++node) {
        std::map<uint32_t, double> next;
        if (node != stage)
          next = states;
        for (auto [mask, cost] : states)
          forEachRun(mask, node, [&](uint32_t after) {
            relax(next, after, cost + graph.nodes[node].cost);
          });
        states = std::move(next);
      }
    return least(states);
  }

  /// First runs in source order, recomputations of anything at any time.
  std::optional<double> fixedOrder() const {
    std::map<uint32_t, double> states{{0, 0.0}};
    for (size_t stage = 0; stage < graph.nodes.size(); ++stage) {
      bool changed = true;
      while (changed) { // Recomputations until nothing becomes cheaper.
        changed = false;
        std::map<uint32_t, double> now = states;
        for (auto [mask, cost] : now)
          for (size_t node = 0; node < stage; ++node)
            forEachRun(mask, node, [&](uint32_t after) {
              changed |= relax(states, after, cost + graph.nodes[node].cost);
            });
      }
      std::map<uint32_t, double> next;
      for (auto [mask, cost] : states)
        forEachRun(mask, stage, [&](uint32_t after) {
          relax(next, after, cost + graph.nodes[stage].cost);
        });
      states = std::move(next);
    }
    return least(states);
  }

private:
  static bool relax(std::map<uint32_t, double> &states, uint32_t mask,
                    double cost) {
    auto [at, added] = states.try_emplace(mask, cost);
    if (!added && at->second <= cost)
      return false;
    at->second = cost;
    return true;
  }
  static std::optional<double> least(const std::map<uint32_t, double> &states) {
    std::optional<double> best;
    for (auto [mask, cost] : states)
      best = best ? std::min(*best, cost) : cost;
    return best;
  }
  int64_t bytes(uint32_t mask) const {
    int64_t sum = 0;
    for (size_t t = 0; t < graph.tensors.size(); ++t)
      if (mask >> t & 1)
        sum += graph.tensors[t].bytes;
    return sum;
  }
  /// Drops any values, then runs the node if its inputs are live and
  /// everything fits.
  template <typename Visit>
  void forEachRun(uint32_t mask, size_t node, Visit visit) const {
    uint32_t inputs = 0;
    for (TensorId tensor : graph.nodes[node].inputs)
      inputs |= 1u << tensor.index;
    if ((mask & inputs) != inputs)
      return;
    uint32_t optional = mask & ~inputs;
    for (uint32_t kept = optional;; kept = (kept - 1) & optional) {
      uint32_t after = inputs | kept | 1u << node;
      if (bytes(after) <= budget)
        visit(after);
      if (kept == 0)
        return;
    }
  }

  const Graph &graph;
  int64_t budget;
};

std::vector<int64_t> interestingBudgets(const Graph &graph) {
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  llvm::Expected<RematPlan> all =
      solve(problem, solverNamed(rematSolvers(), "checkpoint-all"), {});
  EXPECT_THAT(all, Succeeds());
  int64_t low = problem.lowerBoundBytes(), high = all->peakBytes;
  return {low, low + 1, (low + high) / 2, high - 1};
}

// A solver would claim less than any schedule costs, or the integer program
// would miss the optimum of its stages.
TEST(RematOracle, solvers_against_exhaustive_search) {
  // Each solver of integer programs that is built in has its turn.
  std::vector<std::string> backends;
  for (const char *name : {"highs", "cbc"})
    if (auto backend = createMilpBackend(name))
      backends.push_back(name);
    else
      llvm::consumeError(backend.takeError());
  int compared = 0, proved = 0, closed = 0;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    Graph graph = makeRandomDag(seed, 7);
    GraphIndex index(graph);
    for (int64_t budget : interestingBudgets(graph)) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                   std::to_string(budget));
      Oracle oracle(graph, budget);
      std::optional<double> staged = oracle.staged(),
                            fixedOrder = oracle.fixedOrder();
      RematProblem problem;
      problem.index = &index;
      problem.budgetBytes = budget;
      for (const RematSolver &solver : rematSolvers()) {
        SolveLimits limits;
        if (solver.traits.family == SolverFamily::Search)
          limits.effort = 5000;
        if (solver.name == "milp") {
          llvm::Expected<RematPlan> tight = solve(problem, solver, limits);
          ASSERT_TRUE(bool(tight)) << takeMessage(tight);
          EXPECT_EQ(!tight->schedule.runs.empty(), fixedOrder.has_value());
          if (fixedOrder) {
            EXPECT_NEAR(tight->cost, *fixedOrder, 1e-6);
          }
          closed += tight->report.status == SolveStatus::Optimal;
          limits.milpFormulation = "paper";
          if (!backends.empty())
            limits.milpBackend = backends[seed % backends.size()];
        }
        llvm::Expected<RematPlan> plan = solve(problem, solver, limits);
        if (!plan) {
          llvm::consumeError(plan.takeError()); // Chen's on what is no path.
          continue;
        }
        const bool found = !plan->schedule.runs.empty();
        if (found) {
          ++compared;
          ASSERT_TRUE(fixedOrder)
              << solver.name << " found a plan where there is none";
          EXPECT_GE(plan->cost, *fixedOrder - 1e-9) << solver.name;
        } else if (plan->report.status == SolveStatus::Infeasible &&
                   plan->report.boundSpace == "free-order") {
          EXPECT_FALSE(fixedOrder) << solver.name;
        }
        if (solver.name == "milp" && !backends.empty()) {
          EXPECT_EQ(found, staged.has_value());
          if (found && staged) {
            ++proved;
            EXPECT_NEAR(plan->cost, *staged, 1e-6);
            EXPECT_EQ(plan->report.status, SolveStatus::Optimal);
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(closed, 50);
  EXPECT_TRUE(!!backends.empty() || proved > 30) << proved;
}

// A solver would break on views, several outputs, updates, workspaces, donated
// inputs, or nodes that run once.
TEST(RematOracle, every_solver_on_graphs_with_everything) {
  int planned = 0, recomputing = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Graph graph = makeRandomGraph(seed, 14);
    GraphIndex index(graph);
    for (bool inPlace : {false, true}) {
      RematProblem problem;
      problem.index = &index;
      problem.inPlace = inPlace;
      llvm::Expected<RematPlan> all =
          solve(problem, solverNamed(rematSolvers(), "checkpoint-all"), {});
      ASSERT_THAT(all, Succeeds()) << "seed " << seed;
      const int64_t low = problem.lowerBoundBytes();
      EXPECT_LE(low, all->peakBytes) << "seed " << seed;
      for (int64_t budget :
           {low, (low + all->peakBytes) / 2, all->peakBytes - 1}) {
        if (budget <= 0)
          continue;
        problem.budgetBytes = budget;
        for (const RematSolver &solver : rematSolvers()) {
          // Chen's refuse most of these; the integer program takes its time.
          if (solver.name.starts_with("chen") || solver.name == "revolve" ||
              (solver.name == "milp" && seed > 15))
            continue;
          SolveLimits limits;
          limits.effort = 2000;
          // planRemat verifies the plan: schedule, in-place, peak, cost and
          // budget.
          llvm::Expected<RematPlan> plan = solve(problem, solver, limits);
          ASSERT_TRUE(bool(plan))
              << solver.name << " seed " << seed << " budget " << budget << ": "
              << takeMessage(plan);
          planned += !plan->schedule.runs.empty();
          recomputing += plan->cost > all->cost;
        }
      }
      problem.budgetBytes.reset();
    }
  }
  EXPECT_GT(planned, 100);
  EXPECT_GT(recomputing, 10);
}

} // namespace
