//===- RematSolvers.cpp - The solver table and what solvers share ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Model/OneVariant.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Thresholds.h"
#include "memplan/Solver/MilpModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <tuple>

using namespace memplan;

/// The plan of the search, which keeps every value where that fits.
static llvm::Expected<RematPlan> solveAuto(const RematProblem &problem,
                                           const SolveLimits &limits) {
  llvm::Expected<RematPlan> plan = solveSearch(problem, limits);
  if (plan)
    plan->report.solver = "search";
  return plan;
}

static constexpr SolverTraits heuristic = {.family = SolverFamily::Heuristic};
static constexpr SolverTraits search = {
    .family = SolverFamily::Search, .anytime = true, .obeysEffort = true};

static const RematSolver solverTable[] = {
    {"auto",
     "what gives the cheapest plans in seconds: search and the "
     "checkpointing family, the better plan",
     search, solveAuto},
    {"checkpoint-all",
     "keep every value; no recomputation",
     {.family = SolverFamily::Baseline},
     solveCheckpointAll},
    {"revolve",
     "Griewank and Walther: fewest recomputations of a linear forward pass for "
     "each number of states kept",
     heuristic, solveRevolve},
    {"rotor",
     "Beaumont et al.: dynamic program over the chain of blocks between "
     "articulation points",
     heuristic, solveRotor},
    {"chen-sqrt", "Chen: every sqrt(n)-th value of a linear forward pass",
     heuristic, solveChenSqrt},
    {"chen-greedy",
     "Chen: segments of equal bytes of a linear forward pass, fitted to the "
     "budget",
     heuristic, solveChenGreedy},
    {"ap-sqrt", "every sqrt(n)-th articulation point of the forward graph",
     heuristic, solveApSqrt},
    {"ap-greedy",
     "articulation points by accumulated bytes, fitted to the budget",
     heuristic, solveApGreedy},
    {"linearized-sqrt", "Chen's sqrt(n) on the source order of any graph",
     heuristic, solveLinearizedSqrt},
    {"linearized-greedy",
     "Chen's greedy on the source order of any graph, fitted to the budget",
     heuristic, solveLinearizedGreedy},
    {"lp-rounding",
     "Checkmate: the linear relaxation of its integer program, S rounded at a "
     "half",
     heuristic, solveLpRounding},
    {"lp-random",
     "the same with S drawn at random, its fractions as probabilities, 100 "
     "times",
     heuristic, solveLpRandom},
    {"dtr",
     "MegEngine's DTR on a known sequence: evict what is cheap to recompute "
     "and not read for long",
     heuristic, solveDtr},
    {"greedy",
     "the best checkpoints, then the search without its proofs; any graph",
     search, solveGreedy},
    {"search",
     "any run anywhere: a multiplier on memory, then annealing; to a hundred "
     "thousand nodes",
     search, solveSearch},
    {"milp",
     "integer programs of the rows where memory is short, started from search",
     {.family = SolverFamily::Milp,
      .exact = true,
      .anytime = true,
      .obeysEffort = true},
     solveMilp},
};

std::span<const RematSolver> memplan::rematSolvers() { return solverTable; }

llvm::Expected<std::unique_ptr<MilpBackend>>
memplan::milpBackendFor(const SolveLimits &limits, int64_t terms,
                        const std::string &size, std::string &note) {
  if (terms > limits.milpTerms) {
    note = "the integer program is too large to build: about " +
           std::to_string(terms) + " terms for " + size + ", limit " +
           std::to_string(limits.milpTerms) + " (--milp-terms)";
    return nullptr;
  }
  llvm::Expected<std::unique_ptr<MilpBackend>> backend =
      createMilpBackend(limits.milpBackend);
  if (backend && !*backend)
    note = "built without an integer programming solver";
  return backend;
}

llvm::Error memplan::checkMilpBackend(const SolveLimits &limits) {
  if (limits.milpBackend == "auto")
    return llvm::Error::success();
  return createMilpBackend(limits.milpBackend).takeError();
}

SolveReport memplan::reportRunOnce(const Graph &graph) {
  SolveReport report;
  double sum = 0;
  for (const Node &node : graph.nodes)
    sum += node.leastCost();
  report.bound = sum;
  report.boundSpace = "free-order";
  report.proof = "exact";
  return report;
}

std::vector<int32_t> memplan::chooseVariants(const RematProblem &problem,
                                             const Schedule &schedule,
                                             const InPlaceChoice &inPlace) {
  const Graph &graph = problem.index->graph();
  if (llvm::none_of(graph.nodes,
                    [](const Node &node) { return !node.variants.empty(); }))
    return {};
  const Schedule plain{schedule.runs, {}};
  const std::vector<int64_t> bytes =
      measureSchedule(*problem.index, plain, inPlace).bytesAtRun;
  const int64_t budget =
      problem.budgetBytes.value_or(std::numeric_limits<int64_t>::max());
  OneVariant chosen(graph);
  for (size_t run = 0; run < schedule.runs.size(); ++run) {
    const Node &node = graph[schedule.runs[run]];
    const int64_t others = bytes[run] - node.workspaceBytes;
    auto key = [&](int32_t number) {
      const NodeVariant variant = node.variant(number);
      const bool fits = others + variant.workspaceBytes <= budget;
      return fits ? std::tuple(0, variant.cost, variant.workspaceBytes)
                  : std::tuple(1, double(variant.workspaceBytes), int64_t(0));
    };
    int32_t best = 0;
    for (int32_t number = 1; number < node.numVariants(); ++number)
      if (key(number) < key(best))
        best = number;
    chosen.add(schedule.runs[run], best);
  }
  std::vector<int32_t> variants;
  for (NodeId node : schedule.runs)
    variants.push_back(chosen.of(node));
  return variants;
}

RematPlan memplan::measurePlan(const RematProblem &problem, Schedule schedule) {
  RematPlan plan;
  plan.schedule = std::move(schedule);
  plan.inPlace =
      problem.inPlace
          ? chooseInPlace(InPlaceProblem{problem.index, &plan.schedule})
          : InPlaceChoice(plan.schedule.runs.size());
  plan.schedule.variants = chooseVariants(problem, plan.schedule, plan.inPlace);
  ScheduleMetrics metrics =
      measureSchedule(*problem.index, plan.schedule, plan.inPlace);
  plan.peakBytes = metrics.peakBytes;
  plan.cost = metrics.cost;
  plan.report = reportRunOnce(problem.index->graph());
  plan.report.status = isAtMost(plan.cost, *plan.report.bound)
                           ? SolveStatus::Optimal
                           : SolveStatus::Feasible;
  return plan;
}

RematPlan memplan::planWithinBudget(const RematProblem &problem,
                                    RematPlan plan) {
  if (!problem.budgetBytes || plan.peakBytes <= *problem.budgetBytes)
    return plan;
  RematPlan none =
      withoutPlan(problem, "the least peak found is " +
                               std::to_string(plan.peakBytes) + " bytes");
  none.minimumBudgetBytes = plan.peakBytes;
  return none;
}

RematPlan memplan::bestOf(const RematProblem &problem,
                          const SolveLimits &limits, size_t count,
                          llvm::function_ref<Schedule(size_t)> schedule) {
  RematPlan best = measurePlan(problem, schedule(0));
  for (size_t i = 1; i < count && !(limits.stop && limits.stop->load()); ++i) {
    RematPlan plan = measurePlan(problem, schedule(i));
    if (isBetter(problem, plan, best))
      best = std::move(plan);
  }
  return planWithinBudget(problem, std::move(best));
}

RematPlan memplan::withoutPlan(const RematProblem &problem, std::string note) {
  RematPlan plan;
  plan.boundBytes = problem.lowerBoundBytes();
  const bool proved =
      problem.budgetBytes && *plan.boundBytes > *problem.budgetBytes;
  plan.report.status = proved ? SolveStatus::Infeasible : SolveStatus::NoPlan;
  plan.report.boundSpace = "free-order";
  plan.report.proof = "exact";
  plan.report.note = std::move(note);
  return plan;
}

bool memplan::isBetter(const RematProblem &problem, const RematPlan &plan,
                       const RematPlan &than) {
  const int64_t budget =
      problem.budgetBytes.value_or(std::numeric_limits<int64_t>::max());
  const bool fits = plan.peakBytes <= budget,
             thanFits = than.peakBytes <= budget;
  if (fits != thanFits)
    return fits;
  if (!fits)
    return plan.peakBytes < than.peakBytes;
  return plan.cost != than.cost ? plan.cost < than.cost
                                : plan.peakBytes < than.peakBytes;
}

/// Runs the nodes as the source has them: the plan of least cost and most
/// bytes.
llvm::Expected<RematPlan>
memplan::solveCheckpointAll(const RematProblem &problem, const SolveLimits &) {
  return planWithinBudget(
      problem, measurePlan(problem, sourceSchedule(problem.index->graph())));
}
