//===- EarlyUpdates.cpp - Updates where they free most --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: what frameworks do that fuse the optimizer into the backward pass.
// Idea: a node that only writes the caller's tensors, as an optimizer's update
//   does, runs as soon as its gradient is made and the old version has no
//   later uses, nor would have them if the forward pass is recomputed.
//   Programs have all updates at their end, so that all gradients live until
//   then.
// Cost: linear.
// Guarantee: a legal order; without recomputation no more live bytes at any
//   run than in source order. Any forward user of an old version may still
//   run again for the last user of what it makes; recomputations further back
//   that read it have to come before the update, as the plan verifier sees to.
//
//===----------------------------------------------------------------------===//

#include "EarlyUpdates.h"
#include "memplan/Schedule/Liveness.h"
#include <algorithm>
#include <tuple>

using namespace memplan;

namespace {
/// Walks the nodes in source order and anchors each to the place after which it
/// may run: its own, or that of an earlier node.
class Anchors {
public:
  explicit Anchors(const GraphIndex &index)
      : index(index), graph(index.graph()), made(graph.tensors.size(), -1),
        used(graph.tensors.size(), -1), written(graph.tensors.size(), -1),
        lastUse(graph.tensors.size(), -1) {
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      for (TensorId base : index.usedBases(NodeId(n)))
        lastUse[base.index] = static_cast<int32_t>(n);
  }

  std::vector<NodeId> order();

private:
  int32_t earliest(NodeId node) const;
  bool mayMove(NodeId node) const;
  int32_t lastRecomputation(NodeId node) const;
  void note(NodeId node, int32_t anchor);

  const GraphIndex &index;
  const Graph &graph;
  std::vector<int32_t> made; ///< By tensor: anchor of its producer.
  /// By base: latest anchor so far. What may run again for a later user uses
  /// its operands until then.
  std::vector<int32_t> used, written;
  std::vector<int32_t> lastUse; ///< By base: the last node that uses it.
};
} // namespace

/// Whether the node makes nothing, and what it reads may end with it.
bool Anchors::mayMove(NodeId id) const {
  const Node &node = graph[id];
  if (node.writes.empty() || !node.outputs.empty() || node.keepsPlace())
    return false;
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](TensorId input) {
                       const TensorId base = index.base(input);
                       return index.producer(base) && !index.isKept(base);
                     });
}

int32_t Anchors::earliest(NodeId id) const {
  const Node &node = graph[id];
  int32_t anchor = -1;
  for (TensorId input : node.inputs)
    anchor = std::max(anchor, made[input.index]);
  for (TensorId base : index.usedBases(id))
    anchor = std::max(anchor, written[base.index]);
  for (TensorId tensor : node.writes)
    anchor =
        std::max({anchor, made[tensor.index], used[index.base(tensor).index]});
  return anchor;
}

/// Before which node it might run again at the latest. Outputs of the step are
/// never dropped, and gradients seldom recomputed.
int32_t Anchors::lastRecomputation(NodeId id) const {
  int32_t last = -1;
  if (!graph[id].backward && !graph[id].runsOnce())
    for (TensorId base : index.madeBases(id))
      if (!index.isKept(base))
        last = std::max(last, lastUse[base.index]);
  return last;
}

void Anchors::note(NodeId id, int32_t anchor) {
  const Node &node = graph[id];
  for (TensorId output : node.outputs)
    made[output.index] = anchor;
  const int32_t until = std::max(anchor, lastRecomputation(id));
  for (TensorId base : index.usedBases(id))
    used[base.index] = std::max(used[base.index], until);
  for (TensorId tensor : node.writes)
    written[index.base(tensor).index] = anchor;
}

std::vector<NodeId> Anchors::order() {
  // (anchor, source order): a node that moves comes after the one that it is
  // anchored to, which is earlier in the source.
  std::vector<std::pair<int32_t, int32_t>> places;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const auto here = static_cast<int32_t>(n);
    const int32_t anchor =
        mayMove(NodeId(n)) ? std::clamp(earliest(NodeId(n)), 0, here) : here;
    note(NodeId(n), anchor);
    places.push_back({anchor, here});
  }
  std::sort(places.begin(), places.end());
  std::vector<NodeId> order;
  for (auto [anchor, node] : places)
    order.push_back(NodeId(node));
  return order;
}

llvm::Expected<OrderPlan>
memplan::solveEarlyUpdates(const OrderProblem &problem, const SolveLimits &) {
  OrderPlan plan;
  plan.order = Anchors(*problem.index).order();
  return plan;
}
