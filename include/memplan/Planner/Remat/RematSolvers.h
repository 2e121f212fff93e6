//===- RematSolvers.h - What remat solvers share ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_REMATSOLVERS_H
#define MEMPLAN_PLANNER_REMAT_REMATSOLVERS_H

#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Remat/StageGraph.h"
#include "memplan/Solver/MilpModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <limits>
#include <memory>

namespace memplan {

/// The bound that always holds: every node runs once, in its cheapest variant.
SolveReport reportRunOnce(const Graph &graph);
/// For each node the cheapest variant that keeps the budget at all of its runs,
/// else the one of least workspace. By run; empty where no node has variants.
std::vector<int32_t> chooseVariants(const RematProblem &problem,
                                    const Schedule &schedule,
                                    const InPlaceChoice &inPlace);
/// Plan of a schedule with its in-place pairs and variants, measured.
/// The report carries the bound that always holds:
/// every node runs once.
RematPlan measurePlan(const RematProblem &problem, Schedule schedule);
/// The plan if it keeps the budget, else what withoutPlan() says with its peak
/// as a budget that works.
RematPlan planWithinBudget(const RematProblem &problem, RematPlan plan);
/// Infeasible if the working set proves it, else no plan found.
RematPlan withoutPlan(const RematProblem &problem, std::string note);
/// The best of `count` schedules, one at least, within the budget; fewer where
/// the limits' stop is set.
RematPlan bestOf(const RematProblem &problem, const SolveLimits &limits,
                 size_t count, llvm::function_ref<Schedule(size_t)> schedule);
/// Within budget first, then least cost, then least peak.
bool isBetter(const RematProblem &problem, const RematPlan &plan,
              const RematPlan &than);

/// Segments of forward ops between kept ones, by last op (ascending).
using Checkpoints = std::vector<int32_t>;
/// Chen et al., arXiv:1604.06174, as Checkmate generalises it (5.1): outputs of
/// checkpoints are kept. Everything else made up to a checkpoint is dropped
/// after its last forward read. It is recomputed together when the first
/// backward op reads from that segment. What follows the last checkpoint is
/// kept.
Retention keepCheckpoints(const StageGraph &graph,
                          const Checkpoints &checkpoints);
/// Forward ops where a checkpoint may stand: all but the loss.
Checkpoints linearCandidates(const StageGraph &graph);
/// The articulation points among them in the undirected forward graph. O(ops +
/// edges).
Checkpoints articulationCandidates(const StageGraph &graph);
/// Every k-th candidate, k = floor(sqrt(number of candidates)).
Checkpoints everySqrt(const Checkpoints &candidates);
/// Walks forward; a candidate becomes a checkpoint when more than `bytes` were
/// made since the last one.
Checkpoints byAccumulatedBytes(const StageGraph &graph,
                               const Checkpoints &candidates, int64_t bytes);
/// Iterations of a linear solver that end within about a minute: each costs
/// about as much as the model has terms.
int64_t milpIterationsOfAMinute(int64_t terms);
/// Limits for one program of so many terms that is solved for `milp`. `costOf`
/// makes a cost of a plan of an objective, for those who wait.
MilpLimits milpLimitsFor(const SolveLimits &limits, const SolveClock &clock,
                         int64_t terms, std::function<double(double)> costOf);
/// A proof of `milp` against a plan in hand: one of the two is wrong.
llvm::Error milpContradiction(const std::string &claim, const RematPlan &plan);
/// The backend for an integer program of so many terms; `size` says it in
/// words. Null where the program is not to be built, which `note` tells.
llvm::Expected<std::unique_ptr<MilpBackend>>
milpBackendFor(const SolveLimits &limits, int64_t terms,
               const std::string &size, std::string &note);
/// An error that names the MILP backend of `limits` where it is not built in.
llvm::Error checkMilpBackend(const SolveLimits &limits);

/// What ap-sqrt, ap-greedy, linearized-sqrt and linearized-greedy choose from,
/// whatever the budget; by rising peak and falling cost, without those that
/// another one beats in both. A budget of the problem chooses variants only.
/// Members that cost `mostCost` or more are left out.
std::vector<RematPlan>
planCheckpointFamily(const RematProblem &problem,
                     double mostCost = std::numeric_limits<double>::infinity());
/// The cheapest of them that keeps the problem's budget, if any.
std::optional<RematPlan> bestCheckpoints(const RematProblem &problem);

/// Schedules by least cuts: a byte that is kept for the backward pass costs so
/// much, and what is cheapest to keep is kept. The rest is recomputed once,
/// right before it is needed. Multipliers of bytes rise from level to level, so
/// that ever less is kept. Schedules are made when they are asked for.
class CutCheckpoints {
public:
  /// `problem` has no budget; its index is kept by reference.
  explicit CutCheckpoints(const RematProblem &problem);

  int numLevels() const { return int(plans.size()); }
  /// `level`: from 0 to numLevels() - 1.
  const RematPlan &at(int level);
  /// The lowest level that is enough, by halving: from it to the first that was
  /// found so all are taken to be. Where none was found, the level of fewest
  /// bytes.
  int leastThat(llvm::function_ref<bool(const RematPlan &)> isEnough);

private:
  const RematProblem problem;
  const StageGraph graph;
  double leastCostOfByte;
  std::vector<std::optional<RematPlan>> plans; ///< By level.
};

/// True when every forward op reads forward values of the op before it only.
bool isForwardPath(const StageGraph &graph);

llvm::Expected<RematPlan> solveCheckpointAll(const RematProblem &problem,
                                             const SolveLimits &limits);
llvm::Expected<RematPlan> solveChenSqrt(const RematProblem &problem,
                                        const SolveLimits &limits);
llvm::Expected<RematPlan> solveChenGreedy(const RematProblem &problem,
                                          const SolveLimits &limits);
llvm::Expected<RematPlan> solveApSqrt(const RematProblem &problem,
                                      const SolveLimits &limits);
llvm::Expected<RematPlan> solveApGreedy(const RematProblem &problem,
                                        const SolveLimits &limits);
llvm::Expected<RematPlan> solveLinearizedSqrt(const RematProblem &problem,
                                              const SolveLimits &limits);
llvm::Expected<RematPlan> solveLinearizedGreedy(const RematProblem &problem,
                                                const SolveLimits &limits);
llvm::Expected<RematPlan> solveGreedy(const RematProblem &problem,
                                      const SolveLimits &limits);
llvm::Expected<RematPlan> solveSearch(const RematProblem &problem,
                                      const SolveLimits &limits);
/// `search` without the proofs that it tries at the end on small steps.
llvm::Expected<RematPlan> searchWithoutProof(const RematProblem &problem,
                                             const SolveLimits &limits);
/// Checkmate's program, `--milp-formulation=paper`.
llvm::Expected<RematPlan> solvePaperMilp(const RematProblem &problem,
                                         const SolveLimits &limits);
/// Order and recomputation as one program, `--milp-formulation=free-order`.
llvm::Expected<RematPlan> solveFreeOrderMilp(const RematProblem &problem,
                                             const SolveLimits &limits);
llvm::Expected<RematPlan> solveMilp(const RematProblem &problem,
                                    const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_REMATSOLVERS_H
