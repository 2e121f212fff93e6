//===- DtrCommand.h - DTR simulated at the budget itself --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_DTRCOMMAND_H
#define MEMPLAN_LIB_TOOLS_SOLVE_DTRCOMMAND_H

#include "Options.h"

namespace memplan {

/// Where `remat=dtr` has an online policy: runs the step with it, within the
/// budget as the policy counts bytes, prints what that took, and writes the
/// trace that was asked for. A plan counts the bytes of its arena instead,
/// which is why both are said. Returns members for --stats, each with a comma
/// before it.
llvm::Expected<std::string> simulateRun(const SolveOptions &options,
                                        const Graph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_DTRCOMMAND_H
