//===- SwapSpace.cpp - Copies between the runs of a schedule --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopySpaces.h"
#include "Objective.h"
#include "StepFront.h"
#include "Tuning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Step/PlanCopies.h"
#include "memplan/Schedule/UsefulRuns.h"

using namespace memplan;

namespace {
/// What several schedules with copies have come to.
struct CopiedSteps {
  std::optional<PackedPlan>
      fastest; ///< Fastest of those that keep the budgets.
  std::optional<int64_t> smallestBytes; ///< On the device, of all.
  std::string note;                     ///< Why the last one failed.

  void add(PackedPlan packed, bool fits) {
    smallestBytes = std::min(smallestBytes.value_or(packed.deviceBytes),
                             packed.deviceBytes);
    if (fits)
      Objective::time().take(std::move(packed), fastest);
  }
};
} // namespace

static llvm::Expected<PackedPlan> packCopies(const StepContext &context,
                                             const RematPlan &remat,
                                             SwapPlan swap, int64_t effort) {
  llvm::Expected<PackedPlan> packed = packActions(
      context.index, usefulInOneVariant(context, std::move(swap.actions)),
      *context.solvers.arena, context.options.alignmentBytes,
      context.limitsOfPacking(effort));
  if (!packed)
    return packed;
  packed->plan.solver = remat.report.solver.empty()
                            ? swap.report.solver
                            : remat.report.solver + "+" + swap.report.solver;
  packed->plan.note = swap.report.note;
  return packed;
}

static llvm::Expected<SwapProblem> makeProblem(const StepContext &context,
                                               const RematPlan &remat) {
  llvm::Expected<TflmsParameters> tflms =
      TflmsParameters::parse(context.options.tflms);
  if (!tflms)
    return tflms.takeError();
  SwapProblem problem;
  problem.index = &context.index;
  problem.schedule = &remat.schedule;
  problem.inPlace = &remat.inPlace;
  problem.budgetBytes = context.options.budgetBytes;
  problem.hostBudgetBytes = context.index.graph().hostBudgetBytes;
  problem.tflms = std::move(*tflms);
  return problem;
}

/// Puts copies into one schedule, with falling live bytes until the arenas fit.
static llvm::Error copyWithin(const StepContext &context,
                              const RematPlan &remat, CopiedSteps &steps) {
  llvm::Expected<SwapProblem> made = makeProblem(context, remat);
  if (!made)
    return made.takeError();
  SwapProblem &problem = *made;
  const std::optional<int64_t> budget = problem.budgetBytes;
  const std::optional<int64_t> hostBudget = problem.hostBudgetBytes;
  for (int round = 0; round < tuning::roundsOfCopies; ++round) {
    llvm::Expected<SwapPlan> swap =
        solve(problem, *context.solvers.swap,
              context.limitsWith(context.options.limits.effort));
    if (!swap)
      return swap.takeError();
    if (swap->actions.empty()) {
      if (round == 0 || steps.note.empty())
        steps.note = swap->report.note;
      return llvm::Error::success();
    }
    llvm::Expected<PackedPlan> packed =
        packCopies(context, remat, std::move(*swap), tuning::packingOfCopies);
    if (!packed)
      return packed.takeError();
    const int64_t excess =
        packed->deviceBytes - budget.value_or(packed->deviceBytes);
    const int64_t hostExcess =
        packed->hostBytes - hostBudget.value_or(packed->hostBytes);
    const bool fits = excess <= 0 && hostExcess <= 0;
    steps.add(std::move(*packed), fits);
    if (fits || context.isStopped())
      return llvm::Error::success();
    steps.note = "live bytes fit, but packing them takes more than the budget";
    if (excess > 0)
      *problem.budgetBytes -= excess;
    if (hostExcess > 0)
      *problem.hostBudgetBytes -= hostExcess;
    if (problem.budgetBytes.value_or(1) <= 0 ||
        problem.hostBudgetBytes.value_or(0) < 0)
      return llvm::Error::success();
  }
  return llvm::Error::success();
}

/// Live bytes for the remat solver: from what the step takes when nothing is
/// computed again down to the budget, where copies have nothing left to do.
static std::vector<std::optional<int64_t>>
rematBudgets(const StepContext &context, int64_t peakBytes) {
  constexpr int64_t parts = tuning::schedulesOfCopies;
  std::vector<std::optional<int64_t>> budgets;
  const std::optional<int64_t> budget = context.options.budgetBytes;
  if (!budget || peakBytes <= *budget ||
      context.solvers.remat->traits.family == SolverFamily::Baseline)
    return budgets;
  for (int64_t part = 1; part <= parts; ++part)
    budgets.push_back(*budget + (peakBytes - *budget) / parts * (parts - part));
  return budgets;
}

static llvm::Expected<std::optional<RematPlan>>
rematWithin(const StepContext &context, std::optional<int64_t> liveBytes) {
  RematProblem problem = context.problemWithin(liveBytes);
  problem.packedBytes = nullptr; // What is packed has copies.
  llvm::Expected<RematPlan> remat =
      solve(problem, *context.solvers.remat,
            context.limitsWith(context.options.limits.effort));
  if (!remat)
    return remat.takeError();
  if (!hasPlan(context, *remat))
    return std::nullopt;
  leaveOutRunsInVain(context.index, remat->schedule, remat->inPlace,
                     keepsSourceOrder(context.solvers));
  return std::optional<RematPlan>(std::move(*remat));
}

/// Copies between several schedules within the budget.
static llvm::Expected<CopiedSteps> tryBudgets(const StepContext &context) {
  llvm::Expected<std::optional<RematPlan>> runs =
      rematWithin(context, std::nullopt);
  if (!runs)
    return runs.takeError();
  CopiedSteps steps;
  std::vector<std::optional<int64_t>> budgets;
  if (*runs) {
    if (llvm::Error error = copyWithin(context, **runs, steps))
      return error;
    budgets = rematBudgets(context, (*runs)->peakBytes);
  }
  for (std::optional<int64_t> live : budgets) {
    if (context.isStopped() && steps.fastest)
      break;
    runs = rematWithin(context, live);
    if (!runs)
      return runs.takeError();
    if (*runs)
      if (llvm::Error error = copyWithin(context, **runs, steps))
        return error;
  }
  return steps;
}

llvm::Expected<PlanSpace>
memplan::spaceOfSwapSolver(const StepContext &context) {
  auto note = std::make_shared<std::string>();
  auto planFor = [&context, note](std::optional<int64_t> budget, int64_t effort)
      -> llvm::Expected<std::vector<PackedPlan>> {
    PlanOptions options = optionsForShare(context, 1);
    options.budgetBytes = budget;
    options.limits.effort = effort;
    llvm::Expected<CopiedSteps> steps =
        tryBudgets({context.index, options, context.solvers});
    if (!steps)
      return steps.takeError();
    std::vector<PackedPlan> plans;
    if (steps->fastest)
      plans.push_back(std::move(*steps->fastest));
    else
      *note = steps->note;
    return plans;
  };
  PlanSpace space = spaceOfCopies(context, /*mayRecompute=*/true);
  llvm::Expected<std::vector<PackedPlan>> unlimited =
      planFor(std::nullopt, context.options.limits.effort);
  if (!unlimited)
    return unlimited.takeError();
  space.note = note;
  space.given = std::move(*unlimited);
  // Without a budget, rules copy all that they may. Were that the fastest plan
  // known, whatever is faster within fewer bytes would not count.
  llvm::Expected<std::optional<PackedPlan>> kept =
      attempt(context, *context.solvers.remat, std::nullopt,
              context.options.limits.effort);
  if (!kept)
    return kept.takeError();
  if (*kept) {
    space.mostBytes = std::max(space.mostBytes, (*kept)->deviceBytes);
    space.given.push_back(std::move(**kept));
  }
  space.search = [planFor](const BudgetSearch &search) {
    return planFor(search.budgetBytes, search.effort);
  };
  return space;
}

llvm::Expected<Plan> memplan::planCopies(const Graph &graph,
                                         const Schedule &schedule,
                                         const PlanOptions &given) {
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  if (llvm::Error error = verifySchedule(index, schedule))
    return error;
  PlanOptions options = given;
  resolveBudget(index, options);
  llvm::Expected<StepSolvers> solvers = findSolvers(options);
  if (!solvers)
    return solvers.takeError();
  StepContext context{index, options, *solvers};
  RematPlan runs;
  runs.schedule = schedule;
  if (options.inPlace)
    runs.inPlace = chooseInPlace({&index, &schedule});
  CopiedSteps steps;
  if (llvm::Error error = copyWithin(context, runs, steps))
    return error;
  Plan plan;
  if (steps.fastest) {
    plan = std::move(steps.fastest->plan);
    plan.graphHash = hashGraph(graph);
  } else {
    Attempts tried;
    tried.note = steps.note;
    if (steps.smallestBytes)
      tried.smallest.emplace().deviceBytes = *steps.smallestBytes;
    plan = explainFailure(
        context,
        options.budgetBytes.value_or(std::numeric_limits<int64_t>::max()),
        tried);
  }
  plan.budgetBytes = options.budgetBytes;
  if (llvm::Error error = verifyPlan(index, plan, options.budgetBytes))
    return invalidPlan(plan.solver, std::move(error));
  return plan;
}
