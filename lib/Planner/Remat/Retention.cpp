//===- Retention.cpp - What is kept between stages ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/StageGraph.h"
#include <algorithm>
#include <bit>

using namespace memplan;

Retention::Retention(int32_t numStages, int32_t numValues)
    // One stage more than there are, so that "kept beyond the last stage" can
    // be asked.
    : stages(numStages), stride(size_t(numStages) / 64 + 1),
      words(stride * size_t(numValues), 0) {}

void Retention::set(int32_t value, int32_t first, int32_t last, bool on) {
  uint64_t *row = &words[size_t(value) * stride];
  for (int32_t word = first >> 6; word <= last >> 6; ++word) {
    uint64_t mask = ~uint64_t(0);
    if (word == first >> 6)
      mask &= ~uint64_t(0) << (first & 63);
    if (word == last >> 6)
      mask &= ~uint64_t(0) >> (63 - (last & 63));
    row[word] = on ? row[word] | mask : row[word] & ~mask;
  }
}

int32_t Retention::lastKept(int32_t value, int32_t stage) const {
  const uint64_t *row = &words[size_t(value) * stride];
  int32_t word = stage >> 6;
  uint64_t bits = row[word] & (~uint64_t(0) >> (63 - (stage & 63)));
  while (!bits) {
    if (--word < 0)
      return -1;
    bits = row[word];
  }
  return word * 64 + 63 - std::countl_zero(bits);
}

int32_t Retention::segmentBegin(int32_t value, int32_t stage) const {
  const uint64_t *row = &words[size_t(value) * stride];
  int32_t word = stage >> 6;
  uint64_t holes = ~row[word] & (~uint64_t(0) >> (63 - (stage & 63)));
  while (!holes) {
    if (--word < 0)
      return 0;
    holes = ~row[word];
  }
  return word * 64 + 64 - std::countl_zero(holes);
}

int32_t Retention::segmentEnd(int32_t value, int32_t stage) const {
  const uint64_t *row = &words[size_t(value) * stride];
  size_t word = size_t(stage >> 6);
  uint64_t holes = ~row[word] & (~uint64_t(0) << (stage & 63));
  while (!holes) {
    if (++word == stride)
      return stages - 1;
    holes = ~row[word];
  }
  return std::min(static_cast<int32_t>(word) * 64 + std::countr_zero(holes) - 1,
                  stages - 1);
}

Retention memplan::keepAll(const StageGraph &graph) {
  Retention retention(graph.numStages(), graph.numValues());
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    int32_t producer = graph.values()[value].producer;
    if (graph.lastReader(value) > producer)
      retention.set(value, producer + 1, graph.lastReader(value), true);
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
