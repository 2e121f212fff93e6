//===- Solve.h - What every solver is given and reports ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SOLVE_H
#define MEMPLAN_PLANNER_SOLVE_H

#include "memplan/Plan/Plan.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <functional>

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
  int threads = 1;
  const std::atomic<bool> *stop =
      nullptr; ///< Set by Ctrl-C: return the best plan so far.
  std::function<void(const Progress &)> progress;
};

/// How good an answer is. Hitting a limit with a plan in hand is Feasible, not
/// a failure.
struct SolveReport {
  SolveStatus status = SolveStatus::Feasible;
  std::optional<double> bound;
  std::string boundSpace;
  std::string proof;
  std::string note; ///< Plain words: why it stopped, what was skipped.
};

/// An error that says a solver's answer breaks the problem's own constraints: a
/// bug in the solver.
llvm::Error invalidPlan(llvm::StringRef solver, llvm::Error reason);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SOLVE_H
