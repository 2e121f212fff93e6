//===- AssignStreams.cpp - Streams for a list as it stands ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: list scheduling by earliest start (Graham), in a given order. A
// stream runs its part of the list in the order of the list, so that the bytes
// of the list are those of one stream.
//
//===----------------------------------------------------------------------===//

#include "JobTimes.h"
#include "memplan/Plan/ActionStorages.h"
#include "memplan/Planner/Streams/Clocks.h"
#include "memplan/Planner/Streams/Streams.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class Assigner {
public:
  Assigner(const GraphIndex &index, std::vector<PlanAction> actions,
           const ReuseDependencies &reuse, int32_t streams)
      : times(index.graph()), graph(index.graph()), actions(std::move(actions)),
        needed(findStorages(index, this->actions).after),
        ends(this->actions.size()), ready(streams), lastOn(streams, -1) {
    for (size_t i = 0; i < reuse.size(); ++i)
      needed[i].append(reuse[i].begin(), reuse[i].end());
  }

  StreamList assign() {
    StreamList list;
    for (size_t at = 0; at < actions.size(); ++at)
      if (isJob(actions[at])) {
        place(static_cast<int32_t>(at));
        list.time = std::max(list.time, ends[at]);
      }
    list.actions = std::move(actions);
    return list;
  }

private:
  void place(int32_t at) {
    PlanAction &action = actions[at];
    double after = 0;
    int32_t latest = -1;
    for (int32_t earlier : needed[at])
      if (latest < 0 || ends[earlier] > after) {
        after = ends[earlier];
        latest = earlier;
      }
    const bool isCopy = action.action != ActionKind::Compute;
    // Collectives keep their order on one stream.
    const bool isFree = isCopy || !graph[action.node].keepsPlace();
    int32_t best = 0;
    auto startOn = [&](int32_t stream) {
      return std::max(ready[stream], after);
    };
    auto isBetter = [&](int32_t stream) {
      if (startOn(stream) != startOn(best))
        return startOn(stream) < startOn(best);
      // Where nothing needs a wait; else where least time is lost.
      const bool follows = latest >= 0 && lastOn[stream] == latest;
      const bool bestFollows = latest >= 0 && lastOn[best] == latest;
      if (follows != bestFollows)
        return follows;
      return ready[stream] > ready[best];
    };
    for (int32_t stream = 1;
         isFree && stream < static_cast<int32_t>(ready.size()); ++stream)
      if (isBetter(stream))
        best = stream;
    action.stream = best;
    ready[best] = startOn(best);
    if (isCopy) {
      double &engine = engines[action.action == ActionKind::Fetch];
      engine = std::max(engine, ready[best]) + times.of(action);
      ends[at] = engine;
      return;
    }
    ends[at] = ready[best] += times.of(action);
    lastOn[best] = at;
  }

  JobTimes times;
  const Graph &graph;
  std::vector<PlanAction> actions;
  std::vector<llvm::SmallVector<int32_t, 4>> needed;
  std::vector<double> ends;    ///< By action.
  std::vector<double> ready;   ///< By stream.
  std::vector<int32_t> lastOn; ///< By stream: its last run.
  double engines[2] = {0, 0};
};
} // namespace

StreamList memplan::assignStreams(const GraphIndex &index,
                                  std::vector<PlanAction> actions,
                                  const ReuseDependencies &reuse,
                                  int32_t streams) {
  return Assigner(index, std::move(actions), reuse, streams).assign();
}
