//===- DtrSimulator.cpp - DTR on a graph, without running it --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Dynamic/DtrSimulator.h"
#include "DtrMachine.h"

using namespace memplan;

llvm::Expected<DtrRun>
memplan::simulateDtr(const GraphIndex &index, const DtrPolicy &policy,
                     std::optional<int64_t> budgetBytes) {
  for (const Tensor &tensor : index.graph().tensors)
    if (tensor.partOf && tensor.partOf->written)
      return llvm::createStringError(
          "DTR knows no values that several nodes write parts of; plan with "
          "parts=off");
  const DtrGraph graph(index);
  std::optional<int64_t> limit;
  if (budgetBytes) {
    limit = *budgetBytes - graph.persistentBytes;
    if (*limit < 0)
      return llvm::createStringError(
          "a budget of " + llvm::Twine(*budgetBytes) +
          " bytes does not hold the " + llvm::Twine(graph.persistentBytes) +
          " bytes that are always there");
  }
  return DtrMachine(graph, policy, limit).run();
}

std::string memplan::describeEnd(const Graph &graph, const DtrRun &run) {
  switch (run.end) {
  case DtrEnd::Done:
    return "";
  case DtrEnd::OutOfMemory:
    return "ran out of memory at " + describe(graph, *run.node) +
           ", which needs " + std::to_string(run.neededBytes) +
           " bytes beside " + std::to_string(run.pinnedBytes) +
           " bytes that cannot be evicted";
  case DtrEnd::Thrashing:
    return "thrashed: recomputations cost " +
           std::to_string(run.recomputationCost) + " by the time of " +
           describe(graph, *run.node);
  }
  return "";
}
