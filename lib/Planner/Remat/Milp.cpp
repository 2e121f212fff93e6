//===- Milp.cpp - Integer programs with lazy rows -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: start from the plan and the bound of `search`, which tries to prove
// them
//   by branch and bound of memplan's own. What is left goes to an integer
//   programming solver: memory holds at a few rows of a PeakMilp, and an answer
//   that is cheaper than the best plan breaks another row, which is added, or
//   is a better plan.
// Cost: bounded by the effort, simplex iterations of all programs together.
// Guarantee: never worse than `search`, in plan and bound. The bound is for
//   fixed order; where it is the solver's it is as good as the solver's
//   floating point ("solver").
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Bounds/PeakMilp.h"
#include "memplan/Planner/Remat/Bounds/ProvedBound.h"
#include "memplan/Planner/Remat/Bounds/RowRefiner.h"
#include "memplan/Planner/Remat/ProveInOrder.h"
#include "memplan/Planner/Remat/RematSolvers.h"

using namespace memplan;

namespace {
class LazyMilp {
public:
  LazyMilp(const RematProblem &problem, const SolveLimits &limits)
      : problem(problem), limits(limits), step(*problem.index, problem.inPlace),
        clock(limits) {}

  llvm::Expected<RematPlan> solve();

private:
  bool isClosed() const { return isProved(plan); }
  std::optional<double> costOf(llvm::ArrayRef<int32_t> sequence);
  llvm::Error solveProgram();
  llvm::Error relax(MilpBackend &backend, const PeakModel &model,
                    PeakMilp &program);
  MilpLimits limitsOf(const PeakMilp &program) const;
  std::vector<int32_t> knownSequence() const;
  void raise(double bound, llvm::StringRef proof);
  llvm::Error contradiction(const std::string &claim) const;

  const RematProblem &problem;
  const SolveLimits &limits;
  const ContractedStep step;
  SolveClock clock;
  RematPlan plan;
  int64_t iterationsLeft = 0;
};
} // namespace

/// Of a plan that keeps the budget; the best one is kept.
std::optional<double> LazyMilp::costOf(llvm::ArrayRef<int32_t> sequence) {
  Schedule schedule = step.expand(sequence);
  if (llvm::errorToBool(verifySchedule(*problem.index, schedule)))
    return std::nullopt;
  RematPlan found = measurePlan(problem, std::move(schedule));
  if (found.peakBytes > *problem.budgetBytes ||
      (problem.packedBytes &&
       problem.packedBytes(found) > *problem.budgetBytes))
    return std::nullopt;
  if (plan.schedule.runs.empty() || found.cost < plan.cost) {
    SolveReport report = std::move(plan.report);
    plan = std::move(found);
    plan.report = std::move(report);
    plan.report.solver = "milp";
  }
  return plan.cost;
}

void LazyMilp::raise(double bound, llvm::StringRef proof) {
  raiseBound(plan.report, {bound, "fixed-order", proof.str()});
}

MilpLimits LazyMilp::limitsOf(const PeakMilp &program) const {
  MilpLimits milpLimits;
  milpLimits.iterations = iterationsLeft;
  milpLimits.relativeGap = 5e-5;
  milpLimits.stop = limits.stop;
  milpLimits.timeLimitSeconds = clock.secondsLeft();
  if (limits.progress)
    milpLimits.progress = [this, &program](std::optional<double>,
                                           std::optional<double> bound) {
      Progress progress;
      progress.solver = "milp";
      if (!plan.schedule.runs.empty())
        progress.incumbent = plan.cost;
      if (bound)
        progress.bound = program.cost(*bound);
      progress.seconds = clock.seconds();
      limits.progress(progress);
    };
  return milpLimits;
}

/// The ops of the plan in hand; empty if first runs leave source order.
std::vector<int32_t> LazyMilp::knownSequence() const {
  std::vector<int32_t> opOfNode(problem.index->graph().nodes.size(), -1);
  for (int32_t op = 0; op + 1 < step.numOps(); ++op)
    opOfNode[step.ops()[op].node.index] = op;
  std::vector<int32_t> sequence;
  int32_t next = 0;
  for (NodeId node : plan.schedule.runs) {
    const int32_t op = opOfNode[node.index];
    if (op < 0)
      continue;
    if (op > next)
      return {};
    next += op == next;
    sequence.push_back(op);
  }
  sequence.push_back(step.numOps() - 1);
  return sequence;
}

/// A proof against a plan in hand: one of the two is wrong.
llvm::Error LazyMilp::contradiction(const std::string &claim) const {
  return llvm::createStringError(
      "solver 'milp' contradicts itself, which is a bug in it: %s, but a plan "
      "of cost %.9g and %lld bytes is known",
      claim.c_str(), plan.cost, static_cast<long long>(plan.peakBytes));
}

/// The dual values of the linear relaxation as prices: a bound in integers, and
/// what no plan cheaper than the known one can do otherwise is fixed.
llvm::Error LazyMilp::relax(MilpBackend &backend, const PeakModel &model,
                            PeakMilp &program) {
  llvm::Expected<MilpResult> relaxed =
      backend.solve(program.relaxation(), {}, limitsOf(program));
  if (!relaxed)
    return relaxed.takeError();
  iterationsLeft -= relaxed->iterations;
  if (relaxed->rowDuals.empty())
    return llvm::Error::success();
  std::vector<Stay> decisions(model.numPlaces(), Stay::Open);
  const double bound = PeakDual(model).prove(
      program.pricesOf(relaxed->rowDuals), plan.cost * (1 + 1e-6), decisions);
  if (bound > plan.cost * (1 + 1e-6) + 1e-9)
    return contradiction("its bound is " + std::to_string(bound));
  raise(std::min(bound, plan.cost), "rounded-dual");
  program.fix(decisions);
  return llvm::Error::success();
}

llvm::Error LazyMilp::solveProgram() {
  llvm::Expected<std::unique_ptr<MilpBackend>> backend =
      createMilpBackend(limits.milpBackend);
  if (!backend)
    return backend.takeError();
  if (!*backend) {
    plan.report.note = "built without an integer programming solver";
    return llvm::Error::success();
  }
  const bool known = !plan.schedule.runs.empty();
  if (known && knownSequence().empty())
    return llvm::Error::success();
  const double none = 1000 * *reportRunOnce(problem.index->graph()).bound + 1;
  auto costOfPlan = [&](llvm::ArrayRef<int32_t> sequence) {
    return costOf(sequence);
  };
  RowRefiner refiner(step, *problem.budgetBytes, known ? plan.cost : none,
                     costOfPlan);
  refiner.firstPeaks();
  int64_t programs = 0;
  while (true) {
    const PeakModel model = refiner.model();
    PeakMilp program(model);
    if (programs++ == 0)
      iterationsLeft =
          limits.effort > 0
              ? limits.effort
              : std::max<int64_t>(2000,
                                  4'000'000'000 /
                                      (program.program().numTerms() + 20'000));
    const std::vector<int32_t> start =
        plan.schedule.runs.empty() ? std::vector<int32_t>() : knownSequence();
    if (!start.empty())
      if (llvm::Error error = relax(**backend, model, program))
        return error;
    if (isClosed())
      return llvm::Error::success();
    llvm::Expected<MilpResult> result = (*backend)->solve(
        program.program(),
        start.empty() ? std::vector<double>() : program.pointOf(start),
        limitsOf(program));
    if (!result)
      return result.takeError();
    iterationsLeft -= std::max<int64_t>(result->iterations, 1);
    if (result->status == MilpStatus::Infeasible) {
      if (!plan.schedule.runs.empty())
        return contradiction("it proves that nothing fits " +
                             std::to_string(*problem.budgetBytes) + " bytes");
      plan = impossibleInOrder(problem, "solver");
      return llvm::Error::success();
    }
    if (result->bound && !plan.schedule.runs.empty()) {
      const double bound = program.cost(*result->bound);
      if (bound > plan.cost * (1 + 1e-6) + 1e-9)
        return contradiction("its bound is " + std::to_string(bound));
      raise(std::min(bound, plan.cost), "solver");
    }
    if (isClosed())
      return llvm::Error::success();
    const bool isCheaper = [&] {
      if (result->values.empty())
        return false;
      std::optional<PeakRuns> runs =
          leastRuns(model, program.staysAt(result->values));
      return runs && runs->cost + model.rows->leastCost() < refiner.cutoff();
    }();
    if (!isCheaper || iterationsLeft <= 0 ||
        !refiner.refine(model, program.staysAt(result->values)))
      break;
  }
  if (!isClosed())
    plan.report.note = "stopped with " + std::to_string(programs) +
                       " integer programs of the rows where memory is short";
  return llvm::Error::success();
}

llvm::Expected<RematPlan> LazyMilp::solve() {
  llvm::Expected<RematPlan> found = solveSearch(problem, limits);
  if (!found || found->report.status == SolveStatus::Optimal ||
      found->report.status == SolveStatus::Infeasible)
    return found; // Proved already.
  plan = std::move(*found);
  if (problem.mayReorder)
    return std::move(plan); // The bounds below are for source order.
  // With the default effort, the search has tried to prove it.
  if (limits.effort > 0)
    proveInOrder(problem, step,
                 1000 * std::min<int64_t>(limits.effort, 1'000'000'000),
                 limits.stop, plan);
  if (!isClosed() && plan.report.status != SolveStatus::Infeasible)
    if (llvm::Error error = solveProgram())
      return std::move(error);
  if (!plan.schedule.runs.empty())
    plan.report.status =
        isClosed() ? SolveStatus::Optimal : SolveStatus::Feasible;
  return std::move(plan);
}

llvm::Expected<RematPlan> memplan::solveMilp(const RematProblem &problem,
                                             const SolveLimits &limits) {
  if (limits.milpFormulation == "paper")
    return solvePaperMilp(problem, limits);
  return LazyMilp(problem, limits).solve();
}
