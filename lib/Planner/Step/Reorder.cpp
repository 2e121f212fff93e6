//===- Reorder.cpp - The step in another order of first runs --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reorder.h"
#include "ProbeOrder.h"
#include "Starts.h"
#include "Tuning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/Repeats.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>

using namespace memplan;

ReorderedStep::ReorderedStep(const GraphIndex &given, std::vector<NodeId> nodes)
    : given(given), order(std::move(nodes)) {
  if (std::is_sorted(order.begin(), order.end()))
    return;
  Graph reordered = given.graph();
  for (size_t place = 0; place < order.size(); ++place)
    reordered.nodes[place] = given.graph()[order[place]];
  own = std::make_unique<const Own>(std::move(reordered));
}

/// As much of `claimed`, a bound in the order that was chosen, as holds in
/// source order too. What fits in the one order only is bounded by the other.
static SolveReport proveInSourceOrder(const GraphIndex &given,
                                      const PlanOptions &options,
                                      const ProofEffort &effort, int64_t budget,
                                      const SolveReport &claimed) {
  SolveReport report = reportRunOnce(given.graph());
  const std::atomic<bool> *stop = options.limits.stop;
  if (claimed.boundSpace != "fixed-order" || (stop && stop->load()) ||
      *claimed.bound <= *report.bound)
    return report;
  const ContractedStep step(given, options.inPlace);
  ProvedBound proved =
      proveCost(step, budget, *claimed.bound, findRepeat(step), effort.visits);
  if (proved.cost < *claimed.bound && step.numOps() <= smallStep) {
    const ProvedBound closed =
        closeGap(
            step, budget, *claimed.bound,
            [](llvm::ArrayRef<int32_t>) { return std::nullopt; },
            effort.visitsToClose, stop)
            .bound;
    if (closed.cost > proved.cost)
      proved = closed;
  }
  if (proved.cost >= *claimed.bound)
    return claimed;
  if (claimed.proof == "solver")
    proved.proof = "solver";
  raiseBound(report, proved);
  return report;
}

/// Claims of a plan that was not found which budgets work in neither order.
static void claimFailure(const GraphIndex &given, const PlanOptions &options,
                         Plan &plan) {
  const BudgetBound bound = boundBudget(given, options, *plan.boundBytes);
  if (bound.bytes >= *plan.boundBytes)
    return; // Whose proof is as good.
  plan.boundBytes = bound.bytes;
  plan.boundSpace = bound.space;
  plan.proof = "exact";
  if (plan.status != SolveStatus::Infeasible)
    return;
  plan.note = "the bound is proved by " + describeReason(given.graph(), bound);
  if (bound.bytes > *plan.budgetBytes)
    return;
  plan.status = SolveStatus::NoPlan;
  plan.note =
      "nothing fits in the order that was chosen; others may; " + plan.note;
}

/// What is proved of the order that was chosen is claimed as far as it holds
/// in source order.
static void claimInSourceOrder(const GraphIndex &given,
                               const PlanOptions &options,
                               const ProofEffort &effort, Plan &plan) {
  if (plan.boundSpace != "fixed-order" && plan.boundSpace != "staged")
    return;
  SolveReport report = reportRunOnce(given.graph());
  if (plan.boundBytes) {
    claimFailure(given, options, plan);
    return;
  }
  if (plan.bound && plan.budgetBytes) {
    report = proveInSourceOrder(given, options, effort, *plan.budgetBytes,
                                reportOf(plan));
  }
  if (plan.bound)
    plan.bound = report.bound;
  plan.boundSpace = report.boundSpace;
  plan.proof = report.proof;
  if (plan.status == SolveStatus::Optimal &&
      !isOptimalBound(*plan.bound, plan.cost))
    plan.status = SolveStatus::Feasible;
}

void ReorderedStep::renameNodes(llvm::ArrayRef<NodeId> names,
                                Plan &plan) const {
  auto rename = [&](NodeId &node) {
    if (node.isValid())
      node = names[node.index];
  };
  for (PlanAction &action : plan.steps)
    rename(action.node);
  for (PlanArena &arena : plan.arenas)
    for (Placement &placement : arena.placements)
      rename(placement.node);
  if (plan.witnessNode)
    rename(*plan.witnessNode);
}

std::vector<NodeId> ReorderedStep::placeOfNodes() const {
  std::vector<NodeId> places(order.size());
  for (size_t place = 0; place < order.size(); ++place)
    places[order[place].index] = NodeId(place);
  return places;
}

void ReorderedStep::reorder(Plan &plan) const {
  if (own)
    renameNodes(placeOfNodes(), plan);
}

std::optional<SourceOrder> ReorderedStep::source() const {
  if (!own)
    return std::nullopt;
  return SourceOrder{&given, placeOfNodes()};
}

void ReorderedStep::restore(const PlanOptions &options,
                            const ProofEffort &effort, Plan &plan) const {
  if (!own)
    return;
  claimInSourceOrder(given, options, effort, plan);
  lowerTimeBound(given, options, effort, plan);
  plan.graphHash = hashGraph(given.graph());
  renameNodes(order, plan);
}

BudgetBound ReorderedStep::boundBudget(const PlanOptions &options,
                                       int64_t atMost) const {
  BudgetBound bound = memplan::boundBudget(index(), options, atMost);
  if (own && bound.node)
    bound.node = order[bound.node->index];
  if (!own || bound.space != "fixed-order")
    return bound;
  BudgetBound inSource = memplan::boundBudget(given, options, bound.bytes);
  return inSource.bytes < bound.bytes ? inSource : bound;
}

/// In the order that the options ask for.
static llvm::Expected<OrderProbes::Probe>
reorderStep(const GraphIndex &index, const StepSolvers &solvers,
            const PlanOptions &options) {
  OrderProbes probes(index, solvers, options);
  OrderProblem problem;
  problem.index = &index;
  problem.packedBytes = [&](const std::vector<NodeId> &order) {
    return probes.packedBytes(order);
  };
  problem.costsLess = [&](const std::vector<NodeId> &one,
                          const std::vector<NodeId> &other) {
    return probes.costsLess(one, other);
  };
  // A remat search that may move first runs begins where plans without it do.
  const bool isSearched = solvers.order->traits.family == SolverFamily::Search;
  llvm::Expected<OrderPlan> plan =
      solve(problem,
            isSearched ? solverNamed(orderSolvers(), "auto") : *solvers.order,
            options.limits);
  if (!plan)
    return plan.takeError();
  return probes.take(std::move(plan->order));
}

llvm::Expected<PreparedStep> memplan::prepareStep(const GraphIndex &index,
                                                  const PlanOptions &options) {
  const auto begun = std::chrono::steady_clock::now();
  llvm::Expected<StepSolvers> solvers = findSolvers(options);
  if (!solvers)
    return solvers.takeError();
  llvm::Expected<OrderProbes::Probe> probe =
      reorderStep(index, *solvers, options);
  if (!probe)
    return probe.takeError();
  const GraphIndex &ordered = probe->step.index(); // Stays where it is.
  // Choosing the order counts against a time limit.
  PreparedStep prepared{
      std::move(probe->step),
      {ordered, options, *solvers, SolveClock(options.limits, begun)}};
  if (options.hostState != "none" && !searchesCopies(prepared.context))
    return llvm::createStringError(
        "host-state=" + options.hostState +
        " needs swap=search, and for remat a search, auto or checkpoint-all");
  prepared.context.source = prepared.step.source();
  prepared.context.turns = std::move(probe->turns);
  if (llvm::Error error = readStarts(index, prepared))
    return std::move(error);
  return prepared;
}
