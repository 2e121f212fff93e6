//===- HostableTensors.cpp - What may live on the host between steps ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/SearchProblem.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace memplan;

std::vector<TensorId> memplan::hostableTensors(const GraphIndex &index) {
  const Graph &graph = index.graph();
  std::vector<bool> isUsed(graph.tensors.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (TensorId base : index.usedBases(NodeId(n)))
      isUsed[base.index] = true;
  std::vector<TensorId> tensors;
  for (size_t t = 0; t < graph.tensors.size(); ++t) {
    const TensorId id(t);
    const TensorKind kind = graph[id].kind;
    if ((kind == TensorKind::Parameter || kind == TensorKind::State) &&
        !index.producer(id) && !graph[id].viewOf && isUsed[t] &&
        graph[id].bytes > 0 && index.aliasSet(id).size() == 1)
      tensors.push_back(id);
  }
  auto key = [&](TensorId id) {
    return std::tuple(graph[id].kind == TensorKind::Parameter, -graph[id].bytes,
                      id.index);
  };
  llvm::sort(tensors, [&](TensorId a, TensorId b) { return key(a) < key(b); });
  return tensors;
}
