//===- FreeOrderMilp.cpp - Optimal order and recomputation together -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Jain et al., "Checkmate", MLSys 2020, 4.3: the order as part of the
//   program. The paper leaves it at the remark; the columns are our own.
// Idea: start from the plan of the search in any order; the solver improves or
//   proves it. A plan that is cheaper than the one in hand repeats few runs,
//   and one of more runs than the program has positions costs at least theirs.
// Cost: O(T (n + m)) columns and rows, and a weak relaxation: for steps of up
// to
//   about a dozen ops.
// Guarantee: the bound is for all plans ("free-order") and as good as the
//   solver's floating point; there is none where the contracted step leaves
//   something out. A proof against a plan that is known is an error.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/FreeOrderProgram.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

namespace {
class FreeOrderMilp {
public:
  FreeOrderMilp(const RematProblem &problem, const SolveLimits &limits,
                const SolveClock &clock, RematPlan plan)
      : problem(problem), limits(limits), clock(clock),
        step(*problem.index, problem.inPlace), plan(std::move(plan)) {}

  llvm::Expected<RematPlan> solve();

private:
  bool isKnown() const { return !plan.schedule.runs.empty(); }
  void findLength();
  std::vector<int32_t> knownSequence() const;
  void takeIfBetter(const FreeOrderProgram &program, const MilpResult &result);
  llvm::Error conclude(const FreeOrderProgram &program,
                       const MilpResult &result);
  llvm::Error raiseBound(double bound);

  const RematProblem &problem;
  const SolveLimits &limits;
  const SolveClock &clock;
  const ContractedStep step;
  RematPlan plan; ///< The best that is known; without runs, none.
  int32_t positions = 0;
  double beyond = 0; ///< Least cost of plans of more runs than positions.
};
} // namespace

/// A plan of `extra` further runs costs at least as many times what the
/// cheapest op costs that may run again. What is cheaper than the plan in hand
/// has fewer; twice the ops are the most that is tried.
void FreeOrderMilp::findLength() {
  const int32_t ops = step.numOps() - 1;
  double least = std::numeric_limits<double>::infinity();
  for (const StepOp &op : step.ops())
    if (op.node.isValid() && !op.runsOnce)
      least = std::min(least, op.variants.front().cost);
  const double once = *reportRunOnce(problem.index->graph()).bound;
  int32_t extra = ops;
  if (!std::isfinite(least))
    extra = 0;
  else if (isKnown() && least > 0)
    extra = static_cast<int32_t>(
        std::min<double>(ops, std::floor((plan.cost - once) / least)));
  positions = ops + extra;
  beyond = std::isfinite(least) ? once + (extra + 1) * least
                                : std::numeric_limits<double>::infinity();
}

/// The ops of the plan in hand, to start from.
std::vector<int32_t> FreeOrderMilp::knownSequence() const {
  std::vector<int32_t> sequence;
  for (NodeId node : plan.schedule.runs)
    if (int32_t op = step.opOf(node); op >= 0)
      sequence.push_back(op);
  return sequence;
}

/// What comes back is floating point: its order is taken and measured in bytes.
void FreeOrderMilp::takeIfBetter(const FreeOrderProgram &program,
                                 const MilpResult &result) {
  if (result.values.empty())
    return;
  Schedule schedule = step.expand(program.sequenceAt(result.values));
  if (llvm::errorToBool(verifySchedule(*problem.index, schedule)))
    return;
  RematPlan found = measurePlan(problem, std::move(schedule));
  const int64_t budget = *problem.budgetBytes;
  if (found.peakBytes > budget ||
      (problem.packedBytes && problem.packedBytes(found) > budget))
    return;
  if (!isKnown() || isBetter(problem, found, plan))
    plan = std::move(found);
}

llvm::Error FreeOrderMilp::raiseBound(double bound) {
  if (contradicts(bound, plan.cost))
    return milpContradiction("its bound is " + std::to_string(bound), plan);
  if (bound <= *plan.report.bound)
    return llvm::Error::success();
  plan.report.bound = std::min(bound, plan.cost);
  plan.report.boundSpace = "free-order";
  plan.report.proof = "solver";
  return llvm::Error::success();
}

/// What the solver proved, put beside the plan that is known.
llvm::Error FreeOrderMilp::conclude(const FreeOrderProgram &program,
                                    const MilpResult &result) {
  const bool isImpossible = result.status == MilpStatus::Infeasible;
  const bool isProof = step.leftOut().empty();
  std::string stopped =
      !isProof ? "the program leaves out " + step.leftOut() +
                     ", so that it proves nothing"
      : isImpossible
          ? "no plan of at most " + std::to_string(positions) + " runs fits"
          : "the integer program was stopped after " +
                std::to_string(result.iterations) + " iterations and " +
                std::to_string(result.nodes) + " nodes";
  if (isKnown()) {
    // Longer plans are outside of the program.
    const double inside = isImpossible ? std::numeric_limits<double>::infinity()
                                       : program.cost(result.bound.value_or(0));
    if (double bound = std::min(inside, beyond);
        isProof && std::isfinite(bound))
      if (llvm::Error error = raiseBound(bound))
        return error;
    const bool isClosed = isOptimalBound(*plan.report.bound, plan.cost);
    plan.report.status =
        isClosed ? SolveStatus::Optimal : SolveStatus::Feasible;
    if (isClosed)
      return llvm::Error::success();
    if (isProof && inside > beyond)
      stopped = "plans of more than " + std::to_string(positions) +
                " runs were not looked at";
  }
  plan.report.note = std::move(stopped);
  return llvm::Error::success();
}

llvm::Expected<RematPlan> FreeOrderMilp::solve() {
  findLength();
  const int64_t terms = FreeOrderProgram::estimateTerms(step, positions);
  llvm::Expected<std::unique_ptr<MilpBackend>> backend =
      milpBackendFor(limits, terms, std::to_string(positions) + " positions",
                     plan.report.note);
  if (!backend)
    return backend.takeError();
  if (!*backend)
    return std::move(plan);
  const FreeOrderProgram program(
      step, *problem.budgetBytes - step.residentBytes(), positions);
  std::vector<double> start;
  if (isKnown())
    start = program.pointOf(knownSequence());
  llvm::Expected<MilpResult> result = (*backend)->solve(
      program.model(), start,
      milpLimitsFor(limits, clock, program.model().numTerms(),
                    [&](double objective) { return program.cost(objective); }));
  if (!result)
    return result.takeError();
  takeIfBetter(program, *result);
  if (llvm::Error error = conclude(program, *result))
    return error;
  return std::move(plan);
}

llvm::Expected<RematPlan>
memplan::solveFreeOrderMilp(const RematProblem &problem,
                            const SolveLimits &limits) {
  if (!problem.mayReorder)
    return llvm::createStringError(
        "--milp-formulation=free-order chooses the order of first runs, which "
        "only --order=search lets solvers change");
  const SolveClock clock(limits);
  llvm::Expected<RematPlan> found = searchWithoutProof(problem, limits);
  if (!found || !problem.budgetBytes ||
      found->report.status == SolveStatus::Optimal ||
      found->report.status == SolveStatus::Infeasible)
    return found; // Proved already.
  return FreeOrderMilp(problem, limits, clock, std::move(*found)).solve();
}
