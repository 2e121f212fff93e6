//===- SwapProblem.cpp - What is copied to the host and back --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Swap/SwapProblem.h"
#include "RunGraph.h"
#include "SearchCopies.h"
#include "Tflms.h"
#include "TflmsFilters.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

llvm::Error SwapProblem::check() const {
  if (!index)
    return violation("swap_i1", "the problem has no graph");
  if (llvm::Error error = index->graph().check())
    return violation("swap_i1", std::move(error));
  if (!schedule)
    return violation("swap_i2", "the problem has no schedule");
  if (llvm::Error error = verifySchedule(*index, *schedule))
    return violation("swap_i2", std::move(error));
  if (budgetBytes && *budgetBytes <= 0)
    return violation("swap_i3", "budget of {0} bytes", *budgetBytes);
  if (hostBudgetBytes && *hostBudgetBytes < 0)
    return violation("swap_i3", "host budget of {0} bytes", *hostBudgetBytes);
  auto isEncoder = [](const Node &node) { return node.name == encoderName; };
  if (tflms.codec != "none" && llvm::none_of(index->graph().nodes, isEncoder))
    return violation("swap_i4",
                     "no node of the graph is {0}, and codec={1} copies what "
                     "such nodes make; the tools that read programs put them "
                     "in: memplan-opt and memplan-run",
                     encoderName, tflms.codec);
  return checkFilters(index->graph(), tflms);
}

static bool makesOnlyViews(const GraphIndex &index, const Node &node) {
  return node.writes.empty() && !node.outputs.empty() &&
         llvm::all_of(node.outputs, [&](TensorId output) {
           return index.base(output) != output;
         });
}

/// swap_c2 and swap_c3.
static llvm::Error verifyRuns(const GraphIndex &index, const Schedule &schedule,
                              const std::vector<PlanAction> &actions) {
  const Graph &graph = index.graph();
  size_t runs = 0;
  for (size_t i = 0; i < actions.size(); ++i) {
    const PlanAction &action = actions[i];
    if (action.stream != 0)
      return violation("swap_c2", "action {0} is on stream {1}", i,
                       action.stream);
    if (action.action != ActionKind::Compute)
      continue;
    // Views may be made later than the schedule has them, where they are read.
    while (runs < schedule.runs.size() && schedule.runs[runs] != action.node &&
           makesOnlyViews(index, graph[schedule.runs[runs]]))
      ++runs;
    const bool isNext =
        runs < schedule.runs.size() && schedule.runs[runs] == action.node;
    if (isNext &&
        action.variant ==
            (schedule.variants.empty() ? 0 : schedule.variants[runs])) {
      ++runs;
    } else if (isNext || !makesOnlyViews(index, graph[action.node])) {
      return violation("swap_c3",
                       "action {0} runs {1} in variant {2} after {3} runs", i,
                       describe(graph, action.node), action.variant, runs);
    }
  }
  while (runs < schedule.runs.size() &&
         makesOnlyViews(index, graph[schedule.runs[runs]]))
    ++runs;
  if (runs != schedule.runs.size())
    return violation("swap_c3", "{0} runs of {1}", runs, schedule.runs.size());
  return llvm::Error::success();
}

/// swap_c4 and swap_c5.
static llvm::Error verifyFigures(const SwapProblem &problem,
                                 const SwapPlan &plan, const Replay &replay) {
  auto differs = [](double a, double b) {
    return !(std::abs(a - b) <= 1e-9 * std::max({1.0, a, b}));
  };
  if (plan.peakBytes != replay.peakBytes ||
      plan.hostPeakBytes != replay.hostPeakBytes ||
      differs(plan.cost, replay.cost) || differs(plan.time, replay.time))
    return violation("swap_c4",
                     "{0} bytes, {1} on the host, cost {2}, time {3}; the "
                     "replay says {4}, {5}, {6}, {7}",
                     plan.peakBytes, plan.hostPeakBytes, plan.cost, plan.time,
                     replay.peakBytes, replay.hostPeakBytes, replay.cost,
                     replay.time);
  if (problem.budgetBytes && plan.peakBytes > *problem.budgetBytes)
    return violation("swap_c5", "peak of {0} bytes, budget {1}", plan.peakBytes,
                     *problem.budgetBytes);
  if (problem.hostBudgetBytes && plan.hostPeakBytes > *problem.hostBudgetBytes)
    return violation("swap_c5", "{0} bytes on the host, budget {1}",
                     plan.hostPeakBytes, *problem.hostBudgetBytes);
  return llvm::Error::success();
}

static llvm::Error verifyReport(const SwapPlan &plan) {
  const SolveReport &report = plan.report;
  if (report.bound && *report.bound > plan.time * (1 + 1e-9) + 1e-9)
    return violation("swap_c6", "bound {0} above time {1}", *report.bound,
                     plan.time);
  if (report.status == SolveStatus::Optimal &&
      !(report.bound && *report.bound >= plan.time * (1 - 1e-4) - 1e-9))
    return violation("swap_c6", "optimal without a bound near the time {0}",
                     plan.time);
  return llvm::Error::success();
}

llvm::Error SwapProblem::verify(const SwapPlan &plan) const {
  const bool isFailure = plan.report.status == SolveStatus::NoPlan ||
                         plan.report.status == SolveStatus::Infeasible;
  if (plan.actions.empty() && !schedule->runs.empty()) {
    if (!isFailure)
      return violation("swap_c7", "no actions, but the status is '{0}'",
                       statusName(plan.report.status));
    return llvm::Error::success();
  }
  Plan steps;
  steps.steps = plan.actions;
  llvm::Expected<Replay> replay = replayPlan(*index, steps);
  if (!replay)
    return violation("swap_c1", replay.takeError());
  if (llvm::Error error = verifyRuns(*index, *schedule, plan.actions))
    return error;
  if (llvm::Error error = verifyFigures(*this, plan, *replay))
    return error;
  return verifyReport(plan);
}

llvm::Error memplan::measureSwap(const GraphIndex &index, SwapPlan &plan) {
  Plan steps;
  steps.steps = std::move(plan.actions);
  llvm::Expected<Replay> replay = replayPlan(index, steps);
  plan.actions = std::move(steps.steps);
  if (!replay)
    return replay.takeError();
  plan.cost = replay->cost;
  plan.time = replay->time;
  plan.peakBytes = replay->peakBytes;
  plan.hostPeakBytes = replay->hostPeakBytes;
  return llvm::Error::success();
}

/// Everything stays on the device.
static llvm::Expected<SwapPlan> solveNone(const SwapProblem &problem,
                                          const SolveLimits &) {
  SwapPlan plan;
  plan.actions =
      buildActions(*problem.index, *problem.schedule,
                   problem.inPlace ? *problem.inPlace : InPlaceChoice());
  if (llvm::Error error = measureSwap(*problem.index, plan))
    return error;
  if (problem.budgetBytes && plan.peakBytes > *problem.budgetBytes) {
    plan.report.note = "nothing is copied, and " +
                       std::to_string(plan.peakBytes) + " bytes are live";
    plan.report.status = SolveStatus::NoPlan;
    plan.actions.clear();
  }
  return plan;
}

static const SwapSolver solverTable[] = {
    {"none", "copy nothing", {.family = SolverFamily::Baseline}, solveNone},
    {"tflms",
     "Le et al.: tensors that the backward pass reads long after they are "
     "made, by distances between ops and tuned to the budget",
     {.family = SolverFamily::Heuristic},
     solveTflms},
    {"search",
     "copies where they cost the least time, in one search with recomputation",
     {.family = SolverFamily::Search, .anytime = true, .obeysEffort = true},
     solveSearchCopies,
     /*formerName=*/"cost"},
};

std::span<const SwapSolver> memplan::swapSolvers() { return solverTable; }
