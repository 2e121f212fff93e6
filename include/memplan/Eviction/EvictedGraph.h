//===- EvictedGraph.h - What an eviction makes others cost ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Kirisame et al., "Dynamic tensor rematerialization", ICLR 2021.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_EVICTION_EVICTEDGRAPH_H
#define MEMPLAN_EVICTION_EVICTEDGRAPH_H

#include "memplan/Eviction/Heuristics.h"

#include <vector>

namespace memplan::eviction {

/// Tensors, what each is made from, and which of them are evicted. Numbers are
/// dense from 0; those of removed tensors are given out again.
class EvictedGraph {
public:
  /// A tensor that `cost` recomputes from its parents, which are there already.
  /// Parents may repeat. It is resident.
  int32_t add(double cost, std::span<const int32_t> parents);
  /// Leaves out a tensor that cannot be recomputed any more, or need not be.
  void remove(int32_t tensor) noexcept;
  void clear();

  void evict(int32_t tensor) noexcept;
  /// Makes the tensor resident again. The component that it was in loses its
  /// cost and does not fall apart: the approximation of the source.
  void restore(int32_t tensor) noexcept;
  bool isEvicted(int32_t tensor) const { return nodes[size_t(tensor)].evicted; }
  void setCost(int32_t tensor, double cost);

  double ownCost(int32_t tensor) const { return nodes[size_t(tensor)].cost; }
  /// Cost of the tensor with the neighbours that a heuristic counts.
  /// Components: the sum over those beside it, each once; all else walks the
  /// evicted tensors that it counts.
  double cost(int32_t tensor, Neighbours neighbours);
  /// Cost of the component of an evicted tensor.
  double componentCost(int32_t tensor);

  /// Components as they are, without what restoring left of them.
  void rebuildComponents();
  /// Elements of the union-find, which grow by one with each eviction.
  size_t elementCount() const { return elements.size(); }

private:
  struct Node {
    double cost = 0;
    std::vector<int32_t> parents, children;
    int32_t element = -1; ///< of the union-find, while evicted
    bool evicted = false;
    uint32_t seen = 0;
  };
  struct Element {
    int32_t up = -1; ///< -1: a root
    double cost = 0;
  };
  double walk(int32_t tensor, std::vector<int32_t> Node::*next);
  double componentsBeside(int32_t tensor);
  void join(int32_t tensor);
  int32_t rootOf(int32_t element);

  std::vector<Node> nodes;
  std::vector<int32_t> unused;
  std::vector<Element> elements;
  std::vector<int32_t> pending; ///< of a walk
  uint32_t round = 0;
};

} // namespace memplan::eviction

#endif // MEMPLAN_EVICTION_EVICTEDGRAPH_H
