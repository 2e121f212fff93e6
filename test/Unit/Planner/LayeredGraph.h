//===- LayeredGraph.h - Steps of equal layers -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_LAYEREDGRAPH_H
#define MEMPLAN_TEST_UNIT_PLANNER_LAYEREDGRAPH_H

#include "RandomGraph.h"
#include "memplan/Graph/Graph.h"
#include "llvm/ADT/STLExtras.h"

namespace memplan {

/// Training steps of layers that add what they compute to what passes by. Ops
/// of a layer are random, the same in each but for `oddLayer`; the backward
/// pass goes from the last layer to the first.
struct LayeredStep {
  uint64_t seed = 1;
  int layers = 12;
  int opsOfLayer = 8;    ///< Without the addition.
  int oddLayer = -1;     ///< Its bytes and costs are others.
  int opsBefore = 5;     ///< The first layer: of other ops than the equal ones.
  int opsBehind = 4;     ///< Likewise, and the loss.
  bool isTrained = true; ///< With a backward pass.
  /// Nodes between which edges allow any order come in another one, the same
  /// in all layers.
  bool isShuffled = false;

  /// What makes the first op of each layer; set by make().
  std::vector<int> firstNodes, firstBackwardNodes;

  Graph make();

private:
  struct Op {
    TensorId output;
    std::vector<TensorId> inputs;
    double cost;
  };
  TensorId add(std::vector<TensorId> inputs, int64_t bytes, double cost,
               bool isBackward);
  std::vector<Op> addForward(Dice dice, int count, TensorId &passed,
                             int64_t factor);
  void addBackward(llvm::ArrayRef<Op> ops, TensorId &gradient);

  Graph graph;
};

inline TensorId LayeredStep::add(std::vector<TensorId> inputs, int64_t bytes,
                                 double cost, bool isBackward) {
  Tensor tensor;
  tensor.externalId = int64_t(graph.tensors.size());
  tensor.bytes = bytes;
  graph.tensors.push_back(tensor);
  const TensorId made(graph.tensors.size() - 1);
  Node node;
  node.externalId = int64_t(graph.nodes.size());
  node.name = "n" + std::to_string(graph.nodes.size());
  node.cost = cost;
  node.inputs = std::move(inputs);
  node.outputs = {made};
  node.backward = isBackward;
  graph.nodes.push_back(std::move(node));
  return made;
}

inline std::vector<LayeredStep::Op> LayeredStep::addForward(Dice dice,
                                                            int count,
                                                            TensorId &passed,
                                                            int64_t factor) {
  constexpr int64_t bytesPassed = 64;
  const TensorId input = passed;
  std::vector<Op> ops;
  auto addOp = [&](std::vector<TensorId> inputs, int64_t bytes, double cost) {
    ops.push_back({add(inputs, bytes, cost, false), inputs, cost});
  };
  // Two ops that read the input alone, in either order.
  int64_t bytes[] = {16 * factor, 48 * factor};
  if (isShuffled)
    std::swap(bytes[0], bytes[1]);
  for (int64_t each : bytes)
    addOp({input}, each, double(each / 8));
  for (int op = 2; op < count; ++op) {
    std::vector<TensorId> inputs{ops.back().output};
    const TensorId other = ops[size_t(dice.roll(int64_t(ops.size())))].output;
    if (other != inputs.front())
      inputs.push_back(other);
    addOp(std::move(inputs), factor * 16 * (1 + dice.roll(8)),
          double(factor * (1 + dice.roll(40))));
  }
  addOp({ops[0].output, ops.back().output, input}, bytesPassed, 2);
  passed = ops.back().output;
  return ops;
}

/// One gradient goes from op to op, and along what passes by; each op reads
/// what the forward one read.
inline void LayeredStep::addBackward(llvm::ArrayRef<Op> ops,
                                     TensorId &gradient) {
  const TensorId passed = gradient;
  for (const Op &op : llvm::reverse(ops)) {
    std::vector<TensorId> inputs{gradient};
    llvm::append_range(inputs, op.inputs);
    gradient = add(std::move(inputs), 32, 2 * op.cost, true);
  }
  gradient = add({gradient, passed}, 64, 2, true);
}

inline Graph LayeredStep::make() {
  graph = {};
  graph.name = "layers";
  firstNodes.clear();
  firstBackwardNodes.clear();
  Tensor data;
  data.bytes = 64;
  data.kind = TensorKind::Input;
  graph.tensors.push_back(data);
  TensorId passed(0);
  std::vector<std::vector<Op>> forward;
  forward.push_back(addForward(Dice(seed + 1000), opsBefore, passed, 1));
  for (int layer = 0; layer < layers; ++layer) {
    firstNodes.push_back(int(graph.nodes.size()));
    forward.push_back(
        addForward(Dice(seed), opsOfLayer, passed, layer == oddLayer ? 2 : 1));
  }
  forward.push_back(addForward(Dice(seed + 2000), opsBehind, passed, 1));
  TensorId gradient = add({passed}, 64, 1, isTrained); // The loss.
  if (isTrained) {
    for (size_t part = forward.size(); part-- > 0;) {
      if (part > 0 && part + 1 < forward.size())
        firstBackwardNodes.push_back(int(graph.nodes.size()));
      addBackward(forward[part], gradient);
    }
  }
  graph.tensors[gradient.index].kind = TensorKind::Output;
  return std::move(graph);
}

/// What a framework does that recomputes each layer as a whole before its
/// backward pass, those before the equal ones as one more.
inline Schedule recomputeLayers(const LayeredStep &made, const Graph &graph) {
  const int layer = made.opsOfLayer + 1, before = made.firstNodes.front();
  Schedule schedule;
  auto run = [&](int begin, int end) {
    for (int node = begin; node < end; ++node)
      schedule.runs.push_back(NodeId(size_t(node)));
  };
  run(0, made.firstBackwardNodes.front());
  for (size_t i = 0; i < made.firstNodes.size(); ++i) {
    const int first = made.firstNodes[made.firstNodes.size() - 1 - i],
              back = made.firstBackwardNodes[i];
    run(first, first + layer - 1); // Its result is kept.
    run(back, back + layer + 1);
  }
  run(0, before - 1);
  run(made.firstBackwardNodes.back() + layer + 1, int(graph.nodes.size()));
  return schedule;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_LAYEREDGRAPH_H
