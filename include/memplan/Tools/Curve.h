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
/// planCurves() with a line that says how far it is.
llvm::Expected<std::vector<CurveAt>> watchedCurves(const Graph &graph,
                                                   PlanOptions options);
/// Prints each curve as a table.
void printCurves(llvm::ArrayRef<CurveAt> curves, llvm::raw_ostream &os);
/// Whether any has a plan.
bool hasPlans(llvm::ArrayRef<CurveAt> curves);
/// Writes each plan as FOLDER/NN.plan.json, NN from 01, those of several curves
/// as FOLDER/1/NN.plan.json and so on. Returns the paths, none where no folder
/// is given. Makes the folders.
llvm::Expected<std::vector<std::vector<std::string>>>
writePlansOf(llvm::ArrayRef<CurveAt> curves, llvm::StringRef folder);

} // namespace memplan

#endif // MEMPLAN_TOOLS_CURVE_H
