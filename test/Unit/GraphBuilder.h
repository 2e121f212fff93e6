//===- GraphBuilder.h - Graphs in a few lines -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_GRAPHBUILDER_H
#define MEMPLAN_TEST_UNIT_GRAPHBUILDER_H

#include "memplan/Plan/Plan.h"
#include <initializer_list>

namespace memplan {

/// Builds graphs for tests; external ids are the indices.
class GraphBuilder {
public:
  TensorId tensor(int64_t bytes, TensorKind kind = TensorKind::Activation) {
    Tensor tensor;
    tensor.externalId = static_cast<int64_t>(graph.tensors.size());
    tensor.bytes = bytes;
    tensor.kind = kind;
    graph.tensors.push_back(tensor);
    return TensorId(graph.tensors.size() - 1);
  }
  TensorId view(TensorId parent, TensorKind kind = TensorKind::Activation) {
    TensorId id = tensor(0, kind);
    graph.tensors.back().viewOf = parent;
    return id;
  }
  NodeId node(std::vector<TensorId> inputs, std::vector<TensorId> outputs,
              double cost = 1) {
    Node node;
    node.externalId = static_cast<int64_t>(graph.nodes.size());
    node.cost = cost;
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    graph.nodes.push_back(node);
    return NodeId(graph.nodes.size() - 1);
  }
  Node &operator[](NodeId id) { return graph.nodes[id.index]; }
  Tensor &operator[](TensorId id) { return graph.tensors[id.index]; }

  Graph graph;
};

inline Schedule makeSchedule(std::initializer_list<int32_t> nodes) {
  Schedule schedule;
  for (int32_t node : nodes)
    schedule.runs.push_back(NodeId(node));
  return schedule;
}

/// The training chain of Checkmate's generator: n forward nodes, a loss, n
/// backward nodes, all of cost and size 1. Backward node 2n - i reads forward
/// value i.
inline Graph makeTrainingChain(int n) {
  GraphBuilder builder;
  for (int i = 0; i <= 2 * n; ++i) {
    std::vector<TensorId> inputs;
    if (i > 0)
      inputs.push_back(TensorId(i - 1));
    if (i > n)
      inputs.push_back(TensorId(2 * n - i));
    builder.node(std::move(inputs), {builder.tensor(1)});
    builder[NodeId(i)].backward = i > n;
  }
  return std::move(builder.graph);
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_GRAPHBUILDER_H
