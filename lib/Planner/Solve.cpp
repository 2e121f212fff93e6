//===- Solve.cpp - What every solver is given and reports -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Solve.h"

using namespace memplan;

llvm::Error memplan::invalidPlan(llvm::StringRef solver, llvm::Error reason) {
  return llvm::createStringError(
      "solver '%s' made an invalid plan, which is a bug in it: %s",
      solver.str().c_str(), llvm::toString(std::move(reason)).c_str());
}
