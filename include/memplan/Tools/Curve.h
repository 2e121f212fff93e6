//===- Curve.h - What --pareto prints and writes ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_CURVE_H
#define MEMPLAN_TOOLS_CURVE_H

#include "memplan/Planner/Step/PlanCurve.h"

namespace memplan {

/// Says which options do not go with --pareto.
llvm::Error checkPareto(const PlanOptions &options);
/// Prints the curve as a table.
void printCurve(const PlanCurve &curve, llvm::raw_ostream &os);
/// Writes each plan as FOLDER/NN.plan.json, NN from 01, and returns the paths;
/// none where no folder is given. Makes the folder.
llvm::Expected<std::vector<std::string>> writePlansOf(const Graph &graph,
                                                      const PlanCurve &curve,
                                                      llvm::StringRef folder);

} // namespace memplan

#endif // MEMPLAN_TOOLS_CURVE_H
