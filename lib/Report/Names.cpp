//===- Names.cpp - What a report calls things -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/ReportData.h"

using namespace memplan;

const char *memplan::originName(RangeOrigin origin) {
  switch (origin) {
  case RangeOrigin::Caller:
    return "caller";
  case RangeOrigin::Computed:
    return "computed";
  case RangeOrigin::Recomputed:
    return "recomputed";
  case RangeOrigin::Fetched:
    return "fetched";
  case RangeOrigin::Evicted:
    return "evicted";
  }
  return "";
}

/// Whether the forward pass makes it, or one of its views, for the backward
/// pass to read.
static bool crossesIntoBackward(const GraphIndex &index, TensorId base) {
  const Graph &graph = index.graph();
  const std::optional<NodeId> producer = index.producer(base);
  if (!producer || graph[*producer].backward)
    return false;
  for (TensorId member : index.aliasSet(base))
    for (NodeId user : index.users(member))
      if (graph[user].backward)
        return true;
  return false;
}

const char *memplan::categoryOf(const GraphIndex &index,
                                const ReportRange &range) {
  if (range.kind != PlacementKind::Tensor)
    return "scratch";
  switch (index.graph()[range.tensor].kind) {
  case TensorKind::Parameter:
    return "parameters";
  case TensorKind::State:
    return "states";
  case TensorKind::Input:
    return "inputs";
  default:
    break;
  }
  if (index.isKept(range.tensor))
    return "outputs";
  if (range.origin == RangeOrigin::Recomputed)
    return "recomputed";
  if (range.origin == RangeOrigin::Fetched)
    return "fetched";
  if (index.graph()[range.tensor].kind == TensorKind::Gradient)
    return "gradients";
  return crossesIntoBackward(index, range.tensor) ? "kept for backward"
                                                  : "temporaries";
}

std::string memplan::moduleOf(const Graph &graph, NodeId id) {
  const Node &node = graph[id];
  return node.locations.empty() ? std::string() : node.locations.front();
}

std::string memplan::moduleOf(const GraphIndex &index, TensorId id) {
  if (const std::optional<NodeId> producer = index.producer(id))
    return moduleOf(index.graph(), *producer);
  const std::string &name = index.graph()[id].name;
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? std::string() : name.substr(0, dot);
}

std::string memplan::titleOf(const GraphIndex &index, TensorId id) {
  const Graph &graph = index.graph();
  const Tensor &tensor = graph[id];
  if (!tensor.name.empty())
    return tensor.name;
  const std::optional<NodeId> producer = index.producer(id);
  if (!producer)
    return "tensor " + std::to_string(tensor.externalId);
  const std::string module = moduleOf(graph, *producer);
  const std::string &op = graph[*producer].name;
  return (module.empty() ? op : module + " " + op) + " #" +
         std::to_string(tensor.externalId);
}
