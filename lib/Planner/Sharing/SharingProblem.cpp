//===- SharingProblem.cpp - Which values use one storage ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Sharing/SharingProblem.h"
#include "ShareStorages.h"

using namespace memplan;

static const SharingSolver solverTable[] = {
    {"none", "each value has a storage of its own (in place apart)",
     solveNoSharing},
    {"counter",
     "a value takes a storage of like size that is free in serial order",
     solveCounter},
    {"color",
     "as counter, but with as few ordering edges between parallel runs as the "
     "colors of longest paths allow",
     solveColor},
};

std::span<const SharingSolver> memplan::sharingSolvers() { return solverTable; }

const SharingSolver *memplan::findSharingSolver(std::string_view name) {
  for (const SharingSolver &solver : solverTable)
    if (solver.name == name)
      return &solver;
  return nullptr;
}

llvm::Expected<StorageMap> memplan::planSharing(const SharingProblem &problem,
                                                const SharingSolver &solver,
                                                const SolveLimits &limits) {
  if (llvm::Error input = problem.check())
    return std::move(input);
  llvm::Expected<StorageMap> map = solver.solve(problem, limits);
  if (!map)
    return map;
  if (llvm::Error output = problem.verify(*map))
    return invalidPlan(solver.name, std::move(output));
  return map;
}
