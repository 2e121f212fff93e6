//===- LeastBytes.cpp - What a single node needs, whatever the plan -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Claims.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

namespace {
/// Reasons about one node. Written for checking a claim, apart from the working
/// set that planners compute.
class NodeNeed {
public:
  NodeNeed(const GraphIndex &index, NodeId id)
      : index(index), graph(index.graph()), id(id) {
    for (const InPlacePair &pair : graph[id].inPlace)
      if (mayOverwrite(pair))
        pairs.push_back(pair);
  }

  int64_t bytes() const;

private:
  bool mayOverwrite(const InPlacePair &pair) const;
  int64_t largestStorage(TensorId base) const;
  int64_t saving(const InPlacePair &pair) const;
  int64_t largestSaving(ArrayRef<TensorId> outputs,
                        SmallVectorImpl<TensorId> &taken) const;
  int64_t largestSavingApart(ArrayRef<TensorId> outputs) const;

  const GraphIndex &index;
  const Graph &graph;
  NodeId id;
  SmallVector<InPlacePair> pairs; ///< Pairs that some plan could choose.
};
} // namespace

static bool isAlwaysThere(const Tensor &tensor) {
  return isCallerOwned(tensor.kind) && !tensor.donated;
}

std::vector<TensorId> basesRead(const GraphIndex &index, NodeId node) {
  const Node &its = index.graph()[node];
  std::vector<TensorId> bases;
  for (const std::vector<TensorId> *list : {&its.inputs, &its.writes})
    for (TensorId tensor : *list)
      if (!llvm::is_contained(bases, index.base(tensor)))
        bases.push_back(index.base(tensor));
  return bases;
}

bool NodeNeed::mayOverwrite(const InPlacePair &pair) const {
  TensorId base = index.base(pair.input);
  const Tensor &owner = graph[base];
  bool mayGo = owner.kind == TensorKind::Activation ||
               owner.kind == TensorKind::Gradient ||
               (owner.kind == TensorKind::Input && owner.donated);
  bool isReadOtherwise = llvm::any_of(graph[id].inputs, [&](TensorId other) {
    return other != pair.input && index.base(other) == base;
  });
  return mayGo && !isReadOtherwise &&
         graph[pair.output].bytes <= largestStorage(base);
}

/// A tensor may lie in a storage that is larger than itself: that of what it
/// was put over, and so on.
int64_t NodeNeed::largestStorage(TensorId base) const {
  int64_t largest = graph[base].bytes;
  std::vector<TensorId> todo = {base};
  DenseSet<TensorId> seen = {base};
  for (size_t i = 0; i < todo.size(); ++i) {
    std::optional<NodeId> producer = index.producer(todo[i]);
    if (!producer)
      continue;
    for (const InPlacePair &pair : graph[*producer].inPlace) {
      TensorId source = index.base(pair.input);
      if (pair.output != todo[i] || !seen.insert(source).second)
        continue;
      largest = std::max(largest, graph[source].bytes);
      todo.push_back(source);
    }
  }
  return largest;
}

/// An output over a smaller tensor needs a storage of its own size all the
/// same.
int64_t NodeNeed::saving(const InPlacePair &pair) const {
  return std::min(graph[index.base(pair.input)].bytes,
                  graph[pair.output].bytes);
}

/// The most bytes that the outputs can save by lying over inputs that none of
/// the earlier ones has taken.
int64_t NodeNeed::largestSaving(ArrayRef<TensorId> outputs,
                                SmallVectorImpl<TensorId> &taken) const {
  if (outputs.empty())
    return 0;
  int64_t best = largestSaving(outputs.drop_front(), taken);
  for (const InPlacePair &pair : pairs) {
    TensorId base = index.base(pair.input);
    if (pair.output != outputs.front() || llvm::is_contained(taken, base))
      continue;
    taken.push_back(base);
    best = std::max(best,
                    saving(pair) + largestSaving(outputs.drop_front(), taken));
    taken.pop_back();
  }
  return best;
}

/// As if each output could choose alone: never less than largestSaving().
int64_t NodeNeed::largestSavingApart(ArrayRef<TensorId> outputs) const {
  int64_t total = 0;
  for (TensorId output : outputs) {
    int64_t most = 0;
    for (const InPlacePair &pair : pairs)
      if (pair.output == output)
        most = std::max(most, saving(pair));
    total += most;
  }
  return total;
}

int64_t NodeNeed::bytes() const {
  int64_t total = graph[id].workspaceBytes;
  for (const NodeVariant &variant : graph[id].variants)
    total = std::min(total, variant.workspaceBytes);
  for (TensorId base : basesRead(index, id))
    if (!isAlwaysThere(graph[base]))
      total += graph[base].bytes;
  SmallVector<TensorId> outputs, taken;
  for (TensorId base : index.madeBases(id)) {
    total += graph[base].bytes;
    if (llvm::any_of(pairs, [&](const InPlacePair &pair) {
          return pair.output == base;
        }))
      outputs.push_back(base);
  }
  // The exact search doubles with each pair; few nodes have many.
  constexpr size_t few = 12;
  return total - (pairs.size() <= few ? largestSaving(outputs, taken)
                                      : largestSavingApart(outputs));
}

int64_t leastBytes(const GraphIndex &index, std::optional<NodeId> node) {
  const Graph &graph = index.graph();
  int64_t always = graph.fixedBytes, donated = 0, kept = 0;
  std::vector<bool> isKept(graph.tensors.size());
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (index.staysToTheEnd(TensorId(i)))
      isKept[index.base(TensorId(i)).index] = true;
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    const Tensor &tensor = graph.tensors[i];
    if (tensor.viewOf)
      continue;
    if (isAlwaysThere(tensor)) {
      always += tensor.bytes;
      continue;
    }
    if (isCallerOwned(tensor.kind))
      donated += tensor.bytes;
    if (isKept[i])
      kept += tensor.bytes;
  }
  return always +
         (node ? NodeNeed(index, *node).bytes() : std::max(donated, kept));
}

} // namespace memplan
