//===- Commands.h - The commands of memplan-solve ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_COMMANDS_H
#define MEMPLAN_LIB_TOOLS_SOLVE_COMMANDS_H

#include "Options.h"

namespace memplan {

/// Exit statuses; see Tools/Solve.h.
enum ExitStatus : int {
  exitPlan = 0,
  exitInfeasible = 1,
  exitBadInput = 2,
  exitNoPlan = 3
};

inline ExitStatus exitStatusOf(SolveStatus status) {
  switch (status) {
  case SolveStatus::Optimal:
  case SolveStatus::Feasible:
    return exitPlan;
  case SolveStatus::Infeasible:
    return exitInfeasible;
  case SolveStatus::NoPlan:
    return exitNoPlan;
  }
  return exitBadInput;
}

// Each returns an error for bad input only.
llvm::Expected<ExitStatus> runRemat(const SolveOptions &options);
llvm::Expected<ExitStatus> runArena(const SolveOptions &options);
llvm::Expected<ExitStatus> runCheck(const SolveOptions &options);
llvm::Expected<ExitStatus> runCheckOffsets(const SolveOptions &options);
llvm::Expected<ExitStatus> runReplay(const SolveOptions &options);
llvm::Expected<ExitStatus> runListSolvers();

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_COMMANDS_H
