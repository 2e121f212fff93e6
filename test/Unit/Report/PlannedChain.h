//===- PlannedChain.h - Training steps that leave planners work -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_REPORT_PLANNEDCHAIN_H
#define MEMPLAN_TEST_UNIT_REPORT_PLANNEDCHAIN_H

#include "../GraphBuilder.h"
#include "../RandomGraph.h"
#include "memplan/Planner/Step/PlanStep.h"

namespace memplan {

/// A training chain with a parameter, random bytes and costs, some workspaces
/// and values that may be in place; odd seeds copy, even ones use two streams.
struct PlannedChain {
  explicit PlannedChain(uint64_t seed) : graph(makeTrainingChain(7)) {
    Dice dice(seed);
    for (Tensor &tensor : graph.tensors)
      tensor.bytes = 256 * (1 + dice.roll(8));
    graph.tensors.back().kind = TensorKind::Output;
    for (Node &node : graph.nodes) {
      node.cost = double(1 + dice.roll(9));
      if (dice.chance(30))
        node.workspaceBytes = 256 * dice.roll(3);
      for (TensorId input : node.inputs)
        if (dice.chance(40))
          node.inPlace.push_back({node.outputs.front(), input});
    }
    Tensor parameter;
    parameter.externalId = 1000;
    parameter.kind = TensorKind::Parameter;
    parameter.bytes = 512;
    graph.tensors.push_back(parameter);
    graph.nodes.front().inputs.push_back(TensorId(graph.tensors.size() - 1));
    PlanOptions options;
    options.limits.effort = 50;
    options.budgetShare = Percentage{75};
    if (seed % 2) {
      graph.bandwidth = Bandwidth{700, 600, 0.5};
      options.swap = "cost";
    } else {
      options.streams = 2;
    }
    plan = llvm::cantFail(planStep(graph, options));
  }

  Graph graph;
  Plan plan;
};

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_REPORT_PLANNEDCHAIN_H
