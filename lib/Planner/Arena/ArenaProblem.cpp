//===- ArenaProblem.cpp - Byte offsets in one arena -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "GreedyArena.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace memplan;

std::vector<std::pair<std::string, int64_t>>
ArenaProblem::lowerBoundBySpace() const {
  // (time, +bytes or -bytes); at one time what ends goes first, since live
  // ranges are half open.
  struct Space {
    std::vector<std::pair<int64_t, int64_t>> changes;
    int64_t bound = 0;
  };
  std::map<std::string, Space> spaces;
  for (const ArenaBuffer &buffer : buffers) {
    Space &space = spaces[buffer.space];
    auto live = [&](int64_t begin, int64_t end) {
      if (begin == end || buffer.bytes == 0)
        return;
      space.changes.push_back({begin, buffer.bytes});
      space.changes.push_back({end, -buffer.bytes});
    };
    int64_t begin = buffer.begin;
    for (auto [gapBegin, gapEnd] : buffer.gaps) {
      live(begin, gapBegin);
      begin = gapEnd;
    }
    live(begin, buffer.end);
    if (buffer.fixedOffset && buffer.bytes > 0)
      space.bound = std::max(space.bound, *buffer.fixedOffset + buffer.bytes);
  }
  std::vector<std::pair<std::string, int64_t>> bounds;
  for (auto &[name, space] : spaces) {
    std::sort(space.changes.begin(), space.changes.end());
    int64_t liveBytes = 0;
    for (auto [time, change] : space.changes) {
      liveBytes += change;
      space.bound = std::max(space.bound, liveBytes);
    }
    bounds.push_back({name, space.bound});
  }
  return bounds;
}

int64_t ArenaProblem::lowerBoundBytes() const {
  int64_t sum = 0;
  for (const auto &[space, bytes] : lowerBoundBySpace())
    sum += bytes;
  return sum;
}

static const ArenaSolver solverTable[] = {
    {"auto",
     "best-fit, greedy-by-size and a search for better orders; the lowest",
     {.family = SolverFamily::Search, .anytime = true, .obeysEffort = true},
     solveAutoArena},
    {"best-fit",
     "buffers by first step, each into the tightest gap between those placed "
     "before",
     {},
     solveBestFit},
    {"greedy-by-size",
     "buffers by size, largest first, each into the tightest gap between those "
     "placed before",
     {},
     solveGreedyBySize},
};

std::span<const ArenaSolver> memplan::arenaSolvers() { return solverTable; }
