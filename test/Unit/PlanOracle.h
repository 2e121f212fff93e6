//===- PlanOracle.h - Cheapest plans by exhaustive search -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dijkstra over all that a plan without copies may do: run any node in any
// variant, with any outputs discarded or over inputs, and free anything that
// may be freed. Views, versions, donated inputs and storages larger than what
// lies in them included. It shares no code with planners, live ranges or the
// replay; for graphs of three to six nodes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANORACLE_H
#define MEMPLAN_TEST_UNIT_PLANORACLE_H

#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Remat/StageGraph.h"
#include <algorithm>
#include <map>
#include <optional>
#include <queue>

namespace memplan {

/// What a bound may be valid for. In a fixed order, nodes that only make views
/// still run where they are needed.
enum class OracleSpace { FreeOrder, FixedOrder, Staged };

class PlanOracle {
public:
  struct Answer {
    double cost = 0;
    int64_t peakBytes = 0;
    std::vector<PlanAction> steps;
  };

  PlanOracle(const GraphIndex &index, OracleSpace space, bool inPlace = true)
      : index(index), graph(index.graph()), space(space), inPlace(inPlace),
        opOfNode(graph.nodes.size(), -1) {
    StageGraph stages(index, inPlace);
    for (int32_t op = 0; op + 1 < stages.numStages(); ++op)
      opOfNode[stages.ops()[op].node.index] = op;
  }

  /// The cheapest plan whose bytes stay within the budget.
  std::optional<Answer> cheapest(int64_t budgetBytes) {
    return search(budgetBytes, /*byPeak=*/false);
  }
  /// The plan of least bytes. Every checked graph has one in every space.
  Answer smallest() {
    return *search(std::numeric_limits<int64_t>::max(), /*byPeak=*/true);
  }

private:
  struct State {
    uint32_t ran = 0;                ///< By node.
    uint32_t readable = 0;           ///< By tensor.
    std::vector<int64_t> storage;    ///< By base: bytes, or -1.
    std::vector<int8_t> contents;    ///< By base: writes that it has seen.
    int32_t stage = 0, inStage = -1; ///< Ops begun; the last one run in stage.
    auto operator<=>(const State &) const = default;
  };
  struct Arrival {
    double cost = 0;
    int64_t peak = 0;
    const State *from = nullptr;
    PlanAction action;
    bool done = false;
  };
  using Key = std::pair<double, const State *>;

  static uint32_t bit(int32_t i) { return uint32_t(1) << i; }
  bool isReadable(const State &state, TensorId id) const {
    return state.readable & bit(id.index);
  }
  bool isOwned(TensorId base) const { return isCallerOwned(graph[base].kind); }

  State begin() const {
    State state;
    state.storage.assign(graph.tensors.size(), -1);
    state.contents.assign(graph.tensors.size(), 0);
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      TensorId id(i);
      if (index.producer(id))
        continue;
      state.readable |= bit(id.index);
      if (!graph[id].viewOf)
        state.storage[i] = graph[id].bytes;
    }
    return state;
  }

  bool isEnd(const State &state) const {
    if (state.ran != bit(static_cast<int32_t>(graph.nodes.size())) - 1)
      return false;
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      TensorId id(i);
      if (index.staysToTheEnd(id) &&
          (!isReadable(state, id) || state.contents[index.base(id).index] !=
                                         int(index.writersOf(id).size())))
        return false;
    }
    return true;
  }

  int64_t bytesOf(const State &state) const {
    int64_t bytes = graph.fixedBytes;
    for (int64_t storage : state.storage)
      bytes += std::max<int64_t>(storage, 0);
    return bytes;
  }

  /// The base can be read in the version that source order gives the node.
  bool hasVersion(const State &state, NodeId node, TensorId tensor) const {
    TensorId base = index.base(tensor);
    int written = 0;
    for (NodeId writer : index.writersOf(base))
      written += state.ran >> writer.index & 1;
    const int wanted = index.versionBefore(node, tensor);
    return isReadable(state, tensor) && written == wanted &&
           state.contents[base.index] == wanted;
  }

  /// The node may come next in this space; notes it in `after`.
  bool mayRun(const State &state, NodeId id, State &after) const {
    const Node &node = graph[id];
    const bool again = state.ran & bit(id.index);
    if (again && node.runsOnce())
      return false;
    for (int32_t n = 0; n < id.index; ++n)
      if (!(state.ran & bit(n)) &&
          ((node.keepsPlace() && graph.nodes[n].keepsPlace()) ||
           (space == OracleSpace::FixedOrder && !again && opOfNode[n] >= 0 &&
            opOfNode[id.index] >= 0)))
        return false;
    after.ran |= bit(id.index);
    const int32_t op = opOfNode[id.index];
    if (space != OracleSpace::Staged || op < 0)
      return true;
    if (again) {
      after.inStage = op;
      return op < state.stage && op > state.inStage;
    }
    after.stage = state.stage + 1;
    after.inStage = -1;
    return op == state.stage;
  }

  void forget(State &state, TensorId base) const {
    state.storage[base.index] = -1;
    for (TensorId member : index.aliasSet(base))
      state.readable &= ~bit(member.index);
  }

  bool mayOverwrite(const State &state, const Node &node,
                    const InPlacePair &pair) const {
    TensorId base = index.base(pair.input);
    const Tensor &owner = graph[base];
    const bool goes = isOwned(base)
                          ? owner.kind == TensorKind::Input && owner.donated
                          : owner.kind != TensorKind::Output;
    for (TensorId other : node.inputs)
      if (other != pair.input && index.base(other) == base)
        return false;
    return inPlace && goes &&
           state.storage[base.index] >= graph[pair.output].bytes;
  }

  /// Places the outputs from `next` on in every way; then views and writes.
  template <typename Visit>
  void place(const State &before, State after, PlanAction action,
             int64_t scratch, size_t next, Visit visit) const {
    const Node &node = graph[action.node];
    if (next == node.outputs.size())
      return finish(after, action, scratch, visit);
    TensorId output = node.outputs[next];
    PlanAction discarding = action;
    discarding.discard.push_back(output);
    const bool isView = graph[output].viewOf.has_value();
    place(before, after, discarding,
          scratch + (isView ? 0 : graph[output].bytes), next + 1, visit);
    if (isReadable(before, output))
      return;
    if (isView)
      return place(before, after, action, scratch, next + 1, visit);
    for (const InPlacePair &pair : node.inPlace) {
      TensorId base = index.base(pair.input);
      if (pair.output != output || after.storage[base.index] < 0 ||
          !mayOverwrite(before, node, pair))
        continue;
      State taken = after;
      const int64_t bytes = taken.storage[base.index];
      forget(taken, base);
      occupy(taken, output, bytes);
      PlanAction over = action;
      over.inPlace.push_back(pair);
      place(before, taken, over, scratch, next + 1, visit);
    }
    occupy(after, output, graph[output].bytes);
    place(before, after, action, scratch, next + 1, visit);
  }

  void occupy(State &state, TensorId output, int64_t bytes) const {
    state.storage[output.index] = bytes;
    state.contents[output.index] = 0;
    state.readable |= bit(output.index);
  }

  template <typename Visit>
  void finish(State after, const PlanAction &action, int64_t scratch,
              Visit visit) const {
    const Node &node = graph[action.node];
    for (TensorId output : node.outputs) {
      std::optional<TensorId> parent = graph[output].viewOf;
      if (!parent ||
          std::count(action.discard.begin(), action.discard.end(), output))
        continue;
      if (!isReadable(after, *parent))
        return;
      after.readable |= bit(output.index);
    }
    const int64_t peak = bytesOf(after) + scratch;
    // The versions of what is written were checked before the run.
    for (TensorId target : node.writes) {
      if (!isReadable(after, target))
        return;
      ++after.contents[index.base(target).index];
    }
    visit(after, action, peak);
  }

  template <typename Visit> void forEachRun(const State &state, Visit visit) {
    for (int32_t n = 0; n < int32_t(graph.nodes.size()); ++n) {
      NodeId id(n);
      const Node &node = graph[id];
      State after = state;
      auto good = [&](TensorId tensor) {
        return hasVersion(state, id, tensor);
      };
      auto goodTarget = [&](TensorId target) {
        return index.producer(target) == id || good(target);
      };
      if (!mayRun(state, id, after) ||
          !std::all_of(node.inputs.begin(), node.inputs.end(), good) ||
          !std::all_of(node.writes.begin(), node.writes.end(), goodTarget))
        continue;
      for (int32_t v = 0; v < node.numVariants(); ++v) {
        PlanAction action = PlanAction::compute(id);
        action.variant = v;
        place(state, after, action, node.variant(v).workspaceBytes, 0,
              [&](const State &next, const PlanAction &done, int64_t peak) {
                visit(next, done, peak, node.variant(v).cost);
              });
      }
    }
  }

  template <typename Visit>
  void forEachFree(const State &state, Visit visit) const {
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      TensorId base(i);
      if (state.storage[i] < 0 || (isOwned(base) && !graph[base].donated))
        continue;
      State after = state;
      forget(after, base);
      visit(after, PlanAction::free({base}));
    }
  }

  std::optional<Answer> search(int64_t budgetBytes, bool byPeak) {
    std::map<State, Arrival> states;
    std::priority_queue<Key, std::vector<Key>, std::greater<>> queue;
    auto reach = [&](const State &to, double cost, int64_t peak,
                     const State *from, const PlanAction &action) {
      if (peak > budgetBytes)
        return;
      auto [at, isNew] = states.try_emplace(to);
      Arrival &arrival = at->second;
      const bool better = byPeak ? peak < arrival.peak : cost < arrival.cost;
      if (arrival.done || (!isNew && !better))
        return;
      arrival = {cost, peak, from, action};
      queue.push({byPeak ? double(peak) : cost, &at->first});
    };
    const State start = begin();
    reach(start, 0, bytesOf(start), nullptr, {});
    while (!queue.empty()) {
      const State &state = *queue.top().second;
      queue.pop();
      Arrival &arrival = states.at(state);
      if (std::exchange(arrival.done, true))
        continue;
      if (isEnd(state))
        return Answer{arrival.cost, arrival.peak, trace(states, state)};
      forEachRun(state, [&](const State &next, const PlanAction &action,
                            int64_t peak, double cost) {
        reach(next, arrival.cost + cost, std::max(arrival.peak, peak), &state,
              action);
      });
      forEachFree(state, [&](const State &next, const PlanAction &action) {
        reach(next, arrival.cost, arrival.peak, &state, action);
      });
    }
    return std::nullopt;
  }

  static std::vector<PlanAction> trace(const std::map<State, Arrival> &states,
                                       const State &end) {
    std::vector<PlanAction> steps;
    for (const Arrival *at = &states.at(end); at->from;
         at = &states.at(*at->from))
      steps.push_back(at->action);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const GraphIndex &index;
  const Graph &graph;
  OracleSpace space;
  bool inPlace;
  std::vector<int32_t> opOfNode; ///< -1 for nodes that stages leave out.
};

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANORACLE_H
