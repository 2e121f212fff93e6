//===- RematGraphs.h - Small graphs with known plans ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_REMATGRAPHS_H
#define MEMPLAN_TEST_UNIT_PLANNER_REMATGRAPHS_H

#include "memplan/Graph/Graph.h"
#include <random>

namespace memplan {

/// One value per node: node i makes tensor i.
inline Graph makeGraph(const std::vector<std::vector<int>> &inputs,
                       const std::vector<double> &costs,
                       const std::vector<int64_t> &bytes, int firstBackward) {
  Graph graph;
  graph.name = "small";
  for (size_t i = 0; i < inputs.size(); ++i) {
    Tensor tensor;
    tensor.externalId = int64_t(i);
    tensor.bytes = bytes[i];
    graph.tensors.push_back(tensor);
    Node node;
    node.externalId = int64_t(i);
    node.name = "n" + std::to_string(i);
    node.cost = costs[i];
    node.outputs = {TensorId(i)};
    node.backward = int(i) >= firstBackward;
    for (int input : inputs[i])
      node.inputs.push_back(TensorId(size_t(input)));
    graph.nodes.push_back(node);
  }
  return graph;
}

/// C(n): forward 0 .. n-1, loss n, backward n+1 .. 2n; node 2n-i also reads
/// node i. Cost and size 1.
inline Graph makeChain(int n) {
  std::vector<std::vector<int>> inputs(size_t(2 * n + 1));
  for (int i = 1; i <= 2 * n; ++i)
    inputs[size_t(i)].push_back(i - 1);
  for (int i = 0; i < n; ++i)
    if (2 * n - i != i + 1)
      inputs[size_t(2 * n - i)].push_back(i);
  const size_t count = inputs.size();
  return makeGraph(inputs, std::vector<double>(count, 1),
                   std::vector<int64_t>(count, 1), n + 1);
}

/// e1 e2 m d2 d1 L gd1 gd2 gm ge2 ge1: an encoder and a decoder with skips.
inline Graph makeSmallUNet() {
  return makeGraph({{},
                    {0},
                    {1},
                    {2, 1},
                    {3, 0},
                    {4},
                    {5, 3, 0},
                    {6, 2, 1},
                    {7, 1},
                    {8, 7, 0},
                    {9, 6}},
                   {6, 8, 4, 8, 6, 1, 12, 16, 8, 16, 6},
                   {8, 4, 2, 4, 8, 1, 8, 4, 2, 4, 8}, 6);
}

/// Random reads, costs and sizes; node i reads node i-1 or an earlier one, and
/// up to two more.
inline Graph makeRandomDag(uint64_t seed, int count) {
  std::mt19937_64 engine(seed);
  auto roll = [&](int sides) { return int(engine() % uint64_t(sides)); };
  std::vector<std::vector<int>> inputs(static_cast<size_t>(count));
  std::vector<double> costs;
  std::vector<int64_t> bytes;
  for (int i = 0; i < count; ++i) {
    for (int reads = i == 0 ? 0 : 1 + roll(3); reads > 0; --reads) {
      int from = roll(3) == 0 ? roll(i) : std::max(0, i - 1 - roll(2));
      std::vector<int> &list = inputs[size_t(i)];
      if (std::find(list.begin(), list.end(), from) == list.end())
        list.push_back(from);
    }
    costs.push_back(1 + roll(5));
    bytes.push_back(1 + roll(4));
  }
  return makeGraph(inputs, costs, bytes, count / 2);
}

/// A forward pass of blocks a -> b -> c, c + block input, and its backward
/// pass; sizes fall with depth. In-place additions, parameter updates at the
/// end.
inline Graph makeResidualNet(int blocks) {
  Graph graph;
  graph.name = "residual";
  auto tensor = [&](int64_t bytes, TensorKind kind) {
    Tensor made;
    made.externalId = int64_t(graph.tensors.size());
    made.bytes = bytes;
    made.kind = kind;
    graph.tensors.push_back(made);
    return TensorId(graph.tensors.size() - 1);
  };
  auto node = [&](double cost, std::vector<TensorId> inputs,
                  std::vector<TensorId> outputs, bool backward) -> Node & {
    Node made;
    made.externalId = int64_t(graph.nodes.size());
    made.name = "op" + std::to_string(made.externalId);
    made.cost = cost;
    made.inputs = std::move(inputs);
    made.outputs = std::move(outputs);
    made.backward = backward;
    graph.nodes.push_back(made);
    return graph.nodes.back();
  };
  struct Block {
    TensorId weight, input, conv, norm, sum, stats;
    int64_t bytes;
  };
  std::vector<Block> list;
  TensorId at = tensor(4096, TensorKind::Input);
  for (int i = 0; i < blocks; ++i) {
    Block block;
    block.bytes = 4096 * int64_t(1 + (blocks - i) / 4);
    block.input = at;
    block.weight = tensor(512, TensorKind::Parameter);
    block.conv = tensor(block.bytes, TensorKind::Activation);
    node(20, {at, block.weight}, {block.conv}, false);
    block.norm = tensor(block.bytes, TensorKind::Activation);
    block.stats = tensor(64, TensorKind::Activation);
    node(3, {block.conv}, {block.norm, block.stats}, false);
    block.sum = tensor(block.bytes, TensorKind::Activation);
    Node &relu = node(2, {block.norm}, {block.sum}, false);
    relu.inPlace = {{block.sum, block.norm}};
    at = block.sum;
    list.push_back(block);
  }
  TensorId loss = tensor(4, TensorKind::Output);
  node(1, {at}, {loss}, false);
  TensorId gradient = tensor(list.back().bytes, TensorKind::Gradient);
  node(1, {at, loss}, {gradient}, true);
  std::vector<std::pair<TensorId, TensorId>> updates;
  for (size_t i = list.size(); i-- > 0;) {
    const Block &block = list[i];
    TensorId masked = tensor(block.bytes, TensorKind::Gradient);
    Node &mask = node(2, {gradient, block.sum}, {masked}, true);
    mask.inPlace = {{masked, gradient}};
    TensorId normal = tensor(block.bytes, TensorKind::Gradient);
    Node &norm = node(4, {masked, block.conv, block.stats}, {normal}, true);
    norm.inPlace = {{normal, masked}};
    TensorId ofWeight = tensor(512, TensorKind::Gradient);
    node(20, {normal, block.input}, {ofWeight}, true);
    updates.push_back({block.weight, ofWeight});
    if (i > 0) {
      gradient = tensor(list[i - 1].bytes, TensorKind::Gradient);
      Node &back = node(20, {normal, block.weight}, {gradient}, true);
      back.workspaceBytes = 256;
    }
  }
  for (auto [weight, ofWeight] : updates)
    node(1, {weight, ofWeight}, {}, true).writes = {weight};
  return graph;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_REMATGRAPHS_H
