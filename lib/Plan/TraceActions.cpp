//===- TraceActions.cpp - From a trace to actions on a graph --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <unordered_map>

using namespace memplan;
using llvm::createStringError;
using llvm::Twine;

namespace {
/// Numbers of a trace as those of a graph.
class TraceLinks {
public:
  TraceLinks(const Graph &graph) : graph(graph) {
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      nodes.emplace(graph.nodes[n].externalId, NodeId(n));
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      if (isCallerOwned(graph.tensors[i].kind) && !graph.tensors[i].viewOf)
        arguments.push_back(TensorId(i));
  }

  llvm::Error link(const TraceTensor &tensor);
  llvm::Expected<NodeId> node(int64_t externalId) const {
    auto found = nodes.find(externalId);
    if (found == nodes.end())
      return createStringError("the trace runs node " + Twine(externalId) +
                               ", which the graph does not have");
    return found->second;
  }
  TensorId tensor(int64_t id) const { return tensors.at(id); }

private:
  const Graph &graph;
  std::unordered_map<int64_t, NodeId> nodes;
  std::unordered_map<int64_t, TensorId> tensors;
  std::vector<TensorId> arguments;
};
} // namespace

llvm::Error TraceLinks::link(const TraceTensor &tensor) {
  const std::vector<TensorId> *among = &arguments;
  if (tensor.node >= 0) {
    llvm::Expected<NodeId> producer = node(tensor.node);
    if (!producer)
      return producer.takeError();
    among = &graph[*producer].outputs;
  }
  if (size_t(tensor.output) >= among->size())
    return createStringError(
        "tensor " + Twine(tensor.id) + " of the trace is " +
        (tensor.node < 0 ? "argument " : "output ") + Twine(tensor.output) +
        (tensor.node < 0 ? Twine() : " of node " + Twine(tensor.node)) +
        ", but the graph has " + Twine(among->size()));
  const TensorId id = (*among)[size_t(tensor.output)];
  if (!graph[id].viewOf && graph[id].bytes != tensor.bytes)
    return createStringError("tensor " + Twine(tensor.id) +
                             " of the trace has " + Twine(tensor.bytes) +
                             " bytes, but " + describe(graph, id) + " has " +
                             Twine(graph[id].bytes));
  tensors.emplace(tensor.id, id);
  return llvm::Error::success();
}

namespace {
/// Runtimes run nothing for a node that only makes views, so that their traces
/// have no such node. Each is run right after what it looks into is made for
/// the first time, and again before a read where that has been made anew.
class ViewInserter {
public:
  ViewInserter(const GraphIndex &index, std::vector<PlanAction> actions)
      : index(index), graph(index.graph()), given(std::move(actions)),
        isSilent(graph.nodes.size()), hasRun(graph.nodes.size()),
        isThere(graph.tensors.size()) {
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      isSilent[n] = onlyMakesViews(graph.nodes[n]);
    for (const PlanAction &action : given)
      if (action.action == ActionKind::Compute)
        isSilent[size_t(action.node.index)] = false;
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      isThere[i] = !index.producer(TensorId(i));
  }

  std::vector<PlanAction> insert() {
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      lookInto(NodeId(n));
    for (PlanAction &action : given) {
      if (action.action == ActionKind::Free)
        for (TensorId freed : action.tensors)
          for (TensorId alias : index.aliasSet(index.base(freed)))
            isThere[size_t(alias.index)] = false;
      if (action.action != ActionKind::Compute) {
        result.push_back(std::move(action));
        continue;
      }
      const NodeId node = action.node;
      for (TensorId input : graph[node].inputs)
        provide(input);
      result.push_back(std::move(action));
      noteRun(node);
    }
    return std::move(result);
  }

private:
  bool onlyMakesViews(const Node &node) const {
    return !node.outputs.empty() && node.writes.empty() &&
           llvm::all_of(node.outputs, [&](TensorId id) {
             return graph[id].viewOf.has_value();
           });
  }
  bool canRun(NodeId node) const {
    return llvm::all_of(graph[node].inputs,
                        [&](TensorId id) { return isThere[size_t(id.index)]; });
  }
  void lookInto(NodeId node) {
    if (!isSilent[size_t(node.index)] || hasRun[size_t(node.index)] ||
        !canRun(node))
      return;
    result.push_back(PlanAction::compute(node));
    noteRun(node);
  }
  /// Chains of views are as long as programs make them, which is a few.
  void provide(TensorId id) {
    const std::optional<NodeId> producer = index.producer(id);
    if (isThere[size_t(id.index)] || !producer ||
        !isSilent[size_t(producer->index)])
      return;
    for (TensorId input : graph[*producer].inputs)
      provide(input);
    if (!canRun(*producer))
      return; // For the verifier to say.
    PlanAction again = PlanAction::compute(*producer);
    for (TensorId output : graph[*producer].outputs)
      if (isThere[size_t(output.index)])
        again.discard.push_back(output);
    result.push_back(std::move(again));
    noteRun(*producer);
  }
  void noteRun(NodeId node) {
    hasRun[size_t(node.index)] = true;
    for (TensorId output : graph[node].outputs)
      isThere[size_t(output.index)] = true;
    for (TensorId output : graph[node].outputs)
      for (NodeId user : index.users(output))
        lookInto(user);
  }

  const GraphIndex &index;
  const Graph &graph;
  std::vector<PlanAction> given, result;
  std::vector<bool> isSilent, hasRun; ///< By node.
  std::vector<bool> isThere;          ///< By tensor.
};
} // namespace

static PlanAction toAction(const TraceLinks &links, const TraceStep &step) {
  PlanAction action;
  action.action = step.action;
  for (auto [output, input] : step.inPlace)
    action.inPlace.push_back({links.tensor(output), links.tensor(input)});
  for (int64_t id : step.discard)
    action.discard.push_back(links.tensor(id));
  for (int64_t id : step.tensors)
    action.tensors.push_back(links.tensor(id));
  action.event = step.event;
  action.variant = step.variant;
  action.stream = step.stream;
  return action;
}

namespace {
/// A dynamic run may copy what its caller owns to the host and back. A plan
/// leaves that where the caller has it, so that these copies and the waits for
/// them are none of its actions.
class CallersCopies {
public:
  explicit CallersCopies(const Graph &graph) : graph(graph) {}

  bool contain(const PlanAction &action) {
    if (action.action == ActionKind::Wait)
      return action.event && events.count(*action.event) > 0;
    const bool isCopy = action.action == ActionKind::Evict ||
                        action.action == ActionKind::Fetch ||
                        action.action == ActionKind::DropHost;
    if (!isCopy || llvm::none_of(action.tensors, [&](TensorId id) {
          return isCallerOwned(graph[id].kind) && !graph[id].donated;
        }))
      return false;
    if (action.event)
      events.insert(*action.event);
    return true;
  }

private:
  const Graph &graph;
  std::set<int64_t> events;
};
} // namespace

llvm::Expected<std::vector<PlanAction>>
memplan::toActions(const GraphIndex &index, const Trace &trace) {
  const Graph &graph = index.graph();
  TraceLinks links(graph);
  for (const TraceTensor &tensor : trace.tensors)
    if (llvm::Error error = links.link(tensor))
      return std::move(error);
  std::vector<PlanAction> actions;
  CallersCopies callersCopies(graph);
  for (const TraceStep &step : trace.steps) {
    PlanAction action = toAction(links, step);
    if (callersCopies.contain(action))
      continue;
    if (step.action == ActionKind::Compute) {
      llvm::Expected<NodeId> node = links.node(step.node);
      if (!node)
        return node.takeError();
      action.node = *node;
      if (action.variant >= graph[*node].numVariants())
        return createStringError("the trace runs " + describe(graph, *node) +
                                 " in variant " + Twine(action.variant) +
                                 ", of which there are " +
                                 Twine(graph[*node].numVariants()));
    }
    // A view has no storage to give back, and an argument is its caller's.
    if (step.action == ActionKind::Free)
      llvm::erase_if(action.tensors, [&](TensorId id) {
        return graph[id].viewOf ||
               (isCallerOwned(graph[id].kind) && !graph[id].donated);
      });
    if (step.action != ActionKind::Free || !action.tensors.empty())
      actions.push_back(std::move(action));
  }
  return ViewInserter(index, std::move(actions)).insert();
}
