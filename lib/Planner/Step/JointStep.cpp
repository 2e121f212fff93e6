//===- JointStep.cpp - Steps that recompute and copy ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JointStep.h"
#include "CopyFamily.h"
#include "Family.h"
#include "Prove.h"
#include "SwapStep.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Joint/JointProblem.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"

using namespace memplan;

bool memplan::plansJointly(const StepContext &context) {
  return context.solvers.swap->traits.family == SolverFamily::Search &&
         (isSearch(*context.solvers.remat) ||
          context.solvers.remat->traits.family == SolverFamily::Baseline);
}

namespace {
/// Searches for one budget, with and without reruns.
class JointPlanner {
public:
  /// `hosted`: what lives on the host between steps.
  JointPlanner(const StepContext &context, bool mayRerun,
               std::vector<TensorId> hosted = {})
      : context(context), graph(context.index.graph()), mayRerun(mayRerun),
        hosted(std::move(hosted)) {}

  /// The packed plan if the search finds one. Schedules to start from beside
  /// others count where it does not go on from a plan.
  llvm::Expected<std::optional<PackedActions>>
  plan(const CopySearch &search, llvm::ArrayRef<Schedule> starts = {}) const;

private:
  llvm::Expected<PackedActions> pack(std::vector<PlanAction> actions) const;
  int64_t excessOf(const std::vector<PlanAction> &actions,
                   int64_t budget) const;
  int64_t repackedExcessOf(const std::vector<PlanAction> &actions,
                           int64_t budget, int64_t placements) const;

  const StepContext &context;
  const Graph &graph;
  bool mayRerun;
  std::vector<TensorId> hosted;
  /// The last that took more work: packed anew with less, it would exceed.
  mutable std::optional<PackedActions> repacked;
};
} // namespace

llvm::Expected<PackedActions>
JointPlanner::pack(std::vector<PlanAction> actions) const {
  if (repacked && repacked->plan.steps == actions)
    return *repacked;
  constexpr int64_t packingEffort = 200; // One of many.
  SolveLimits limits = context.limitsWith(packingEffort);
  limits.progress = nullptr;
  return packActions(context.index, std::move(actions), *context.solvers.arena,
                     context.options.alignmentBytes, limits);
}

/// What does not pack at all is as bad as it gets; it is reported where it is
/// the plan that is returned.
int64_t JointPlanner::excessOf(const std::vector<PlanAction> &actions,
                               int64_t budget) const {
  llvm::Expected<PackedActions> packed = pack(actions);
  if (!packed) {
    llvm::consumeError(packed.takeError());
    return budget;
  }
  const int64_t host =
      packed->hostBytes - graph.hostBudgetBytes.value_or(packed->hostBytes);
  return std::max(packed->deviceBytes - budget, host);
}

int64_t JointPlanner::repackedExcessOf(const std::vector<PlanAction> &actions,
                                       int64_t budget,
                                       int64_t placements) const {
  SolveLimits limits = context.limitsWith(placements);
  limits.progress = nullptr;
  llvm::Expected<std::optional<PackedActions>> packed =
      packActionsWithin(context.index, actions, budget, *context.solvers.arena,
                        context.options.alignmentBytes, limits);
  if (packed && *packed)
    repacked = std::move(*packed);
  else
    llvm::consumeError(packed.takeError());
  return excessOf(actions, budget);
}

llvm::Expected<std::optional<PackedActions>>
JointPlanner::plan(const CopySearch &search,
                   llvm::ArrayRef<Schedule> starts) const {
  const int64_t budget = search.budgetBytes;
  JointProblem problem;
  problem.index = &context.index;
  problem.budgetBytes = budget;
  problem.inPlace = context.options.inPlace;
  problem.bandwidth = graph.bandwidth.value_or(Bandwidth());
  problem.hostBudgetBytes = graph.hostBudgetBytes;
  problem.mayRerun = mayRerun;
  problem.hosted = hosted;
  for (const Schedule &schedule : starts)
    problem.starts.push_back(&schedule);
  for (const Plan *start : search.starts)
    problem.goOnFrom.push_back(&start->steps);
  problem.onlyGoesOn = !search.isByItself;
  problem.leastTime = search.leastTime;
  problem.excessBytes = [this, budget](const std::vector<PlanAction> &actions) {
    return excessOf(actions, budget);
  };
  if (context.solvers.arena->traits.obeysEffort)
    problem.repackedExcessBytes =
        [this, budget](const std::vector<PlanAction> &actions,
                       int64_t placements) {
          return repackedExcessOf(actions, budget, placements);
        };
  JointPlan found = solveJoint(problem, context.limitsWith(search.effort));
  if (found.actions.empty())
    return std::nullopt;
  llvm::Expected<PackedActions> packed = pack(std::move(found.actions));
  if (!packed)
    return packed.takeError();
  if (packed->deviceBytes > budget || !packed->fitsHost(graph))
    return std::nullopt;
  return std::optional<PackedActions>(std::move(*packed));
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

static Plan finish(const StepContext &context, int64_t budget, Plan plan) {
  plan.graphHash = hashGraph(context.index.graph());
  plan.budgetBytes = budget;
  boundByRunOnce(context.index.graph(), plan);
  claimTime(context, plan);
  plan.solver = std::string(context.solvers.remat->name) + "+" +
                std::string(context.solvers.swap->name);
  return plan;
}

static void takeFaster(const Plan &plan, std::optional<Plan> &best) {
  if (!best || plan.makespan() < best->makespan())
    best = plan;
}

/// Without runs of a search, copies alone.
static llvm::ArrayRef<bool> waysOf(const StepContext &context) {
  static const bool ways[] = {false, true};
  return llvm::ArrayRef(ways).take_front(isSearch(*context.solvers.remat) ? 2
                                                                          : 1);
}

/// What may live on the host between steps: all states, then parameters too.
/// As much of it as the host has room for.
static std::vector<std::vector<TensorId>>
hostedSets(const StepContext &context) {
  const Graph &graph = context.index.graph();
  std::vector<std::vector<TensorId>> sets;
  if (context.options.hostState == "none")
    return sets;
  std::vector<TensorId> states, all;
  int64_t room =
      graph.hostBudgetBytes.value_or(std::numeric_limits<int64_t>::max());
  for (TensorId id : hostableTensors(context.index)) {
    if (graph[id].bytes > room)
      continue;
    room -= graph[id].bytes;
    all.push_back(id);
    if (graph[id].kind == TensorKind::State)
      states.push_back(id);
  }
  if (!states.empty())
    sets.push_back(states);
  if (context.options.hostState == "all" && all.size() > states.size())
    sets.push_back(std::move(all));
  return sets;
}

std::vector<TensorId> memplan::mostHosted(const StepContext &context) {
  const std::vector<std::vector<TensorId>> sets = hostedSets(context);
  return sets.empty() ? std::vector<TensorId>() : sets.back();
}

/// By copies alone, on rungs of its own, whatever solver is asked for runs.
static CopyFamily familyOfCopies(const StepContext &context) {
  return {context, [&context](const CopySearch &search) {
            return JointPlanner(context, /*mayRerun=*/false).plan(search);
          }};
}

static CopyFamily familyOfBoth(const StepContext &context) {
  return {context, [&context](const CopySearch &search) {
            return JointPlanner(context, /*mayRerun=*/true).plan(search);
          }};
}

/// By the ways at hand, with these on the host between steps.
static CopyFamily familyOfHosted(const StepContext &context,
                                 const std::vector<TensorId> &hosted) {
  const bool mayRerun = waysOf(context).back();
  auto plan = [&context, hosted, mayRerun](const CopySearch &search) {
    return JointPlanner(context, mayRerun, hosted).plan(search);
  };
  return {context, plan, hosted};
}

/// All families that plans are chosen from, one after the other. Copies alone
/// are among them so that a plan is never slower than they: not where
/// `areCopiesSlow` says that they cannot be faster.
static llvm::Error
forEachFamily(const StepContext &context,
              llvm::function_ref<llvm::Error(CopyFamily &)> visit,
              llvm::function_ref<bool()> areCopiesSlow) {
  for (bool mayRerun : llvm::reverse(waysOf(context))) {
    if (!mayRerun && areCopiesSlow())
      continue;
    CopyFamily family =
        mayRerun ? familyOfBoth(context) : familyOfCopies(context);
    if (llvm::Error error = visit(family))
      return error;
  }
  for (const std::vector<TensorId> &hosted : hostedSets(context)) {
    CopyFamily family = familyOfHosted(context, hosted);
    if (llvm::Error error = visit(family))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<PackedActions>>
memplan::smallestJointly(const StepContext &context) {
  std::optional<PackedActions> least;
  auto visit = [&](CopyFamily &family) -> llvm::Error {
    llvm::Expected<ActionFront> plans = family.plansFor(0);
    if (!plans)
      return plans.takeError();
    const PackedActions *smallest = plans->smallest();
    if (smallest && (!least || smallest->deviceBytes < least->deviceBytes))
      least = *smallest;
    return llvm::Error::success();
  };
  if (llvm::Error error = forEachFamily(context, visit, [] { return false; }))
    return error;
  return least;
}

/// Within a time limit: for that budget and no other.
static llvm::Error planCopiesInTime(const StepContext &context, int64_t budget,
                                    std::optional<Plan> &best) {
  std::vector<Schedule> starts;
  if (best)
    starts.push_back(scheduleOf(*best));
  for (bool mayRerun : waysOf(context)) {
    if (best && context.isStopped())
      break;
    const PlanOptions options =
        optionsForShare(context, mayRerun == waysOf(context).back() ? 1 : 0.25);
    const StepContext its{context.index, options, context.solvers};
    llvm::Expected<std::optional<PackedActions>> made =
        JointPlanner(its, mayRerun)
            .plan({budget, {}, true, options.limits.effort},
                  mayRerun ? llvm::ArrayRef(starts)
                           : llvm::ArrayRef<Schedule>());
    if (!made)
      return made.takeError();
    if (!*made)
      continue;
    starts.push_back(scheduleOf((*made)->plan));
    takeFaster((*made)->plan, best);
  }
  for (const std::vector<TensorId> &hosted : hostedSets(context)) {
    if (best && context.isStopped())
      break;
    llvm::Expected<std::optional<PackedActions>> made =
        JointPlanner(context, waysOf(context).back(), hosted)
            .plan({budget, {}, true, context.options.limits.effort});
    if (!made)
      return made.takeError();
    if (*made)
      takeFaster((*made)->plan, best);
  }
  return llvm::Error::success();
}

static llvm::Error planFromFamilies(const StepContext &context, int64_t budget,
                                    std::optional<Plan> &best) {
  auto visit = [&](CopyFamily &family) -> llvm::Error {
    llvm::Expected<ActionFront> plans = family.plansFor(budget);
    if (!plans)
      return plans.takeError();
    if (const PackedActions *made = plans->cheapestWithin(budget))
      takeFaster(made->plan, best);
    return llvm::Error::success();
  };
  return forEachFamily(context, visit, [&] {
    return best && leastTimeOfCopies(context, budget) >= best->makespan();
  });
}

/// From what is known, or from what this family can do at all.
static std::vector<int64_t> budgetsOfCurve(const ActionFront &known,
                                           int64_t points) {
  std::vector<int64_t> budgets;
  const auto &plans = known.all();
  for (int64_t point = 0; point < points && !plans.empty(); ++point)
    budgets.push_back(Rungs::between(plans.begin()->first,
                                     plans.rbegin()->first, point, points - 1));
  return budgets;
}

llvm::Error memplan::climbWithCopies(const StepContext &context, int64_t points,
                                     ActionFront &front) {
  auto visit = [&](CopyFamily &family) -> llvm::Error {
    auto take = [&](llvm::Expected<ActionFront> plans) -> llvm::Error {
      if (!plans)
        return plans.takeError();
      for (const auto &[bytes, packed] : plans->all())
        front.add(packed);
      return llvm::Error::success();
    };
    if (llvm::Error error = take(family.plansFor(0)))
      return error;
    for (int64_t budget : budgetsOfCurve(front, points))
      if (llvm::Error error = take(family.plansFor(budget)))
        return error;
    return llvm::Error::success();
  };
  return forEachFamily(context, visit, [&] {
    return llvm::all_of(budgetsOfCurve(front, points), [&](int64_t budget) {
      const PackedActions *known = front.cheapestWithin(budget);
      return known &&
             leastTimeOfCopies(context, budget) >= known->plan.makespan();
    });
  });
}

/// Why there is no plan, with the least budget that has one.
static llvm::Expected<Plan> explain(const StepContext &context, int64_t budget,
                                    const Plan &alone) {
  std::optional<int64_t> leastBytes = alone.minimumBudgetBytes;
  if (!isHopeless(context, budget)) {
    llvm::Expected<std::optional<PackedActions>> smallest =
        smallestJointly(context);
    if (!smallest)
      return smallest.takeError();
    if (*smallest)
      leastBytes = std::min(leastBytes.value_or((*smallest)->deviceBytes),
                            (*smallest)->deviceBytes);
  }
  return explainWithCopies(context, leastBytes,
                           "neither recomputing nor copying was found to fit");
}

llvm::Expected<Plan> memplan::planJointly(const StepContext &context,
                                          int64_t budget, Plan alone) {
  const double least = *reportRunOnce(context.index.graph()).bound;
  if (hasSteps(alone.status) && alone.makespan() <= least * (1 + 1e-9)) {
    claimTime(context, alone);
    return alone; // Nothing is to be gained.
  }
  // What one node needs does not fit, wherever the rest is.
  if (boundByWorkingSet(context.index, mostHosted(context)).bytes > budget)
    return explain(context, budget, alone);
  std::optional<Plan> best;
  if (hasSteps(alone.status))
    best = alone;
  if (llvm::Error error = context.options.limits.timeLimitSeconds
                              ? planCopiesInTime(context, budget, best)
                              : planFromFamilies(context, budget, best))
    return std::move(error);
  // What was proved of plans without copies does not hold among those with.
  if (best)
    return finish(context, budget, std::move(*best));
  return explain(context, budget, alone);
}
