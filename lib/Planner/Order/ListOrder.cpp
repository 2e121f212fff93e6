//===- ListOrder.cpp - An order of few live bytes -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: list scheduling. Of the nodes that may run next, take the one after
//   which least bytes are live: it makes little, or is the last to read much.
//   The first in source order of equals.
// Cost: O(nodes * nodes that may run next * arity).
// Guarantee: an order that keeps versions and places, and whose peak is not
//   above that of source order.
//
//===----------------------------------------------------------------------===//

#include "ListOrder.h"
#include "Tuning.h"
#include "memplan/Schedule/Liveness.h"
#include "memplan/Schedule/ScheduleChecker.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class ListScheduler {
public:
  explicit ListScheduler(const GraphIndex &index)
      : index(index), graph(index.graph()), checker(index),
        users(graph.tensors.size(), 0), usersOf(graph.tensors.size()) {
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      for (TensorId base : index.usedBases(NodeId(n))) {
        ++users[base.index];
        if (!index.writersOf(base).empty())
          usersOf[base.index].push_back(NodeId(n));
      }
  }

  /// Empty where it comes to a dead end.
  std::vector<NodeId> run() {
    std::vector<NodeId> order;
    std::vector<NodeId> waiting;
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      waiting.push_back(NodeId(n));
    while (!waiting.empty()) {
      // Far nodes of a long program rarely may run; those that stand first do.
      const size_t most = std::min(waiting.size(), tuning::mostCompared);
      std::optional<size_t> best;
      int64_t least = 0;
      for (size_t i = 0; i < most; ++i) {
        if (checker.findObstacle(waiting[i]) || writesTooEarly(waiting[i]))
          continue;
        const int64_t bytes = growth(waiting[i]);
        if (!best || bytes < least) {
          best = i;
          least = bytes;
        }
      }
      if (!best) // What ran early has taken the place of what must come first.
        return {};
      NodeId node = waiting[*best];
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(*best));
      checker.run(node);
      for (TensorId base : index.usedBases(node))
        --users[base.index];
      order.push_back(node);
    }
    return order;
  }

private:
  /// A user of the version before has still to run.
  bool writesTooEarly(NodeId node) const {
    return llvm::any_of(graph[node].writes, [&](TensorId target) {
      const std::vector<NodeId> &list = usersOf[index.base(target).index];
      return llvm::any_of(list, [&](NodeId user) {
        return user.index < node.index && !checker.hasRun(user);
      });
    });
  }

  /// What is live after the node, less what was before.
  int64_t growth(NodeId node) const {
    int64_t bytes = 0;
    for (TensorId base : index.madeBases(node))
      if (users[base.index] > 0 || index.isKept(base))
        bytes += graph[base].bytes;
    for (TensorId base : index.usedBases(node)) {
      const bool isCallers = isCallerOwned(graph[base].kind);
      if (users[base.index] == 1 && !index.isKept(base) &&
          (!isCallers || graph[base].donated))
        bytes -= graph[base].bytes;
    }
    return bytes;
  }

  const GraphIndex &index;
  const Graph &graph;
  ScheduleChecker checker;
  std::vector<int32_t> users; ///< By base: nodes yet to run that use it.
  std::vector<std::vector<NodeId>> usersOf; ///< By base that is written.
};
} // namespace

llvm::Expected<OrderPlan> memplan::solveListOrder(const OrderProblem &problem,
                                                  const SolveLimits &) {
  OrderPlan plan;
  for (size_t n = 0; n < problem.index->graph().nodes.size(); ++n)
    plan.order.push_back(NodeId(n));
  Schedule listed{ListScheduler(*problem.index).run(), {}};
  // What runs early may shut out what needs an earlier version.
  if (llvm::Error error = verifySchedule(*problem.index, listed)) {
    llvm::consumeError(std::move(error));
    return plan;
  }
  const int64_t bytes = measureSchedule(*problem.index, listed, {}).peakBytes;
  if (bytes < measureUnplanned(*problem.index).peakBytes)
    plan.order = std::move(listed.runs);
  return plan;
}
