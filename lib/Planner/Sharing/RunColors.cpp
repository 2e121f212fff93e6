//===- RunColors.cpp - Longest-path colors of runs ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Sharing/RunColors.h"
#include "RunOrder.h"

using namespace memplan;

namespace {
/// Takes paths out of the run graph, longest first.
class PathColorer {
public:
  explicit PathColorer(std::vector<std::vector<int32_t>> edges)
      : edges(std::move(edges)), colors(this->edges.size(), none) {}

  std::vector<int32_t> color() {
    for (int32_t color = 0;; ++color) {
      int32_t start = findBestPath();
      if (start == none || uncolored[start] == 0)
        return colors;
      if (uncolored[start] == 1) {
        // No two of the runs that are left lie on one path.
        for (int32_t &each : colors)
          if (each == none)
            each = color++;
        return colors;
      }
      for (int32_t run = start; run != none; run = next[run])
        if (colors[run] == none)
          colors[run] = color;
    }
  }

private:
  static constexpr int32_t none = -1;

  /// Start of the path with most runs without a color. Walks backwards, so that
  /// of equal continuations the latest is met first and kept.
  int32_t findBestPath() {
    auto count = static_cast<int32_t>(edges.size());
    uncolored.assign(count, 0);
    next.assign(count, none);
    int32_t best = none;
    for (int32_t run = count - 1; run >= 0; --run) {
      uncolored[run] += colors[run] == none;
      if (best == none || uncolored[run] > uncolored[best])
        best = run;
      for (int32_t before : edges[run])
        if (uncolored[run] > uncolored[before]) {
          uncolored[before] = uncolored[run];
          next[before] = run;
        }
    }
    return best;
  }

  std::vector<std::vector<int32_t>> edges; ///< By run: runs before it.
  std::vector<int32_t> colors;
  std::vector<int32_t> uncolored; ///< By run: on the best path from it.
  std::vector<int32_t> next;      ///< By run: on the best path from it.
};
} // namespace

std::vector<int32_t> memplan::colorRuns(const GraphIndex &index,
                                        const Schedule &schedule) {
  return PathColorer(findRunEdges(index, schedule)).color();
}
