//===- ContractedStep.cpp - The step as remat solvers see it --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Model/ContractedStep.h"
#include "memplan/Planner/Model/ViewRuns.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace memplan;

ContractedStep::ContractedStep(const GraphIndex &index, bool inPlace)
    : graphIndex(&index), allowInPlace(inPlace) {
  classifyNodes();
  makeOps();
  listDonated();
  noteKeptViews();
  limitRuns();
  orderVersions();
  orderPlaces();
  orderViews();
  for (StepOp &op : opList)
    for (std::vector<int32_t> *list : {&op.after, &op.before}) {
      llvm::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  markForward();
}

/// A node vanishes when it makes nothing but views of one storage of the step
/// that nothing overwrites, reads nothing else and may run at any time.
void ContractedStep::classifyNodes() {
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

void ContractedStep::makeOps() {
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
    StepOp &stepOp = opList.emplace_back();
    stepOp.node = NodeId(n);
    countOp(stepOp, node);
    for (TensorId tensor : node.outputs) {
      if (graph[tensor].viewOf)
        continue;
      valueOfBase[tensor.index] = numValues();
      stepOp.outputs.push_back(numValues());
      valueList.push_back({tensor, graph[tensor].bytes, op, {}});
    }
    linkOp(op);
  }
  StepOp &end = opList.emplace_back();
  for (int32_t v = 0; v < numValues(); ++v) {
    if (graphIndex->isKept(valueList[v].tensor)) {
      end.inputs.push_back(v);
      valueList[v].users.push_back(numOps() - 1);
    }
  }
  end.variants = {{0, 0}};
  if (!allowInPlace)
    return;
  const std::vector<int64_t> storageBytes = largestStorageBytes(*graphIndex);
  for (int32_t op = 0; op + 1 < numOps(); ++op)
    linkOverlaps(op, storageBytes);
}

/// Keeps the variants that no other one beats in cost and workspace.
void ContractedStep::countOp(StepOp &op, const Node &node) {
  std::vector<NodeVariant> all;
  for (int32_t v = 0; v < node.numVariants(); ++v)
    all.push_back(node.variant(v));
  llvm::sort(all, [](const NodeVariant &a, const NodeVariant &b) {
    return std::pair(a.cost, a.workspaceBytes) <
           std::pair(b.cost, b.workspaceBytes);
  });
  for (const NodeVariant &variant : all)
    if (op.variants.empty() ||
        variant.workspaceBytes < op.variants.back().workspaceBytes)
      op.variants.push_back(variant);
  op.cost = op.variants.front().cost;
  op.workspaceBytes = op.variants.front().workspaceBytes;
}

/// Inputs and in-place pairs of an op, in values.
void ContractedStep::linkOp(int32_t op) {
  const Graph &graph = graphIndex->graph();
  StepOp &stepOp = opList[op];
  const Node &node = graph[stepOp.node];
  auto read = [&](TensorId tensor) {
    int32_t value = valueOfBase[graphIndex->base(tensor).index];
    if (value >= 0 && valueList[value].producer != op)
      stepOp.inputs.push_back(value);
  };
  for (TensorId tensor : node.inputs)
    read(tensor);
  for (TensorId tensor : node.writes)
    read(tensor);
  for (TensorId tensor : node.outputs)
    if (graph[tensor].viewOf)
      read(tensor);
  std::sort(stepOp.inputs.begin(), stepOp.inputs.end());
  stepOp.inputs.erase(std::unique(stepOp.inputs.begin(), stepOp.inputs.end()),
                      stepOp.inputs.end());
  for (int32_t value : stepOp.inputs)
    valueList[value].users.push_back(op);
  if (!allowInPlace)
    return;
  for (const InPlacePair &pair : node.inPlace) {
    int32_t output = valueOfBase[pair.output.index];
    int32_t input = valueOfBase[graphIndex->base(pair.input).index];
    // What must be live at the end is never overwritten, nor what the node also
    // reads by another name.
    const bool readTwice = std::any_of(
        node.inputs.begin(), node.inputs.end(), [&](TensorId tensor) {
          return tensor != pair.input &&
                 graphIndex->base(tensor) == graphIndex->base(pair.input);
        });
    if (output >= 0 && input >= 0 && !readTwice &&
        valueList[output].bytes == valueList[input].bytes &&
        !graphIndex->isKept(valueList[input].tensor))
      stepOp.inPlace.push_back({output, input});
  }
}

void ContractedStep::linkOverlaps(int32_t op,
                                  llvm::ArrayRef<int64_t> storageBytes) {
  const Graph &graph = graphIndex->graph();
  StepOp &stepOp = opList[op];
  for (const InPlacePair &pair : graph[stepOp.node].inPlace) {
    TensorId source = graphIndex->base(pair.input);
    const int64_t saved =
        std::min(graph[pair.output].bytes, graph[source].bytes);
    if (saved > 0 &&
        mayTakeStorage(*graphIndex, stepOp.node, pair, storageBytes))
      stepOp.overlaps.push_back({valueOfBase[pair.output.index],
                                 valueOfBase[source.index], source, saved});
  }
}

void ContractedStep::listDonated() {
  const Graph &graph = graphIndex->graph();
  std::vector<int32_t> place(graph.tensors.size(), -1);
  for (size_t t = 0; t < graph.tensors.size(); ++t) {
    const Tensor &tensor = graph.tensors[t];
    if (!tensor.donated || tensor.viewOf || tensor.kind != TensorKind::Input)
      continue;
    place[t] = static_cast<int32_t>(donatedList.size());
    donatedList.push_back({TensorId(t), tensor.bytes, {}});
  }
  for (int32_t op = 0; op + 1 < numOps(); ++op)
    for (TensorId base : graphIndex->usedBases(opList[op].node))
      if (place[base.index] >= 0)
        donatedList[place[base.index]].users.push_back(op);
  // An output that is a view of it keeps it to the end.
  for (DonatedInput &input : donatedList)
    if (llvm::any_of(graphIndex->aliasSet(input.tensor), [&](TensorId member) {
          return graphIndex->staysToTheEnd(member);
        }))
      input.users.push_back(numOps() - 1);
}

int64_t ContractedStep::residentBytes() const {
  int64_t bytes = graphIndex->graph().persistentBytes();
  for (const DonatedInput &donated : donatedList)
    bytes -= donated.bytes;
  return bytes;
}

/// First runs of nodes that only make views may stand anywhere; here those that
/// did not vanish keep their places.
void ContractedStep::noteKeptViews() {
  const Graph &graph = graphIndex->graph();
  for (int32_t op = 0; op + 1 < numOps(); ++op) {
    const Node &node = graph[opList[op].node];
    const bool isViewOnly = !node.outputs.empty() && !node.runsOnce() &&
                            graphIndex->madeBases(opList[op].node).empty();
    const bool matters =
        !opList[op].inputs.empty() ||
        llvm::any_of(donatedList, [&](const DonatedInput &input) {
          return llvm::is_contained(input.users, op);
        });
    if (isViewOnly && matters)
      leftOutNote = "first runs elsewhere of " +
                    describe(graph, opList[op].node) +
                    ", which only makes views";
  }
}

void ContractedStep::limitRuns() {
  const Graph &graph = graphIndex->graph();
  opList.back().runsOnce = true;
  for (int32_t op = 0; op + 1 < numOps(); ++op) {
    const Node &node = graph[opList[op].node];
    opList[op].runsOnce |= node.runsOnce();
    if (llvm::any_of(node.outputs, [&](TensorId tensor) {
          return graph[tensor].viewOf.has_value();
        }))
      limitViewProducers(op);
  }
}

/// Views made here would die with a recomputation of their base, so that both
/// stay as they are.
void ContractedStep::limitViewProducers(int32_t op) {
  const Graph &graph = graphIndex->graph();
  auto runOnce = [&](int32_t limited) {
    StepOp &stepOp = opList[limited];
    if (!graph[stepOp.node].runsOnce() && !stepOp.outputs.empty())
      leftOutNote = "recomputations of " + describe(graph, stepOp.node) +
                    ", of which other nodes make views";
    stepOp.runsOnce = true;
  };
  runOnce(op);
  for (TensorId tensor : graph[opList[op].node].outputs) {
    const int32_t value = valueOfBase[graphIndex->base(tensor).index];
    if (graph[tensor].viewOf && value >= 0)
      runOnce(valueList[value].producer);
  }
}

void ContractedStep::putBefore(int32_t first, int32_t second) {
  opList[first].before.push_back(second);
  opList[second].after.push_back(first);
}

/// What uses a written tensor runs between the write that source order puts
/// before it and the next one; what makes it, before the first one.
void ContractedStep::orderVersions() {
  const Graph &graph = graphIndex->graph();
  std::vector<int32_t> writer(graph.tensors.size(), -1); ///< By base: latest.
  std::vector<std::vector<int32_t>> since(graph.tensors.size());
  for (int32_t op = 0; op + 1 < numOps(); ++op) {
    const Node &node = graph[opList[op].node];
    auto writes = [&](TensorId base) {
      return llvm::any_of(node.writes, [&](TensorId tensor) {
        return graphIndex->base(tensor) == base;
      });
    };
    for (TensorId base : graphIndex->usedBases(opList[op].node)) {
      if (graphIndex->writersOf(base).empty())
        continue;
      if (writer[base.index] >= 0)
        putBefore(writer[base.index], op);
      if (writes(base)) {
        for (int32_t user : since[base.index])
          putBefore(user, op);
        since[base.index].clear();
        writer[base.index] = op;
      } else {
        since[base.index].push_back(op);
      }
    }
    for (TensorId base : graphIndex->madeBases(opList[op].node)) {
      if (graphIndex->writersOf(base).empty())
        continue;
      if (writes(base)) { // Into what it makes itself.
        writer[base.index] = op;
        continue;
      }
      since[base.index].push_back(op);
      if (opList[op].outputs.size() > 1 && !opList[op].runsOnce)
        leftOutNote = "recomputations of " + describe(graph, opList[op].node) +
                      " after one of its outputs was overwritten";
    }
  }
}

/// Collectives and opaque nodes run in source order among themselves.
void ContractedStep::orderPlaces() {
  int32_t last = -1;
  for (int32_t op = 0; op + 1 < numOps(); ++op) {
    if (!graphIndex->graph()[opList[op].node].keepsPlace())
      continue;
    if (last >= 0)
      putBefore(last, op);
    last = op;
  }
}

/// A view that does not vanish is made before its users run.
void ContractedStep::orderViews() {
  const Graph &graph = graphIndex->graph();
  for (int32_t op = 0; op + 1 < numOps(); ++op) {
    const Node &node = graph[opList[op].node];
    auto need = [&](TensorId tensor) {
      std::optional<NodeId> producer = graphIndex->producer(tensor);
      if (graph[tensor].viewOf && producer && opOfNode[producer->index] >= 0 &&
          opOfNode[producer->index] != op)
        putBefore(opOfNode[producer->index], op);
    };
    for (const std::vector<TensorId> *list : {&node.inputs, &node.writes})
      for (TensorId tensor : *list)
        need(tensor);
    for (TensorId tensor : node.outputs)
      if (graph[tensor].viewOf)
        need(*graph[tensor].viewOf);
  }
}

/// The backward pass is what is marked so and what follows from it. What only
/// writes beside the forward pass, as batch norm's statistics do right behind
/// it, belongs to that, unless it stands where the backward pass has come back
/// to what it reads.
void ContractedStep::markForward() {
  const Graph &graph = graphIndex->graph();
  const int32_t end = numOps() - 1;
  std::vector<bool> backward(opList.size(), false), feeds = backward;
  auto producers = [&](int32_t op, auto visit) {
    for (int32_t value : opList[op].inputs)
      visit(valueList[value].producer);
  };
  for (int32_t op = 0; op < end; ++op) {
    backward[op] = graph[opList[op].node].backward;
    producers(op, [&](int32_t from) {
      backward[op] = backward[op] || backward[from];
    });
  }
  // By op: the first of the backward pass that follows from it.
  std::vector<int32_t> comesBack(opList.size(), end);
  for (int32_t op = end - 1; op >= 0; --op) {
    if (backward[op])
      comesBack[op] = op;
    producers(op, [&](int32_t from) {
      comesBack[from] = std::min(comesBack[from], comesBack[op]);
      feeds[from] = feeds[from] || feeds[op] || backward[op];
    });
  }
  const bool hasBackward = llvm::is_contained(backward, true);
  for (int32_t op = 0; op < end; ++op) {
    if (!feeds[op])
      producers(op, [&](int32_t from) {
        backward[op] = backward[op] || backward[from] || comesBack[from] < op;
      });
    StepOp &stepOp = opList[op];
    stepOp.forward = !backward[op];
    stepOp.feedsBackward =
        stepOp.forward &&
        (hasBackward ? feeds[op] : graph[stepOp.node].writes.empty());
  }
}

int32_t ContractedStep::variantOf(int32_t op, const NodeVariant &of) const {
  const std::vector<NodeVariant> &variants = opList[op].variants;
  int32_t variant = 0;
  while (variant + 1 < static_cast<int32_t>(variants.size()) &&
         variants[variant].workspaceBytes > of.workspaceBytes)
    ++variant;
  return variant;
}

int32_t ContractedStep::lastUser(int32_t value) const {
  const StepValue &stepValue = valueList[value];
  return stepValue.users.empty() ? stepValue.producer : stepValue.users.back();
}

Schedule ContractedStep::expand(llvm::ArrayRef<int32_t> sequence) const {
  Schedule schedule;
  schedule.runs.reserve(sequence.size());
  ViewRuns views(*this);
  std::vector<bool> ran(opList.size(), false);
  for (int32_t op : sequence) {
    NodeId node = opList[op].node;
    if (!node.isValid())
      break;
    views.provideInputs(node, schedule.runs);
    schedule.runs.push_back(node);
    for (int32_t value : opList[op].outputs)
      views.renew(valueList[value].tensor);
    if (!ran[op])
      views.provideUnread(op, schedule.runs);
    ran[op] = true;
  }
  views.provideOutputs(schedule.runs);
  return schedule;
}
