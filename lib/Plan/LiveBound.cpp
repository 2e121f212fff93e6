//===- LiveBound.cpp - What any offsets need ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/LiveBound.h"
#include <algorithm>

using namespace memplan;

int64_t memplan::liveBoundBytes(const Graph &graph, const Plan &plan,
                                const PlanArena &arena) {
  // What ends at a step goes first: placements are half open.
  std::vector<std::pair<int32_t, int64_t>> changes;
  for (const Placement &placement : arena.placements) {
    const int64_t bytes =
        placement.kind == PlacementKind::Workspace
            ? graph[placement.node]
                  .variant(plan.steps[placement.stepBegin].variant)
                  .workspaceBytes
            : graph[placement.tensor].bytes;
    changes.push_back({placement.stepBegin, bytes});
    changes.push_back({placement.stepEnd, -bytes});
  }
  std::sort(changes.begin(), changes.end());
  int64_t live = 0, most = 0;
  for (auto [step, change] : changes)
    most = std::max(most, live += change);
  return most;
}
