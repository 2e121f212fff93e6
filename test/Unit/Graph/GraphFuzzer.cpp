//===- GraphFuzzer.cpp - libFuzzer harness of the file readers ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The input is a graph file, perhaps followed by a zero byte and a plan file.
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto [graphText, planText] = text.split('\0');
  llvm::Expected<Graph> graph = parseGraph(graphText);
  if (!graph) {
    llvm::consumeError(graph.takeError());
    return 0;
  }
  GraphIndex index(*graph);
  llvm::Expected<Plan> plan = parsePlan(*graph, planText);
  if (plan)
    llvm::consumeError(verifyPlan(index, *plan));
  else
    llvm::consumeError(plan.takeError());
  return 0;
}
