//===- MaxFlow.h - The largest flow, and the least cut ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_MODEL_MAXFLOW_H
#define MEMPLAN_PLANNER_MODEL_MAXFLOW_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace memplan {

/// A network whose largest flow from `source` to `sink` is asked for. Source:
/// maximum flow by levels (Dinic, 1970). O(edges) a level; the levels are few
/// where paths are short.
class MaxFlow {
public:
  static constexpr int32_t source = 0, sink = 1;
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max() / 4;

  MaxFlow() : arcsOf(2) {}

  int32_t addVertex() {
    arcsOf.emplace_back();
    return static_cast<int32_t>(arcsOf.size()) - 1;
  }
  /// Returns the arc, for flowOn().
  int32_t connect(int32_t from, int32_t to, int64_t capacity);
  /// Units of the largest flow. Some path from source to sink must be limited.
  int64_t run();
  /// After run(): units that pass the arc.
  int64_t flowOn(int32_t arc) const { return arcs[arc ^ 1].left; }
  /// After run(): whether the vertex lies on the source's side of a least cut.
  bool isReached(int32_t vertex) const { return levels[vertex] >= 0; }

private:
  struct Arc {
    int32_t to;
    int64_t left;
  };

  bool findLevels();
  int64_t push();
  bool leads(int32_t from, int32_t arc) const {
    return arcs[arc].left > 0 && levels[arcs[arc].to] == levels[from] + 1;
  }

  std::vector<Arc> arcs; ///< Each followed by its reverse.
  std::vector<std::vector<int32_t>> arcsOf;
  std::vector<int32_t> levels;
  std::vector<size_t> next;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_MODEL_MAXFLOW_H
