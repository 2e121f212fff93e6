//===- RandomGraph.h - Random graphs and schedules for property tests -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every use prints its seed; the same seed gives the same graph on every
// machine (std::mt19937_64 is specified, distributions are not, so none is
// used).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_RANDOMGRAPH_H
#define MEMPLAN_TEST_UNIT_RANDOMGRAPH_H

#include "ScheduleRepair.h"
#include "memplan/Plan/Plan.h"
#include "memplan/Schedule/Liveness.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

namespace memplan {

/// Small deterministic source of choices.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine(seed) {}
  /// 0 .. sides - 1.
  int64_t roll(int64_t sides) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(sides));
  }
  bool chance(int percent) { return roll(100) < percent; }

private:
  std::mt19937_64 engine;
};

/// A graph with views of all sorts, several outputs, workspaces, in-place
/// pairs, donated inputs, updates, nodes that run once and collectives.
class RandomGraphBuilder {
public:
  RandomGraphBuilder(uint64_t seed, int nodeCount)
      : dice(seed), nodeCount(nodeCount) {}

  Graph make() {
    graph.name = "random";
    graph.fixedBytes = dice.roll(3) * 10;
    for (int i = 0; i < 3; ++i) {
      TensorId id = addTensor(TensorKind(dice.roll(3)), std::nullopt);
      if (graph.tensors[id.index].kind == TensorKind::Input)
        graph.tensors[id.index].donated = dice.chance(50);
      readable.push_back(id);
    }
    if (dice.chance(20))
      readable.push_back(addTensor(TensorKind::Activation, readable.front()));
    for (int n = 0; n < nodeCount; ++n)
      addNode();
    return std::move(graph);
  }

private:
  TensorId addTensor(TensorKind kind, std::optional<TensorId> viewOf) {
    Tensor tensor;
    tensor.externalId = 100 + 7 * static_cast<int64_t>(graph.tensors.size());
    tensor.kind = kind;
    tensor.viewOf = viewOf;
    tensor.bytes = viewOf ? 0 : dice.roll(9) * 8;
    graph.tensors.push_back(tensor);
    return TensorId(graph.tensors.size() - 1);
  }

  TensorId pick() {
    // Recent tensors more often, so that graphs are deep.
    auto size = static_cast<int64_t>(readable.size());
    int64_t back = dice.chance(60) ? std::min<int64_t>(size, 4) : size;
    return readable[size - 1 - dice.roll(back)];
  }

  void addOutput(Node &node) {
    bool isView = dice.chance(25);
    std::optional<TensorId> viewOf;
    if (isView)
      viewOf = node.outputs.empty() || dice.chance(70) ? node.inputs.front()
                                                       : node.outputs.back();
    TensorKind kind = dice.chance(12)   ? TensorKind::Output
                      : dice.chance(30) ? TensorKind::Gradient
                                        : TensorKind::Activation;
    TensorId id = addTensor(kind, viewOf);
    node.outputs.push_back(id);
    if (!isView)
      for (TensorId input : node.inputs)
        if (dice.chance(40))
          node.inPlace.push_back({id, input});
  }

  void addWrite(Node &node) {
    std::vector<TensorId> targets;
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      const Tensor &tensor = graph.tensors[i];
      bool mayWrite = tensor.kind == TensorKind::Parameter ||
                      tensor.kind == TensorKind::State ||
                      (tensor.kind == TensorKind::Input && tensor.donated);
      if (mayWrite && !tensor.viewOf)
        targets.push_back(TensorId(i));
    }
    if (targets.empty())
      return;
    node.writes.push_back(
        targets[dice.roll(static_cast<int64_t>(targets.size()))]);
    if (dice.chance(50))
      node.inputs.push_back(node.writes.front());
  }

  void addNode() {
    Node node;
    node.externalId = 1000 + 3 * static_cast<int64_t>(graph.nodes.size());
    node.cost = static_cast<double>(dice.roll(10));
    node.workspaceBytes = dice.chance(20) ? dice.roll(50) : 0;
    int64_t inputs = 1 + dice.roll(3);
    for (int64_t i = 0; i < inputs; ++i)
      node.inputs.push_back(pick());
    if (dice.chance(8))
      addWrite(node);
    int64_t outputs = node.writes.empty() ? 1 + dice.roll(2) : dice.roll(2);
    for (int64_t i = 0; i < outputs; ++i)
      addOutput(node);
    node.recompute = !dice.chance(6);
    bool keepsPlace = dice.chance(4);
    node.opaque = keepsPlace && graph.nodes.size() % 2 == 0;
    node.collective = keepsPlace && !node.opaque;
    readable.insert(readable.end(), node.outputs.begin(), node.outputs.end());
    graph.nodes.push_back(std::move(node));
  }

  Dice dice;
  int nodeCount;
  Graph graph;
  std::vector<TensorId> readable;
};

inline Graph makeRandomGraph(uint64_t seed, int nodeCount) {
  return RandomGraphBuilder(seed, nodeCount).make();
}

/// Source order with random recomputations, repaired. Where the wish breaks a
/// version or a node that runs once, source order.
inline Schedule makeRandomSchedule(const GraphIndex &index, uint64_t seed) {
  Dice dice(seed);
  auto count = static_cast<int64_t>(index.graph().nodes.size());
  int percent = static_cast<int>(dice.roll(80));
  std::vector<NodeId> wish;
  for (int64_t n = 0; n < count; ++n) {
    wish.push_back(NodeId(static_cast<int32_t>(n)));
    while (dice.chance(percent))
      wish.push_back(NodeId(static_cast<int32_t>(dice.roll(n + 1))));
  }
  llvm::Expected<Schedule> schedule = repairSchedule(index, wish);
  if (schedule)
    return std::move(*schedule);
  llvm::consumeError(schedule.takeError());
  return sourceSchedule(index.graph());
}

/// Takes legal in-place pairs at random, also over larger storage. Written
/// apart from the planner's choice.
inline InPlaceChoice makeRandomInPlace(const GraphIndex &index,
                                       const Schedule &schedule,
                                       uint64_t seed) {
  Dice dice(seed);
  const Graph &graph = index.graph();
  InPlaceChoice choice(schedule.runs.size());
  // Each pair that is taken changes the bytes of those after it.
  std::vector<LiveRange> liveRanges = computeLiveRanges(index, schedule);
  for (size_t at = 0; at < liveRanges.size(); ++at) {
    const int32_t run = liveRanges[at].begin;
    if (run < 0 || liveRanges[at].discarded)
      continue;
    const Node &node = graph[schedule.runs[run]];
    for (const InPlacePair &pair : node.inPlace) {
      TensorId source = index.base(pair.input);
      auto isSource = [&](TensorId id) { return index.base(id) == source; };
      bool isAliased = llvm::any_of(node.inputs, [&](TensorId id) {
        return isSource(id) && id != pair.input;
      });
      bool isUsed = llvm::any_of(choice[run], [&](const InPlacePair &p) {
        return isSource(p.input) || p.output == pair.output;
      });
      bool makesView = llvm::any_of(node.outputs, isSource);
      bool isWritten = llvm::any_of(node.writes, isSource);
      if (pair.output != liveRanges[at].tensor || isAliased || isUsed ||
          makesView || isWritten || dice.chance(30) ||
          graph[source].kind == TensorKind::Output)
        continue;
      bool fits = llvm::any_of(liveRanges, [&](const LiveRange &range) {
        return range.tensor == source && range.begin < run &&
               range.end == run + 1 && range.bytes >= graph[pair.output].bytes;
      });
      if (!fits)
        continue;
      choice[run].push_back(pair);
      liveRanges = computeLiveRanges(index, schedule, choice);
    }
  }
  return choice;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_RANDOMGRAPH_H
