//===- Problem.cpp - One shape for problems and their solvers -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Problem.h"
#include "llvm/ADT/StringExtras.h"

using namespace memplan;

llvm::Error memplan::invalidPlan(llvm::StringRef solver, llvm::Error reason) {
  return llvm::createStringError(
      "solver '%s' made an invalid plan, which is a bug in it: %s",
      solver.str().c_str(), llvm::toString(std::move(reason)).c_str());
}

llvm::Error memplan::unknownSolver(llvm::StringRef problem,
                                   llvm::StringRef name,
                                   llvm::ArrayRef<llvm::StringRef> valid) {
  return llvm::createStringError("unknown " + problem + " solver '" + name +
                                 "'; there are '" + llvm::join(valid, "', '") +
                                 "'");
}
