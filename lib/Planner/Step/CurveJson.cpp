//===- CurveJson.cpp - Writes *.curve.json --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Step/PackedPlan.h"
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
     << ", \"bound\": " << printNumber(curve.boundOf(plan))
     << ", \"gap_percent\": " << printNumber(curve.gapOf(plan))
     << ", \"bound_space\": " << printString(curve.boundSpaceOf(plan))
     << ", \"proof\": " << printString(plan.proof) << ", \"status\": \""
     << statusName(plan.status)
     << "\", \"solver\": " << printString(plan.solver);
  if (!file.empty())
    os << ", \"plan\": " << printString(file);
  os << '}';
}

static void writeBandwidth(const Bandwidth &bandwidth, llvm::raw_ostream &os) {
  os << "{\"latency\": " << printNumber(bandwidth.latency);
  if (bandwidth.hostToDevice)
    os << ", \"h2d\": " << printNumber(*bandwidth.hostToDevice);
  if (bandwidth.deviceToHost)
    os << ", \"d2h\": " << printNumber(*bandwidth.deviceToHost);
  os << '}';
}

static void writeCurve(const CurveAt &at, llvm::ArrayRef<std::string> planFiles,
                       llvm::raw_ostream &os) {
  const auto &[graph, curve] = at;
  os << "{\"version\": 1, \"graph\": " << printString(graph.name)
     << ", \"graph_hash\": " << printString(hashGraph(graph))
     << ", \"least_cost\": " << printNumber(curve.leastCost)
     << ", \"unplanned_bytes\": " << curve.unplannedBytes;
  if (graph.bandwidth) {
    os << ", \"bandwidth\": ";
    writeBandwidth(*graph.bandwidth, os);
  }
  os << ",\n \"points\": [";
  for (size_t i = 0; i < curve.plans.size(); ++i) {
    os << (i ? ",\n  " : "\n  ");
    writePoint(graph, curve, curve.plans[i],
               i < planFiles.size() ? llvm::StringRef(planFiles[i]) : "", os);
  }
  os << "]}";
}

void memplan::writeCurves(llvm::ArrayRef<CurveAt> curves,
                          llvm::ArrayRef<std::vector<std::string>> planFiles,
                          llvm::raw_ostream &os) {
  auto filesOf = [&](size_t i) {
    return i < planFiles.size() ? llvm::ArrayRef(planFiles[i])
                                : llvm::ArrayRef<std::string>();
  };
  if (curves.size() != 1) {
    os << "{\"version\": 1, \"curves\": [";
    for (size_t i = 0; i < curves.size(); ++i) {
      os << (i ? ",\n" : "\n");
      writeCurve(curves[i], filesOf(i), os);
    }
    os << "]}\n";
    return;
  }
  writeCurve(curves.front(), filesOf(0), os);
  os << '\n';
}
