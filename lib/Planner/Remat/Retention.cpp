//===- Retention.cpp - What is kept between stages ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/StageGraph.h"
#include <algorithm>

using namespace memplan;

void Retention::set(int32_t value, int32_t first, int32_t last, bool on) {
  if (first > last)
    return;
  llvm::SmallVector<Segment, 2> &list = segments[value];
  // Kept stages beside those that are set belong to the same segment.
  const int32_t beside = on ? 1 : 0;
  auto *begin = llvm::partition_point(list, [&](const Segment &segment) {
    return segment.last + beside < first;
  });
  auto *end = std::partition_point(begin, list.end(), [&](const Segment &s) {
    return s.first - beside <= last;
  });
  llvm::SmallVector<Segment, 2> instead;
  if (on) {
    if (begin != end) {
      first = std::min(first, begin->first);
      last = std::max(last, (end - 1)->last);
    }
    instead.push_back({first, last});
  } else if (begin != end) {
    if (begin->first < first)
      instead.push_back({begin->first, first - 1});
    if ((end - 1)->last > last)
      instead.push_back({last + 1, (end - 1)->last});
  }
  const auto place = begin - list.begin();
  list.erase(begin, end);
  list.insert(list.begin() + place, instead.begin(), instead.end());
}

Retention memplan::keepAll(const StageGraph &graph) {
  Retention retention(graph.numStages(), graph.numValues());
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    int32_t producer = graph.values()[value].producer;
    if (graph.lastUser(value) > producer)
      retention.set(value, producer + 1, graph.lastUser(value), true);
  }
  return retention;
}

StageRows memplan::solveRows(const StageGraph &graph, Retention &retention) {
  const int32_t stages = graph.numStages();
  StageRows rows(stages);
  std::vector<std::vector<int32_t>> keptFrom(
      stages + 1); // Values whose retention begins at that stage.
  for (int32_t value = 0; value < graph.numValues(); ++value)
    for (int32_t stage = stages - 1;
         (stage = retention.lastKept(value, stage)) > 0; --stage) {
      stage = retention.segmentBegin(value, stage);
      keptFrom[stage].push_back(value);
    }
  std::vector<int32_t> lastRun(graph.ops().size(),
                               -1); // Latest stage so far in which the op runs.
  std::vector<int32_t> pending;
  for (int32_t stage = 0; stage < stages; ++stage) {
    std::vector<int32_t> &row = rows[stage];
    auto need = [&](int32_t op) {
      if (std::find(pending.begin(), pending.end(), op) == pending.end() &&
          lastRun[op] != stage)
        pending.push_back(op);
    };
    // R[t,t] = 1, and R[t,i] = 1 if S[t+1,i] and not S[t,i].
    need(stage);
    if (stage + 1 < stages)
      for (int32_t value : keptFrom[stage + 1])
        need(graph.values()[value].producer);
    while (!pending.empty()) {
      int32_t op = pending.back();
      pending.pop_back();
      if (lastRun[op] == stage)
        continue;
      const bool legal = stage <= graph.lastStage(op);
      if (!legal)
        continue; // Only a start in `retention` that the caller should not have
                  // asked for.
      lastRun[op] = stage;
      row.push_back(op);
      for (int32_t value : graph.ops()[op].inputs) {
        if (retention.kept(value, stage))
          continue;
        int32_t producer = graph.values()[value].producer;
        if (stage <= graph.lastStage(producer)) {
          need(producer);
          continue;
        }
        int32_t since =
            std::max(retention.lastKept(value, stage), lastRun[producer]);
        retention.set(value, since + 1, stage, true);
      }
    }
    std::sort(row.begin(), row.end());
  }
  return rows;
}
