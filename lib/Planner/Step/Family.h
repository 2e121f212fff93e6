//===- Family.h - Plans for a ladder of budgets -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// More budget must never cost more, although each run knows its own budget
// only. So plans are made for rungs that follow from the graph and the options
// alone, and a budget is answered by the cheapest plan that keeps it among
// those of the rungs up to it: a larger budget chooses from more plans.
//
//   top     the plan without limit
//   down    each rung from the one above with a little work, to the lowest that
//           has a plan
//   below   for budgets under that one only: bisection to the least budget.
//           There searches take longest
//   up      a search for each rung, and one from the cheapest plan so far
//   between the rung below the budget and the one above: finer rungs up to the
//           budget, each from the one below. Their plans count where they cost
//           no less than what the rung above has: a larger budget, which does
//           not look at them, has no need of them. Likewise for all that lie
//           below the lowest rung of the way down.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_FAMILY_H
#define MEMPLAN_LIB_PLANNER_STEP_FAMILY_H

#include "Attempt.h"
#include "Front.h"
#include <limits>

namespace memplan {

/// Built by one solver of the search family. Each step may be cut short by a
/// stop, and then gives up that more budget never costs more.
class Family {
public:
  Family(const StepContext &context, const RematSolver &solver)
      : context(context), solver(solver) {}

  /// The plan without limit, and from it down to the lowest rung.
  llvm::Error descend();
  /// Then from the lowest rung to the least budget.
  llvm::Error reachLeastBudget();
  /// Or up, as far as the rungs matter to that budget; down first where it is
  /// below the lowest rung.
  llvm::Error climbTo(int64_t budget);
  /// Or up to the top, with plans for these budgets too, ascending.
  llvm::Error climbThrough(llvm::ArrayRef<int64_t> budgets);
  /// Members of the checkpointing family that beat what keeps the budget.
  llvm::Error addCheckpoints(int64_t budget);
  /// Members of that cost or more are of no use: a plan in hand is cheaper, and
  /// no other budget is asked for.
  void leaveCheckpointsFrom(double cost) { mostCheckpointCost = cost; }
  /// A plan that was made for some other reason.
  void add(PackedStep plan) { front.add(std::move(plan)); }

  const Front &plans() const { return front; }
  /// The same in all runs that climb so far, whatever their budget.
  const ClimbedRungs &climbedRungs() const { return climbed; }

private:
  void setRungs();
  llvm::Error bisect(int64_t fails);
  llvm::Expected<bool> tryRung(int64_t bytes, const PackedStep *start,
                               int64_t effort, double leastCost);
  llvm::Error climbOnto(int64_t rung, double leastCost);
  void record(int64_t bytes, std::vector<RungPlan> &plans) const;
  llvm::Error climbBetween(int64_t rung, int64_t budget);
  const std::vector<RematPlan> &checkpoints();
  bool isCheapest(const PackedStep &packed) const;

  const StepContext &context;
  const RematSolver &solver;
  Rungs rungs;
  Front front;
  ClimbedRungs climbed;
  int64_t lowestRung = 0;    ///< To which descend() came.
  int64_t failsBytes = 0;    ///< Where it found nothing.
  bool isBelow = false;      ///< Looking for plans below the lowest rung.
  double leastCostBelow = 0; ///< Of plans for budgets below the lowest rung.
  double mostCheckpointCost = std::numeric_limits<double>::infinity();
  std::optional<std::vector<RematPlan>> checkpointPlans;
};

/// The solver whose plans make the family: an integer program has that of
/// `auto`.
const RematSolver &solverOfFamily(const StepContext &context);
/// Searches and integer programs.
bool isSearch(const RematSolver &solver);
/// Whether plans come from a family. A heuristic that was asked for by name
/// gives its own plans only: whoever compares it wants its own answer. A time
/// limit leaves no time for other budgets than the one asked for.
bool choosesFromFamily(const StepContext &context);

/// The cheapest plan of the family that keeps the budget, and the smallest. An
/// integer program has the family of `auto`.
llvm::Expected<Attempts> chooseFromFamily(const StepContext &context,
                                          std::optional<int64_t> budget);

/// Plans for that budget and no other, within the time limit: what a larger
/// budget gets may cost more.
llvm::Expected<Attempts> planInTime(const StepContext &context, int64_t budget);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_FAMILY_H
