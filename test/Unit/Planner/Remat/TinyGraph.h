//===- TinyGraph.h - Random graphs for exhaustive search --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_REMAT_TINYGRAPH_H
#define MEMPLAN_TEST_UNIT_PLANNER_REMAT_TINYGRAPH_H

#include "RandomGraph.h"
#include <gtest/gtest.h>

namespace memplan {

/// Nodes, three or four unless said, with everything that a graph may have;
/// sizes of three kinds, so that outputs often fit over inputs.
inline Graph makeTinyGraph(uint64_t seed, int nodes = 0) {
  Dice dice(seed * 7919);
  Graph graph = makeRandomGraph(seed, nodes > 0 ? nodes : 3 + int(seed % 2));
  for (Tensor &tensor : graph.tensors)
    if (!tensor.viewOf)
      tensor.bytes = (1 + dice.roll(3)) * 8;
  for (Node &node : graph.nodes) {
    node.cost = double(1 + dice.roll(9));
    node.workspaceBytes = dice.chance(50) ? dice.roll(5) * 8 : 0;
    if (dice.chance(40))
      node.variants.push_back(
          {node.cost + double(dice.roll(5)), dice.roll(3) * 8});
    if (dice.chance(10))
      node.variants.push_back({node.cost - 1, 40});
  }
  EXPECT_FALSE(llvm::errorToBool(graph.check())) << "seed " << seed;
  return graph;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_REMAT_TINYGRAPH_H
