//===- PlanStep.cpp - One training step, planned in arena bytes -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remat solvers count live bytes; the device needs the arena, which is larger
// by alignment and by what packing leaves unused. So plan with the budget as
// live bytes, pack, and take what sticks out off the live bytes until the arena
// fits.
//
//===----------------------------------------------------------------------===//

#include "Pack.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/WorkingSet.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <chrono>

using namespace memplan;

static llvm::Expected<StepSolvers> findSolvers(const PlanOptions &options) {
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

llvm::Error memplan::checkPlanOptions(const PlanOptions &options) {
  return findSolvers(options).takeError();
}

/// Solvers that take the best of several ways may be helped by others. A
/// heuristic that was asked for by name is not: whoever compares it wants its
/// own answer.
static bool isHelped(const RematSolver &solver) {
  return solver.traits.family == SolverFamily::Search ||
         solver.traits.family == SolverFamily::Milp;
}

namespace {
/// The loop and what it has found.
class StepPlanner {
public:
  StepPlanner(const GraphIndex &index, const StepSolvers &solvers,
              const PlanOptions &options)
      : index(index), solvers(solvers), options(options),
        begun(std::chrono::steady_clock::now()) {}

  llvm::Expected<Plan> plan();

private:
  llvm::Error fit(const RematSolver &solver, int64_t budget, int rounds,
                  int64_t effort);
  llvm::Error tryCheckpointFamily();
  llvm::Expected<Plan> explainFailure();
  llvm::Error findWorkingBudget(Plan &failure);
  void bindToWorkingSet(Plan &failure) const;
  void bindToPeak(Plan &failure, const PackedStep &packed) const;
  SolveLimits remaining(int64_t effort) const;
  bool stopped() const;
  Plan finish(PackedStep packed) const;

  const GraphIndex &index;
  StepSolvers solvers;
  const PlanOptions &options;
  std::chrono::steady_clock::time_point begun;
  std::optional<PackedStep>
      best; ///< Cheapest that fits the budget asked for in fit().
  std::optional<PackedStep> smallest; ///< Least device bytes of all.
  SolveReport
      bound; ///< Of the first round: live bytes never exceed arena bytes.
  std::string failureNote;
};
} // namespace

bool StepPlanner::stopped() const {
  if (options.limits.stop && options.limits.stop->load())
    return true;
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - begun;
  return options.limits.timeLimitSeconds &&
         spent.count() > *options.limits.timeLimitSeconds;
}

SolveLimits StepPlanner::remaining(int64_t effort) const {
  SolveLimits limits = options.limits;
  limits.effort = effort;
  if (limits.timeLimitSeconds) {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begun;
    limits.timeLimitSeconds =
        std::max(0.0, *limits.timeLimitSeconds - spent.count());
  }
  return limits;
}

/// Rounds of remat and packing with changing live bytes; leaves the cheapest
/// plan within `budget` in `best`.
llvm::Error StepPlanner::fit(const RematSolver &solver, int64_t budget,
                             int rounds, int64_t effort) {
  RematProblem problem;
  problem.index = &index;
  problem.inPlace = options.inPlace;
  problem.budgetBytes = budget;
  StepSolvers used = solvers;
  used.remat = &solver;
  // Live budgets: the largest whose plan packs well, the least whose does not.
  std::optional<int64_t> fits, exceeds;
  for (int round = 0; round < rounds && *problem.budgetBytes > 0; ++round) {
    if (stopped() && best)
      break;
    llvm::Expected<RematPlan> remat = solve(problem, solver, remaining(effort));
    if (!remat)
      return remat.takeError();
    if (bound.boundSpace.empty() && budget == options.budgetBytes)
      bound = remat->report;
    const int64_t live = *problem.budgetBytes;
    if (remat->schedule.runs.empty() && !index.graph().nodes.empty()) {
      if (!exceeds)
        failureNote = remat->report.note;
      if (!exceeds || *exceeds - live < budget / 200)
        break;
      // Too few bytes to recompute in: try between this and what packed badly.
      problem.budgetBytes = live + (*exceeds - live) / 2;
      continue;
    }
    llvm::Expected<PackedStep> packed =
        packStep(index, std::move(*remat), used, options);
    if (!packed)
      return packed.takeError();
    const int64_t excess = packed->deviceBytes - budget;
    const int64_t peak = packed->remat.peakBytes;
    if (!smallest || packed->deviceBytes < smallest->deviceBytes)
      smallest = *packed;
    if (excess > 0) {
      failureNote =
          "live bytes fit, but packing them takes more than the budget";
      // A plan may stay below its live budget; what counts is what was packed.
      exceeds = std::min(live, peak);
    } else {
      fits = live;
      if (!best || packed->plan.cost < best->plan.cost)
        best = std::move(*packed);
      if (!exceeds)
        break;
    }
    if (fits && *exceeds - *fits < budget / 200)
      break;
    problem.budgetBytes = fits ? *fits + (*exceeds - *fits) / 2
                               : *exceeds - std::max<int64_t>(excess / 2, 1);
  }
  return llvm::Error::success();
}

/// The checkpointing family takes milliseconds; where one of its plans is
/// cheaper as live bytes, it may be so in arena bytes.
llvm::Error StepPlanner::tryCheckpointFamily() {
  RematProblem problem;
  problem.index = &index;
  problem.inPlace = options.inPlace;
  problem.budgetBytes = options.budgetBytes;
  for (const char *name :
       {"ap-greedy", "linearized-greedy", "ap-sqrt", "linearized-sqrt"}) {
    if (stopped())
      break;
    const RematSolver &member = solverNamed(rematSolvers(), name);
    llvm::Expected<RematPlan> remat = solve(problem, member, remaining(0));
    if (!remat)
      return remat.takeError();
    // Fewer live bytes never make a member cheaper.
    if (remat->schedule.runs.empty() ||
        (best && remat->cost >= best->plan.cost))
      continue;
    if (llvm::Error error = fit(member, *options.budgetBytes, 12, 0))
      return error;
  }
  return llvm::Error::success();
}

Plan StepPlanner::finish(PackedStep packed) const {
  Plan plan = std::move(packed.plan);
  plan.budgetBytes = options.budgetBytes;
  const SolveReport &report =
      bound.boundSpace.empty() ? packed.remat.report : bound;
  plan.bound = report.bound ? report.bound : packed.remat.report.bound;
  plan.boundSpace =
      report.bound ? report.boundSpace : packed.remat.report.boundSpace;
  plan.proof = report.bound ? report.proof : packed.remat.report.proof;
  const bool closed =
      plan.bound && *plan.bound >= plan.cost * (1 - 1e-4) - 1e-9;
  plan.status = closed ? SolveStatus::Optimal : SolveStatus::Feasible;
  return plan;
}

llvm::Expected<Plan> StepPlanner::plan() {
  if (!options.budgetBytes) {
    RematProblem problem;
    problem.index = &index;
    problem.inPlace = options.inPlace;
    llvm::Expected<RematPlan> remat =
        solve(problem, *solvers.remat, remaining(options.limits.effort));
    if (!remat)
      return remat.takeError();
    llvm::Expected<PackedStep> packed =
        packStep(index, std::move(*remat), solvers, options);
    if (!packed)
      return packed.takeError();
    return finish(std::move(*packed));
  }
  if (*options.budgetBytes <= 0)
    return llvm::createStringError("budget of " +
                                   llvm::Twine(*options.budgetBytes) +
                                   " bytes is not positive");
  // An integer program is worth a few rounds only; the plan that it starts from
  // gets the rest of them.
  const bool exact = solvers.remat->traits.family == SolverFamily::Milp;
  if (llvm::Error error = fit(*solvers.remat, *options.budgetBytes,
                              exact ? 3 : 12, options.limits.effort))
    return error;
  if (exact && !best)
    if (llvm::Error error = fit(solverNamed(rematSolvers(), "greedy"),
                                *options.budgetBytes, 12, 0))
      return error;
  if (isHelped(*solvers.remat))
    if (llvm::Error error = tryCheckpointFamily())
      return error;
  if (best)
    return finish(std::move(*best));
  return explainFailure();
}

void StepPlanner::bindToWorkingSet(Plan &failure) const {
  WorkingSet set = largestWorkingSet(index, options.inPlace);
  failure.boundBytes = set.bytes;
  failure.witnessNode = set.node;
  failure.witnessTensors = std::move(set.tensors);
}

/// Names the run at the peak of the smallest plan, and what lives beside it.
void StepPlanner::bindToPeak(Plan &failure, const PackedStep &packed) const {
  const Schedule &schedule = packed.remat.schedule;
  ScheduleMetrics metrics =
      measureSchedule(index, schedule, packed.remat.inPlace);
  failure.witnessNode = schedule.runs[metrics.peakRun];
  failure.witnessTensors.clear();
  for (const LiveRange &liveRange : computeLiveRanges(index, schedule))
    if (liveRange.begin <= metrics.peakRun && metrics.peakRun <= liveRange.last)
      failure.witnessTensors.push_back(liveRange.tensor);
}

/// Bisects between the proved bound and what runs without recomputation.
llvm::Error StepPlanner::findWorkingBudget(Plan &failure) {
  const RematSolver &greedy = solverNamed(rematSolvers(), "greedy");
  constexpr int probes = 6;
  constexpr int64_t effort = 100'000;
  if (llvm::Error error = fit(solverNamed(rematSolvers(), "checkpoint-all"),
                              std::numeric_limits<int64_t>::max(), 1, 0))
    return error;
  int64_t fails = std::max(*failure.boundBytes - 1, *options.budgetBytes);
  for (int i = 0; i < probes && smallest && smallest->deviceBytes - fails > 1;
       ++i) {
    if (stopped())
      break;
    best.reset();
    const int64_t middle = fails + (smallest->deviceBytes - fails) / 2;
    if (llvm::Error error = fit(greedy, middle, 4, effort))
      return error;
    if (!best)
      fails = middle;
  }
  best.reset();
  if (smallest)
    failure.minimumBudgetBytes = smallest->deviceBytes;
  return llvm::Error::success();
}

llvm::Expected<Plan> StepPlanner::explainFailure() {
  Plan failure;
  failure.graphName = index.graph().name;
  failure.graphHash = hashGraph(index.graph());
  failure.solver = bound.solver;
  failure.budgetBytes = options.budgetBytes;
  bindToWorkingSet(failure);
  failure.boundSpace = "free-order";
  failure.proof = "exact";
  const bool proved = *failure.boundBytes > *options.budgetBytes;
  failure.status = proved ? SolveStatus::Infeasible : SolveStatus::NoPlan;
  failure.note =
      proved ? "the working set alone exceeds the budget" : failureNote;
  if (llvm::Error error = findWorkingBudget(failure))
    return error;
  // A solver that fails at a budget may meet it when it is given a larger one.
  if (smallest && smallest->deviceBytes <= *options.budgetBytes) {
    if (isHelped(*solvers.remat))
      return finish(std::move(*smallest));
    failure.note += "; greedy meets this budget";
  }
  if (!proved && smallest)
    bindToPeak(failure, *smallest);
  return failure;
}

llvm::Expected<Plan> memplan::planStep(const Graph &graph,
                                       const PlanOptions &options) {
  if (llvm::Error error = graph.check())
    return error;
  llvm::Expected<StepSolvers> solvers = findSolvers(options);
  if (!solvers)
    return solvers.takeError();
  GraphIndex index(graph);
  llvm::Expected<Plan> plan = StepPlanner(index, *solvers, options).plan();
  if (!plan)
    return plan;
  // Nothing leaves unchecked, whichever solver made it.
  if (llvm::Error error = verifyPlan(index, *plan, options.budgetBytes))
    return invalidPlan(plan->solver, std::move(error));
  return plan;
}
