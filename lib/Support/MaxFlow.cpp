//===- MaxFlow.cpp - The largest flow, and the least cut ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/MaxFlow.h"
#include <algorithm>

using namespace memplan;

int32_t MaxFlow::connect(int32_t from, int32_t to, int64_t capacity) {
  const int32_t arc = static_cast<int32_t>(arcs.size());
  arcs.push_back({to, firstArc[from], capacity});
  firstArc[from] = arc;
  arcs.push_back({from, firstArc[to], 0});
  firstArc[to] = arc + 1;
  return arc;
}

std::optional<int64_t> MaxFlow::runWithin(int64_t mostVisits) {
  int64_t sum = 0;
  while (findLevels()) {
    nextArc = firstArc;
    while (int64_t pushed = push()) {
      sum += pushed;
      if (visits > mostVisits)
        return std::nullopt;
    }
  }
  return sum;
}

bool MaxFlow::findLevels() {
  levels.assign(firstArc.size(), -1);
  levels[source] = 0;
  queue.assign(1, source);
  for (size_t i = 0; i < queue.size(); ++i)
    for (int32_t arc = firstArc[queue[i]]; arc >= 0; arc = arcs[arc].next) {
      ++visits;
      if (arcs[arc].left == 0 || levels[arcs[arc].to] >= 0)
        continue;
      levels[arcs[arc].to] = levels[queue[i]] + 1;
      queue.push_back(arcs[arc].to);
    }
  return levels[sink] >= 0;
}

/// Along one path from level to level; 0 where none is left.
int64_t MaxFlow::push() {
  path.clear();
  int32_t at = source;
  while (at != sink) {
    int32_t &arc = nextArc[at];
    for (; arc >= 0 && !leads(at, arc); arc = arcs[arc].next)
      ++visits;
    if (arc >= 0) {
      path.push_back(arc);
      at = arcs[arc].to;
      continue;
    }
    if (path.empty())
      return 0;
    at = arcs[path.back() ^ 1].to;
    path.pop_back();
    nextArc[at] = arcs[nextArc[at]].next;
  }
  int64_t amount = unlimited;
  for (int32_t arc : path)
    amount = std::min(amount, arcs[arc].left);
  for (int32_t arc : path) {
    arcs[arc].left -= amount;
    arcs[arc ^ 1].left += amount;
  }
  visits += static_cast<int64_t>(path.size());
  return amount;
}
