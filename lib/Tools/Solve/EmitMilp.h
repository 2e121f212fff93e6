//===- EmitMilp.h - Checkmate's program and matrices ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_EMITMILP_H
#define MEMPLAN_LIB_TOOLS_SOLVE_EMITMILP_H

#include "Commands.h"

namespace memplan {

/// --emit=milp: Checkmate's integer program for the budget of live bytes, as an
/// MPS file where the output's name ends so, else as an LP file.
/// --emit=matrices: R, S, U and FREE of the plan, as JSON.
llvm::Expected<ExitStatus> runEmit(const SolveOptions &options,
                                   const Graph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_EMITMILP_H
