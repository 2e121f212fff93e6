//===- GraphIndex.cpp - Facts derived from a checked graph ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

static void sortUnique(std::vector<TensorId> &ids) {
  llvm::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// The base of each tensor, in time linear in the number of tensors.
static std::vector<TensorId> findBases(const Graph &graph) {
  std::vector<TensorId> bases(graph.tensors.size());
  std::vector<TensorId> path;
  for (size_t i = 0; i < bases.size(); ++i) {
    TensorId at(i);
    path.clear();
    while (!bases[at.index].isValid() && graph[at].viewOf) {
      path.push_back(at);
      at = *graph[at].viewOf;
    }
    TensorId base = bases[at.index].isValid() ? bases[at.index] : at;
    bases[at.index] = base;
    for (TensorId view : path)
      bases[view.index] = base;
  }
  return bases;
}

GraphIndex::GraphIndex(const Graph &graph)
    : owner(&graph), producers(graph.tensors.size()),
      userLists(graph.tensors.size()), bases(findBases(graph)),
      aliasSets(graph.tensors.size()), writers(graph.tensors.size()),
      kept(graph.tensors.size(), false) {
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i), base = bases[i];
    // The base stands first whatever its index.
    if (id != base && aliasSets[base.index].empty())
      aliasSets[base.index].push_back(base);
    if (id != base || aliasSets[base.index].empty())
      aliasSets[base.index].push_back(id);
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (TensorId output : graph.nodes[n].outputs)
      producers[output.index] = NodeId(n);
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    addNode(NodeId(n));
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (staysToTheEnd(TensorId(i)) && producers[bases[i].index])
      kept[bases[i].index] = true;
}

void GraphIndex::addNode(NodeId id) {
  const Node &node = (*owner)[id];
  std::vector<TensorId> used, made;
  for (TensorId input : node.inputs) {
    std::vector<NodeId> &users = userLists[input.index];
    if (users.empty() || users.back() != id)
      users.push_back(id);
    used.push_back(bases[input.index]);
  }
  for (TensorId target : node.writes) {
    writers[bases[target.index].index].push_back(id);
    used.push_back(bases[target.index]);
  }
  for (TensorId output : node.outputs) {
    TensorId base = bases[output.index];
    if (base == output)
      made.push_back(output);
    else if (producers[base.index] != id)
      used.push_back(base);
  }
  sortUnique(used);
  sortUnique(made);
  usedLists.insert(usedLists.end(), used.begin(), used.end());
  madeLists.insert(madeLists.end(), made.begin(), made.end());
  usedEnds.push_back(usedLists.size());
  madeEnds.push_back(madeLists.size());
}

bool GraphIndex::staysToTheEnd(TensorId id) const {
  const Tensor &tensor = (*owner)[id];
  switch (tensor.kind) {
  case TensorKind::Parameter:
  case TensorKind::State:
  case TensorKind::Output:
    return true;
  case TensorKind::Input:
    return !tensor.donated;
  case TensorKind::Activation:
  case TensorKind::Gradient:
    return false;
  }
  llvm_unreachable("unknown tensor kind");
}

int32_t GraphIndex::versionBefore(NodeId node, TensorId input) const {
  const std::vector<NodeId> &list = writers[base(input).index];
  return static_cast<int32_t>(llvm::lower_bound(list, node) - list.begin());
}

} // namespace memplan
