//===- PlanSpace.h - Plans of one kind for any budget -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan space is a kind of plans: those of one solver, those that recompute,
// those that recompute and copy. It finds plans within a budget, by itself or
// from plans for a little less and a little more. The walk of BudgetWalk.h
// makes of it plans for any budget so that more budget never takes longer.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PLANSPACE_H
#define MEMPLAN_LIB_PLANNER_STEP_PLANSPACE_H

#include "BudgetWalk.h"
#include "PlanningContext.h"
#include "Tuning.h"

namespace memplan {

/// One search for plans within a budget.
struct BudgetSearch {
  int64_t budgetBytes = 0;
  /// The fastest plans known within the budget and above it; null where there
  /// is none.
  const PackedPlan *below = nullptr, *above = nullptr;
  /// Looks for plans of its own too; else it only goes on from those two.
  bool isByItself = true;
  int64_t effort = 0;
  /// No further search begins at this count of the context's moves.
  std::optional<int64_t> lastMove = {};
  double leastTime = 0; ///< Faster plans are of no use.

  /// Whether one of them keeps the budget and is faster than what is known.
  bool isGain(llvm::ArrayRef<PackedPlan> plans) const;
  bool isSpent(const StepContext &context) const {
    return lastMove && context.triedMoves >= *lastMove;
  }
  /// Limits with the effort, or with as much of it as is left; ramps are held
  /// to the same.
  SolveLimits limitsFor(const StepContext &context, int64_t effort) const;
};

struct PlanSpace {
  using Search = std::function<llvm::Expected<std::vector<PackedPlan>>(
      const BudgetSearch &)>;
  /// Plans within the budget, and others that it met on the way.
  Search search;
  int64_t leastBytes = 0; ///< Proved: no plan takes fewer.
  int64_t mostBytes = 0;  ///< More are of no use.
  double leastTime = 0;   ///< Proved: no plan is faster.
  /// Plans that follow from the graph and the options, not from a budget.
  std::vector<PackedPlan> given;
  /// Halvings of the bytes between the ends.
  int depth = tuning::halvings;
  /// Whether a search looks once more next to the budget, below the last of
  /// them.
  bool looksNextToBudget = true;
  /// Effort of a search by itself, and of one that goes on.
  int64_t effortByItself = 0, effortToGoOn = 0;
  /// Instead of both, by depth from the top on, the last one for all below; and
  /// at the place next to the budget, where a search only goes on then. Empty:
  /// those two.
  std::vector<int64_t> effortsByDepth;
  std::optional<int64_t> effortOfLast = {}; ///< Unset: as all below.
  /// Moves on the whole way to a budget. A place where no plan is known may try
  /// one part in `partsInVain` of what is left, others half of it. Where no
  /// effort is asked for, only those places count, and only while they find
  /// nothing. Unset: no limit.
  std::optional<int64_t> mostMoves = {};
  int64_t partsInVain = 1;
  bool countsAllMoves = false;
  /// Why the last search found nothing; null: there is no more to say.
  std::shared_ptr<std::string> note;
  /// Searches at a budget where more bytes bring nothing: all that lies below
  /// it is held up.
  int tries = 1;

  /// One search by itself within the budget, `below` the fastest plan known.
  llvm::Expected<std::vector<PackedPlan>>
  searchWithin(int64_t budget, int64_t effort,
               const PackedPlan *below = nullptr) const;
  /// Sets `mostMoves` and what goes with it by the efforts above; `asked` is 0
  /// where none is asked for.
  void shareMoves(int64_t nodes, int64_t asked);
  /// Another search where no plan within the budget is known or found: what it
  /// finds alone is not lost. One that takes moves needs some that are left.
  void addFallback(const StepContext &context, Search other,
                   bool takesMoves = true);
};

/// A space on its walk.
class SpaceWalk {
public:
  SpaceWalk(const StepContext &context, PlanSpace space);

  /// All plans that count for the budget; where none keeps it, those on the way
  /// to the smallest one. `lastDepth` ends the walk early, for plans near the
  /// budget.
  llvm::Expected<ParetoFront> plansFor(int64_t budget, int lastDepth);
  const PlanSpace &plans() const { return space; }

private:
  using Walk = BudgetWalk<PackedPlan>;
  std::optional<int64_t> mostMovesAt(const Walk::Place &place) const;
  BudgetSearch searchAt(const Walk::Place &place) const;
  llvm::Expected<Walk::Found> search(const Walk::Place &place);

  const StepContext &context;
  const PlanSpace space;
  Walk walk;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PLANSPACE_H
