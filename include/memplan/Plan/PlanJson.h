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
/// when the hash differs.
llvm::Expected<Plan> parsePlan(const Graph &graph, llvm::StringRef text,
                               std::vector<std::string> *warnings = nullptr);
void writePlan(const Graph &graph, const Plan &plan, llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_PLAN_PLANJSON_H
