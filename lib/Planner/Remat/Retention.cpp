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

/// Makes room for more words, with some to spare; the old ones are left behind.
void Retention::widen(Window &window, int32_t firstWord, int32_t lastWord) {
  const int32_t end = window.first + window.count;
  if (window.count > 0 && firstWord >= window.first && lastWord < end)
    return;
  Window wider{words.size(), firstWord, lastWord - firstWord + 1};
  if (window.count > 0) {
    const int32_t spare = window.count / 2;
    if (firstWord < window.first)
      wider.first = std::max(0, firstWord - spare);
    else
      wider.first = window.first;
    const int32_t last =
        lastWord >= end ? std::min(stages >> 6, lastWord + spare) : end - 1;
    wider.count = last - wider.first + 1;
  }
  words.resize(words.size() + size_t(wider.count), 0);
  std::copy_n(words.begin() + std::ptrdiff_t(window.place), window.count,
              words.begin() + std::ptrdiff_t(wider.place) +
                  (window.count > 0 ? window.first - wider.first : 0));
  window = wider;
}

void Retention::set(int32_t value, int32_t first, int32_t last, bool on) {
  if (first > last)
    return;
  Window &window = windows[value];
  int32_t begin = first >> 6, end = last >> 6;
  if (on)
    widen(window, begin, end);
  begin = std::max(begin, window.first);
  end = std::min(end, window.first + window.count - 1);
  for (int32_t word = begin; word <= end; ++word) {
    uint64_t mask = ~uint64_t(0);
    if (word == first >> 6)
      mask &= ~uint64_t(0) << (first & 63);
    if (word == last >> 6)
      mask &= ~uint64_t(0) >> (63 - (last & 63));
    uint64_t &bits = words[window.place + size_t(word - window.first)];
    bits = on ? bits | mask : bits & ~mask;
  }
}

int32_t Retention::lastKept(int32_t value, int32_t stage) const {
  const Window &window = windows[value];
  int32_t word = stage >> 6;
  uint64_t bits = wordAt(window, word) & (~uint64_t(0) >> (63 - (stage & 63)));
  if (!bits)
    word = std::min(word, window.first + window.count);
  while (!bits) {
    if (--word < window.first)
      return -1;
    bits = wordAt(window, word);
  }
  return word * 64 + 63 - std::countl_zero(bits);
}

int32_t Retention::segmentBegin(int32_t value, int32_t stage) const {
  const Window &window = windows[value];
  int32_t word = stage >> 6;
  uint64_t holes =
      ~wordAt(window, word) & (~uint64_t(0) >> (63 - (stage & 63)));
  while (!holes) {
    if (--word < 0)
      return 0;
    holes = ~wordAt(window, word);
  }
  return word * 64 + 64 - std::countl_zero(holes);
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
