//===- Milp.cpp - Integer programs with lazy rows -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: start from plan and bound of `search`, which tries to prove them by
//   branch and bound of memplan's own. What is left goes to an integer
//   programming solver: memory holds at a few rows of a PeakMilp, and an answer
//   that is cheaper than the best plan breaks another row, which is added, or
//   is a better plan.
// Cost: bounded by the effort, simplex iterations of all programs together.
// Guarantee: never worse than `search`, in plan and bound. The bound is for
//   fixed order; where it is the solver's it is as good as the solver's
//   floating point ("solver").
//
//===----------------------------------------------------------------------===//

#include "../Bounds/PeakMilp.h"
#include "../Bounds/RowRefiner.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Model/MergedStep.h"
#include "memplan/Planner/Remat/ProveInOrder.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace memplan;

namespace {
class LazyMilp {
public:
  LazyMilp(const RematProblem &problem, const SolveLimits &limits)
      : problem(problem), limits(limits), step(*problem.index, problem.inPlace),
        merged(step), clock(limits) {}

  llvm::Expected<RematPlan> solve();

private:
  bool isStopped() const {
    return (limits.stop && limits.stop->load(std::memory_order_relaxed)) ||
           clock.secondsLeft().value_or(1) <= 0;
  }
  bool isClosed() const { return isProved(plan); }
  bool isDecided() const {
    return isClosed() || plan.report.status == SolveStatus::Infeasible;
  }
  std::optional<double> costOf(llvm::ArrayRef<int32_t> sequence);
  std::optional<double> costOfExpanded(llvm::ArrayRef<int32_t> sequence);
  llvm::Error solveProgram();
  llvm::Expected<bool> round(MilpBackend &backend, RowRefiner &refiner);
  PeakMilp programOf(const PeakModel &model) const;
  llvm::Error takeBound(const PeakMilp &program, const MilpResult &result);
  llvm::Error relax(MilpBackend &backend, const PeakModel &model,
                    PeakMilp &program);
  bool refine(RowRefiner &refiner, const PeakModel &model,
              const PeakMilp &program, llvm::ArrayRef<double> point);
  MilpLimits limitsOf(const PeakMilp &program, int64_t iterations) const;
  std::vector<int32_t> knownSequence() const;
  void raise(double bound, llvm::StringRef proof);

  const RematProblem &problem;
  const SolveLimits &limits;
  const ContractedStep step;
  const MergedStep merged; ///< What programs are about.
  SolveClock clock;
  RematPlan plan;
  std::vector<SegmentCut> cuts; ///< Cuts of all programs so far.
  /// Ops at the end of blocks in which memory at runs again counts.
  std::set<int32_t> withRecomputation;
  int64_t iterationsLeft = 0, programs = 0;
  /// Iterations of a program at most: most answers break memory somewhere, so
  /// that the first cheap one will do.
  int64_t probe = tuning::firstProbe;
};
} // namespace

/// Cost of a plan that keeps the budget; the best one is kept.
std::optional<double> LazyMilp::costOf(llvm::ArrayRef<int32_t> sequence) {
  for (bool keepFree : {true, false})
    if (std::optional<double> cost =
            costOfExpanded(merged.expand(sequence, keepFree)))
      return cost;
  return std::nullopt;
}

std::optional<double>
LazyMilp::costOfExpanded(llvm::ArrayRef<int32_t> sequence) {
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

MilpLimits LazyMilp::limitsOf(const PeakMilp &program,
                              int64_t iterations) const {
  MilpLimits milpLimits;
  milpLimits.iterations = iterations;
  milpLimits.relativeGap = 0;
  milpLimits.absoluteGap = program.scaled(
      tuning::gapOfProgram *
      (plan.schedule.runs.empty() ? step.totalCost() : plan.cost));
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

/// The merged ops of the plan in hand; empty if first runs leave source order.
std::vector<int32_t> LazyMilp::knownSequence() const {
  std::vector<int32_t> sequence;
  int32_t next = 0;
  for (NodeId node : plan.schedule.runs) {
    const int32_t op = step.opOf(node);
    if (op < 0)
      continue;
    if (op > next)
      return {};
    next += op == next;
    sequence.push_back(op);
  }
  sequence.push_back(step.numOps() - 1);
  return merged.merge(sequence);
}

/// The dual values of the linear relaxation as multipliers: a bound in
/// integers, and what no plan cheaper than the known one can do otherwise is
/// fixed.
llvm::Error LazyMilp::relax(MilpBackend &backend, const PeakModel &model,
                            PeakMilp &program) {
  llvm::Expected<MilpResult> relaxed = backend.solve(
      program.relaxation(), {}, limitsOf(program, iterationsLeft));
  if (!relaxed)
    return relaxed.takeError();
  iterationsLeft -= relaxed->iterations;
  if (relaxed->rowDuals.empty())
    return llvm::Error::success();
  std::vector<Stay> decisions(model.numPlaces(), Stay::Open);
  const double bound = PeakDual(model).prove(
      program.multipliersOf(relaxed->rowDuals),
      plan.cost * (1 + tuning::aboveByRounding), decisions);
  if (contradicts(bound, plan.cost))
    return milpContradiction("its bound is " + std::to_string(bound), plan);
  raise(std::min(bound, plan.cost), "rounded-dual");
  program.fix(decisions);
  return llvm::Error::success();
}

/// Takes an answer that is cheaper than the best plan: it is a better plan, or
/// breaks memory in a block (a cut) or at an op that is no row yet.
bool LazyMilp::refine(RowRefiner &refiner, const PeakModel &model,
                      const PeakMilp &program, llvm::ArrayRef<double> point) {
  const std::vector<Stay> stays = program.staysAt(point);
  SegmentAnswer answer = runSegments(model, stays, program.runsAt(point));
  if (!answer.sequence.empty() && refiner.takePlan(answer.sequence))
    return true;
  bool isNew = false;
  for (SegmentCut &cut : answer.cuts) {
    if (!program.isBroken(cut, point))
      continue; // The program knows what the block costs.
    isNew = true;
    if (cut.cost > 0 || !withRecomputation.insert(cut.second).second)
      cuts.push_back(std::move(cut));
  }
  for (int32_t row : answer.rows)
    isNew |= refiner.addRow(row);
  return refiner.refine(model, stays) || isNew;
}

PeakMilp LazyMilp::programOf(const PeakModel &model) const {
  PeakMilp program(model);
  for (int32_t block = 0; block <= model.numPeaks(); ++block)
    if (withRecomputation.count(block < model.numPeaks()
                                    ? model.peaks[block]
                                    : merged.step().numOps() - 1))
      program.addRecomputations(block);
  for (const SegmentCut &cut : cuts)
    program.addCut(cut);
  return program;
}

/// Takes the bound of a program, and its proof that nothing fits.
llvm::Error LazyMilp::takeBound(const PeakMilp &program,
                                const MilpResult &result) {
  const bool isKnown = !plan.schedule.runs.empty();
  if (result.status == MilpStatus::Infeasible) {
    if (isKnown)
      return milpContradiction("it proves that nothing fits " +
                                   std::to_string(*problem.budgetBytes) +
                                   " bytes",
                               plan);
    plan = impossibleInOrder(problem, "solver");
    return llvm::Error::success();
  }
  if (!result.bound || !isKnown)
    return llvm::Error::success();
  const double bound = program.cost(*result.bound);
  if (contradicts(bound, plan.cost))
    return milpContradiction("its bound is " + std::to_string(bound), plan);
  raise(std::min(bound, plan.cost), "solver");
  return llvm::Error::success();
}

/// One program, until its answer is worth a look. True: there may be more to
/// find.
llvm::Expected<bool> LazyMilp::round(MilpBackend &backend,
                                     RowRefiner &refiner) {
  const PeakModel model = refiner.model();
  PeakMilp program = programOf(model);
  if (programs++ == 0)
    iterationsLeft =
        limits.effort > 0
            ? limits.effort
            : milpIterationsOfAMinute(program.program().numTerms());
  const std::vector<int32_t> start =
      plan.schedule.runs.empty() ? std::vector<int32_t>() : knownSequence();
  if (!start.empty())
    if (llvm::Error error = relax(backend, model, program))
      return std::move(error);
  if (isDecided())
    return false;
  const int64_t given = std::min(iterationsLeft, probe);
  llvm::Expected<MilpResult> result = backend.solve(
      program.program(),
      start.empty() ? std::vector<double>() : program.pointOf(start),
      limitsOf(program, given));
  if (!result)
    return result.takeError();
  iterationsLeft -= std::max<int64_t>(result->iterations, 1);
  if (llvm::Error error = takeBound(program, *result))
    return std::move(error);
  if (isDecided() || iterationsLeft <= 0 || isStopped() ||
      programs >= tuning::mostPrograms)
    return false;
  const bool isCheaper =
      !result->values.empty() &&
      program.cost(program.program().objective(result->values)) <
          refiner.cutoff();
  if (isCheaper)
    return refine(refiner, model, program, result->values);
  probe *= tuning::probeGrowth;
  // Else it ended by itself: by rounding only, or with nothing to choose.
  return result->status != MilpStatus::Optimal && result->iterations >= given;
}

llvm::Error LazyMilp::solveProgram() {
  // Programs of the rows where memory is short are small.
  llvm::Expected<std::unique_ptr<MilpBackend>> backend =
      milpBackendFor(limits, /*terms=*/0, "", plan.report.note);
  if (!backend)
    return backend.takeError();
  if (!*backend)
    return llvm::Error::success();
  const bool known = !plan.schedule.runs.empty();
  if (known && knownSequence().empty()) {
    plan.report.note = "the integer program was not built: it cannot say what "
                       "the plan of 'search' does";
    return llvm::Error::success();
  }
  const double none =
      tuning::costOfNoPlan * *reportRunOnce(problem.index->graph()).bound + 1;
  auto costOfPlan = [&](llvm::ArrayRef<int32_t> sequence) {
    return costOf(sequence);
  };
  RowRefiner refiner(merged.step(), *problem.budgetBytes,
                     known ? plan.cost : none, costOfPlan);
  refiner.firstPeaks();
  while (true) {
    llvm::Expected<bool> more = round(**backend, refiner);
    if (!more)
      return more.takeError();
    if (!*more)
      break;
  }
  if (!isDecided())
    plan.report.note = "stopped with " + std::to_string(programs) +
                       " integer programs of the rows where memory is short";
  return llvm::Error::success();
}

llvm::Expected<RematPlan> LazyMilp::solve() {
  llvm::Expected<RematPlan> found = searchWithoutProof(problem, limits);
  if (!found || found->report.status == SolveStatus::Optimal ||
      found->report.status == SolveStatus::Infeasible)
    return found; // Proved already.
  plan = std::move(*found);
  if (problem.mayReorder) { // The bounds below are for source order.
    plan.report.note = "the integer program was not built: it keeps source "
                       "order, which order=search does not "
                       "(milp-formulation=free-order chooses it)";
    return std::move(plan);
  }
  // Quick proofs first.
  const int64_t visits = tuning::visitsBeforeProgram;
  proveInOrder(problem, step,
               limits.effort > 0 ? std::min(tuning::visitsOfMove *
                                                std::min(limits.effort, visits),
                                            visits)
                                 : visits,
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
  if (limits.milpFormulation == "free-order")
    return solveFreeOrderMilp(problem, limits);
  return LazyMilp(problem, limits).solve();
}
