//===- MaxFlow.h - The largest flow, and the least cut ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_MAXFLOW_H
#define MEMPLAN_SUPPORT_MAXFLOW_H

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace memplan {

/// A network whose largest flow from `source` to `sink` is asked for. Source:
/// maximum flow by levels (Dinic, 1970). O(edges) a level; the levels are few
/// where paths are short.
class MaxFlow {
public:
  static constexpr int32_t source = 0, sink = 1;
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max() / 4;

  MaxFlow() : firstArc(2, -1) {}

  int32_t addVertex() {
    firstArc.push_back(-1);
    return static_cast<int32_t>(firstArc.size()) - 1;
  }
  /// Returns the arc, for flowOn().
  int32_t connect(int32_t from, int32_t to, int64_t capacity);
  size_t numConnections() const { return arcs.size() / 2; }
  /// Units of the largest flow. Some path from source to sink must be limited.
  int64_t run() { return *runWithin(std::numeric_limits<int64_t>::max()); }
  /// The same; nothing where it takes more than so many looks at an arc.
  std::optional<int64_t> runWithin(int64_t mostVisits);
  /// After run(): units that pass the arc.
  int64_t flowOn(int32_t arc) const { return arcs[arc ^ 1].left; }
  /// After run(): whether the vertex lies on the source's side of a least cut.
  bool isReached(int32_t vertex) const { return levels[vertex] >= 0; }

private:
  struct Arc {
    int32_t to, next; ///< -1 ends the list of a vertex.
    int64_t left;
  };

  bool findLevels();
  int64_t push();
  bool leads(int32_t from, int32_t arc) const {
    return arcs[arc].left > 0 && levels[arcs[arc].to] == levels[from] + 1;
  }

  std::vector<Arc> arcs; ///< Each followed by its reverse.
  std::vector<int32_t> firstArc, nextArc, levels, queue, path;
  int64_t visits = 0;
};

} // namespace memplan

#endif // MEMPLAN_SUPPORT_MAXFLOW_H
