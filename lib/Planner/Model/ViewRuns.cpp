//===- ViewRuns.cpp - When nodes that only make views run -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Model/ViewRuns.h"

using namespace memplan;

ViewRuns::ViewRuns(const ContractedStep &step)
    : step(step), index(step.index()),
      liveRange(index.graph().tensors.size(), 0),
      viewedAt(index.graph().tensors.size(), -1),
      ran(index.graph().nodes.size(), false) {}

/// The node that has to make the view again, if any.
std::optional<NodeId> ViewRuns::findStale(TensorId tensor) const {
  std::optional<NodeId> producer = index.producer(tensor);
  if (producer && step.vanishes(*producer) &&
      viewedAt[tensor.index] != liveRange[index.base(tensor).index])
    return producer;
  return std::nullopt;
}

void ViewRuns::provide(TensorId tensor, std::vector<NodeId> &runs) {
  if (std::optional<NodeId> producer = findStale(tensor))
    chain.push_back(*producer);
  while (!chain.empty()) {
    NodeId producer = chain.back();
    std::optional<NodeId> before;
    for (TensorId input : index.graph()[producer].inputs)
      if (!before)
        before = findStale(input);
    if (before) {
      chain.push_back(*before);
      continue;
    }
    chain.pop_back();
    runs.push_back(producer);
    ran[producer.index] = true;
    for (TensorId output : index.graph()[producer].outputs)
      viewedAt[output.index] = liveRange[index.base(output).index];
  }
}

void ViewRuns::provideInputs(NodeId node, std::vector<NodeId> &runs) {
  for (TensorId tensor : index.graph()[node].inputs)
    provide(tensor, runs);
  for (TensorId tensor : index.graph()[node].writes)
    provide(tensor, runs);
}

void ViewRuns::provideUnread(int32_t op, std::vector<NodeId> &runs) {
  for (int32_t value : step.ops()[op].outputs)
    for (TensorId tensor : index.aliasSet(step.values()[value].tensor)) {
      std::optional<NodeId> producer = index.producer(tensor);
      bool isUnread = true;
      for (NodeId user : index.users(tensor))
        isUnread &= step.vanishes(user);
      if (producer && step.vanishes(*producer) && !ran[producer->index] &&
          isUnread)
        provide(tensor, runs);
    }
}

void ViewRuns::provideOutputs(std::vector<NodeId> &runs) {
  const std::vector<Tensor> &tensors = index.graph().tensors;
  for (size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t].kind == TensorKind::Output)
      provide(TensorId(t), runs);
}
