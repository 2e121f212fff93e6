//===- Prove.cpp - Bounds for plans that were chosen ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prove.h"
#include "Reorder.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Bounds/TimeBound.h"
#include "memplan/Planner/Remat/ProveInOrder.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/Repeats.h"
#include "memplan/Planner/Search/SearchProblem.h"
#include "memplan/Planner/Thresholds.h"
#include "memplan/Schedule/UsefulRuns.h"
#include <algorithm>

using namespace memplan;

ProofEffort memplan::effortOfProof(const PlanOptions &options) {
  using namespace tuning;
  const int64_t asked = options.limits.effort;
  if (asked <= 0)
    return {mostVisits, mostToClose};
  return {std::min(visitsOfMove * std::min(asked, mostVisits), mostVisits),
          std::min(closingVisitsOfMove * std::min(asked, mostToClose),
                   mostToClose)};
}

ProofEffort memplan::effortOfCost(const GraphIndex &index,
                                  const PlanOptions &options) {
  ProofEffort effort = effortOfProof(options);
  const auto nodes = int64_t(index.graph().nodes.size());
  if (options.limits.effort <= 0 && nodes > int64_t(largeStep))
    effort.visits = std::clamp(tuning::visitsOfNode * nodes, effort.visits,
                               tuning::mostVisitsOfLarge);
  return effort;
}

bool memplan::isInSpace(const StepContext &context, const Plan &plan,
                        llvm::StringRef boundSpace) {
  if (boundSpace == "staged")
    return false;
  return boundSpace != "fixed-order" ||
         startsInSourceOrder(context.index.graph(),
                             scheduleOf(plan.steps).runs);
}

/// Small steps: what live bytes allow, by branch and bound. A better plan on
/// the way counts for the bound only, since a larger budget would not find it.
static SolveReport closeFor(const StepContext &context,
                            const ContractedStep &step, int64_t budget,
                            const PackedPlan &best, int64_t visits,
                            SolveReport report) {
  RematProblem problem = context.problemWithin(budget);
  problem.packedBytes = nullptr;
  RematPlan plan = rematPlanOf(best.plan);
  plan.report = std::move(report);
  proveInOrder(problem, step, visits, context.options.limits.stop, plan);
  return std::move(plan.report);
}

/// The nodes as they run for the first time.
static std::vector<NodeId> firstRunsOf(const Graph &graph, const Plan &plan) {
  std::vector<bool> hasRun(graph.nodes.size(), false);
  std::vector<NodeId> order;
  for (const PlanAction &action : plan.steps)
    if (action.action == ActionKind::Compute && !hasRun[action.node.index]) {
      hasRun[action.node.index] = true;
      order.push_back(action.node);
    }
  return order;
}

/// A plan whose first runs left the order, since they were in vain there, may
/// cost less than what is proved of the order: then the bound is lowered to
/// what holds in the order of the plan too.
static SolveReport lowerToOrderOf(const StepContext &context, int64_t budget,
                                  const PackedPlan &best, int64_t visits,
                                  SolveReport report) {
  if (isAtMost(*report.bound, best.plan.cost) ||
      isInSpace(context, best.plan, report.boundSpace))
    return report;
  const ReorderedStep own(context.index,
                          firstRunsOf(context.index.graph(), best.plan));
  const ContractedStep step(own.index(), context.options.inPlace);
  SolveReport lowered = reportRunOnce(context.index.graph());
  lowered.solver = report.solver;
  raiseBound(lowered,
             proveCost(step, budget, best.plan.cost, findRepeat(step), visits));
  return lowered;
}

SolveReport memplan::proveFor(const StepContext &context, int64_t budget,
                              const PackedPlan &best,
                              const ProofEffort &effort) {
  SolveReport report = reportRunOnce(context.index.graph());
  report.solver = best.plan.solver;
  // What is proved beyond that holds for the order in which the nodes stand.
  if (isOptimalBound(*report.bound, best.plan.cost) || context.isStopped() ||
      context.solvers.order->traits.family == SolverFamily::Search)
    return report;
  const ContractedStep step(context.index, context.options.inPlace);
  raiseBound(report, proveCost(step, budget, best.plan.cost, findRepeat(step),
                               effort.visits));
  report = closeFor(context, step, budget, best, effort.visitsToClose,
                    std::move(report));
  return lowerToOrderOf(context, budget, best, effort.visits,
                        std::move(report));
}

double memplan::boundAlone(const StepContext &context, int64_t budget,
                           double time, int64_t visits) {
  const double once = *reportRunOnce(context.index.graph()).bound;
  if (context.solvers.order->traits.family == SolverFamily::Search)
    return once;
  const ContractedStep step(context.index, context.options.inPlace);
  // The proof ends just below the cost that it is given.
  return std::max(once, proveCost(step, budget, time * tuning::beyondKnown,
                                  findRepeat(step), visits)
                            .cost);
}

bool memplan::proveInfeasible(const StepContext &context, int64_t budget,
                              const ProofEffort &effort,
                              std::optional<SolveReport> &report) {
  if (context.isStopped() ||
      context.solvers.order->traits.family == SolverFamily::Search)
    return false;
  const RematProblem problem = context.problemWithin(budget);
  RematPlan none = withoutPlan(problem, "no plan within the budget was found");
  proveInOrder(problem, ContractedStep(context.index, context.options.inPlace),
               effort.visitsToClose, context.options.limits.stop, none);
  if (none.report.status != SolveStatus::Infeasible)
    return false;
  report = std::move(none.report);
  report->solver = context.solvers.remat->name;
  return true;
}

static double timeBoundOf(const GraphIndex &index, bool inPlace,
                          bool mayRecompute, int64_t visits, const Plan &plan) {
  const ContractedStep step(index, inPlace);
  const OrderRows rows(step);
  TimeBoundProblem problem;
  problem.rows = &rows;
  problem.budgetBytes = *plan.budgetBytes;
  problem.bandwidth = index.graph().bandwidth.value_or(Bandwidth());
  problem.mayRecompute = mayRecompute;
  problem.knownTime = plan.makespan();
  // Plans that keep the caller's tensors on the device, else all of them may be
  // away.
  if (!plan.hosted().empty())
    for (TensorId id : hostableTensors(index))
      problem.hostableBytes += index.graph()[id].bytes;
  return boundTime(problem,
                   visits / (rows.numRows() + int64_t(rows.gaps().size()) + 1));
}

void memplan::claimTime(const StepContext &context, Plan &plan) {
  plan.timeBound = reportRunOnce(context.index.graph()).bound;
  plan.timeBoundSpace = "free-order";
  // What is proved beyond that holds for the order in which the nodes stand.
  if (isAtMost(plan.makespan(), *plan.timeBound) || !plan.budgetBytes ||
      !plan.hosted().empty() || context.isStopped() ||
      context.solvers.order->traits.family == SolverFamily::Search)
    return;
  const bool mayRecompute = isSearch(*context.solvers.remat);
  const double bound =
      timeBoundOf(context.index, context.options.inPlace, mayRecompute,
                  effortOfProof(context.options).visits, plan);
  if (bound <= *plan.timeBound || (!isAtMost(bound, plan.makespan()) &&
                                   !isInSpace(context, plan, "fixed-order")))
    return;
  plan.timeBound = bound;
  plan.timeBoundSpace = mayRecompute ? "fixed-order" : "run-once";
}

void memplan::lowerTimeBound(const GraphIndex &given,
                             const PlanOptions &options,
                             const ProofEffort &effort, Plan &plan) {
  if (!plan.timeBound || plan.timeBoundSpace == "free-order")
    return;
  const double once = *reportRunOnce(given.graph()).bound;
  const double bound =
      timeBoundOf(given, options.inPlace, plan.timeBoundSpace == "fixed-order",
                  effort.visits, plan);
  plan.timeBound = std::min(*plan.timeBound, std::max(bound, once));
  if (*plan.timeBound <= once)
    plan.timeBoundSpace = "free-order";
}
