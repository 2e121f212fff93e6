//===- CurveJson.cpp - Writes *.curve.json --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Step/PackActions.h"
#include "memplan/Planner/Step/PlanCurve.h"
#include "memplan/Support/JsonWriter.h"

using namespace memplan;

static void writePoint(const Graph &graph, const PlanCurve &curve,
                       const Plan &plan, llvm::StringRef file,
                       llvm::raw_ostream &os) {
  os << "{\"budget_bytes\": " << *plan.budgetBytes
     << ", \"device_bytes\": " << deviceBytesOf(graph, plan)
     << ", \"arena_bytes\": " << PlanCurve::arenaBytesOf(plan)
     << ", \"cost\": " << printNumber(plan.cost)
     << ", \"time\": " << printNumber(plan.makespan())
     << ", \"overhead_percent\": "
     << printNumber(curve.overheadOf(plan.makespan()))
     << ", \"bound\": " << printNumber(plan.bound.value_or(0))
     << ", \"gap_percent\": " << printNumber(PlanCurve::gapOf(plan))
     << ", \"bound_space\": " << printString(plan.boundSpace)
     << ", \"proof\": " << printString(plan.proof) << ", \"status\": \""
     << statusName(plan.status)
     << "\", \"solver\": " << printString(plan.solver);
  if (!file.empty())
    os << ", \"plan\": " << printString(file);
  os << '}';
}

void memplan::writeCurve(const Graph &graph, const PlanCurve &curve,
                         llvm::ArrayRef<std::string> planFiles,
                         llvm::raw_ostream &os) {
  os << "{\"version\": 1, \"graph\": " << printString(graph.name)
     << ", \"graph_hash\": " << printString(hashGraph(graph))
     << ", \"least_cost\": " << printNumber(curve.leastCost)
     << ", \"unplanned_bytes\": " << curve.unplannedBytes
     << ",\n \"points\": [";
  for (size_t i = 0; i < curve.plans.size(); ++i) {
    os << (i ? ",\n  " : "\n  ");
    writePoint(graph, curve, curve.plans[i],
               i < planFiles.size() ? llvm::StringRef(planFiles[i]) : "", os);
  }
  os << "]}\n";
}
