//===- OneVariant.h - All runs of a node in one variant ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two implementations of a convolution add in different orders, so that their
// results differ in the last bits. A value that a plan recomputes must be the
// one that it freed, bit for bit. Searches and proofs count with any variant at
// any run, which bounds from below what a plan may cost. Plans are held to one
// variant a node before they are priced and compared.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_MODEL_ONEVARIANT_H
#define MEMPLAN_PLANNER_MODEL_ONEVARIANT_H

#include "memplan/Graph/Graph.h"
#include <tuple>

namespace memplan {

/// The variant of least workspace that any run of a node has, so that live
/// bytes do not rise anywhere.
class OneVariant {
public:
  explicit OneVariant(const Graph &graph)
      : graph(graph), variants(graph.nodes.size(), -1) {}

  void add(NodeId node, int32_t variant) {
    auto rank = [&](int32_t number) {
      const NodeVariant one = graph[node].variant(number);
      return std::tuple(one.workspaceBytes, one.cost, number);
    };
    int32_t &chosen = variants[size_t(node.index)];
    if (chosen < 0 || rank(variant) < rank(chosen))
      chosen = variant;
  }
  /// -1 for a node without runs.
  int32_t of(NodeId node) const { return variants[size_t(node.index)]; }

private:
  const Graph &graph;
  std::vector<int32_t> variants;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_MODEL_ONEVARIANT_H
