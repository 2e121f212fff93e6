//===- ScheduleEvaluator.cpp - Measures many schedules --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/ScheduleEvaluator.h"
#include "memplan/Schedule/ScheduleChecker.h"

using namespace llvm;

namespace memplan {

ScheduleEvaluator::ScheduleEvaluator(const GraphIndex &index) : index(&index) {
  for (size_t i = 0; i < index.graph().tensors.size(); ++i)
    if (index.isKept(TensorId(i)))
      keptBases.push_back(TensorId(i));
}

ScheduleEvaluator::~ScheduleEvaluator() = default;

bool ScheduleEvaluator::isValid(ArrayRef<NodeId> runs) {
  if (!checker)
    checker = std::make_unique<ScheduleChecker>(*index);
  return !checker->check(runs);
}

const std::vector<LiveRange> &
ScheduleEvaluator::computeLiveRanges(ArrayRef<NodeId> runs) {
  const Graph &graph = index->graph();
  list.clear();
  firstMade.clear();
  current.assign(graph.tensors.size(), -1);
  hasRun.assign(graph.nodes.size(), 0);
  auto count = static_cast<int32_t>(runs.size());
  for (int32_t run = 0; run < count; ++run) {
    NodeId node = runs[run];
    for (TensorId base : index->usedBases(node))
      if (int32_t at = current[base.index]; at >= 0) {
        list[at].last = run;
        list[at].discarded = false;
      }
    firstMade.push_back(static_cast<int32_t>(list.size()));
    for (TensorId base : index->madeBases(node)) {
      current[base.index] = static_cast<int32_t>(list.size());
      // Until a read is seen, the output of a rerun is unwanted.
      list.push_back({base, run, run, hasRun[node.index] != 0});
    }
    hasRun[node.index] = 1;
  }
  for (TensorId base : keptBases)
    if (int32_t at = current[base.index]; at >= 0) {
      list[at].last = count;
      list[at].discarded = false;
    }
  return list;
}

/// Lets each output in place continue on the storage of its input.
void ScheduleEvaluator::applyInPlace(
    ArrayRef<std::vector<InPlacePair>> inPlace) {
  constexpr uint8_t givesAway = 1, beginsOnAnothers = 2;
  const Graph &graph = index->graph();
  current.assign(graph.tensors.size(), -1);
  size_t next = 0;
  for (size_t run = 0; run < inPlace.size() && run < firstMade.size(); ++run) {
    size_t end = run + 1 < firstMade.size()
                     ? static_cast<size_t>(firstMade[run + 1])
                     : list.size();
    // Until here `current` holds what was resident before the run.
    for (const InPlacePair &pair : inPlace[run])
      for (size_t at = next; at < end; ++at) {
        if (list[at].tensor != pair.output)
          continue;
        TensorId source = index->base(pair.input);
        int32_t from = current[source.index];
        if (from >= 0)
          takenOver[from] |= givesAway;
        takenOver[at] |= beginsOnAnothers;
        // A donated input of the caller has no live range of its own.
        storages[at] = from >= 0 ? storages[from] : graph[source].bytes;
      }
    for (; next < end; ++next)
      current[list[next].tensor.index] = static_cast<int32_t>(next);
  }
}

ScheduleMetrics
ScheduleEvaluator::measure(ArrayRef<NodeId> runs,
                           ArrayRef<std::vector<InPlacePair>> inPlace) {
  const Graph &graph = index->graph();
  computeLiveRanges(runs);
  storages.clear();
  for (const LiveRange &liveRange : list)
    storages.push_back(graph[liveRange.tensor].bytes);
  takenOver.assign(list.size(), 0);
  applyInPlace(inPlace);

  // Changes between one run and the next, then their running sum.
  bytes.assign(runs.size(), 0);
  for (size_t at = 0; at < list.size(); ++at) {
    if (!(takenOver[at] & 2))
      bytes[list[at].begin] += storages[at];
    auto after = static_cast<size_t>(list[at].last) + 1;
    if (!(takenOver[at] & 1) && after < bytes.size())
      bytes[after] -= storages[at];
  }
  ScheduleMetrics metrics;
  int64_t live = graph.persistentBytes();
  metrics.peakBytes = live;
  for (size_t run = 0; run < runs.size(); ++run) {
    const Node &node = graph[runs[run]];
    live += bytes[run];
    bytes[run] = live + node.workspaceBytes;
    metrics.cost += node.cost;
    if (bytes[run] > metrics.peakBytes) {
      metrics.peakBytes = bytes[run];
      metrics.peakRun = static_cast<int32_t>(run);
    }
  }
  return metrics;
}

} // namespace memplan
