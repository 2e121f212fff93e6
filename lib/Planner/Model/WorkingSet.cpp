//===- WorkingSet.cpp - What a single node needs --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Case CK-7: max over k of (M_k + sum of its inputs) bounds every budget from
// below, though not tightly. Here for everything that the plan verifier
// accepts: any variant, outputs over inputs, donated inputs that are freed.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Model/WorkingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

std::vector<int64_t> memplan::largestStorageBytes(const GraphIndex &index) {
  const Graph &graph = index.graph();
  std::vector<int64_t> bytes;
  for (const Tensor &tensor : graph.tensors)
    bytes.push_back(tensor.viewOf ? 0 : tensor.bytes);
  // An input is made before the node runs, so that one walk suffices.
  for (const Node &node : graph.nodes)
    for (const InPlacePair &pair : node.inPlace)
      bytes[pair.output.index] = std::max(bytes[pair.output.index],
                                          bytes[index.base(pair.input).index]);
  return bytes;
}

bool memplan::mayTakeStorage(const GraphIndex &index, NodeId node,
                             const InPlacePair &pair,
                             llvm::ArrayRef<int64_t> storageBytes) {
  const Graph &graph = index.graph();
  TensorId source = index.base(pair.input);
  const Tensor &owner = graph[source];
  const bool mayGo = isCallerOwned(owner.kind)
                         ? owner.kind == TensorKind::Input && owner.donated
                         : owner.kind != TensorKind::Output;
  auto isSource = [&](TensorId tensor) {
    return tensor != pair.input && index.base(tensor) == source;
  };
  return mayGo && storageBytes[source.index] >= graph[pair.output].bytes &&
         llvm::none_of(graph[node].inputs, isSource);
}

namespace {
class Measure {
public:
  Measure(const GraphIndex &index, bool inPlace,
          llvm::ArrayRef<TensorId> hosted)
      : index(index), graph(index.graph()), inPlace(inPlace),
        storageBytes(largestStorageBytes(index)),
        isHosted(graph.tensors.size()) {
    for (TensorId tensor : hosted)
      isHosted[tensor.index] = true;
    always = graph.fixedBytes;
    for (size_t t = 0; t < graph.tensors.size(); ++t)
      if (!graph.tensors[t].viewOf && isAlways(TensorId(t)))
        always += graph.tensors[t].bytes;
  }

  /// At the first run of the node, when none of its outputs is live yet.
  WorkingSet ofNode(NodeId id) const {
    const Node &node = graph[id];
    WorkingSet set{always + node.leastWorkspaceBytes(), id, {}};
    for (TensorId tensor : node.inputs)
      add(set, tensor);
    for (TensorId tensor : node.writes)
      add(set, tensor);
    // A view that is discarded needs no base, so that bases which are only
    // looked into do not count.
    for (TensorId base : index.madeBases(id))
      add(set, base);
    if (inPlace)
      set.bytes -= sharedBytes(id);
    return set;
  }

  /// The caller's tensors are all there before the first run.
  WorkingSet ofBegin() const {
    WorkingSet set{always, std::nullopt, {}};
    for (size_t t = 0; t < graph.tensors.size(); ++t)
      if (isCallerOwned(graph.tensors[t].kind) && !isHosted[t])
        add(set, TensorId(t));
    return set;
  }

  WorkingSet ofEnd() const {
    WorkingSet set{always, std::nullopt, {}};
    for (size_t t = 0; t < graph.tensors.size(); ++t)
      if (index.staysToTheEnd(TensorId(t)) && !isHosted[t])
        add(set, TensorId(t));
    return set;
  }

private:
  /// Adds the base of a tensor, once and unless it is always there.
  void add(WorkingSet &set, TensorId tensor) const {
    TensorId base = index.base(tensor);
    if (isAlways(base) || llvm::is_contained(set.tensors, base))
      return;
    set.tensors.push_back(base);
    set.bytes += graph[base].bytes;
  }

  bool isAlways(TensorId base) const {
    return isCallerOwned(graph[base].kind) && !graph[base].donated &&
           !isHosted[base.index];
  }

  /// Bound of what outputs over inputs save. A storage that holds both in turn
  /// has the bytes of the larger, so that a pair saves the smaller; an output
  /// takes one storage and a storage one output.
  int64_t sharedBytes(NodeId id) const {
    const Node &node = graph[id];
    std::vector<std::pair<TensorId, int64_t>> byOutput, byInput;
    auto raise = [](auto &list, TensorId tensor, int64_t bytes) {
      auto at = llvm::find_if(
          list, [&](const auto &entry) { return entry.first == tensor; });
      if (at == list.end())
        list.push_back({tensor, bytes});
      else
        at->second = std::max(at->second, bytes);
    };
    for (const InPlacePair &pair : node.inPlace) {
      if (!mayTakeStorage(index, id, pair, storageBytes))
        continue;
      TensorId source = index.base(pair.input);
      const int64_t bytes =
          std::min(graph[pair.output].bytes, graph[source].bytes);
      raise(byOutput, pair.output, bytes);
      raise(byInput, source, bytes);
    }
    auto sum = [](const auto &list) {
      int64_t bytes = 0;
      for (const auto &entry : list)
        bytes += entry.second;
      return bytes;
    };
    return std::min(sum(byOutput), sum(byInput));
  }

  const GraphIndex &index;
  const Graph &graph;
  bool inPlace;
  std::vector<int64_t> storageBytes;
  std::vector<bool> isHosted; ///< By tensor.
  int64_t always = 0;
};
} // namespace

WorkingSet memplan::largestWorkingSet(const GraphIndex &index, bool inPlace,
                                      llvm::ArrayRef<TensorId> hosted) {
  Measure measure(index, inPlace, hosted);
  WorkingSet largest = measure.ofEnd();
  auto consider = [&](WorkingSet set) {
    if (set.bytes > largest.bytes)
      largest = std::move(set);
  };
  consider(measure.ofBegin());
  for (size_t n = 0; n < index.graph().nodes.size(); ++n)
    consider(measure.ofNode(NodeId(n)));
  return largest;
}
