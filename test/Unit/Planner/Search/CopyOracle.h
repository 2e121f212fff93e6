//===- CopyOracle.h - The fastest plan with copies --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shortest paths over all states that lists of actions on one stream can reach,
// by time. It knows docs/Formats.md and nothing of the search. Graphs have
// costs, bytes and copy times that are small whole numbers, and no views,
// writes, variants or donated inputs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_JOINT_COPYORACLE_H
#define MEMPLAN_TEST_UNIT_PLANNER_JOINT_COPYORACLE_H

#include "../../RandomGraph.h"
#include <functional>
#include <queue>
#include <unordered_map>

namespace memplan {

/// Two to four inputs a node of what was made lately, one output or two,
/// workspaces, in-place pairs, nodes that run once.
inline Graph makeCopyGraph(uint64_t seed, int nodes) {
  Dice dice(seed * 104729);
  Graph graph;
  graph.name = "copies";
  for (int n = 0; n < nodes; ++n) {
    Node node;
    node.externalId = n;
    node.cost = double(dice.roll(6));
    node.workspaceBytes = dice.chance(20) ? dice.roll(3) : 0;
    node.recompute = !dice.chance(35);
    const auto before = static_cast<int64_t>(graph.tensors.size());
    for (int64_t i = 0; i < std::min<int64_t>(before, 1 + dice.roll(2)); ++i) {
      const TensorId input(static_cast<int32_t>(
          dice.chance(30) ? before - 1 - dice.roll(std::min<int64_t>(before, 2))
                          : dice.roll(before)));
      if (!llvm::is_contained(node.inputs, input))
        node.inputs.push_back(input);
    }
    const int64_t outputs = dice.chance(20) ? 2 : 1;
    for (int64_t i = 0; i < outputs; ++i) {
      Tensor tensor;
      tensor.externalId = static_cast<int64_t>(graph.tensors.size());
      tensor.bytes = 1 + dice.roll(4);
      tensor.kind = n + 1 == nodes || dice.chance(10) ? TensorKind::Output
                                                      : TensorKind::Activation;
      node.outputs.push_back(TensorId(graph.tensors.size()));
      graph.tensors.push_back(tensor);
    }
    if (!node.inputs.empty() && dice.chance(40))
      node.inPlace.push_back({node.outputs.front(), node.inputs.front()});
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

class CopyOracle {
public:
  /// A copy of n bytes takes n * slow + latency in either direction.
  CopyOracle(const Graph &graph, int64_t budget, int toHost, int toDevice,
             int latency)
      : graph(graph), budget(budget), toHost(toHost), toDevice(toDevice),
        latency(latency), rest(graph.nodes.size() + 1) {
    for (size_t n = graph.nodes.size(); n-- > 0;)
      rest[n] = rest[n + 1] + int64_t(graph.nodes[n].cost);
  }

  /// The least time below `known`, or `known`; nothing where `most` states do
  /// not suffice.
  std::optional<int64_t> fastest(int64_t known, size_t most);

private:
  enum Status : char { Absent, Here, Leaving, Arriving };
  /// Next first run, then for each tensor its status, whether the host has it,
  /// and what is left of its copy.
  using State = std::string;
  char &status(State &s, size_t t) const { return s[1 + 3 * t]; }
  char &isOnHost(State &s, size_t t) const { return s[2 + 3 * t]; }
  char &left(State &s, size_t t) const { return s[3 + 3 * t]; }

  void expand(const State &state, int64_t time);
  void expandCopies(const State &state, int64_t time);
  void run(const State &state, int64_t time, size_t node);
  int64_t bytesOf(State &state) const;
  void reach(State state, int64_t time);
  /// Everything under way goes on for so long.
  void pass(State &state, int64_t duration) const;
  int64_t lastEnd(State &state, Status which) const;

  const Graph &graph;
  int64_t budget, toHost, toDevice, latency;
  std::vector<int64_t> rest;
  int64_t best = 0;
  std::unordered_map<State, int64_t> times;
  using Entry = std::pair<int64_t, State>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
};

inline int64_t CopyOracle::bytesOf(State &state) const {
  int64_t bytes = 0;
  for (size_t t = 0; t < graph.tensors.size(); ++t)
    bytes += status(state, t) != Absent ? graph.tensors[t].bytes : 0;
  return bytes;
}

inline void CopyOracle::pass(State &state, int64_t duration) const {
  for (size_t t = 0; t < graph.tensors.size(); ++t)
    left(state, t) = char(std::max<int64_t>(0, left(state, t) - duration));
}

inline int64_t CopyOracle::lastEnd(State &state, Status which) const {
  int64_t last = 0;
  for (size_t t = 0; t < graph.tensors.size(); ++t)
    if (status(state, t) == which)
      last = std::max<int64_t>(last, left(state, t));
  return last;
}

inline void CopyOracle::reach(State state, int64_t time) {
  if (time + rest[size_t(state[0])] >= best)
    return;
  auto [known, isNew] = times.try_emplace(state, time);
  if (!isNew && known->second <= time)
    return;
  known->second = time;
  open.emplace(time, std::move(state));
}

/// Every choice of pairs, and of outputs that are kept.
inline void CopyOracle::run(const State &state, int64_t time, size_t node) {
  const Node &facts = graph.nodes[node];
  State next = state;
  for (TensorId input : facts.inputs)
    if (status(next, size_t(input.index)) != Here &&
        status(next, size_t(input.index)) != Leaving)
      return;
  for (bool inPlace : {false, true}) {
    if (inPlace && facts.inPlace.empty())
      break;
    next = state;
    int64_t bytes = bytesOf(next) + facts.workspaceBytes;
    for (TensorId output : facts.outputs)
      bytes += graph[output].bytes;
    if (inPlace) {
      const auto [output, input] = facts.inPlace.front();
      if (status(next, size_t(input.index)) != Here ||
          status(next, size_t(output.index)) != Absent ||
          graph[input].bytes < graph[output].bytes ||
          graph[input].bytes != graph[output].bytes ||
          graph[input].kind == TensorKind::Output)
        break;
      bytes -= graph[output].bytes;
      status(next, size_t(input.index)) = Absent;
    }
    if (bytes > budget)
      continue;
    pass(next, int64_t(facts.cost));
    for (TensorId output : facts.outputs)
      if (status(next, size_t(output.index)) == Absent)
        status(next, size_t(output.index)) = Here;
    next[0] = char(std::max<size_t>(size_t(next[0]), node + 1));
    reach(next, time + int64_t(facts.cost));
  }
}

inline void CopyOracle::expandCopies(const State &state, int64_t time) {
  for (size_t t = 0; t < graph.tensors.size(); ++t) {
    State next = state;
    const int64_t bytes = graph.tensors[t].bytes;
    switch (status(next, t)) {
    case Here: {
      status(next, t) = Absent;
      reach(next, time);
      next = state;
      if (isOnHost(next, t))
        break;
      const int64_t end = lastEnd(next, Leaving) + latency + bytes * toHost;
      status(next, t) = Leaving;
      left(next, t) = char(end);
      reach(next, time);
      break;
    }
    case Absent: {
      if (!isOnHost(next, t) || bytesOf(next) + bytes > budget)
        break;
      const int64_t end = lastEnd(next, Arriving) + latency + bytes * toDevice;
      status(next, t) = Arriving;
      left(next, t) = char(end);
      reach(next, time);
      break;
    }
    case Leaving:
    case Arriving: {
      const int64_t wait = left(next, t);
      pass(next, wait);
      isOnHost(next, t) = 1;
      status(next, t) = status(next, t) == Leaving ? Absent : Here;
      reach(next, time + wait);
      break;
    }
    }
  }
}

inline void CopyOracle::expand(const State &state, int64_t time) {
  const auto first = size_t(state[0]);
  for (size_t node = 0; node <= first && node < graph.nodes.size(); ++node)
    if (node == first || graph.nodes[node].recompute)
      run(state, time, node);
  expandCopies(state, time);
}

inline std::optional<int64_t> CopyOracle::fastest(int64_t known, size_t most) {
  best = known;
  times.clear();
  open = {};
  reach(State(1 + 3 * graph.tensors.size(), 0), 0);
  while (!open.empty()) {
    auto [time, state] = open.top();
    open.pop();
    if (time + rest[size_t(state[0])] >= best || times[state] < time)
      continue;
    if (times.size() > most)
      return std::nullopt;
    bool isDone = size_t(state[0]) == graph.nodes.size();
    for (size_t t = 0; t < graph.tensors.size(); ++t) {
      const char its = status(state, t);
      isDone &= its != Leaving && its != Arriving &&
                (graph.tensors[t].kind != TensorKind::Output || its == Here);
    }
    if (isDone) {
      best = time;
      continue;
    }
    expand(state, time);
  }
  return best;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_JOINT_COPYORACLE_H
