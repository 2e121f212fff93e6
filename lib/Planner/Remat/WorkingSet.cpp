//===- WorkingSet.cpp - What a single node needs --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Case CK-7: max over k of (M_k + sum of its inputs) bounds every budget from
// below, though not tightly.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/WorkingSet.h"
#include <algorithm>

using namespace memplan;

namespace {
class Measure {
public:
  Measure(const GraphIndex &index, bool inPlace)
      : index(index), graph(index.graph()), inPlace(inPlace) {
    always = graph.fixedBytes;
    for (const Tensor &tensor : graph.tensors)
      if (isCallerOwned(tensor.kind) && !tensor.viewOf && !tensor.donated)
        always += tensor.bytes;
  }

  WorkingSet ofNode(NodeId id) const {
    const Node &node = graph[id];
    WorkingSet set{always + node.workspaceBytes, id, {}};
    auto add = [&](TensorId tensor) {
      TensorId base = index.base(tensor);
      const bool resident =
          isCallerOwned(graph[base].kind) && !graph[base].donated;
      if (!resident && std::find(set.tensors.begin(), set.tensors.end(),
                                 base) == set.tensors.end()) {
        set.tensors.push_back(base);
        set.bytes += graph[base].bytes;
      }
    };
    for (TensorId tensor : node.inputs)
      add(tensor);
    for (TensorId tensor : node.writes)
      add(tensor);
    for (TensorId tensor : node.outputs)
      if (graph[tensor].viewOf || !takesStorage(node, tensor))
        add(tensor);
    return set;
  }

  WorkingSet ofEnd() const {
    WorkingSet set{always, std::nullopt, {}};
    std::vector<bool> counted(graph.tensors.size(), false);
    for (size_t t = 0; t < graph.tensors.size(); ++t) {
      TensorId base = index.base(TensorId(t));
      if (graph.tensors[t].kind != TensorKind::Output ||
          isCallerOwned(graph[base].kind) || counted[base.index])
        continue;
      counted[base.index] = true;
      set.tensors.push_back(base);
      set.bytes += graph[base].bytes;
    }
    return set;
  }

private:
  bool takesStorage(const Node &node, TensorId output) const {
    return inPlace &&
           std::any_of(node.inPlace.begin(), node.inPlace.end(),
                       [&](const InPlacePair &pair) {
                         return pair.output == output &&
                                graph[index.base(pair.input)].bytes ==
                                    graph[output].bytes;
                       });
  }

  const GraphIndex &index;
  const Graph &graph;
  bool inPlace;
  int64_t always = 0;
};
} // namespace

WorkingSet memplan::largestWorkingSet(const GraphIndex &index, bool inPlace) {
  Measure measure(index, inPlace);
  WorkingSet largest = measure.ofEnd();
  for (size_t n = 0; n < index.graph().nodes.size(); ++n)
    if (WorkingSet set = measure.ofNode(NodeId(n)); set.bytes > largest.bytes)
      largest = std::move(set);
  return largest;
}

std::optional<int64_t> memplan::leastWorkingBudget(const RematProblem &problem,
                                                   const RematSolver &solver,
                                                   const SolveLimits &limits,
                                                   int probes) {
  RematProblem probe = problem;
  std::optional<int64_t> works;
  auto tryBudget = [&](std::optional<int64_t> budget) {
    probe.budgetBytes = budget;
    llvm::Expected<RematPlan> plan = solve(probe, solver, limits);
    if (!plan) {
      llvm::consumeError(
          plan.takeError()); // A solver that does not apply finds no budget.
      return false;
    }
    if (plan->schedule.runs.empty() || (works && plan->peakBytes >= *works))
      return false;
    works = plan->peakBytes;
    return true;
  };
  if (!tryBudget(std::nullopt))
    return std::nullopt;
  int64_t fails = largestWorkingSet(*problem.index, problem.inPlace).bytes - 1;
  for (int i = 0; i < probes && *works - fails > 1; ++i) {
    int64_t middle = fails + (*works - fails) / 2;
    if (!tryBudget(middle))
      fails = middle;
    if (limits.stop && limits.stop->load())
      break;
  }
  return works;
}
