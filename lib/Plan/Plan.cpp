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

int64_t BatchRange::between(int64_t batch,
                            llvm::ArrayRef<int64_t> values) const {
  size_t above = 0;
  while (breakpoints[above] < batch)
    ++above;
  if (breakpoints[above] == batch)
    return values[above];
  const int64_t samples = breakpoints[above] - breakpoints[above - 1];
  const int64_t left = breakpoints[above] - batch;
  // Rounded up, and no product that overflows where values are large.
  const int64_t risen = values[above] - values[above - 1];
  return values[above] -
         (risen / samples * left + risen % samples * left / samples);
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
