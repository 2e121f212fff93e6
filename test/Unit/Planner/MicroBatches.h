//===- MicroBatches.h - Steps of equal micro-batches ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_MICROBATCHES_H
#define MEMPLAN_TEST_UNIT_PLANNER_MICROBATCHES_H

#include "RandomGraph.h"
#include "memplan/Graph/Graph.h"
#include "memplan/Support/Random.h"

namespace memplan {

/// Some ops, then micro-batches of random ops, the same in each: they read each
/// other, for odd seeds also what came before all of them, and the last one
/// adds to what the micro-batch before has added up.
inline Graph makeMicroBatches(uint64_t seed, int ops, int turns) {
  Graph graph;
  auto make = [&](std::vector<TensorId> inputs, int64_t bytes, double cost) {
    Node node;
    node.name = "n" + std::to_string(graph.nodes.size());
    node.inputs = std::move(inputs);
    node.cost = cost;
    node.externalId = int64_t(graph.nodes.size());
    graph.tensors.push_back({});
    graph.tensors.back().externalId = int64_t(graph.tensors.size()) - 1;
    graph.tensors.back().bytes = bytes;
    node.outputs.push_back(TensorId(graph.tensors.size() - 1));
    graph.nodes.push_back(std::move(node));
    return graph.nodes.back().outputs.front();
  };
  graph.tensors.push_back({});
  graph.tensors.back().bytes = 3;
  graph.tensors.back().kind = TensorKind::Input;
  const TensorId shared = make({TensorId(0)}, 5, 7);
  TensorId sum = make({shared}, 4, 2);
  for (int turn = 0; turn < turns; ++turn) {
    Random random(seed);
    std::vector<TensorId> made{make({TensorId(0)}, 6, 3)};
    for (int op = 1; op < ops; ++op) {
      std::vector<TensorId> inputs{made.back()};
      const TensorId other = seed % 2 && random.chance(0.1)
                                 ? shared
                                 : made[random.below(int(made.size()))];
      if (other != inputs.front())
        inputs.push_back(other);
      made.push_back(make(inputs, 1 + random.below(9), 1 + random.below(9)));
    }
    sum = make({sum, made.back()}, 4, 2);
    graph.nodes.back().inPlace.push_back(
        {sum, graph.nodes.back().inputs.front()});
  }
  graph.tensors[sum.index].kind = TensorKind::Output;
  return graph;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_MICROBATCHES_H
