//===- DtrGraph.cpp - A graph as DTR sees it ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DtrGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

/// What a run of the node needs to be readable, each once.
static std::vector<TensorId> readsOf(const Graph &graph, const Node &node) {
  std::vector<TensorId> reads;
  auto read = [&](TensorId id) {
    if (!llvm::is_contained(reads, id))
      reads.push_back(id);
  };
  llvm::for_each(node.inputs, read);
  for (TensorId id : node.outputs)
    if (const std::optional<TensorId> base = graph[id].viewOf;
        base && !llvm::is_contained(node.outputs, *base))
      read(*base);
  llvm::for_each(node.writes, read);
  return reads;
}

DtrGraph::DtrGraph(const GraphIndex &index) {
  const Graph &graph = index.graph();
  const size_t numTensors = graph.tensors.size();
  users.resize(numTensors);
  tensorsOf.resize(numTensors);
  persistentBytes = graph.persistentBytes();
  for (size_t i = 0; i < numTensors; ++i) {
    const TensorId id(i);
    const int32_t base = index.base(id).index;
    storageOf.push_back(base);
    bytes.push_back(base == int32_t(i) ? graph[id].bytes : 0);
    isCallers.push_back(isCallerOwned(graph[index.base(id)].kind));
    const std::optional<NodeId> node = index.producer(id);
    producer.push_back(node ? node->index : -1);
    for (TensorId alias : index.aliasSet(id))
      tensorsOf[i].push_back(alias.index);
  }
  std::vector<int32_t> lastUse(numTensors, -1); // By storage.
  for (const Node &node : graph.nodes)
    addOp(graph, node, lastUse);
  dying.resize(ops.size());
  for (size_t storage = 0; storage < numTensors; ++storage)
    if (!tensorsOf[storage].empty() && !isCallers[storage] &&
        !index.isKept(TensorId(storage)) && lastUse[storage] >= 0)
      dying[size_t(lastUse[storage])].push_back(int32_t(storage));
}

void DtrGraph::addOp(const Graph &graph, const Node &node,
                     std::vector<int32_t> &lastUse) {
  DtrOp op;
  op.cost = node.cost;
  op.workspaceBytes = node.workspaceBytes;
  op.runsOnce = node.runsOnce();
  for (TensorId id : node.writes)
    op.writes.push_back(storageOf[size_t(id.index)]);
  const int32_t number = int32_t(ops.size());
  for (TensorId id : readsOf(graph, node)) {
    users[size_t(id.index)].push_back(number);
    lastUse[size_t(storageOf[size_t(id.index)])] = number;
    if (!isCallers[size_t(id.index)])
      op.inputs.push_back(id.index);
  }
  for (TensorId id : node.outputs) {
    const size_t storage = size_t(storageOf[size_t(id.index)]);
    if (isCallers[storage]) {
      op.lastingViews.push_back(id.index);
      continue;
    }
    op.outputs.push_back(id.index);
    op.newBytes += bytes[size_t(id.index)];
    lastUse[storage] = std::max(lastUse[storage], number);
  }
  ops.push_back(std::move(op));
}
