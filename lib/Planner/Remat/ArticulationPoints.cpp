//===- ArticulationPoints.cpp - Where the forward graph comes apart -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Jain et al., "Checkmate", MLSys 2020, 5.1; the search is Hopcroft and
// Tarjan's. An articulation point of the undirected forward graph is an op
// through which everything after it is fed: a block's input or output, never a
// node inside a residual block.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/RematSolvers.h"
#include <algorithm>

using namespace memplan;

/// Undirected edges between forward ops that the loss depends on. An op that
/// reads none of them gets a neighbour of its own, standing for its data,
/// because the first op of the network separates the data from the rest.
static std::vector<std::vector<int32_t>>
undirectedForward(const StageGraph &graph, int32_t loss) {
  const std::vector<StepOp> &ops = graph.ops();
  std::vector<bool> feedsLoss(ops.size(), false);
  feedsLoss[loss] = true;
  for (int32_t op = loss; op >= 0; --op)
    if (feedsLoss[op])
      for (int32_t value : ops[op].inputs)
        feedsLoss[graph.values()[value].producer] = true;
  std::vector<std::vector<int32_t>> edges(ops.size());
  for (int32_t op = 0; op <= loss; ++op) {
    if (!feedsLoss[op])
      continue;
    for (int32_t value : ops[op].inputs) {
      int32_t producer = graph.values()[value].producer;
      edges[op].push_back(producer);
      edges[producer].push_back(op);
    }
    if (ops[op].inputs.empty()) {
      int32_t data = static_cast<int32_t>(edges.size());
      edges.push_back({op});
      edges[op].push_back(data);
    }
  }
  return edges;
}

Checkpoints memplan::articulationCandidates(const StageGraph &graph) {
  int32_t loss = -1;
  for (int32_t op = 0; op < graph.numStages(); ++op)
    if (graph.ops()[op].feedsBackward)
      loss = op;
  if (loss < 0)
    return {};
  std::vector<std::vector<int32_t>> edges = undirectedForward(graph, loss);

  // Depth first with an own stack; `low` is the earliest vertex that a subtree
  // reaches by one edge back.
  const size_t size = edges.size();
  std::vector<int32_t> depth(size, -1), low(size, 0), parent(size, -1);
  std::vector<size_t> nextEdge(size, 0);
  std::vector<bool> cut(size, false);
  for (size_t root = 0; root < size; ++root) {
    if (depth[root] >= 0 || edges[root].empty())
      continue;
    int32_t rootChildren = 0;
    std::vector<int32_t> stack{static_cast<int32_t>(root)};
    depth[root] = 0;
    while (!stack.empty()) {
      int32_t vertex = stack.back();
      if (nextEdge[vertex] < edges[vertex].size()) {
        int32_t to = edges[vertex][nextEdge[vertex]++];
        if (depth[to] < 0) {
          parent[to] = vertex;
          depth[to] = low[to] = depth[vertex] + 1;
          stack.push_back(to);
        } else if (to != parent[vertex]) {
          low[vertex] = std::min(low[vertex], depth[to]);
        }
        continue;
      }
      stack.pop_back();
      int32_t up = parent[vertex];
      if (up < 0)
        continue;
      low[up] = std::min(low[up], low[vertex]);
      if (up == static_cast<int32_t>(root))
        ++rootChildren;
      else if (low[vertex] >= depth[up])
        cut[up] = true;
    }
    cut[root] = rootChildren > 1;
  }
  Checkpoints points;
  for (int32_t op = 0; op < loss; ++op)
    if (cut[op])
      points.push_back(op);
  return points;
}
