//===- SmallGraph.h - Graphs written down by hand ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   SmallGraph g;
//   TensorId x = g.caller(8);
//   TensorId a = g.op({x}, 4);
//   TensorId b = g.op({a}, 4, a);   // may run in place on a
//   g.keep(b);                      // an output of the step
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_SMALLGRAPH_H
#define MEMPLAN_TEST_UNIT_PLANNER_SMALLGRAPH_H

#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Schedule/Liveness.h"

namespace memplan {

class SmallGraph {
public:
  Graph graph;

  TensorId caller(int64_t bytes, TensorKind kind = TensorKind::Parameter,
                  bool donated = false) {
    TensorId id = tensor(bytes, kind);
    graph.tensors[id.index].donated = donated;
    return id;
  }

  /// A node with one output.
  TensorId op(std::vector<TensorId> inputs, int64_t bytes,
              std::optional<TensorId> inPlaceOn = std::nullopt) {
    TensorId output = tensor(bytes, TensorKind::Activation);
    NodeId node = addNode(std::move(inputs), {output});
    if (inPlaceOn)
      graph.nodes[node.index].inPlace = {{output, *inPlaceOn}};
    return output;
  }

  /// A node with one output for each size.
  std::vector<TensorId> ops(std::vector<TensorId> inputs,
                            const std::vector<int64_t> &bytes) {
    std::vector<TensorId> outputs;
    for (int64_t each : bytes)
      outputs.push_back(tensor(each, TensorKind::Activation));
    addNode(std::move(inputs), outputs);
    return outputs;
  }

  /// A node that makes a view of `source`.
  TensorId view(TensorId source) {
    TensorId output = tensor(0, TensorKind::Activation);
    graph.tensors[output.index].viewOf = source;
    addNode({source}, {output});
    return output;
  }

  void keep(TensorId id) { graph.tensors[id.index].kind = TensorKind::Output; }
  Node &lastNode() { return graph.nodes.back(); }

  NodeId addNode(std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
    Node node;
    node.externalId = static_cast<int64_t>(graph.nodes.size());
    node.cost = 1;
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    graph.nodes.push_back(node);
    return NodeId(graph.nodes.size() - 1);
  }

private:
  TensorId tensor(int64_t bytes, TensorKind kind) {
    Tensor result;
    result.externalId = static_cast<int64_t>(graph.tensors.size());
    result.bytes = bytes;
    result.kind = kind;
    graph.tensors.push_back(result);
    return TensorId(graph.tensors.size() - 1);
  }
};

/// A graph in source order, with what planners take.
struct Planned {
  explicit Planned(const SmallGraph &small, bool withInPlace = true)
      : Planned(small, sourceOrder(small.graph), withInPlace) {}
  Planned(const SmallGraph &small, Schedule runs, bool withInPlace = true)
      : graph(small.graph), index(graph), schedule(std::move(runs)) {
    inPlace = withInPlace ? chooseInPlace({&index, &schedule})
                          : InPlaceChoice(schedule.runs.size());
  }
  Planned(const Planned &) = delete;

  static Schedule sourceOrder(const Graph &graph) {
    Schedule schedule;
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      schedule.runs.push_back(NodeId(i));
    return schedule;
  }

  Graph graph;
  GraphIndex index;
  Schedule schedule;
  InPlaceChoice inPlace;
};

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_SMALLGRAPH_H
