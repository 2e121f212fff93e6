//===- MaxFlow.cpp - The largest flow, and the least cut ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Model/MaxFlow.h"
#include <algorithm>

using namespace memplan;

int32_t MaxFlow::connect(int32_t from, int32_t to, int64_t capacity) {
  const int32_t arc = static_cast<int32_t>(arcs.size());
  arcsOf[from].push_back(arc);
  arcs.push_back({to, capacity});
  arcsOf[to].push_back(arc + 1);
  arcs.push_back({from, 0});
  return arc;
}

int64_t MaxFlow::run() {
  int64_t sum = 0;
  while (findLevels()) {
    next.assign(arcsOf.size(), 0);
    while (int64_t pushed = push())
      sum += pushed;
  }
  return sum;
}

bool MaxFlow::findLevels() {
  levels.assign(arcsOf.size(), -1);
  levels[source] = 0;
  std::vector<int32_t> queue{source};
  for (size_t i = 0; i < queue.size(); ++i)
    for (int32_t arc : arcsOf[queue[i]])
      if (arcs[arc].left > 0 && levels[arcs[arc].to] < 0) {
        levels[arcs[arc].to] = levels[queue[i]] + 1;
        queue.push_back(arcs[arc].to);
      }
  return levels[sink] >= 0;
}

/// Along one path from level to level; 0 where none is left.
int64_t MaxFlow::push() {
  std::vector<int32_t> path;
  int32_t at = source;
  while (at != sink) {
    size_t &place = next[at];
    while (place < arcsOf[at].size() && !leads(at, arcsOf[at][place]))
      ++place;
    if (place < arcsOf[at].size()) {
      path.push_back(arcsOf[at][place]);
      at = arcs[path.back()].to;
    } else if (path.empty()) {
      return 0;
    } else {
      at = arcs[path.back() ^ 1].to;
      ++next[at];
      path.pop_back();
    }
  }
  int64_t amount = unlimited;
  for (int32_t arc : path)
    amount = std::min(amount, arcs[arc].left);
  for (int32_t arc : path) {
    arcs[arc].left -= amount;
    arcs[arc ^ 1].left += amount;
  }
  return amount;
}
