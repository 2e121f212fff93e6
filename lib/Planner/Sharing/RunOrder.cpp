//===- RunOrder.cpp - Which runs precede which ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class EdgeFinder {
public:
  EdgeFinder(const GraphIndex &index)
      : index(index), producer(index.graph().tensors.size(), none),
        writer(producer), users(producer.size()),
        isWritten(producer.size(), false) {
    for (const Node &node : index.graph().nodes)
      for (TensorId tensor : node.writes)
        isWritten[index.base(tensor).index] = true;
  }

  std::vector<int32_t> addRun(NodeId id, int32_t run) {
    const Node &node = index.graph()[id];
    edges.clear();
    for (TensorId tensor : node.inputs)
      read(tensor, run);
    for (TensorId tensor : node.outputs)
      if (const auto &source = index.graph()[tensor].viewOf)
        if (index.producer(*source) != id)
          read(*source, run);
    for (TensorId tensor : node.writes) {
      int32_t base = index.base(tensor).index;
      edge(producer[tensor.index], run);
      edge(writer[base], run);
      for (int32_t user : users[base])
        edge(user, run);
      writer[base] = run;
      users[base].clear();
    }
    make(node, run);
    if (node.keepsPlace())
      edge(std::exchange(lastCollective, run), run);
    llvm::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
  }

private:
  static constexpr int32_t none = -1;

  void edge(int32_t before, int32_t run) {
    if (before != none && before != run)
      edges.push_back(before);
  }
  void read(TensorId tensor, int32_t run) {
    int32_t base = index.base(tensor).index;
    edge(producer[tensor.index], run);
    edge(writer[base], run);
    if (isWritten[base])
      users[base].push_back(run);
  }

  /// A base that is recomputed takes its views away; a view that is still there
  /// serves on when its node runs again.
  void make(const Node &node, int32_t run) {
    for (TensorId tensor : node.outputs) {
      if (index.base(tensor) != tensor)
        continue;
      for (TensorId member : index.aliasSet(tensor))
        producer[member.index] = none;
      producer[tensor.index] = run;
      writer[tensor.index] = none; // A new live range starts with no writes.
      users[tensor.index].clear();
    }
    for (TensorId tensor : node.outputs)
      if (producer[tensor.index] == none)
        producer[tensor.index] = run;
  }

  const GraphIndex &index;
  std::vector<int32_t> producer; ///< By tensor: latest run that made it.
  std::vector<int32_t> writer;   ///< By base: latest run that wrote it.
  std::vector<std::vector<int32_t>> users; ///< By base: since that write.
  std::vector<bool> isWritten;             ///< By base.
  int32_t lastCollective = none;
  std::vector<int32_t> edges;
};
} // namespace

std::vector<std::vector<int32_t>>
memplan::findRunEdges(const GraphIndex &index, const Schedule &schedule) {
  EdgeFinder finder(index);
  std::vector<std::vector<int32_t>> edges;
  for (size_t run = 0; run < schedule.runs.size(); ++run)
    edges.push_back(
        finder.addRun(schedule.runs[run], static_cast<int32_t>(run)));
  return edges;
}

void RunOrder::startRun(const std::vector<int32_t> &predecessors) {
  ancestors.emplace_back(static_cast<unsigned>(runs));
  for (int32_t before : predecessors)
    addEdgeToNewest(before);
}

bool RunOrder::precedesNewest(int32_t run) const {
  return static_cast<size_t>(run) + 1 == ancestors.size() ||
         ancestors.back().test(static_cast<unsigned>(run));
}

void RunOrder::addEdgeToNewest(int32_t before) {
  ancestors.back() |= ancestors[before];
  ancestors.back().set(static_cast<unsigned>(before));
}
