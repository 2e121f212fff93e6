//===- LpRounding.cpp - The relaxed integer program, rounded --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Jain et al., "Checkmate", MLSys 2020, 5.1: two-phase rounding.
// Idea: solve the linear relaxation of the integer program for a little less
//   than the budget, round what is kept (S), and find the least runs (R) for
//   it. Deterministic: keep what is at least half kept. Random: keep with the
//   fraction as the probability, the best of 100 draws.
// Cost: one linear program with O(n^2 + n m) rows.
// Guarantee: a valid schedule within the budget or none. Rounding looks at no
//   bytes, so that there often is none.
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Remat/Checkmate.h"
#include "memplan/Planner/Remat/RematSolvers.h"

using namespace memplan;

namespace {
/// The fractions of one relaxation.
struct Relaxed {
  std::vector<double> point;
  std::string why; ///< Why there is none.
};

/// A generator of its own, so that every machine draws the same.
class Draws {
public:
  explicit Draws(uint64_t seed) : state(seed) {}
  /// In [0, 1).
  double next() { // splitmix64
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

private:
  uint64_t state;
};
} // namespace

static llvm::Expected<Relaxed> relax(const Checkmate &checkmate,
                                     const SolveLimits &limits) {
  llvm::Expected<std::unique_ptr<MilpBackend>> backend =
      createMilpBackend(limits.milpBackend);
  if (!backend)
    return backend.takeError();
  if (!*backend)
    return Relaxed{{}, "built without a solver of linear programs"};
  MilpModel model = checkmate.model();
  model.columnInteger.assign(model.columnInteger.size(), false);
  MilpLimits milpLimits;
  milpLimits.stop = limits.stop;
  milpLimits.timeLimitSeconds = limits.timeLimitSeconds;
  if (limits.effort > 0)
    milpLimits.iterations = limits.effort;
  llvm::Expected<MilpResult> result = (*backend)->solve(model, {}, milpLimits);
  if (!result)
    return result.takeError();
  if (result->status != MilpStatus::Optimal)
    return Relaxed{{},
                   result->status == MilpStatus::Infeasible
                       ? "even the linear relaxation does not fit nine tenths "
                         "of the budget"
                       : "the linear program was stopped before its end"};
  return Relaxed{std::move(result->values), {}};
}

/// Rounds at a half, or `draws` times at random.
static llvm::Expected<RematPlan> solveRounded(const RematProblem &problem,
                                              const SolveLimits &limits,
                                              int draws) {
  llvm::Expected<RematPlan> all = solveCheckpointAll(problem, limits);
  if (!all || !all->schedule.runs.empty())
    return all;
  StageGraph graph(*problem.index, problem.inPlace);
  const int64_t terms = Checkmate::estimateTerms(graph);
  if (terms > tuning::mostTermsToRelax)
    return withoutPlan(problem, "the linear program is too large to build: "
                                "about " +
                                    std::to_string(terms) + " terms, limit " +
                                    std::to_string(tuning::mostTermsToRelax));
  // The paper leaves a tenth of the budget to what rounding up takes.
  const int64_t step =
      *problem.budgetBytes - problem.index->graph().persistentBytes();
  const int64_t limit = step - step / 10;
  if (limit <= 0)
    return withoutPlan(problem, "what is always there exceeds the budget");
  Checkmate checkmate(graph, limit);
  llvm::Expected<Relaxed> relaxed = relax(checkmate, limits);
  if (!relaxed)
    return relaxed.takeError();
  if (relaxed->point.empty())
    return withoutPlan(problem, relaxed->why);

  return bestOf(problem, limits, size_t(std::max(draws, 1)), [&](size_t draw) {
    Draws random(draw + 1);
    Retention retention =
        checkmate.retentionAt(relaxed->point, [&](double fraction) {
          return fraction > (draws == 0 ? 0.5 : random.next());
        });
    return graph.expand(solveRows(graph, retention));
  });
}

llvm::Expected<RematPlan> memplan::solveLpRounding(const RematProblem &problem,
                                                   const SolveLimits &limits) {
  return solveRounded(problem, limits, /*draws=*/0);
}

llvm::Expected<RematPlan> memplan::solveLpRandom(const RematProblem &problem,
                                                 const SolveLimits &limits) {
  return solveRounded(problem, limits, /*draws=*/100);
}
