//===- PlanningContext.h - Solvers and packing within limits ----*- C++ -*-===//
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
// fits. What is found is a value that functions return and join.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PLANNINGCONTEXT_H
#define MEMPLAN_LIB_PLANNER_STEP_PLANNINGCONTEXT_H

#include "Pack.h"
#include "Tuning.h"

namespace memplan {

class FewTurns;

/// A schedule that was packed towards a target, and what came of it.
struct KnownPacking {
  Schedule schedule;
  InPlaceChoice inPlace;
  int64_t targetBytes = 0;
  PackedPlan packed;

  bool isOf(const RematPlan &remat, int64_t target) const;
};

/// The step as it was given, where planning goes in another order.
struct SourceOrder {
  const GraphIndex *index = nullptr;
  std::vector<NodeId> placeOf; ///< By node of the source: the same node here.
};

/// What every attempt is given.
struct StepContext {
  const GraphIndex &index;
  const PlanOptions &options;
  StepSolvers solvers;
  SolveClock clock{options.limits};
  /// What the option `start` names, packed, and what it says of the others.
  std::vector<PackedPlan> starts = {};
  std::string startNote = {};
  std::optional<SourceOrder> source = {};
  /// As they were found when the order was chosen; null: not looked for.
  std::shared_ptr<const FewTurns> turns = {};
  /// A search packs what it returns, and who asked it packs the same again: the
  /// last packing that kept its target, and the best one that did not.
  mutable std::optional<KnownPacking> lastKept = {}, nearest = {};
  /// Moves that all searches have tried so far.
  mutable int64_t triedMoves = 0;
  mutable std::optional<std::vector<RematPlan>> knownCheckpoints = {};

  bool isStopped() const { return clock.isStopped(); }
  /// The options' limits with another effort and the time that is left.
  SolveLimits limitsWith(int64_t effort) const;
  /// The same for one of many packings. What these report are bytes, which
  /// would stand among the costs that searches report.
  SolveLimits limitsOfPacking(int64_t effort) const;
  /// With the hook that packs; the problem must not outlive the context.
  RematProblem problemWithin(std::optional<int64_t> budgetBytes) const;
  /// Members of the checkpointing family, which take no search; made once.
  const std::vector<RematPlan> &checkpoints() const;
  /// Sharing and offsets for a schedule, with the effort that one of many
  /// packings may take. What nearly takes `targetBytes` is tightened.
  llvm::Expected<PackedPlan>
  pack(RematPlan remat,
       std::optional<int64_t> targetBytes = std::nullopt) const;
  /// The same with so many placements to find offsets within the target; as
  /// before where that comes to nothing. Without placements, one quick packing
  /// that is not tightened.
  llvm::Expected<PackedPlan> repack(const RematPlan &remat, int64_t targetBytes,
                                    int64_t placements) const;
  /// The same schedule packed as well as it can be, with small changes.
  llvm::Expected<PackedPlan> packWell(PackedPlan packed) const;

private:
  llvm::Expected<PackedPlan> packAnew(RematPlan remat,
                                      std::optional<int64_t> targetBytes) const;
  void remember(KnownPacking known) const;
  const KnownPacking *find(const RematPlan &remat, int64_t targetBytes) const;
};

/// The options, with a share of the time that is left where that is limited.
PlanOptions optionsForShare(const StepContext &context, double share);

/// The `part`-th of `parts` equal steps from `low` to `high`.
inline int64_t budgetBetween(int64_t low, int64_t high, int64_t part,
                             int64_t parts) {
  return low + (high - low) / parts * part +
         (high - low) % parts * part / parts;
}

/// Alignment alone may keep offsets so far above a bound on live bytes.
inline int64_t roundedAbove(int64_t bytes) {
  return bytes + bytes / tuning::partOfAlignment;
}

/// Searches and integer programs.
inline bool isSearch(const RematSolver &solver) {
  return solver.traits.family == SolverFamily::Search ||
         solver.traits.family == SolverFamily::Milp;
}
/// The solver whose plans a walk looks at: for an integer program that of
/// `auto`.
const RematSolver &solverOfSearch(const StepContext &context);

/// Whether anything leaves the device or comes to it.
bool hasCopies(const std::vector<PlanAction> &actions);

/// The actions without those that are in vain, all runs of a node in one
/// variant.
std::vector<PlanAction> usefulInOneVariant(const StepContext &context,
                                           std::vector<PlanAction> actions);

/// Whether the options ask for copies.
inline bool copies(const StepSolvers &solvers) {
  return solvers.swap->traits.family != SolverFamily::Baseline;
}
/// Whether recomputation and copies are searched together: a search copies, and
/// runs are chosen by one too or are those of the step.
inline bool searchesCopies(const StepContext &context) {
  const StepSolvers &solvers = context.solvers;
  return solvers.swap->traits.family == SolverFamily::Search &&
         (isSearch(*solvers.remat) ||
          solvers.remat->traits.family == SolverFamily::Baseline);
}

/// Whether copies are put between the runs of plans that a solver has made.
inline bool copiesByRules(const StepContext &context) {
  return copies(context.solvers) && !searchesCopies(context);
}

/// False where the solver gave none.
bool hasPlan(const StepContext &context, const RematPlan &remat);

/// The solvers that the options name, or which name is wrong.
llvm::Expected<StepSolvers> findSolvers(const PlanOptions &options);

/// Live bytes to plan with next, so that packing them keeps a target.
struct LiveBudget {
  int64_t bytes = 0;
  std::optional<int64_t> fits;    ///< Largest whose plan kept the target.
  std::optional<int64_t> exceeds; ///< Least whose plan did not.
};

/// What a number of attempts have found.
struct Attempts {
  std::optional<PackedPlan>
      cheapest; ///< Cheapest of those that keep the target.
  std::optional<PackedPlan> smallest; ///< Least device bytes of all.
  /// What the solver said of the target as live bytes, which never exceed
  /// device bytes: its bound and proof hold for every attempt.
  std::optional<SolveReport> report;
  std::optional<int64_t>
      boundBytes;   ///< The solver's bound on bytes, where it proved failure.
  std::string note; ///< Why the last attempt failed.
};

/// The one of fewer device bytes; the first of equals.
std::optional<PackedPlan> smaller(std::optional<PackedPlan> a,
                                  std::optional<PackedPlan> b);
/// The one of less cost; the first of equals.
std::optional<PackedPlan> cheaper(std::optional<PackedPlan> a,
                                  std::optional<PackedPlan> b);
/// The step if it takes no more than that many device bytes.
std::optional<PackedPlan> within(int64_t deviceBytes,
                                 std::optional<PackedPlan> step);
/// Both together; report and bound are those of the first that has them.
Attempts join(Attempts a, Attempts b);

/// Plans live bytes with the solver and packs the result. Empty if the solver
/// finds no plan.
llvm::Expected<std::optional<PackedPlan>>
attempt(const StepContext &context, const RematSolver &solver,
        std::optional<int64_t> liveBytes, int64_t effort);

/// Attempts with falling live bytes until one keeps the target, then between
/// that one and those that do not. At most `rounds`.
llvm::Expected<Attempts> fitTarget(const StepContext &context,
                                   const RematSolver &solver, int64_t target,
                                   int rounds, int64_t effort);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PLANNINGCONTEXT_H
