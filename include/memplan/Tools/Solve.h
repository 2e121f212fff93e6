//===- Solve.h - Body of memplan-solve --------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_SOLVE_H
#define MEMPLAN_TOOLS_SOLVE_H

namespace memplan {

/// Runs memplan-solve: problem files in, plans out, without MLIR. Returns the
/// exit status:
///   0  a plan (or, for the checks, nothing wrong)
///   1  proved infeasible (for the checks: something is wrong)
///   2  bad input
///   3  no plan within the limits
int solveMain(int argc, char **argv);

} // namespace memplan

#endif // MEMPLAN_TOOLS_SOLVE_H
