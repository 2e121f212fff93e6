//===- Graph.cpp - What a graph says of itself ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Graph.h"
#include "llvm/ADT/STLExtras.h"

namespace memplan {

std::string describe(const Graph &graph, TensorId id) {
  const Tensor &tensor = graph[id];
  std::string text = "tensor " + std::to_string(tensor.externalId);
  if (!tensor.name.empty())
    text += " '" + tensor.name + "'";
  return text;
}

std::string describe(const Graph &graph, NodeId id) {
  const Node &node = graph[id];
  std::string text = "node " + std::to_string(node.externalId);
  if (!node.name.empty())
    text += " '" + node.name + "'";
  return text;
}

double Node::leastCost() const {
  double least = cost;
  for (const NodeVariant &variant : variants)
    least = std::min(least, variant.cost);
  return least;
}

int64_t Node::leastWorkspaceBytes() const {
  int64_t least = workspaceBytes;
  for (const NodeVariant &variant : variants)
    least = std::min(least, variant.workspaceBytes);
  return least;
}

double Graph::totalCost() const {
  double total = 0;
  for (const Node &node : nodes)
    total += node.cost;
  return total;
}

bool Graph::communicates() const {
  return llvm::any_of(nodes,
                      [](const Node &node) { return node.communicates(); });
}

int64_t Graph::persistentBytes() const {
  int64_t total = fixedBytes;
  for (const Tensor &tensor : tensors)
    if (isCallerOwned(tensor.kind) && !tensor.viewOf)
      total += tensor.bytes;
  return total;
}

} // namespace memplan
