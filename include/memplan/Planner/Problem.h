//===- Problem.h - One shape for problems and their solvers -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_PROBLEM_H
#define MEMPLAN_PLANNER_PROBLEM_H

#include "memplan/Plan/Plan.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <span>
#include <string_view>

namespace memplan {

/// Best plan and bound so far, for people who wait.
struct Progress {
  llvm::StringRef solver;
  std::optional<double> incumbent;
  std::optional<double> bound;
  double seconds = 0;
};

/// How much work a solver may spend. `effort` is a deterministic count; time
/// and `stop` are safety stops that give determinism up.
struct SolveLimits {
  int64_t effort = 0; ///< 0: the solver's default, which ends within about a
                      ///< minute on two cores.
  std::optional<double> timeLimitSeconds;
  std::string milpFormulation = "tight"; ///< Or "paper", "free-order".
  std::string milpBackend = "auto";      ///< Or "highs", "cbc".
  int64_t milpTerms = 400'000; ///< Larger ones of these two are not built.
  /// What `dtr` evicts: "next-use", or the text of a DtrPolicy.
  std::string heuristic = "next-use";
  const std::atomic<bool> *stop =
      nullptr; ///< Set by Ctrl-C: return the best plan so far.
  /// Where searches add the moves that they have tried; null: nowhere.
  int64_t *triedMoves = nullptr;
  /// Moves of a ramp to a first plan, at most; 0: as the search has it.
  int64_t rampMoves = 0;
  std::function<void(const Progress &)> progress;
};

/// Runs from when a solver began, and says when to return the best plan so far.
class SolveClock {
public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// `begun`: what came before counts too.
  explicit SolveClock(const SolveLimits &limits,
                      TimePoint begun = std::chrono::steady_clock::now())
      : limits(limits), begun(begun) {}
  SolveClock(const SolveLimits &&,
             TimePoint = {}) = delete; ///< The limits are kept by reference.

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begun)
        .count();
  }
  /// Seconds of the time limit that are left, if there is one.
  std::optional<double> secondsLeft() const {
    if (!limits.timeLimitSeconds)
      return std::nullopt;
    return std::max(0.0, *limits.timeLimitSeconds - seconds());
  }
  bool isStopped() const {
    return (limits.stop && limits.stop->load(std::memory_order_relaxed)) ||
           (limits.timeLimitSeconds && seconds() > *limits.timeLimitSeconds);
  }

private:
  const SolveLimits &limits;
  TimePoint begun;
};

/// How good an answer is. Hitting a limit with a plan in hand is Feasible, not
/// a failure.
struct SolveReport {
  SolveStatus status = SolveStatus::Feasible;
  std::optional<double> bound;
  std::string boundSpace;
  std::string proof;
  std::string note; ///< Plain words: why it stopped, what was skipped.
  /// Solver that made the plan. Filled in by solve(), unless a solver such as
  /// `auto` names the one that it chose.
  std::string solver;
};

/// Whether a bound proves a plan of that cost optimal. Verifiers have the rule
/// in their own words.
inline bool isOptimalBound(double bound, double cost) {
  return bound >= cost * (1 - 1e-4) - 1e-9;
}

/// What kind of method a solver is.
enum class SolverFamily {
  Baseline,  ///< Leaves things as they stand: checkpoint-all, source, none.
  Heuristic, ///< A published rule, made for comparison as it is.
  Search,    ///< memplan's own; takes the best of several ways.
  Milp,      ///< An integer program.
};

/// What callers may know of a solver. No code compares names.
struct SolverTraits {
  SolverFamily family = SolverFamily::Heuristic;
  /// Can prove its plan optimal in the space that its report names.
  bool exact = false;
  /// Returns its best plan so far at a limit or a stop.
  bool anytime = false;
  /// SolveLimits::effort bounds its work.
  bool obeysEffort = false;
};

/// One row of a problem's table of solvers.
template <typename Problem, typename Plan> struct Solver {
  std::string_view name;    ///< What users type.
  std::string_view summary; ///< One line for --list-solvers and the manual.
  SolverTraits traits;
  llvm::Expected<Plan> (*solve)(const Problem &, const SolveLimits &);
  std::string_view formerName = {}; ///< Still understood; empty: none.
};

/// An error that says a solver's answer breaks the problem's own constraints: a
/// bug in the solver.
llvm::Error invalidPlan(llvm::StringRef solver, llvm::Error reason);

/// "unknown remat solver 'x'; there are 'auto', ..."
llvm::Error unknownSolver(llvm::StringRef problem, llvm::StringRef name,
                          llvm::ArrayRef<llvm::StringRef> valid);

/// The row called `name`; the error lists the names of the table. `problem` is
/// "remat", "order", "sharing" or "arena".
template <typename Problem, typename Plan>
llvm::Expected<const Solver<Problem, Plan> *>
lookUpSolver(llvm::StringRef problem,
             std::span<const Solver<Problem, Plan>> table,
             llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> valid;
  for (const Solver<Problem, Plan> &solver : table) {
    if (name == llvm::StringRef(solver.name) ||
        (!name.empty() && name == llvm::StringRef(solver.formerName)))
      return &solver;
    valid.push_back(solver.name);
  }
  return unknownSolver(problem, name, valid);
}

/// The row called `name`, which the caller knows to be there.
template <typename Problem, typename Plan>
const Solver<Problem, Plan> &
solverNamed(std::span<const Solver<Problem, Plan>> table,
            llvm::StringRef name) {
  return *llvm::cantFail(lookUpSolver("", table, name));
}

/// The only door to a solver: checks the problem, solves, verifies the answer
/// in every build. Verifying costs far less than solving, and turns a solver's
/// bug into an error instead of a corrupt run.
template <typename Problem, typename Plan>
llvm::Expected<Plan> solve(const Problem &problem,
                           const Solver<Problem, Plan> &solver,
                           const SolveLimits &limits) {
  if (llvm::Error input = problem.check())
    return std::move(input);
  llvm::Expected<Plan> plan = solver.solve(problem, limits);
  if (!plan)
    return plan;
  if (plan->report.solver.empty())
    plan->report.solver = std::string(solver.name);
  if (llvm::Error output = problem.verify(*plan))
    return invalidPlan(plan->report.solver, std::move(output));
  return plan;
}

} // namespace memplan

#endif // MEMPLAN_PLANNER_PROBLEM_H
