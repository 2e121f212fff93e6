//===- StageGraph.cpp - The graph as remat solvers see it -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/StageGraph.h"
#include "memplan/Planner/Remat/WorkingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace memplan;

StageGraph::StageGraph(const GraphIndex &index, bool inPlace,
                       CountedVariant counted)
    : graphIndex(&index), allowInPlace(inPlace), counted(counted) {
  classifyNodes();
  makeOps();
  releaseDonated();
  limitStages();
  markForward();
}

/// A node vanishes when it makes nothing but views of one storage of the step
/// that nobody overwrites, reads nothing else and may run at any time.
void StageGraph::classifyNodes() {
  const Graph &graph = graphIndex->graph();
  std::vector<bool> written(graph.tensors.size(), false);
  for (const Node &node : graph.nodes)
    for (TensorId tensor : node.writes)
      written[graphIndex->base(tensor).index] = true;

  viewOnly.assign(graph.nodes.size(), false);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node &node = graph.nodes[n];
    if (node.outputs.empty() || node.inputs.empty() || node.runsOnce() ||
        node.leastWorkspaceBytes() > 0)
      continue;
    TensorId base = graphIndex->base(node.inputs.front());
    bool simple = !isCallerOwned(graph[base].kind) &&
                  graphIndex->producer(base) && !written[base.index];
    // By way of other vanished nodes only: those can be run right after the
    // base.
    for (TensorId tensor : node.inputs)
      simple &=
          tensor == base ||
          (graphIndex->base(tensor) == base && graphIndex->producer(tensor) &&
           viewOnly[graphIndex->producer(tensor)->index]);
    for (TensorId tensor : node.outputs)
      simple &=
          graph[tensor].viewOf.has_value() && graphIndex->base(tensor) == base;
    viewOnly[n] = simple;
  }
}

void StageGraph::makeOps() {
  const Graph &graph = graphIndex->graph();
  opOfNode.assign(graph.nodes.size(), -1);
  valueOfBase.assign(graph.tensors.size(), -1);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node &node = graph.nodes[n];
    costOfAll += node.cost;
    if (viewOnly[n]) {
      costOfVanished += node.leastCost();
      continue;
    }
    int32_t op = static_cast<int32_t>(opList.size());
    opOfNode[n] = op;
    StageOp &stageOp = opList.emplace_back();
    stageOp.node = NodeId(n);
    countOp(stageOp, node);
    for (TensorId tensor : node.outputs) {
      if (graph[tensor].viewOf)
        continue;
      valueOfBase[tensor.index] = numValues();
      stageOp.outputs.push_back(numValues());
      valueList.push_back({tensor, graph[tensor].bytes, op, {}});
    }
    linkOp(op);
  }
  StageOp &end = opList.emplace_back();
  for (int32_t v = 0; v < numValues(); ++v) {
    if (graphIndex->isKept(valueList[v].tensor)) {
      end.inputs.push_back(v);
      valueList[v].readers.push_back(numStages() - 1);
    }
  }
  end.ways = {{0, 0}};
  if (!allowInPlace)
    return;
  const std::vector<int64_t> storageBytes = largestStorageBytes(*graphIndex);
  for (int32_t op = 0; op + 1 < numStages(); ++op)
    linkOverlaps(op, storageBytes);
}

/// Keeps the variants that no other one beats in cost and workspace, and counts
/// with the first or the last of them.
void StageGraph::countOp(StageOp &op, const Node &node) const {
  std::vector<NodeVariant> all;
  for (int32_t v = 0; v < node.numVariants(); ++v)
    all.push_back(node.variant(v));
  llvm::sort(all, [](const NodeVariant &a, const NodeVariant &b) {
    return std::pair(a.cost, a.workspaceBytes) <
           std::pair(b.cost, b.workspaceBytes);
  });
  for (const NodeVariant &way : all)
    if (op.ways.empty() || way.workspaceBytes < op.ways.back().workspaceBytes)
      op.ways.push_back(way);
  const NodeVariant &way =
      counted == CountedVariant::Cheapest ? op.ways.front() : op.ways.back();
  op.cost = way.cost;
  op.workspaceBytes = way.workspaceBytes;
}

/// Inputs and in-place pairs of an op, in values.
void StageGraph::linkOp(int32_t op) {
  const Graph &graph = graphIndex->graph();
  StageOp &stageOp = opList[op];
  const Node &node = graph[stageOp.node];
  auto read = [&](TensorId tensor) {
    int32_t value = valueOfBase[graphIndex->base(tensor).index];
    if (value >= 0 && valueList[value].producer != op)
      stageOp.inputs.push_back(value);
  };
  for (TensorId tensor : node.inputs)
    read(tensor);
  for (TensorId tensor : node.writes)
    read(tensor);
  for (TensorId tensor : node.outputs)
    if (graph[tensor].viewOf)
      read(tensor);
  std::sort(stageOp.inputs.begin(), stageOp.inputs.end());
  stageOp.inputs.erase(
      std::unique(stageOp.inputs.begin(), stageOp.inputs.end()),
      stageOp.inputs.end());
  for (int32_t value : stageOp.inputs)
    valueList[value].readers.push_back(op);
  if (!allowInPlace)
    return;
  for (const InPlacePair &pair : node.inPlace) {
    int32_t output = valueOfBase[pair.output.index];
    int32_t input = valueOfBase[graphIndex->base(pair.input).index];
    // What must be there at the end is never taken over, nor what the node also
    // reads by another name.
    const bool readTwice = std::any_of(
        node.inputs.begin(), node.inputs.end(), [&](TensorId tensor) {
          return tensor != pair.input &&
                 graphIndex->base(tensor) == graphIndex->base(pair.input);
        });
    if (output >= 0 && input >= 0 && !readTwice &&
        valueList[output].bytes == valueList[input].bytes &&
        !graphIndex->isKept(valueList[input].tensor))
      stageOp.inPlace.push_back({output, input});
  }
}

void StageGraph::linkOverlaps(int32_t op,
                              llvm::ArrayRef<int64_t> storageBytes) {
  const Graph &graph = graphIndex->graph();
  StageOp &stageOp = opList[op];
  for (const InPlacePair &pair : graph[stageOp.node].inPlace) {
    TensorId source = graphIndex->base(pair.input);
    const int64_t saved =
        std::min(graph[pair.output].bytes, graph[source].bytes);
    if (saved > 0 &&
        mayTakeStorage(*graphIndex, stageOp.node, pair, storageBytes))
      stageOp.overlaps.push_back({valueOfBase[pair.output.index],
                                  valueOfBase[source.index], source, saved});
  }
}

/// A donated input is needed until its last first use: nothing makes it again.
void StageGraph::releaseDonated() {
  const Graph &graph = graphIndex->graph();
  lastTouch.assign(graph.tensors.size(), -1);
  for (int32_t op = 0; op + 1 < numStages(); ++op) {
    const Node &node = graph[opList[op].node];
    for (const std::vector<TensorId> *list : {&node.inputs, &node.writes})
      for (TensorId tensor : *list)
        lastTouch[graphIndex->base(tensor).index] = op;
  }
  released.assign(opList.size(), 0);
  for (size_t t = 0; t < graph.tensors.size(); ++t)
    if (graph.tensors[t].donated && !graph.tensors[t].viewOf)
      for (int32_t stage = lastTouch[t] + 1; stage < numStages(); ++stage)
        released[stage] += graph.tensors[t].bytes;
}

void StageGraph::limitStages() {
  const Graph &graph = graphIndex->graph();
  const int32_t end = numStages() - 1;
  std::vector<std::vector<int32_t>> writers(graph.tensors.size());
  for (int32_t op = 0; op < end; ++op)
    for (TensorId tensor : graph[opList[op].node].writes)
      writers[graphIndex->base(tensor).index].push_back(op);
  for (StageOp &stageOp : opList)
    stageOp.lastStage = end;

  for (int32_t op = 0; op < end; ++op) {
    StageOp &stageOp = opList[op];
    const Node &node = graph[stageOp.node];
    auto firstWriter = [&](const std::vector<TensorId> &tensors) {
      int32_t first = end;
      for (TensorId tensor : tensors) {
        const std::vector<int32_t> &later =
            writers[graphIndex->base(tensor).index];
        auto next = std::upper_bound(later.begin(), later.end(), op);
        if (next != later.end())
          first = std::min(first, *next);
      }
      return first;
    };
    const int32_t ofInputs = firstWriter(node.inputs),
                  ofOutputs = firstWriter(node.outputs);
    stageOp.lastStage = std::min({stageOp.lastStage, ofInputs, ofOutputs});
    if (node.runsOnce())
      stageOp.lastStage = op;
    else if (ofOutputs < ofInputs && node.outputs.size() > 1)
      leftOutNote = "reruns of " + describe(graph, stageOp.node) +
                    " after one of its outputs was overwritten";
    if (llvm::any_of(node.outputs, [&](TensorId tensor) {
          return graph[tensor].viewOf.has_value();
        }))
      limitViewMakers(op);
  }
}

/// Views made here would die with a rerun of their base, so that both stay as
/// they are.
void StageGraph::limitViewMakers(int32_t op) {
  const Graph &graph = graphIndex->graph();
  auto runOnce = [&](int32_t limited) {
    StageOp &stageOp = opList[limited];
    if (!graph[stageOp.node].runsOnce() && !stageOp.outputs.empty())
      leftOutNote = "reruns of " + describe(graph, stageOp.node) +
                    ", of which other nodes make views";
    stageOp.lastStage = limited;
  };
  runOnce(op);
  for (int32_t value : opList[op].inputs)
    runOnce(valueList[value].producer);
}

void StageGraph::markForward() {
  const Graph &graph = graphIndex->graph();
  for (size_t op = 0; op + 1 < opList.size(); ++op) {
    StageOp &stageOp = opList[op];
    const Node &node = graph[stageOp.node];
    stageOp.forward = !node.backward && node.writes.empty();
    for (int32_t value : stageOp.inputs)
      stageOp.forward &= opList[valueList[value].producer].forward;
  }
}

int32_t StageGraph::lastReader(int32_t value) const {
  const StageValue &stageValue = valueList[value];
  return stageValue.readers.empty() ? stageValue.producer
                                    : stageValue.readers.back();
}

Schedule StageGraph::expand(const StageRows &rows) const {
  const Graph &graph = graphIndex->graph();
  Schedule schedule;
  // Bases are made anew by every run of their producer; a view is good while it
  // was made in the same live range.
  std::vector<int32_t> liveRange(graph.tensors.size(), 0),
      viewedAt(graph.tensors.size(), -1);
  std::vector<bool> ran(graph.nodes.size(), false);
  std::vector<NodeId> chain;
  auto stale = [&](TensorId tensor) -> std::optional<NodeId> {
    std::optional<NodeId> maker = graphIndex->producer(tensor);
    if (maker && viewOnly[maker->index] &&
        viewedAt[tensor.index] != liveRange[graphIndex->base(tensor).index])
      return maker;
    return std::nullopt;
  };
  auto provide = [&](TensorId tensor) {
    if (std::optional<NodeId> maker = stale(tensor))
      chain.push_back(*maker);
    while (!chain.empty()) {
      NodeId maker = chain.back();
      std::optional<NodeId> before;
      for (TensorId input : graph[maker].inputs)
        if (!before)
          before = stale(input);
      if (before) {
        chain.push_back(*before);
        continue;
      }
      chain.pop_back();
      schedule.runs.push_back(maker);
      ran[maker.index] = true;
      for (TensorId output : graph[maker].outputs)
        viewedAt[output.index] = liveRange[graphIndex->base(output).index];
    }
  };
  auto provideInputs = [&](NodeId node) {
    for (TensorId tensor : graph[node].inputs)
      provide(tensor);
    for (TensorId tensor : graph[node].writes)
      provide(tensor);
  };
  auto runUnusedViews = [&](int32_t op) {
    // A view that no op reads still has to be made once, while its base is
    // there.
    for (int32_t value : opList[op].outputs)
      for (TensorId tensor : graphIndex->aliasSet(valueList[value].tensor)) {
        std::optional<NodeId> maker = graphIndex->producer(tensor);
        bool unread = true;
        for (NodeId reader : graphIndex->readers(tensor))
          unread &= viewOnly[reader.index];
        if (maker && viewOnly[maker->index] && !ran[maker->index] && unread)
          provide(tensor);
      }
  };
  for (size_t stage = 0; stage < rows.size(); ++stage)
    for (int32_t op : rows[stage]) {
      NodeId node = opList[op].node;
      if (!node.isValid()) {
        for (size_t t = 0; t < graph.tensors.size(); ++t)
          if (graph.tensors[t].kind == TensorKind::Output)
            provide(TensorId(t));
        continue;
      }
      provideInputs(node);
      schedule.runs.push_back(node);
      ran[node.index] = true;
      for (int32_t value : opList[op].outputs)
        ++liveRange[valueList[value].tensor.index];
      if (size_t(op) == stage)
        runUnusedViews(op);
    }
  return schedule;
}
