//===- SwapStep.cpp - Steps that copy to the host and back ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwapStep.h"
#include "CopyFamily.h"
#include "JointStep.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Step/PlanCopies.h"

using namespace memplan;

namespace {
/// What several schedules with copies have come to.
struct CopiedSteps {
  std::optional<PackedActions> fastest; ///< Of those that keep the budgets.
  std::optional<int64_t> smallestBytes; ///< On the device, of all.
  std::string note;                     ///< Why the last one failed.

  void add(PackedActions packed, bool fits) {
    smallestBytes = std::min(smallestBytes.value_or(packed.deviceBytes),
                             packed.deviceBytes);
    if (fits && (!fastest || packed.plan.time < fastest->plan.time))
      fastest = std::move(packed);
  }
};
} // namespace

/// Effort of one packing among several, as elsewhere in the loop.
static constexpr int64_t packingEffort = 200;

static llvm::Expected<PackedActions> packCopies(const StepContext &context,
                                                const RematPlan &remat,
                                                SwapPlan swap, int64_t effort) {
  SolveLimits limits = context.limitsWith(effort);
  limits.progress = nullptr;
  llvm::Expected<PackedActions> packed = packActions(
      context.index, std::move(swap.actions), *context.solvers.arena,
      context.options.alignmentBytes, limits);
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
  constexpr int rounds = 8;
  llvm::Expected<SwapProblem> made = makeProblem(context, remat);
  if (!made)
    return made.takeError();
  SwapProblem &problem = *made;
  const std::optional<int64_t> budget = problem.budgetBytes;
  const std::optional<int64_t> hostBudget = problem.hostBudgetBytes;
  for (int round = 0; round < rounds; ++round) {
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
    llvm::Expected<PackedActions> packed =
        packCopies(context, remat, std::move(*swap), packingEffort);
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
  constexpr int64_t parts = 4;
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
  return std::optional<RematPlan>(std::move(*remat));
}

Plan memplan::explainWithCopies(const StepContext &context,
                                std::optional<int64_t> leastBytes,
                                llvm::StringRef note) {
  const Graph &graph = context.index.graph();
  BudgetBound bound = boundByWorkingSet(context.index, mostHosted(context));
  Plan failure;
  failure.graphName = graph.name;
  failure.graphHash = hashGraph(graph);
  failure.solver = std::string(context.solvers.remat->name) + "+" +
                   std::string(context.solvers.swap->name);
  failure.budgetBytes = context.options.budgetBytes;
  failure.minimumBudgetBytes = leastBytes;
  failure.boundBytes = bound.bytes;
  failure.boundSpace = bound.space;
  failure.proof = "exact";
  failure.witnessNode = bound.node;
  failure.witnessTensors = bound.tensors;
  const bool isProved =
      failure.budgetBytes && bound.bytes > *failure.budgetBytes;
  failure.status = isProved ? SolveStatus::Infeasible : SolveStatus::NoPlan;
  failure.note = isProved ? bound.reason + " alone exceeds the budget"
                          : note.str() + "; the bound is proved by " +
                                describeReason(graph, bound);
  return failure;
}

static Plan finish(const StepContext &context, Plan plan) {
  plan.graphHash = hashGraph(context.index.graph());
  plan.budgetBytes = context.options.budgetBytes;
  return plan;
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

llvm::Expected<std::optional<PackedActions>>
memplan::smallestWithCopies(const StepContext &context) {
  auto planFor =
      [&](std::optional<int64_t> budget,
          int64_t effort) -> llvm::Expected<std::optional<PackedActions>> {
    PlanOptions options = optionsForShare(context, 1);
    options.budgetBytes = budget;
    options.limits.effort = effort;
    llvm::Expected<CopiedSteps> steps =
        tryBudgets({context.index, options, context.solvers});
    if (!steps)
      return steps.takeError();
    return std::move(steps->fastest);
  };
  CopyFamily family(context, [&](const CopySearch &search) {
    return planFor(search.budgetBytes, search.effort);
  });
  llvm::Expected<std::optional<PackedActions>> unlimited =
      planFor(std::nullopt, context.options.limits.effort);
  if (!unlimited)
    return unlimited;
  if (*unlimited)
    family.add(std::move(**unlimited));
  llvm::Expected<ActionFront> plans = family.plansFor(0);
  if (!plans)
    return plans.takeError();
  const PackedActions *smallest = plans->smallest();
  return smallest ? std::optional(*smallest) : std::nullopt;
}

/// On a large step the least budget takes long, and the working set says
/// enough.
bool memplan::isHopeless(const StepContext &context, int64_t budget) {
  return boundByWorkingSet(context.index, mostHosted(context)).bytes > budget &&
         context.index.graph().nodes.size() > 1000;
}

llvm::Expected<Plan> memplan::planWithCopies(const StepContext &context) {
  llvm::Expected<CopiedSteps> steps = tryBudgets(context);
  if (!steps)
    return steps.takeError();
  if (steps->fastest)
    return finish(context, std::move(steps->fastest->plan));
  const std::optional<int64_t> budget = context.options.budgetBytes;
  std::optional<int64_t> leastBytes;
  if (budget && !isHopeless(context, *budget)) {
    llvm::Expected<std::optional<PackedActions>> smallest =
        smallestWithCopies(context);
    if (!smallest)
      return smallest.takeError();
    if (*smallest && (*smallest)->deviceBytes <= *budget)
      return finish(context, std::move((*smallest)->plan));
    if (*smallest)
      leastBytes = (*smallest)->deviceBytes;
  }
  return explainWithCopies(context, leastBytes, steps->note);
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
  Plan plan = steps.fastest
                  ? finish(context, std::move(steps.fastest->plan))
                  : explainWithCopies(context, steps.smallestBytes, steps.note);
  if (llvm::Error error = verifyPlan(index, plan, options.budgetBytes))
    return invalidPlan(plan.solver, std::move(error));
  return plan;
}
