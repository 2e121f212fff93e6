//===- SearchSolver.cpp - Search over sequences of runs -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: a plan is the sequence of its runs; live ranges follow from it. A
//   multiplier on bytes above the budget, rising from pass to pass, makes a
//   first plan; annealing with moves that put single runs in or take them out
//   makes it better.
// Cost: a move touches the live ranges of a run's inputs and outputs, each by
//   an addition to a range of a line of at most some thousand blocks. Memory is
//   linear in the runs and edges.
// Guarantee: a valid schedule within the budget or none; nodes may run any
//   number of times, in any order that the graph allows.
//
//===----------------------------------------------------------------------===//

#include "../Bounds/NeedSearch.h"
#include "../Search/SearchDriver.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Bounds/ValueCut.h"
#include "memplan/Planner/Remat/ProveInOrder.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/ReadPlans.h"
#include "memplan/Planner/Search/Repeats.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>

using namespace memplan;

/// Moves that take a few seconds on one core.
static int64_t defaultMoves(const SearchStep &step) {
  const int64_t ops = step.numOps();
  return std::clamp<int64_t>(
      tuning::movesOfOp * ops,
      std::min<int64_t>(tuning::mostMovesOfSmallOp * ops, tuning::enoughMoves),
      tuning::mostMoves);
}

namespace {
/// The search of one problem, from its graph to its plan.
class Solving {
public:
  Solving(const RematProblem &problem, const SolveLimits &limits)
      : problem(problem), limits(limits),
        contracted(*problem.index, problem.inPlace), step(contracted),
        effort(limits, limits.effort > 0 ? limits.effort : defaultMoves(step)),
        packing(step.units().limitFor(*problem.budgetBytes), excessFunction(),
                repackedFunction()),
        search(step, packing, {}, /*seed=*/1, effort) {}

  /// `proves`: what is found may be proved by more than a bound.
  RematPlan solve(bool proves);

private:
  double excessOf(int64_t packedBytes) const {
    return step.units().excessOf(packedBytes - *problem.budgetBytes,
                                 *problem.budgetBytes);
  }
  Packing::Excess excessFunction();
  Packing::Excess repackedFunction();
  bool repacks() const {
    return problem.repackedBytes && placementsFor(1, step.numOps()) > 0;
  }
  RematPlan planOf(llvm::ArrayRef<PlannedRun> runs) const;
  RematPlan bestPlan();
  void prove(std::optional<double> bestKnown, int64_t visits);
  int64_t visitsToClose();
  void close(RematPlan &plan);
  std::optional<std::vector<PlannedRun>> runsOf(const Schedule &schedule) const;
  std::optional<double> bestKnown() const;
  void reorder(double enoughCost);
  void start();
  void startFromNeeds();
  void report();

  const RematProblem &problem;
  const SolveLimits &limits;
  const ContractedStep contracted;
  const SearchStep step;
  Effort effort;
  Packing packing;
  SearchDriver search;
  SolveReport proved;
  bool isImpossible = false; ///< Proved for source order.
};
} // namespace

RematPlan Solving::planOf(llvm::ArrayRef<PlannedRun> runs) const {
  std::vector<int32_t> sequence;
  sequence.reserve(runs.size());
  for (PlannedRun run : runs)
    sequence.push_back(run.op);
  return measurePlan(problem, contracted.expand(sequence));
}

/// Packing takes about as long as a move for each few nodes.
Packing::Excess Solving::excessFunction() {
  if (!problem.packedBytes)
    return {};
  return [this](const std::vector<PlannedRun> &runs) {
    for (int32_t op = 0; op < step.numOps(); op += tuning::opsOfMove)
      effort.spend();
    return excessOf(repacks() ? problem.repackedBytes(planOf(runs), 0)
                              : problem.packedBytes(planOf(runs)));
  };
}

/// Some placements for each move that the search may try.
Packing::Excess Solving::repackedFunction() {
  if (!repacks())
    return {};
  const int64_t placements = placementsFor(effort.movesLeft(), step.numOps());
  return [this, placements](const std::vector<PlannedRun> &runs) {
    return excessOf(problem.repackedBytes(planOf(runs), placements));
  };
}

/// Bounds in source order; only that of every node run once holds where first
/// runs may leave it. By 0 visits proveCost() would choose for itself.
void Solving::prove(std::optional<double> bestKnown, int64_t visits) {
  if (problem.mayReorder || effort.isCut() || visits <= 0)
    return;
  raiseBound(proved, proveCost(contracted, *problem.budgetBytes, bestKnown,
                               findRepeat(contracted), visits));
}

void Solving::report() {
  Progress progress;
  progress.solver = "search";
  progress.bound = proved.bound;
  progress.incumbent = bestKnown();
  progress.seconds = effort.seconds();
  effort.report(progress);
}

/// The ops of a schedule in their variants, if its first runs stand in source
/// order where they have to.
std::optional<std::vector<PlannedRun>>
Solving::runsOf(const Schedule &schedule) const {
  std::vector<PlannedRun> runs = readSchedule(contracted, step, schedule);
  int32_t next = 0;
  for (PlannedRun run : runs) {
    if (!problem.mayReorder && run.op > next)
      return std::nullopt;
    next += run.op == next;
  }
  return runs;
}

std::optional<double> Solving::bestKnown() const {
  if (!packing.accepted())
    return std::nullopt;
  return *reportRunOnce(problem.index->graph()).bound *
         (packing.accepted()->cost / step.totalCost());
}

/// Lets first runs move too, from the best plan in source order.
void Solving::reorder(double enoughCost) {
  SearchDriver free(step, packing, {.mayReorder = true}, /*seed=*/1, effort);
  const std::optional<CostedPlan> &best =
      packing.accepted() ? packing.accepted() : packing.closest();
  if (best)
    free.start(std::vector<PlannedRun>(best->runs));
  else
    free.start();
  free.improve(enoughCost, effort.movesLeft());
}

/// Visits for a proof that the plan is optimal or that there is none: some
/// seconds, or about as long as the search takes. None inside loops that ask
/// for many quick plans, with less effort than the default.
int64_t Solving::visitsToClose() {
  constexpr int64_t most = tuning::mostClosingVisits;
  if (effort.isCut() ||
      (limits.effort > 0 && limits.effort < defaultMoves(step)))
    return 0;
  int64_t visits = limits.effort > 0
                       ? std::min(limits.effort, most / tuning::visitsOfMove) *
                             tuning::visitsOfMove
                       : most;
  if (limits.timeLimitSeconds)
    visits = std::min(
        visits, int64_t(tuning::visitsOfSecond *
                        std::clamp(*limits.timeLimitSeconds - effort.seconds(),
                                   0.0, tuning::mostSecondsOfVisits)));
  return visits;
}

/// What the search found, with its bound.
RematPlan Solving::bestPlan() {
  const std::optional<CostedPlan> &best =
      packing.accepted() ? packing.accepted() : packing.closest();
  if (!best)
    return withoutPlan(problem,
                       "the search found no schedule within the budget");
  RematPlan plan = planWithinBudget(problem, planOf(best->runs));
  if (plan.schedule.runs.empty())
    return plan;
  plan.report = proved;
  plan.report.status =
      isProved(plan) ? SolveStatus::Optimal : SolveStatus::Feasible;
  return plan;
}

/// On a large step of equal turns: what a search finds with one of them.
void Solving::start() {
  if (!search.startFromTurns())
    return search.start();
  if (packing.accepted() || packing.closest())
    return;
  // A search takes long to find nothing.
  if (!problem.mayReorder) {
    const ValueCut cut = largestCut(OrderRows(contracted));
    isImpossible = cut.bytes > *problem.budgetBytes;
  }
  if (!isImpossible)
    search.start();
}

/// Where multipliers lead to no plan on a small step: one that knows what each
/// op needs, and nothing of costs.
void Solving::startFromNeeds() {
  // In loops of many quick searches only where they ask for it.
  const bool isAsked = problem.takesAnyPlan || visitsToClose() > 0;
  if (!isAsked || packing.accepted() || packing.closest() || effort.isCut() ||
      step.numOps() > smallStep)
    return;
  const OrderRows rows(contracted);
  const int64_t budget = *problem.budgetBytes;
  for (int64_t spare : {budget / tuning::partsToSpare[0],
                        budget / tuning::partsToSpare[1], int64_t(0)}) {
    const NeedAnswer answer =
        searchNeeds(rows, budget - spare, tuning::needSetsOfStart);
    // Longer ones take long to improve, and their arenas are full of gaps.
    if (answer.outcome != NeedAnswer::Outcome::Plan ||
        answer.sequence.size() > tuning::longestStart * size_t(step.numOps()))
      continue;
    Schedule schedule = contracted.expand(answer.sequence);
    if (llvm::errorToBool(verifySchedule(*problem.index, schedule)))
      return;
    if (std::optional<std::vector<PlannedRun>> runs = runsOf(schedule))
      search.start(*runs);
    return;
  }
}

/// Visits for a bound: about as long as the moves take, and where these are
/// few for the size of the step, enough for multipliers to settle: that takes
/// longer where memory is short several times. 0 where a loop does without.
static int64_t visitsForBound(int64_t moves, int64_t ops, bool isInLoop) {
  // On a step of 132,512 nodes, bounds took a sixth of a walk over budgets.
  if (isInLoop && ops > largestStep)
    return 0;
  if (isInLoop && ops > largeStep)
    return std::clamp<int64_t>(tuning::boundVisitsOfMove * moves,
                               tuning::leastBoundVisits,
                               tuning::mostVisitsByMoves);
  const int64_t perOp =
      ops < tuning::manyOps ? tuning::visitsOfOp : tuning::visitsOfManyOps;
  return std::max(
      std::clamp<int64_t>(tuning::boundVisitsOfMove * moves,
                          tuning::leastBoundVisits, tuning::mostVisitsByMoves),
      std::min<int64_t>(perOp * std::min(moves, ops), tuning::mostBoundVisits));
}

/// What is not decided took all of its visits, which count as moves.
void Solving::close(RematPlan &plan) {
  const int64_t visits = visitsToClose();
  proveInOrder(problem, contracted, visits, effort.stop(), plan);
  if (limits.triedMoves && step.numOps() <= smallStep &&
      plan.report.status != SolveStatus::Infeasible && !isProved(plan))
    *limits.triedMoves += visits / tuning::visitsOfMove;
}

RematPlan Solving::solve(bool proves) {
  proved = reportRunOnce(problem.index->graph());
  const int64_t visits =
      visitsForBound(effort.movesLeft(), step.numOps(),
                     limits.effort > 0 && limits.effort < defaultMoves(step));
  start();
  if (isImpossible)
    return impossibleInOrder(problem, "exact");
  if (problem.start)
    if (std::optional<std::vector<PlannedRun>> runs = runsOf(*problem.start))
      search.start(*runs);
  startFromNeeds();
  report();
  prove(bestKnown(), visits / tuning::partOfFirstBound);
  // Closer than this is as good as proved.
  const double enough = *proved.bound /
                        *reportRunOnce(problem.index->graph()).bound *
                        step.totalCost() * (1 + tuning::closeToBound);
  search.improve(enough, problem.mayReorder ? effort.movesLeft() / 2
                                            : effort.movesLeft());
  if (problem.mayReorder)
    reorder(enough);
  report();
  packing.insist();
  RematPlan plan = bestPlan();
  if (!plan.schedule.runs.empty() && !isProved(plan)) {
    prove(plan.cost, visits);
    plan = bestPlan();
  }
  if (proves)
    close(plan);
  return plan;
}

static llvm::Expected<RematPlan>
searchFor(const RematProblem &problem, const SolveLimits &limits, bool proves) {
  llvm::Expected<RematPlan> unplanned = solveCheckpointAll(problem, limits);
  if (!unplanned || !problem.budgetBytes)
    return unplanned; // Nothing to gain.
  const bool packs = !problem.packedBytes || unplanned->schedule.runs.empty() ||
                     problem.packedBytes(*unplanned) <= *problem.budgetBytes;
  if (packs && unplanned->report.status == SolveStatus::Optimal)
    return unplanned;
  if (unplanned->schedule.runs.empty() &&
      problem.lowerBoundBytes() > *problem.budgetBytes) {
    unplanned->report.note =
        "the working set of a single node exceeds the budget";
    return unplanned;
  }
  return Solving(problem, limits).solve(proves);
}

llvm::Expected<RematPlan> memplan::solveSearch(const RematProblem &problem,
                                               const SolveLimits &limits) {
  return searchFor(problem, limits, /*proves=*/true);
}

llvm::Expected<RematPlan>
memplan::searchWithoutProof(const RematProblem &problem,
                            const SolveLimits &limits) {
  return searchFor(problem, limits, /*proves=*/false);
}
