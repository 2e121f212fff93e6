//===- PlanStep.cpp - One training step, planned in arena bytes -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches choose from a family of plans that does not depend on the budget
// (Family.h). Other solvers walk down a sequence of plans that does not either
// (Ladder.h) to decide whether there is one; attempts made for the budget
// itself (Attempt.h) then look for a cheaper one.
//
//===----------------------------------------------------------------------===//

#include "Family.h"
#include "JointStep.h"
#include "Ladder.h"
#include "Prove.h"
#include "Reorder.h"
#include "StreamStep.h"
#include "SwapStep.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Remat/Bounds/ProvedBound.h"
#include "memplan/Planner/Remat/ProveInOrder.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"
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
  auto swap = lookUpSolver("swap", swapSolvers(), options.swap);
  if (!swap)
    return swap.takeError();
  if (options.alignmentBytes <= 0 ||
      (options.alignmentBytes & (options.alignmentBytes - 1)))
    return llvm::createStringError("alignment of " +
                                   llvm::Twine(options.alignmentBytes) +
                                   " bytes is not a power of two");
  return StepSolvers{*remat, *order, *sharing, *arena, *swap};
}

static int64_t addOne(int64_t bytes) {
  return bytes < std::numeric_limits<int64_t>::max() ? bytes + 1 : bytes;
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

/// Why there is no plan: proved by what has to be there, proved by the solver
/// in its space, or not proved.
static Plan explainFailure(const StepContext &context, int64_t budget,
                           const Attempts &tried,
                           const std::optional<PackedStep> &smallest) {
  const Graph &graph = context.index.graph();
  Plan failure;
  failure.graphName = graph.name;
  failure.graphHash = hashGraph(graph);
  failure.solver = tried.report ? tried.report->solver
                   : smallest   ? smallest->plan.solver
                                : std::string(context.solvers.remat->name);
  failure.budgetBytes = budget;
  if (smallest)
    failure.minimumBudgetBytes = smallest->deviceBytes;
  BudgetBound bound = boundByWorkingSet(context.index);
  if (bound.bytes <= budget)
    bound = boundBudget(context.index, context.options,
                        smallest ? smallest->deviceBytes : addOne(budget));
  failure.boundBytes = bound.bytes;
  failure.boundSpace = bound.space;
  failure.proof = "exact";
  failure.witnessNode = bound.node;
  failure.witnessTensors = bound.tensors;
  failure.status =
      bound.bytes > budget ? SolveStatus::Infeasible : SolveStatus::NoPlan;
  if (bound.bytes > budget) {
    failure.note = bound.reason + " alone exceeds the budget";
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
  failure.note = (tried.note.empty() ? "" : tried.note + "; ") +
                 "the bound is proved by " + describeReason(graph, bound);
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

/// Plans that follow from the graph and the options; those for the budget
/// itself where the solver has any.
static llvm::Expected<Attempts> planByName(const StepContext &context,
                                           int64_t budget) {
  constexpr int rounds = 12;
  llvm::Expected<Attempts> walked = walkDown(context, budget);
  // What the walk does not reach is not tried either, or a plan found here by
  // luck would be lost at a larger budget. A walk that was cut short reaches
  // nothing.
  if (!walked || (!walked->cheapest && !context.isStopped()))
    return walked;
  llvm::Expected<Attempts> found =
      fitTarget(context, *context.solvers.remat, budget, rounds,
                context.options.limits.effort);
  if (!found)
    return found;
  return join(std::move(*found), std::move(*walked));
}

/// Beside the family: an integer program is worth a few rounds for the budget
/// itself, and may find or prove what the family does not reach.
static llvm::Expected<Attempts> planFromFamily(const StepContext &context,
                                               int64_t budget) {
  constexpr int rounds = 3;
  llvm::Expected<Attempts> chosen = chooseFromFamily(context, budget);
  const RematSolver &solver = *context.solvers.remat;
  if (!chosen || solver.traits.family != SolverFamily::Milp) {
    // What it proves would not hold among plans with copies.
    if (chosen && chosen->cheapest && !copies(context.solvers))
      chosen->report = proveFor(context, budget, *chosen->cheapest,
                                effortOfProof(context.options));
    return chosen;
  }
  llvm::Expected<Attempts> found =
      fitTarget(context, solver, budget, rounds, context.options.limits.effort);
  if (!found)
    return found;
  found->smallest = {}; // What leastBudget() names is that of the family.
  return join(std::move(*found), std::move(*chosen));
}

/// `climbed`, unless null, gets the rungs that the plan was chosen from.
static llvm::Expected<Plan> planWithin(const StepContext &context,
                                       int64_t budget,
                                       ClimbedRungs *climbed = nullptr) {
  llvm::Expected<Attempts> tried =
      choosesFromFamily(context)         ? planFromFamily(context, budget)
      : isSearch(*context.solvers.remat) ? planInTime(context, budget)
                                         : planByName(context, budget);
  if (!tried)
    return tried.takeError();
  if (climbed)
    *climbed = std::move(tried->climbed);
  if (!tried->cheapest && tried->note.empty())
    tried->note = "no plan within the budget was found";
  if (!tried->cheapest)
    return explainFailure(context, budget, *tried, tried->smallest);
  // A proof about stages says nothing of a plan outside them.
  const bool isRefuted =
      tried->report && tried->report->status == SolveStatus::Infeasible;
  if (isRefuted && tried->report->boundSpace != "staged")
    return contradiction(*tried->report, *tried->cheapest);
  llvm::Expected<PackedStep> best =
      context.packWell(std::move(*tried->cheapest));
  if (!best)
    return best.takeError();
  return finishPlan(context, std::move(*best), budget,
                    isRefuted ? std::nullopt : tried->report);
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
  llvm::Expected<PackedStep> best = context.packWell(std::move(**packed));
  if (!best)
    return best.takeError();
  return finishPlan(context, std::move(*best), std::nullopt, report);
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
  const BudgetBound &bound = (*least)->bound;
  plan.note =
      "the least budget known to work is " + std::to_string((*least)->bytes) +
      " bytes; it is proved that none below " + std::to_string(bound.bytes) +
      " works" + (bound.space == "fixed-order" ? " in source order" : "") +
      ", by " + describeReason(graph, bound);
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
  if (options.budgetBytes && *options.budgetBytes <= 0)
    return llvm::createStringError("budget of " +
                                   llvm::Twine(*options.budgetBytes) +
                                   " bytes is not positive");
  llvm::Expected<PreparedStep> prepared = prepareStep(index, options);
  if (!prepared)
    return prepared.takeError();
  const auto &[step, context] = *prepared;
  const bool isJoint = plansJointly(context);
  ClimbedRungs climbed;
  // Plans with copies need most of a time limit.
  const PlanOptions shortened = optionsForShare(context, 0.25);
  const StepContext inShare{context.index, shortened, context.solvers};
  const bool isShared = isJoint && options.limits.timeLimitSeconds;
  llvm::Expected<Plan> plan =
      copies(context.solvers) && !isJoint ? planWithCopies(context)
      : options.budgetBytes ? planWithin(isShared ? inShare : context,
                                         *options.budgetBytes, &climbed)
                            : planWithoutLimit(context);
  if (plan && isJoint && options.budgetBytes)
    plan = planJointly(context, *options.budgetBytes, std::move(*plan));
  if (plan)
    plan = spreadOverStreams(
        context, std::move(*plan), climbed,
        copies(context.solvers) ? Replan() : [&](int64_t budget) {
          return planWithin(context, budget);
        });
  if (!plan)
    return plan;
  step.restore(options, effortOfProof(options), *plan);
  // Nothing leaves unchecked, whichever solver made it.
  if (llvm::Error error = verifyStepPlan(index, *plan, options))
    return invalidPlan(plan->solver, std::move(error));
  return plan;
}
