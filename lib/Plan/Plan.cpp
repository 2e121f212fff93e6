//===- Plan.cpp - Names of plan statuses ----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/Plan.h"
#include "llvm/Support/ErrorHandling.h"

namespace memplan {

llvm::ArrayRef<TensorId> Plan::hosted() const {
  for (const PlanArena &arena : arenas)
    if (arena.space == "host")
      return arena.owns;
  return {};
}

const char *statusName(SolveStatus status) {
  switch (status) {
  case SolveStatus::Optimal:
    return "optimal";
  case SolveStatus::Feasible:
    return "feasible";
  case SolveStatus::Infeasible:
    return "infeasible";
  case SolveStatus::NoPlan:
    return "no_plan";
  }
  llvm_unreachable("unknown status");
}

} // namespace memplan
