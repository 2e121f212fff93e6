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
  std::optional<NodeId> maker = index.producer(tensor);
  if (maker && step.vanishes(*maker) &&
      viewedAt[tensor.index] != liveRange[index.base(tensor).index])
    return maker;
  return std::nullopt;
}

void ViewRuns::provide(TensorId tensor, std::vector<NodeId> &runs) {
  if (std::optional<NodeId> maker = findStale(tensor))
    chain.push_back(*maker);
  while (!chain.empty()) {
    NodeId maker = chain.back();
    std::optional<NodeId> before;
    for (TensorId input : index.graph()[maker].inputs)
      if (!before)
        before = findStale(input);
    if (before) {
      chain.push_back(*before);
      continue;
    }
    chain.pop_back();
    runs.push_back(maker);
    ran[maker.index] = true;
    for (TensorId output : index.graph()[maker].outputs)
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
      std::optional<NodeId> maker = index.producer(tensor);
      bool isUnread = true;
      for (NodeId reader : index.readers(tensor))
        isUnread &= step.vanishes(reader);
      if (maker && step.vanishes(*maker) && !ran[maker->index] && isUnread)
        provide(tensor, runs);
    }
}

void ViewRuns::provideOutputs(std::vector<NodeId> &runs) {
  const std::vector<Tensor> &tensors = index.graph().tensors;
  for (size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t].kind == TensorKind::Output)
      provide(TensorId(t), runs);
}
