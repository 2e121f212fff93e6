//===- ScheduleOracle.h - Cheapest schedules by exhaustive search ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Dijkstra over memory states: which tensors are resident, which nodes have
// ever run. Complete (any order, any recomputation, any drop), hence slow; for
// graphs of up to about a dozen nodes. It shares no code with memplan's
// liveness, so that both can be compared.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_SCHEDULEORACLE_H
#define MEMPLAN_TEST_UNIT_SCHEDULEORACLE_H

#include "memplan/Plan/Plan.h"
#include <algorithm>
#include <map>
#include <optional>
#include <queue>

namespace memplan {

struct OracleAnswer {
  double cost = 0;
  Schedule schedule;
};

/// For graphs without views, writes, in-place pairs and collectives: the
/// cheapest schedule whose bytes stay within the budget, or none if there is
/// none. With `sourceOrder`, first runs keep the source order.
class ScheduleOracle {
public:
  ScheduleOracle(const Graph &graph, int64_t budgetBytes,
                 bool sourceOrder = false)
      : graph(graph), budgetBytes(budgetBytes), sourceOrder(sourceOrder) {
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      if (isCallerOwned(graph.tensors[i].kind))
        callers |= bit(i);
      if (graph.tensors[i].kind == TensorKind::Output)
        kept |= bit(i);
    }
    for (const Node &node : graph.nodes) {
      inputs.push_back(maskOf(node.inputs));
      outputs.push_back(maskOf(node.outputs));
    }
  }

  std::optional<OracleAnswer> solve() {
    uint64_t allRun = bit(graph.nodes.size()) - 1;
    reach(State{callers, 0}, State{callers, 0}, -1, 0);
    while (!queue.empty()) {
      auto [cost, state] = queue.top();
      queue.pop();
      if (cost > best[state].cost)
        continue;
      if (state.second == allRun && (state.first & kept) == kept)
        return OracleAnswer{cost, trace(state)};
      expand(state, cost);
    }
    return std::nullopt;
  }

private:
  using State =
      std::pair<uint64_t, uint64_t>; ///< Resident tensors, nodes that have run.
  struct Arrival {
    double cost = 0;
    State from;
    int node = -1; ///< -1: a drop
  };

  static uint64_t bit(size_t i) { return uint64_t(1) << i; }
  static uint64_t maskOf(const std::vector<TensorId> &ids) {
    uint64_t mask = 0;
    for (TensorId id : ids)
      mask |= bit(static_cast<size_t>(id.index));
    return mask;
  }

  int64_t bytesOf(uint64_t mask) const {
    int64_t bytes = graph.fixedBytes;
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      if (mask & bit(i))
        bytes += graph.tensors[i].bytes;
    return bytes;
  }

  void reach(State state, State from, int node, double cost) {
    auto [entry, isNew] = best.try_emplace(state, Arrival{cost, from, node});
    if (!isNew && entry->second.cost <= cost)
      return;
    entry->second = Arrival{cost, from, node};
    queue.push({cost, state});
  }

  void expand(State state, double cost) {
    auto [resident, run] = state;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      bool isFirst = !(run & bit(n));
      bool mayRun = isFirst ? !sourceOrder || run == bit(n) - 1
                            : !graph.nodes[n].runsOnce();
      // An output that is there needs no second copy: a run that recomputes it
      // can drop it before.
      if (!mayRun || (inputs[n] & ~resident) || (outputs[n] & resident))
        continue;
      uint64_t after = resident | outputs[n];
      if (bytesOf(after) + graph.nodes[n].workspaceBytes <= budgetBytes)
        reach({after, run | bit(n)}, state, static_cast<int>(n),
              cost + graph.nodes[n].cost);
    }
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      if (resident & bit(i) & ~callers)
        reach({resident & ~bit(i), run}, state, -1, cost);
  }

  Schedule trace(State state) const {
    Schedule schedule;
    for (State start{callers, 0}; state != start; state = best.at(state).from)
      if (int node = best.at(state).node; node >= 0)
        schedule.runs.push_back(NodeId(node));
    std::reverse(schedule.runs.begin(), schedule.runs.end());
    return schedule;
  }

  const Graph &graph;
  int64_t budgetBytes;
  bool sourceOrder;
  uint64_t callers = 0, kept = 0;
  std::vector<uint64_t> inputs, outputs;
  std::map<State, Arrival> best;
  std::priority_queue<std::pair<double, State>,
                      std::vector<std::pair<double, State>>, std::greater<>>
      queue;
};

inline std::optional<OracleAnswer>
findCheapestSchedule(const Graph &graph, int64_t budgetBytes,
                     bool sourceOrder = false) {
  return ScheduleOracle(graph, budgetBytes, sourceOrder).solve();
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_SCHEDULEORACLE_H
