//===- StageMemory.cpp - Checkmate's memory accounting --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Checkmate.h"
#include <algorithm>

using namespace memplan;

static bool runs(const StageRows &rows, int32_t stage, int32_t op) {
  return std::binary_search(rows[stage].begin(), rows[stage].end(), op);
}

Retention memplan::retentionOf(const StageGraph &graph, const StageRows &rows) {
  const int32_t stages = graph.numStages();
  std::vector<std::vector<int32_t>> stagesOf(stages);
  for (int32_t stage = 0; stage < stages; ++stage)
    for (int32_t op : rows[stage])
      stagesOf[op].push_back(stage);
  Retention retention(stages, graph.numValues());
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    // Within a stage the producer runs before all users, so that users
    // there are served by that run.
    const std::vector<int32_t> &made = stagesOf[graph.values()[value].producer];
    for (int32_t user : graph.values()[value].users)
      for (int32_t stage : stagesOf[user]) {
        auto next = std::upper_bound(made.begin(), made.end(), stage);
        if (next != made.begin() && *std::prev(next) < stage)
          retention.set(value, *std::prev(next) + 1, stage, true);
      }
  }
  return retention;
}

bool memplan::isFreed(const StageGraph &graph, const StageRows &rows,
                      const Retention &retention, int32_t stage, int32_t value,
                      int32_t op) {
  // Eq. (4): R[t,k] * (1 - S[t+1,i]) * prod over later users j of (1 - R[t,j]).
  // Without R[t,k] what was never there would be freed.
  if (!runs(rows, stage, op) || retention.kept(value, stage + 1))
    return false;
  for (int32_t user : graph.values()[value].users)
    if (user > op && runs(rows, stage, user))
      return false;
  return true;
}

std::vector<std::vector<int64_t>>
memplan::stageBytes(const StageGraph &graph, const StageRows &rows,
                    const Retention &retention) {
  const int32_t stages = graph.numStages();
  std::vector<std::vector<int64_t>> bytes(stages);
  for (int32_t stage = 0; stage < stages; ++stage) {
    // Eq. (1): all that is kept counts from the begin of the stage, used or
    // not.
    int64_t live = 0;
    for (int32_t value = 0; value < graph.numValues(); ++value)
      if (retention.kept(value, stage))
        live += graph.values()[value].bytes;
    for (int32_t op = 0; op <= stage; ++op) {
      const StepOp &stepOp = graph.ops()[op];
      const bool ran = runs(rows, stage, op);
      int64_t unread = 0;
      for (int32_t value : stepOp.outputs)
        if (ran)
          (graph.values()[value].users.empty() ? unread : live) +=
              graph.values()[value].bytes;
      bytes[stage].push_back(live + unread);
      // Eq. (2), (3): the frees follow. FREE[t,k,k] is left out for single
      // outputs: it is 1 only for an evaluation that nothing needs.
      for (int32_t value : stepOp.inputs)
        if (isFreed(graph, rows, retention, stage, value, op))
          live -= graph.values()[value].bytes;
      if (stepOp.outputs.size() > 1)
        for (int32_t value : stepOp.outputs)
          if (!graph.values()[value].users.empty() &&
              isFreed(graph, rows, retention, stage, value, op))
            live -= graph.values()[value].bytes;
    }
  }
  return bytes;
}
