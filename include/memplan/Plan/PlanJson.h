//===- PlanJson.h - Reading and writing plan files --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_PLANJSON_H
#define MEMPLAN_PLAN_PLANJSON_H

#include "memplan/Plan/Plan.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan {

/// Parses `*.plan.json` against the graph whose external ids it uses. Says so
/// when the hash differs. `device` gets the device that the plan names in its
/// head; "": it is for any.
llvm::Expected<Plan> parsePlan(const Graph &graph, llvm::StringRef text,
                               std::vector<std::string> *warnings = nullptr,
                               std::string *device = nullptr);
void writePlan(const Graph &graph, const Plan &plan, llvm::raw_ostream &os,
               llvm::StringRef device = "");

/// Hash of the graph as far as the plan depends on it. Bandwidth and host
/// budget do not count where the plan neither copies nor claims a bound over
/// plans that do.
std::string hashGraphFor(const Graph &graph, const Plan &plan);
/// True if the plan was made for this graph, or does not say for which.
bool isOfGraph(const Plan &plan, const Graph &graph);

} // namespace memplan

#endif // MEMPLAN_PLAN_PLANJSON_H
