//===- GraphCheck.cpp - Structural checks of a graph ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartChecks.h"
#include "memplan/Graph/Graph.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace memplan {
/// Sums of sizes stay far enough below the end of int64_t that replaying a plan
/// cannot overflow.
static constexpr int64_t maxTotalBytes = int64_t(1) << 61;
static constexpr double maxTotalCost = 1e100;

static Error invalid(StringRef id, const Twine &text) {
  return toError(Violation{id.str(), text.str()});
}

namespace {
/// Checks a graph of which nothing is known yet. Later checks rely on earlier
/// ones.
class GraphChecker {
public:
  explicit GraphChecker(const Graph &graph)
      : graph(graph), producerOf(graph.tensors.size(), -1),
        positionOf(graph.tensors.size(), -1), baseOf(graph.tensors.size(), -1) {
  }

  Error check();

private:
  Error checkTensorNumbers() const;
  Error checkNodeNumbers(NodeId id) const;
  Error checkNodeIds(NodeId id) const;
  Error checkTotalBytes() const;
  Error checkTotalCost() const;
  Error checkUniqueIds() const;
  Error findBases();
  Error findProducers();
  Error checkOwners() const;
  Error checkViewMade(TensorId view) const;
  Error checkInputs(NodeId id) const;
  Error checkInPlace(NodeId id) const;
  Error checkWrites(NodeId id) const;

  bool isTensor(TensorId id) const {
    return id.index >= 0 &&
           static_cast<size_t>(id.index) < graph.tensors.size();
  }
  /// True if `tensor` exists when node `node` starts.
  bool existsBefore(TensorId tensor, NodeId node) const {
    return producerOf[tensor.index] < node.index;
  }

  const Graph &graph;
  std::vector<int32_t> producerOf; ///< -1: none.
  std::vector<int32_t> positionOf; ///< Among its producer's outputs.
  std::vector<int32_t> baseOf;
};
} // namespace

static Error checkBandwidth(const Bandwidth &bandwidth) {
  for (std::optional<double> rate :
       {bandwidth.hostToDevice, bandwidth.deviceToHost})
    if (rate && (!std::isfinite(*rate) || *rate <= 0))
      return invalid("graph_i1", "bandwidth must be positive, not " +
                                     Twine(std::to_string(*rate)));
  if (!std::isfinite(bandwidth.latency) || bandwidth.latency < 0)
    return invalid("graph_i1", "latency must not be negative: " +
                                   Twine(std::to_string(bandwidth.latency)));
  return Error::success();
}

Error GraphChecker::checkTensorNumbers() const {
  if (graph.fixedBytes < 0)
    return invalid("graph_i1",
                   "fixed_bytes is negative: " + Twine(graph.fixedBytes));
  if (graph.hostBudgetBytes && *graph.hostBudgetBytes < 0)
    return invalid("graph_i1", "host_budget_bytes is negative: " +
                                   Twine(*graph.hostBudgetBytes));
  if (graph.bandwidth)
    if (Error error = checkBandwidth(*graph.bandwidth))
      return error;
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i);
    if (graph[id].bytes < 0)
      return invalid("graph_i1", describe(graph, id) + " has negative bytes: " +
                                     Twine(graph[id].bytes));
    if (graph[id].viewOf && !isTensor(*graph[id].viewOf))
      return invalid("graph_i1",
                     describe(graph, id) + " is a view of no tensor");
  }
  return Error::success();
}

static Error checkVariant(const Graph &graph, NodeId id, double cost,
                          int64_t workspaceBytes) {
  if (!std::isfinite(cost) || cost < 0)
    return invalid("graph_i1",
                   describe(graph, id) +
                       " has a cost that is negative or not finite: " +
                       std::to_string(cost));
  if (workspaceBytes < 0)
    return invalid("graph_i1", describe(graph, id) +
                                   " has negative workspace_bytes: " +
                                   Twine(workspaceBytes));
  return Error::success();
}

Error GraphChecker::checkNodeNumbers(NodeId id) const {
  const Node &node = graph[id];
  if (Error error = checkVariant(graph, id, node.cost, node.workspaceBytes))
    return error;
  for (const NodeVariant &variant : node.variants)
    if (Error error =
            checkVariant(graph, id, variant.cost, variant.workspaceBytes))
      return error;
  if (node.flops < 0 || node.bytesMoved < 0)
    return invalid("graph_i1",
                   describe(graph, id) + " has negative flops or bytes_moved");
  return Error::success();
}

Error GraphChecker::checkNodeIds(NodeId id) const {
  const Node &node = graph[id];
  auto all = [&](ArrayRef<TensorId> list) {
    return llvm::all_of(list, [&](TensorId t) { return isTensor(t); });
  };
  bool pairs = llvm::all_of(node.inPlace, [&](const InPlacePair &pair) {
    return isTensor(pair.output) && isTensor(pair.input);
  });
  if (!all(node.inputs) || !all(node.outputs) || !all(node.writes) || !pairs)
    return invalid("graph_i1",
                   describe(graph, id) + " names a tensor that does not exist");
  return Error::success();
}

Error GraphChecker::checkTotalBytes() const {
  int64_t total = 0;
  auto add = [&](int64_t bytes) {
    return bytes > maxTotalBytes ||
           __builtin_add_overflow(total, bytes, &total) ||
           total > maxTotalBytes;
  };
  bool tooMany = add(graph.fixedBytes);
  for (const Tensor &tensor : graph.tensors)
    tooMany = tooMany || add(tensor.bytes);
  for (const Node &node : graph.nodes) {
    tooMany = tooMany || add(node.workspaceBytes);
    for (const NodeVariant &variant : node.variants)
      tooMany = tooMany || add(variant.workspaceBytes);
  }
  if (tooMany)
    return invalid("graph_i7",
                   "tensors, workspaces and fixed_bytes add up to more than " +
                       Twine(maxTotalBytes) + " bytes");
  return Error::success();
}

static std::string asText(double value) {
  std::string text;
  raw_string_ostream(text) << format("%g", value);
  return text;
}

Error GraphChecker::checkTotalCost() const {
  double total = 0, largest = 0;
  NodeId mostExpensive;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node &node = graph.nodes[n];
    double cost = node.cost;
    for (const NodeVariant &variant : node.variants)
      cost = std::max(cost, variant.cost);
    if (cost > largest) {
      largest = cost;
      mostExpensive = NodeId(n);
    }
    total += cost;
  }
  if (total <= maxTotalCost)
    return Error::success();
  return violation("graph_i8",
                   "costs add up to {0} microseconds, which is more than "
                   "{1}; the largest is {2}, of {3}",
                   asText(total), asText(maxTotalCost), asText(largest),
                   describe(graph, mostExpensive));
}

Error GraphChecker::checkUniqueIds() const {
  // Every int64_t may be an id, so that the map cannot have reserved keys.
  std::vector<int64_t> ids;
  for (const Tensor &tensor : graph.tensors)
    ids.push_back(tensor.externalId);
  llvm::sort(ids);
  if (auto twice = std::adjacent_find(ids.begin(), ids.end());
      twice != ids.end())
    return invalid("graph_i1", "duplicate tensor id " + Twine(*twice));
  ids.clear();
  for (const Node &node : graph.nodes)
    ids.push_back(node.externalId);
  llvm::sort(ids);
  if (auto twice = std::adjacent_find(ids.begin(), ids.end());
      twice != ids.end())
    return invalid("graph_i1", "duplicate node id " + Twine(*twice));
  return Error::success();
}

Error GraphChecker::findBases() {
  // Follows each chain of views to its end, marking what it passes.
  constexpr int32_t onPath = -2;
  std::vector<TensorId> path;
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId at(i);
    path.clear();
    while (baseOf[at.index] == -1 && graph[at].viewOf) {
      baseOf[at.index] = onPath;
      path.push_back(at);
      at = *graph[at].viewOf;
    }
    if (baseOf[at.index] == onPath)
      return invalid("graph_i4",
                     "the views of " + describe(graph, at) + " form a cycle");
    int32_t base = baseOf[at.index] == -1 ? at.index : baseOf[at.index];
    baseOf[at.index] = base;
    for (TensorId view : path)
      baseOf[view.index] = base;
  }
  return Error::success();
}

Error GraphChecker::findProducers() {
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const std::vector<TensorId> &outputs = graph.nodes[n].outputs;
    for (size_t k = 0; k < outputs.size(); ++k) {
      int32_t &producer = producerOf[outputs[k].index];
      if (producer >= 0)
        return invalid("graph_i2", describe(graph, outputs[k]) +
                                       " has two producers, " +
                                       describe(graph, NodeId(producer)) +
                                       " and " + describe(graph, NodeId(n)));
      producer = static_cast<int32_t>(n);
      positionOf[outputs[k].index] = static_cast<int32_t>(k);
    }
  }
  return Error::success();
}

Error GraphChecker::checkOwners() const {
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i), base(baseOf[i]);
    if (producerOf[i] < 0 && !isCallerOwned(graph[base].kind))
      return invalid("graph_i2", describe(graph, id) +
                                     " has no producer and is neither an "
                                     "input nor a parameter nor a state");
    if (producerOf[i] >= 0 && !graph[id].viewOf &&
        isCallerOwned(graph[id].kind))
      return invalid("graph_i2", describe(graph, id) +
                                     " belongs to the caller, but is made by " +
                                     describe(graph, NodeId(producerOf[i])));
    if (graph[id].viewOf)
      if (Error error = checkViewMade(id))
        return error;
  }
  return Error::success();
}

Error GraphChecker::checkViewMade(TensorId view) const {
  TensorId parent = *graph[view].viewOf;
  int32_t made = producerOf[view.index], before = producerOf[parent.index];
  // A node makes its own storages first, then its views in the order listed.
  bool sameNode = made >= 0 && made == before &&
                  (!graph[parent].viewOf ||
                   positionOf[parent.index] < positionOf[view.index]);
  if (before < 0 || before < made || sameNode)
    return Error::success();
  return invalid("graph_i4", describe(graph, view) + " is a view of " +
                                 describe(graph, parent) +
                                 ", which is made later");
}

Error GraphChecker::checkInputs(NodeId id) const {
  for (TensorId input : graph[id].inputs)
    if (!existsBefore(input, id))
      return invalid(
          "graph_i3",
          describe(graph, id) + " reads " + describe(graph, input) +
              ", which " +
              (producerOf[input.index] == id.index
                   ? std::string("it makes itself")
                   : describe(graph, NodeId(producerOf[input.index])) +
                         " makes later"));
  return Error::success();
}

Error GraphChecker::checkInPlace(NodeId id) const {
  const Node &node = graph[id];
  for (const InPlacePair &pair : node.inPlace) {
    if (producerOf[pair.output.index] != id.index)
      return invalid("graph_i5", "in_place of " + describe(graph, id) +
                                     " names " + describe(graph, pair.output) +
                                     ", which is not an output");
    if (!llvm::is_contained(node.inputs, pair.input))
      return invalid("graph_i5", "in_place of " + describe(graph, id) +
                                     " names " + describe(graph, pair.input) +
                                     ", which is not an input");
    if (graph[pair.output].viewOf)
      return invalid("graph_i5", "in_place of " + describe(graph, id) +
                                     " names " + describe(graph, pair.output) +
                                     ", which is a view");
  }
  return Error::success();
}

Error GraphChecker::checkWrites(NodeId id) const {
  const Node &node = graph[id];
  std::vector<int32_t> written;
  for (TensorId target : node.writes) {
    TensorId base(baseOf[target.index]);
    if (producerOf[target.index] > id.index || !existsBefore(base, id))
      return invalid("graph_i6", describe(graph, id) + " writes " +
                                     describe(graph, target) +
                                     " before it exists");
    if (graph[base].kind == TensorKind::Input && !graph[base].donated)
      return invalid("graph_i6", describe(graph, id) + " writes input " +
                                     describe(graph, base) +
                                     ", which is not donated");
    if (llvm::is_contained(written, base.index))
      return invalid("graph_i6", describe(graph, id) + " writes " +
                                     describe(graph, base) + " twice");
    written.push_back(base.index);
  }
  return Error::success();
}

Error GraphChecker::check() {
  if (Error error = checkTensorNumbers())
    return error;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (Error error = checkNodeNumbers(NodeId(n)))
      return error;
    if (Error error = checkNodeIds(NodeId(n)))
      return error;
  }
  if (Error error = checkUniqueIds())
    return error;
  if (Error error = checkTotalBytes())
    return error;
  if (Error error = checkTotalCost())
    return error;
  if (Error error = findBases())
    return error;
  if (Error error = findProducers())
    return error;
  if (Error error = checkOwners())
    return error;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (Error error = checkInputs(NodeId(n)))
      return error;
    if (Error error = checkInPlace(NodeId(n)))
      return error;
    if (Error error = checkWrites(NodeId(n)))
      return error;
  }
  return Error::success();
}

Error Graph::check() const {
  if (Error error = GraphChecker(*this).check())
    return error;
  return checkParts(*this);
}

} // namespace memplan
