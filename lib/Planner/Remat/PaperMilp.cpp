//===- PaperMilp.cpp - Checkmate's program as it was published ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Jain et al., "Checkmate", MLSys 2020, with in-place outputs, several
//   outputs, workspaces, variants and donated inputs added.
// Idea: start from the best heuristic plan; the solver improves or proves it.
// Cost: O(n^2 + n m) columns and rows for n ops with m reads; beyond
//   `largestModel` terms the solver would not leave its root node in a minute,
//   and the model is not built.
// Guarantee: a plan is returned whenever a heuristic has one. The bound is for
//   schedules in stages ("staged") and as good as the solver's floating point;
//   there is none where the stages leave something out that plans may do. A
//   proof against a plan that is known is an error, not rounded away.
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"
#include "memplan/Planner/Remat/Checkmate.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

int64_t memplan::milpIterationsOfAMinute(int64_t terms) {
  return std::max<int64_t>(tuning::fewestIterations,
                           tuning::iterationTerms /
                               (terms + tuning::termsOfAny));
}

MilpLimits memplan::milpLimitsFor(const SolveLimits &limits,
                                  const SolveClock &clock, int64_t terms,
                                  std::function<double(double)> costOf) {
  MilpLimits milp;
  milp.iterations =
      limits.effort > 0 ? limits.effort : milpIterationsOfAMinute(terms);
  milp.stop = limits.stop;
  milp.timeLimitSeconds = clock.secondsLeft();
  if (limits.progress)
    milp.progress = [&limits, &clock, costOf](std::optional<double> incumbent,
                                              std::optional<double> bound) {
      for (std::optional<double> *value : {&incumbent, &bound})
        if (*value)
          *value = costOf(**value);
      limits.progress({"milp", incumbent, bound, clock.seconds()});
    };
  return milp;
}

llvm::Error memplan::milpContradiction(const std::string &claim,
                                       const RematPlan &plan) {
  return llvm::createStringError(
      "solver 'milp' contradicts itself, which is a bug in it: %s, but a plan "
      "of cost %.9g and %lld bytes is known",
      claim.c_str(), plan.cost, static_cast<long long>(plan.peakBytes));
}

/// The heuristic plan, with what the integer program would have needed.
static RematPlan heuristicOnly(RematPlan plan, std::string why) {
  plan.report.note =
      plan.report.note.empty() ? std::move(why) : why + "; " + plan.report.note;
  return plan;
}

/// The best plan in stages that is known before a program is solved: what the
/// search found, as far as its runs keep the budget when each stage runs an op
/// once, or else checkpoints. What is proved is left to the program.
static llvm::Expected<RematPlan> planInStages(const RematProblem &problem,
                                              const StageGraph &graph,
                                              const SolveLimits &limits) {
  llvm::Expected<RematPlan> found = solveGreedy(problem, limits);
  if (!found || found->schedule.runs.empty() || !problem.budgetBytes)
    return found;
  Retention retention = retentionOf(graph, graph.rowsOf(found->schedule));
  RematPlan staged =
      measurePlan(problem, graph.expand(solveRows(graph, retention)));
  if (staged.peakBytes > *problem.budgetBytes) {
    std::optional<RematPlan> checkpoints = bestCheckpoints(problem);
    if (!checkpoints)
      return withoutPlan(problem, "no schedule in stages was found");
    staged = std::move(*checkpoints);
  }
  return staged;
}

/// The solver's answer if it is a better plan than the heuristic's.
static RematPlan betterPlan(const RematProblem &problem,
                            const StageGraph &graph, const Checkmate &checkmate,
                            const MilpResult &result, RematPlan heuristic) {
  if (result.values.empty())
    return heuristic;
  // What comes back is floating point: keep S, make R anew from it, and measure
  // the runs in bytes.
  Retention retention = checkmate.retentionAt(result.values);
  RematPlan found =
      measurePlan(problem, graph.expand(solveRows(graph, retention)));
  const bool fits = found.peakBytes <= *problem.budgetBytes;
  if (fits &&
      (heuristic.schedule.runs.empty() || isBetter(problem, found, heuristic)))
    return found;
  return heuristic;
}

static RematPlan stagesDoNotFit(const RematProblem &problem, RematPlan none) {
  none.report.status = SolveStatus::Infeasible;
  none.report.boundSpace = "staged";
  none.report.proof = "solver";
  none.boundBytes = *problem.budgetBytes + 1;
  none.report.note = "no schedule in Checkmate's stages fits; others may";
  return none;
}

/// What the solver proved about the stages, put beside the plan that is known.
static llvm::Expected<RematPlan> withProof(const RematProblem &problem,
                                           const StageGraph &graph,
                                           const Checkmate &checkmate,
                                           const MilpResult &result,
                                           RematPlan plan) {
  const bool isProof = graph.leftOut().empty();
  const bool none = plan.schedule.runs.empty();
  if (result.status == MilpStatus::Infeasible && isProof) {
    if (none)
      return stagesDoNotFit(problem, std::move(plan));
    return milpContradiction("it proves that no schedule in stages fits " +
                                 std::to_string(*problem.budgetBytes) +
                                 " bytes",
                             plan);
  }
  std::string stopped = "the integer program was stopped after " +
                        std::to_string(result.iterations) + " iterations and " +
                        std::to_string(result.nodes) + " nodes";
  if (!isProof)
    stopped = "the stages leave out " + graph.leftOut() +
              ", so that the integer program proves nothing";
  if (none) {
    plan.report.note = std::move(stopped);
    return plan;
  }
  if (result.bound && isProof) {
    const double bound = checkmate.cost(*result.bound);
    if (contradicts(bound, plan.cost))
      return milpContradiction("its bound is " + std::to_string(bound), plan);
    if (bound > *plan.report.bound) {
      plan.report.bound = std::min(bound, plan.cost);
      plan.report.boundSpace = "staged";
      plan.report.proof = "solver";
    }
  }
  const bool closed = isOptimalBound(*plan.report.bound, plan.cost);
  plan.report.status = closed ? SolveStatus::Optimal : SolveStatus::Feasible;
  if (!closed)
    plan.report.note = std::move(stopped);
  return plan;
}

llvm::Expected<RematPlan> memplan::solvePaperMilp(const RematProblem &problem,
                                                  const SolveLimits &limits) {
  const SolveClock clock(limits);
  SolveLimits heuristicLimits = limits;
  heuristicLimits.effort = 0;
  StageGraph graph(*problem.index, problem.inPlace);
  llvm::Expected<RematPlan> heuristic =
      planInStages(problem, graph, heuristicLimits);
  if (!heuristic || heuristic->report.status == SolveStatus::Optimal ||
      heuristic->report.status == SolveStatus::Infeasible)
    return heuristic; // Proved already.
  const int64_t terms = Checkmate::estimateTerms(graph);
  std::string note;
  llvm::Expected<std::unique_ptr<MilpBackend>> backend = milpBackendFor(
      limits, terms, std::to_string(graph.numStages()) + " stages", note);
  if (!backend)
    return backend.takeError();
  if (!*backend)
    return heuristicOnly(std::move(*heuristic), note);

  Checkmate checkmate(graph, *problem.budgetBytes -
                                 problem.index->graph().persistentBytes());
  std::vector<double> start;
  if (!heuristic->schedule.runs.empty())
    start = checkmate.pointOf(graph.rowsOf(heuristic->schedule));

  llvm::Expected<MilpResult> result = (*backend)->solve(
      checkmate.model(), start,
      milpLimitsFor(
          limits, clock, checkmate.model().numTerms(),
          [&](double objective) { return checkmate.cost(objective); }));
  if (!result)
    return result.takeError();
  RematPlan plan =
      betterPlan(problem, graph, checkmate, *result, std::move(*heuristic));
  return withProof(problem, graph, checkmate, *result, std::move(plan));
}
