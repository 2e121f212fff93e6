//===- FinishPlan.cpp - What is said of a plan, or of none ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopySpaces.h"
#include "StepFront.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Thresholds.h"

using namespace memplan;

/// Without copies: what `report` proves of the work. A bound above its cost is
/// an error.
static llvm::Error claimCost(const StepContext &context,
                             const std::optional<SolveReport> &report,
                             Plan &plan) {
  const Graph &graph = context.index.graph();
  // A bound that a solver gave for fewer live bytes is none for this budget.
  SolveReport proved = report && report->bound ? *report : reportRunOnce(graph);
  // Sums of costs are rounded.
  if (!isAtMost(*proved.bound, plan.cost) &&
      !isInSpace(context, plan, proved.boundSpace))
    proved = reportRunOnce(graph);
  plan.bound = proved.bound;
  plan.boundSpace = proved.boundSpace;
  plan.proof = proved.proof;
  // What kept a program from being built or solved is said beside whichever
  // plan was chosen.
  if (plan.note.empty() && report &&
      context.solvers.remat->traits.family == SolverFamily::Milp)
    plan.note = report->note;
  // Every other bound holds for every plan made here.
  if (contradicts(*plan.bound, plan.cost))
    return llvm::createStringError(
        "solver '%s' says that no plan in the %s space costs less than %.9g, "
        "but solver '%s' has one of cost %.9g; one of the two is wrong, which "
        "is a bug in it",
        proved.solver.c_str(), proved.boundSpace.c_str(), *plan.bound,
        plan.solver.c_str(), plan.cost);
  plan.status = isOptimalBound(*plan.bound, plan.cost) ? SolveStatus::Optimal
                                                       : SolveStatus::Feasible;
  return llvm::Error::success();
}

llvm::Expected<Plan>
StepFront::finish(PackedPlan packed, std::optional<int64_t> budget,
                  const std::optional<SolveReport> &report) const {
  const Graph &graph = context.index.graph();
  const bool hasCopies = searchesCopies(context);
  const double least = *reportRunOnce(graph).bound;
  if (!hasCopies && copies(context.solvers)) {
    // A heuristic: it has no bound but that of every plan. What another solver
    // proved of its own plan, before that was packed, holds in its order only.
    boundByRunOnce(graph, packed.plan);
    packed.plan.graphHash = hashGraph(graph);
    packed.plan.budgetBytes = budget;
    return std::move(packed.plan);
  }
  const bool isSchedule = !memplan::hasCopies(packed.plan.steps);
  if (isSchedule) {
    llvm::Expected<PackedPlan> best = context.packWell(std::move(packed));
    if (!best)
      return best.takeError();
    packed = std::move(*best);
  }
  Plan plan = std::move(packed.plan);
  plan.graphHash = hashGraph(graph);
  plan.budgetBytes = budget;
  // What is proved of plans without copies does not hold among those with.
  if (!hasCopies || (isSchedule && isAtMost(plan.makespan(), least))) {
    if (llvm::Error error = claimCost(context, report, plan))
      return std::move(error);
  } else {
    boundByRunOnce(graph, plan);
    plan.solver = std::string(context.solvers.remat->name) + "+" +
                  std::string(context.solvers.swap->name);
  }
  if (hasCopies && budget)
    claimTime(context, plan);
  return plan;
}

static int64_t addOne(int64_t bytes) {
  return bytes < std::numeric_limits<int64_t>::max() ? bytes + 1 : bytes;
}

/// Names the run at the peak of the smallest plan, and what lives beside it.
static void bindToPeak(const GraphIndex &index, const PackedPlan &packed,
                       Plan &failure) {
  const Schedule schedule = scheduleOf(packed.plan.steps);
  if (schedule.runs.empty())
    return;
  ScheduleMetrics metrics =
      measureSchedule(index, schedule, inPlaceOf(packed.plan.steps));
  failure.witnessNode = schedule.runs[metrics.peakRun];
  failure.witnessTensors.clear();
  for (const LiveRange &liveRange : computeLiveRanges(index, schedule))
    if (liveRange.begin >= 0 && liveRange.isAt(metrics.peakRun))
      failure.witnessTensors.push_back(liveRange.tensor);
}

/// Parameters stay on the device unless they may live on the host, and so does
/// what a node works on. Without copies, more has to.
static BudgetBound boundOf(const StepContext &context, int64_t budget,
                           const Attempts &tried) {
  BudgetBound bound = boundByWorkingSet(context.index, mostHosted(context));
  if (bound.bytes > budget || copies(context.solvers))
    return bound;
  const BudgetBound proved = boundBudget(
      context.index, context.options,
      tried.smallest ? tried.smallest->deviceBytes : addOne(budget));
  // What is proved of an order says nothing of a smaller plan outside it.
  return tried.smallest && tried.smallest->deviceBytes < proved.bytes ? bound
                                                                      : proved;
}

Plan memplan::explainFailure(const StepContext &context, int64_t budget,
                             const Attempts &tried) {
  const Graph &graph = context.index.graph();
  const bool hasCopies = copies(context.solvers);
  Plan failure;
  failure.graphName = graph.name;
  failure.graphHash = hashGraph(graph);
  failure.solver = hasCopies ? std::string(context.solvers.remat->name) + "+" +
                                   std::string(context.solvers.swap->name)
                   : tried.report   ? tried.report->solver
                   : tried.smallest ? tried.smallest->plan.solver
                                    : std::string(context.solvers.remat->name);
  failure.budgetBytes = budget;
  if (tried.smallest)
    failure.minimumBudgetBytes = tried.smallest->deviceBytes;
  const BudgetBound bound = boundOf(context, budget, tried);
  failure.boundBytes = bound.bytes;
  failure.boundSpace = bound.space;
  failure.proof = "exact";
  failure.witnessNode = bound.node;
  failure.witnessTensors = bound.tensors;
  const bool isProved = bound.bytes > budget;
  failure.status = isProved ? SolveStatus::Infeasible : SolveStatus::NoPlan;
  if (isProved) {
    failure.note = bound.reason + " alone exceeds the budget";
    return failure;
  }
  const bool isOutside = tried.smallest && tried.boundBytes &&
                         tried.smallest->deviceBytes < *tried.boundBytes;
  const bool isRefuted = !hasCopies && !isOutside && tried.report &&
                         tried.report->status == SolveStatus::Infeasible;
  // Without outputs in place a working set is larger. What is claimed of all
  // plans holds of those with them, too.
  if (isRefuted && !context.options.inPlace &&
      tried.report->boundSpace == "free-order") {
    const WorkingSet set = largestWorkingSet(context.index, /*inPlace=*/false);
    failure.note =
        "without outputs in place " +
        (set.node ? describe(graph, *set.node) : "an end of the step") +
        " needs " + std::to_string(set.bytes) + " bytes; ";
  } else if (isRefuted) {
    failure.status = SolveStatus::Infeasible;
    failure.boundSpace = tried.report->boundSpace;
    failure.proof = tried.report->proof;
    failure.boundBytes = tried.boundBytes;
    failure.note = tried.report->note;
    return failure;
  }
  failure.note += (tried.note.empty() ? "" : tried.note + "; ") +
                  "the bound is proved by " + describeReason(graph, bound);
  if (tried.smallest && !hasCopies)
    bindToPeak(context.index, *tried.smallest, failure);
  return failure;
}
