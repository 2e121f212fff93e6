//===- DtrGraph.h - A graph as DTR sees it ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_DYNAMIC_DTRGRAPH_H
#define MEMPLAN_LIB_PLANNER_DYNAMIC_DTRGRAPH_H

#include "memplan/Graph/Graph.h"

namespace memplan {

/// What a run of a node reads and makes, apart from what the caller owns, which
/// is always there.
struct DtrOp {
  std::vector<int32_t> inputs;  ///< Tensors.
  std::vector<int32_t> outputs; ///< Tensors.
  /// Further outputs: views of what the caller owns, which never go away.
  std::vector<int32_t> lastingViews;
  int64_t newBytes = 0; ///< Bytes of all outputs.
  int64_t workspaceBytes = 0;
  double cost = 0;
  bool runsOnce = false;
  std::vector<int32_t> writes; ///< Storages.
};

/// Storages are called by their base tensor. Everything by dense ids.
struct DtrGraph {
  explicit DtrGraph(const GraphIndex &index);

  int32_t numTensors() const { return int32_t(storageOf.size()); }
  bool isBase(int32_t tensor) const {
    return storageOf[size_t(tensor)] == tensor;
  }

  std::vector<DtrOp> ops;
  std::vector<int32_t> storageOf; ///< By tensor.
  std::vector<int64_t> bytes;     ///< By storage.
  std::vector<bool> isCallers;    ///< By tensor: its storage is the caller's.
  std::vector<int32_t> producer;  ///< By tensor: op, or -1.
  /// By tensor, the caller's too: ops, ascending.
  std::vector<std::vector<int32_t>> users;
  std::vector<std::vector<int32_t>> tensorsOf; ///< By storage, itself first.
  /// By op: storages that nothing reads after it.
  std::vector<std::vector<int32_t>> dying;
  int64_t persistentBytes = 0;

private:
  void addOp(const Graph &graph, const Node &node,
             std::vector<int32_t> &lastUse);
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_DYNAMIC_DTRGRAPH_H
