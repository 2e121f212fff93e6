//===- JointStep.cpp - Steps that recompute and copy ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JointStep.h"
#include "Family.h"
#include "Prove.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Joint/JointProblem.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/PackActions.h"

using namespace memplan;

bool memplan::plansJointly(const StepContext &context) {
  return context.solvers.swap->traits.family == SolverFamily::Search &&
         (isSearch(*context.solvers.remat) ||
          context.solvers.remat->traits.family == SolverFamily::Baseline);
}

namespace {
/// The search for one budget, with and without reruns.
class JointPlanner {
public:
  JointPlanner(const StepContext &context, int64_t budget)
      : context(context), graph(context.index.graph()), budget(budget) {}

  /// The packed plan if the search finds one.
  llvm::Expected<std::optional<Plan>>
  plan(bool mayRerun, llvm::ArrayRef<Schedule> starts) const;

private:
  llvm::Expected<PackedActions> pack(std::vector<PlanAction> actions) const;
  int64_t excessOf(const std::vector<PlanAction> &actions) const;

  const StepContext &context;
  const Graph &graph;
  int64_t budget;
};
} // namespace

llvm::Expected<PackedActions>
JointPlanner::pack(std::vector<PlanAction> actions) const {
  constexpr int64_t packingEffort = 200; // One of many.
  SolveLimits limits = context.limitsWith(packingEffort);
  limits.progress = nullptr;
  return packActions(context.index, std::move(actions), *context.solvers.arena,
                     context.options.alignmentBytes, limits);
}

/// What does not pack at all is as bad as it gets; it is reported where it is
/// the plan that is returned.
int64_t JointPlanner::excessOf(const std::vector<PlanAction> &actions) const {
  llvm::Expected<PackedActions> packed = pack(actions);
  if (!packed) {
    llvm::consumeError(packed.takeError());
    return budget;
  }
  const int64_t host =
      packed->hostBytes - graph.hostBudgetBytes.value_or(packed->hostBytes);
  return std::max(packed->deviceBytes - budget, host);
}

llvm::Expected<std::optional<Plan>>
JointPlanner::plan(bool mayRerun, llvm::ArrayRef<Schedule> starts) const {
  JointProblem problem;
  problem.index = &context.index;
  problem.budgetBytes = budget;
  problem.inPlace = context.options.inPlace;
  problem.bandwidth = graph.bandwidth.value_or(Bandwidth());
  problem.hostBudgetBytes = graph.hostBudgetBytes;
  problem.mayRerun = mayRerun;
  for (const Schedule &schedule : starts)
    problem.starts.push_back(&schedule);
  problem.excessBytes = [this](const std::vector<PlanAction> &actions,
                               llvm::ArrayRef<TensorId>) {
    return excessOf(actions);
  };
  JointPlan found =
      solveJoint(problem, context.limitsWith(context.options.limits.effort));
  if (found.actions.empty())
    return std::nullopt;
  llvm::Expected<PackedActions> packed = pack(std::move(found.actions));
  if (!packed)
    return packed.takeError();
  if (packed->deviceBytes > budget || !packed->fitsHost(graph))
    return std::nullopt;
  return std::optional<Plan>(std::move(packed->plan));
}

/// The runs of a plan, from which a search may start.
static Schedule scheduleOf(const Plan &plan) {
  Schedule schedule;
  for (const PlanAction &action : plan.steps)
    if (action.action == ActionKind::Compute) {
      schedule.runs.push_back(action.node);
      schedule.variants.push_back(action.variant);
    }
  return schedule;
}

static void finish(const StepContext &context, int64_t budget, Plan &plan) {
  plan.graphHash = hashGraph(context.index.graph());
  plan.budgetBytes = budget;
  boundByRunOnce(context.index.graph(), plan);
  claimTime(context, plan);
  plan.solver = std::string(context.solvers.remat->name) + "+" +
                std::string(context.solvers.swap->name);
}

llvm::Expected<Plan> memplan::planJointly(const StepContext &context,
                                          int64_t budget, Plan alone) {
  const double least = *reportRunOnce(context.index.graph()).bound;
  if (hasSteps(alone.status) && alone.makespan() <= least * (1 + 1e-9)) {
    claimTime(context, alone);
    return alone; // Nothing is to be gained.
  }
  if (alone.status == SolveStatus::Infeasible && alone.witnessNode)
    return alone; // What one node needs does not fit, wherever the rest is.
  const JointPlanner planner(context, budget);
  const bool mayRerun = isSearch(*context.solvers.remat);
  std::vector<Schedule> starts;
  std::optional<Plan> best;
  if (hasSteps(alone.status)) {
    starts.push_back(scheduleOf(alone));
    best = alone;
  }
  for (bool both : {false, true}) {
    if ((both && !mayRerun) || (best && context.isStopped()))
      break;
    llvm::Expected<std::optional<Plan>> plan = planner.plan(
        both, both ? llvm::ArrayRef(starts) : llvm::ArrayRef<Schedule>());
    if (!plan)
      return plan.takeError();
    if (!*plan || (best && best->makespan() <= (*plan)->makespan()))
      continue;
    starts.push_back(scheduleOf(**plan));
    best = std::move(**plan);
  }
  // What was proved of plans without copies does not hold among those with.
  if (best) {
    finish(context, budget, *best);
    return std::move(*best);
  }
  alone.status = SolveStatus::NoPlan;
  alone.note += "; no plan with copies was found either";
  return alone;
}
