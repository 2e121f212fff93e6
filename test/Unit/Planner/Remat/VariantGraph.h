//===- VariantGraph.h - Random graphs, plans in reach -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_REMAT_VARIANTGRAPH_H
#define MEMPLAN_TEST_UNIT_PLANNER_REMAT_VARIANTGRAPH_H

#include "ErrorMatchers.h"
#include "RandomGraph.h"

namespace memplan {

/// With variants, and in-place pairs of equal bytes only: chooseInPlace() takes
/// no others.
inline Graph withVariants(Graph graph, uint64_t seed) {
  Dice dice(seed);
  const Graph given = graph;
  GraphIndex index(given);
  for (Node &node : graph.nodes)
    llvm::erase_if(node.inPlace, [&](const InPlacePair &pair) {
      return given[pair.output].bytes != given[index.base(pair.input)].bytes;
    });
  for (Node &node : graph.nodes) {
    node.cost += 1;
    if (dice.chance(25))
      node.variants.push_back({node.cost + 1 + double(dice.roll(3)), 0});
  }
  EXPECT_THAT(graph.check(), Succeeds());
  return graph;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_REMAT_VARIANTGRAPH_H
