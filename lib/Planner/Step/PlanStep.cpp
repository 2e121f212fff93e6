//===- PlanStep.cpp - One training step, planned in arena bytes -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether there is a plan is decided by a sequence of plans that does not
// depend on the budget (Ladder.h); attempts made for the budget itself
// (Attempt.h) then look for a cheaper one.
//
//===----------------------------------------------------------------------===//

#include "Ladder.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Remat/WorkingSet.h"
#include "memplan/Planner/Step/LeastBudget.h"
#include "llvm/ADT/Twine.h"

using namespace memplan;

llvm::Expected<StepSolvers> memplan::findSolvers(const PlanOptions &options) {
  auto remat = lookUpSolver("remat", rematSolvers(), options.remat);
  if (!remat)
    return remat.takeError();
  auto order = lookUpSolver("order", orderSolvers(), options.order);
  if (!order)
    return order.takeError();
  auto sharing = lookUpSolver("sharing", sharingSolvers(), options.sharing);
  if (!sharing)
    return sharing.takeError();
  auto arena = lookUpSolver("arena", arenaSolvers(), options.arena);
  if (!arena)
    return arena.takeError();
  if (options.alignmentBytes <= 0 ||
      (options.alignmentBytes & (options.alignmentBytes - 1)))
    return llvm::createStringError("alignment of " +
                                   llvm::Twine(options.alignmentBytes) +
                                   " bytes is not a power of two");
  return StepSolvers{*remat, *order, *sharing, *arena};
}

/// The checkpointing family takes milliseconds; where one of its plans is
/// cheaper as live bytes, it may be so in arena bytes.
static llvm::Expected<Attempts> tryCheckpointFamily(const StepContext &context,
                                                    int64_t budget,
                                                    Attempts found) {
  for (const RematSolver *member : checkpointFamily()) {
    if (context.isStopped())
      break;
    llvm::Expected<RematPlan> remat =
        solve(context.problemWithin(budget), *member, context.limitsWith(0));
    if (!remat)
      return remat.takeError();
    // Fewer live bytes never make a member cheaper.
    if (remat->schedule.runs.empty() ||
        (found.cheapest && remat->cost >= found.cheapest->plan.cost))
      continue;
    llvm::Expected<Attempts> more = fitTarget(context, *member, budget, 12, 0);
    if (!more)
      return more.takeError();
    found = join(std::move(found), std::move(*more));
  }
  return found;
}

/// What is tried for this budget and no other.
static llvm::Expected<Attempts> tryBudget(const StepContext &context,
                                          int64_t budget) {
  const RematSolver &solver = *context.solvers.remat;
  // An integer program is worth a few rounds only; the plan that it starts from
  // gets the rest of them.
  const bool isMilp = solver.traits.family == SolverFamily::Milp;
  llvm::Expected<Attempts> found = fitTarget(
      context, solver, budget, isMilp ? 3 : 12, context.options.limits.effort);
  if (!found)
    return found;
  if (isMilp && !found->cheapest) {
    llvm::Expected<Attempts> more =
        fitTarget(context, solverNamed(rematSolvers(), "auto"), budget, 12, 0);
    if (!more)
      return more;
    found = join(std::move(*found), std::move(*more));
  }
  if (!isHelped(solver))
    return found;
  return tryCheckpointFamily(context, budget, std::move(*found));
}

/// Names the run at the peak of the smallest plan, and what lives beside it.
static void bindToPeak(const GraphIndex &index, const PackedStep &packed,
                       Plan &failure) {
  const Schedule &schedule = packed.remat.schedule;
  if (schedule.runs.empty())
    return;
  ScheduleMetrics metrics =
      measureSchedule(index, schedule, packed.remat.inPlace);
  failure.witnessNode = schedule.runs[metrics.peakRun];
  failure.witnessTensors.clear();
  for (const LiveRange &liveRange : computeLiveRanges(index, schedule))
    if (liveRange.begin >= 0 && liveRange.isAt(metrics.peakRun))
      failure.witnessTensors.push_back(liveRange.tensor);
}

/// Why there is no plan: proved by the working set, proved by the solver in its
/// space, or not proved.
static Plan explainFailure(const StepContext &context, int64_t budget,
                           const Attempts &tried,
                           const std::optional<PackedStep> &smallest) {
  Plan failure;
  failure.graphName = context.index.graph().name;
  failure.graphHash = hashGraph(context.index.graph());
  failure.solver = tried.report ? tried.report->solver
                   : smallest   ? smallest->plan.solver
                                : std::string(context.solvers.remat->name);
  failure.budgetBytes = budget;
  if (smallest)
    failure.minimumBudgetBytes = smallest->deviceBytes;
  // What a plan file claims must hold of all plans, also where in-place outputs
  // are switched off.
  WorkingSet set = largestWorkingSet(context.index, /*inPlace=*/true);
  failure.boundBytes = set.bytes;
  failure.boundSpace = "free-order";
  failure.proof = "exact";
  failure.witnessNode = set.node;
  failure.witnessTensors = std::move(set.tensors);
  if (set.bytes > budget) {
    failure.status = SolveStatus::Infeasible;
    failure.note = "the working set alone exceeds the budget";
    return failure;
  }
  if (tried.report && tried.report->status == SolveStatus::Infeasible) {
    failure.status = SolveStatus::Infeasible;
    failure.boundSpace = tried.report->boundSpace;
    failure.proof = tried.report->proof;
    failure.boundBytes = tried.boundBytes;
    failure.note = tried.report->note;
    return failure;
  }
  failure.status = SolveStatus::NoPlan;
  failure.note = tried.note;
  if (smallest)
    bindToPeak(context.index, *smallest, failure);
  return failure;
}

/// The proof that there is no plan, against the plan in hand.
static llvm::Error contradiction(const SolveReport &report,
                                 const PackedStep &known) {
  return llvm::createStringError(
      "solver '%s' proves that no plan in the %s space keeps the budget, but "
      "solver '%s' has one of %lld bytes; one of the two is wrong, which is a "
      "bug in it",
      report.solver.c_str(), report.boundSpace.c_str(),
      known.plan.solver.c_str(), static_cast<long long>(known.deviceBytes));
}

static llvm::Expected<Plan> planWithin(const StepContext &context,
                                       int64_t budget) {
  // A plan that keeps the budget is in hand from the first moment, where one is
  // known.
  llvm::Expected<Attempts> walked = walkDown(context, budget);
  if (!walked)
    return walked.takeError();
  // What the walk does not reach is not tried either, or a plan found here by
  // luck would be lost at a larger budget. A solver that can prove something is
  // asked in any case, and a walk that was cut short reaches nothing.
  Attempts tried;
  if (walked->cheapest || context.solvers.remat->traits.exact ||
      context.isStopped()) {
    llvm::Expected<Attempts> found = tryBudget(context, budget);
    if (!found)
      return found.takeError();
    tried = std::move(*found);
  } else {
    tried.note = "no plan within the budget was found";
  }
  std::optional<PackedStep> best =
      cheaper(std::move(tried.cheapest), std::move(walked->cheapest));
  if (!best)
    return explainFailure(context, budget, tried, walked->smallest);
  // A proof about stages says nothing of a plan outside them.
  const bool isRefuted =
      tried.report && tried.report->status == SolveStatus::Infeasible;
  if (isRefuted && tried.report->boundSpace != "staged")
    return contradiction(*tried.report, *best);
  return finishPlan(context, std::move(*best), budget,
                    isRefuted ? std::nullopt : tried.report);
}

static llvm::Expected<Plan> planWithoutLimit(const StepContext &context) {
  llvm::Expected<std::optional<PackedStep>> packed =
      attempt(context, *context.solvers.remat, std::nullopt,
              context.options.limits.effort);
  if (!packed)
    return packed.takeError();
  if (!*packed)
    return explainFailure(context, std::numeric_limits<int64_t>::max(), {}, {});
  const SolveReport report = (*packed)->remat.report;
  return finishPlan(context, std::move(**packed), std::nullopt, report);
}

/// What --min-budget asks for: the plan that shows the least budget.
static llvm::Expected<Plan> planForLeastBudget(const Graph &graph,
                                               const PlanOptions &options) {
  if (options.budgetBytes || options.budgetShare)
    return llvm::createStringError(
        "min-budget looks for a budget, so budget cannot be given too");
  llvm::Expected<std::optional<LeastBudget>> least =
      leastBudget(graph, options);
  if (!least)
    return least.takeError();
  if (!*least)
    return llvm::createStringError("solver '" + options.remat +
                                   "' finds no plan with any budget");
  Plan plan = std::move((*least)->plan);
  plan.note = "the least budget known to work is " +
              std::to_string((*least)->bytes) +
              " bytes; it is proved that none below " +
              std::to_string((*least)->boundBytes) + " works";
  return plan;
}

static bool isSourceOrder(const PlanOptions &options) {
  return solverNamed(orderSolvers(), options.order).traits.family ==
         SolverFamily::Baseline;
}

llvm::Error memplan::verifyStepPlan(const GraphIndex &index, const Plan &plan,
                                    const PlanOptions &options) {
  return verifyPlan(index, plan, options.budgetBytes,
                    isSourceOrder(options) ? FirstRuns::SourceOrderButViews
                                           : FirstRuns::AnyOrder);
}

FirstRuns memplan::firstRunsAskedFor(const PlanOptions &options) {
  return options.order != PlanOptions().order && isSourceOrder(options)
             ? FirstRuns::SourceOrder
             : FirstRuns::AnyOrder;
}

llvm::Expected<Plan> memplan::planStep(const Graph &graph,
                                       const PlanOptions &given) {
  if (given.minBudget)
    return planForLeastBudget(graph, given);
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  PlanOptions options = given;
  resolveBudget(index, options);
  llvm::Expected<StepSolvers> solvers = findSolvers(options);
  if (!solvers)
    return solvers.takeError();
  if (options.budgetBytes && *options.budgetBytes <= 0)
    return llvm::createStringError("budget of " +
                                   llvm::Twine(*options.budgetBytes) +
                                   " bytes is not positive");
  StepContext context{index, options, *solvers};
  llvm::Expected<Plan> plan = options.budgetBytes
                                  ? planWithin(context, *options.budgetBytes)
                                  : planWithoutLimit(context);
  if (!plan)
    return plan;
  // Nothing leaves unchecked, whichever solver made it.
  if (llvm::Error error = verifyStepPlan(index, *plan, options))
    return invalidPlan(plan->solver, std::move(error));
  return plan;
}
