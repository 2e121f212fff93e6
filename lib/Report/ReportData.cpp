//===- ReportData.cpp - Where the memory of a planned step goes -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/ReportData.h"
#include "Collect.h"
#include "memplan/Graph/CopyTime.h"
#include "memplan/Plan/ActionStorages.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Support/SortByKey.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace memplan;

namespace {
/// Cuts storages into the ranges of the values that lie in them one after the
/// other.
class RangeCutter {
public:
  RangeCutter(const GraphIndex &index, const Plan &plan);
  std::vector<ReportRange> take();

private:
  void placeOffsets();
  RangeOrigin originOf(const ActionStorage &storage) const;
  void begin(size_t storage);
  void takeOver(const PlanAction &action);
  void markUses();
  void markReuse();
  std::optional<int64_t> offsetOf(const ActionStorage &storage) const;

  using Place = std::tuple<MemorySpace, PlacementKind, int32_t, int32_t>;

  const GraphIndex &index;
  const Graph &graph;
  const Plan &plan;
  const std::vector<ActionStorage> storages;
  std::map<Place, int64_t> offsets;
  std::vector<bool> isAgain; ///< By step: the node has run before.
  int32_t at = 0;
  std::vector<int32_t> rangeOf;  ///< By tensor on the device: its range.
  std::vector<size_t> storageOf; ///< By range.
  std::vector<ReportRange> ranges;
};
} // namespace

/// By step: whether it runs a node that has run before.
static std::vector<bool> findRecomputations(const Graph &graph,
                                            const Plan &plan) {
  std::vector<bool> hasRun(graph.nodes.size()), isAgain(plan.steps.size());
  for (size_t step = 0; step < plan.steps.size(); ++step) {
    const PlanAction &action = plan.steps[step];
    if (action.action != ActionKind::Compute)
      continue;
    isAgain[step] = hasRun[action.node.index];
    hasRun[action.node.index] = true;
  }
  return isAgain;
}

RangeCutter::RangeCutter(const GraphIndex &index, const Plan &plan)
    : index(index), graph(index.graph()), plan(plan),
      storages(findStorages(index, plan.steps).all),
      isAgain(findRecomputations(graph, plan)),
      rangeOf(graph.tensors.size(), -1) {
  placeOffsets();
}

static int32_t ownerOf(const Placement &placement) {
  return placement.kind == PlacementKind::Workspace ? placement.node.index
                                                    : placement.tensor.index;
}

void RangeCutter::placeOffsets() {
  for (const PlanArena &arena : plan.arenas)
    for (const Placement &placement : arena.placements)
      offsets[{arena.space == spaceName(MemorySpace::Host)
                   ? MemorySpace::Host
                   : MemorySpace::Device,
               placement.kind, ownerOf(placement), placement.stepBegin}] =
          placement.offset;
}

std::optional<int64_t>
RangeCutter::offsetOf(const ActionStorage &storage) const {
  const Placement &placement = storage.placement;
  auto found = offsets.find(
      {storage.space, placement.kind, ownerOf(placement), placement.stepBegin});
  return found == offsets.end() ? std::nullopt : std::optional(found->second);
}

RangeOrigin RangeCutter::originOf(const ActionStorage &storage) const {
  if (storage.isInitial)
    return RangeOrigin::Caller;
  const int32_t step = storage.placement.stepBegin;
  switch (plan.steps[step].action) {
  case ActionKind::Fetch:
    return RangeOrigin::Fetched;
  case ActionKind::Evict:
    return RangeOrigin::Evicted;
  default:
    return isAgain[step] ? RangeOrigin::Recomputed : RangeOrigin::Computed;
  }
}

void RangeCutter::begin(size_t storage) {
  const ActionStorage &taken = storages[storage];
  ReportRange &range = ranges.emplace_back();
  storageOf.push_back(storage);
  range.kind = taken.placement.kind;
  range.tensor = taken.placement.tensor;
  range.node = taken.placement.node;
  range.space = taken.space;
  range.begin = taken.placement.stepBegin;
  range.end = taken.placement.stepEnd;
  range.bytes = taken.bytes;
  range.offset = offsetOf(taken);
  range.origin = originOf(taken);
  if (range.kind == PlacementKind::Tensor && range.space == MemorySpace::Device)
    rangeOf[range.tensor.index] = static_cast<int32_t>(ranges.size() - 1);
}

/// The outputs in place of a run: each cuts the range that it lies over.
void RangeCutter::takeOver(const PlanAction &action) {
  for (const InPlacePair &pair : action.inPlace) {
    const TensorId source = index.base(pair.input);
    const int32_t below = rangeOf[source.index];
    if (below < 0)
      continue;
    ReportRange range = ranges[below];
    ranges[below].end = range.begin = at;
    range.tensor = pair.output;
    range.over = source;
    range.origin =
        isAgain[at] ? RangeOrigin::Recomputed : RangeOrigin::Computed;
    rangeOf[source.index] = -1;
    rangeOf[pair.output.index] = static_cast<int32_t>(ranges.size());
    ranges.push_back(range);
    storageOf.push_back(storageOf[below]);
  }
}

/// The run that writes over a range reads it as well.
void RangeCutter::markUses() {
  for (size_t i = 0; i < ranges.size(); ++i) {
    const std::vector<int32_t> &users = storages[storageOf[i]].users;
    auto after = llvm::upper_bound(users, ranges[i].end);
    if (after != users.begin() && *std::prev(after) >= ranges[i].begin)
      ranges[i].lastUse = *std::prev(after);
  }
}

/// What lay last in the bytes of each range: of several, the one that had most
/// of them.
void RangeCutter::markReuse() {
  struct Held {
    int64_t end;
    int32_t range;
  };
  std::map<int64_t, Held> held; // By first byte; no two overlap.
  for (size_t i = 0; i < ranges.size(); ++i) {
    ReportRange &range = ranges[i];
    if (!range.offset || range.space != MemorySpace::Device || !range.bytes)
      continue;
    const int64_t first = *range.offset, end = first + range.bytes;
    auto at = held.lower_bound(first);
    if (at != held.begin() && std::prev(at)->second.end > first)
      --at;
    int64_t most = 0;
    while (at != held.end() && at->first < end) {
      const int64_t from = at->first;
      const Held before = at->second;
      const int64_t common = std::min(end, before.end) - std::max(first, from);
      if (common > most && !range.over) {
        most = common;
        range.reuses = before.range;
      }
      at = held.erase(at);
      if (from < first)
        held[from] = {first, before.range};
      if (before.end > end)
        at = held.emplace(end, Held{before.end, before.range}).first;
    }
    held[first] = {end, static_cast<int32_t>(i)};
  }
}

std::vector<ReportRange> RangeCutter::take() {
  size_t next = 0;
  for (; next < storages.size() && storages[next].isInitial; ++next)
    begin(next);
  for (; at < static_cast<int32_t>(plan.steps.size()); ++at) {
    if (plan.steps[at].action == ActionKind::Compute)
      takeOver(plan.steps[at]);
    for (; next < storages.size() && storages[next].placement.stepBegin == at;
         ++next)
      begin(next);
  }
  markUses();
  markReuse();
  return std::move(ranges);
}

/// A stream's actions follow each other; copies take their time before they
/// end.
static std::vector<ReportStep> findSteps(const Graph &graph, const Plan &plan,
                                         const Replay &replay) {
  const std::vector<bool> isAgain = findRecomputations(graph, plan);
  const Bandwidth bandwidth = graph.bandwidth.value_or(Bandwidth());
  std::map<int32_t, double> streamEnds;
  std::vector<ReportStep> steps(plan.steps.size());
  for (size_t at = 0; at < steps.size(); ++at) {
    const PlanAction &action = plan.steps[at];
    ReportStep &step = steps[at];
    step.end = step.start = replay.endAtStep[at];
    step.bytes = replay.bytesAtStep[at];
    step.isRecomputation = isAgain[at];
    switch (action.action) {
    case ActionKind::Free:
      break;
    case ActionKind::Evict:
    case ActionKind::Fetch:
      step.start -= copyTime(bandwidth,
                             action.action == ActionKind::Fetch
                                 ? CopyDirection::HostToDevice
                                 : CopyDirection::DeviceToHost,
                             graph[action.tensors.front()].bytes);
      break;
    case ActionKind::Compute:
      step.start = streamEnds[action.stream];
      [[fallthrough]];
    default:
      streamEnds[action.stream] = step.end;
    }
  }
  return steps;
}

static std::vector<int32_t> findPeak(const ReportData &data) {
  std::vector<int32_t> live;
  for (size_t i = 0; i < data.ranges.size(); ++i)
    if (data.ranges[i].space == MemorySpace::Device && data.ranges[i].bytes &&
        data.ranges[i].isAt(data.replay.peakStep))
      live.push_back(static_cast<int32_t>(i));
  sortByKey(live, [&](int32_t place) { return -data.ranges[place].bytes; });
  return live;
}

llvm::Expected<ReportData> memplan::makeReportData(const GraphIndex &index,
                                                   const Plan &plan) {
  ReportData data;
  const ScheduleMetrics unplanned = measureUnplanned(index);
  data.unplannedBytes = unplanned.peakBytes;
  data.unplannedCost = unplanned.cost;
  if (hasSteps(plan.status)) {
    llvm::Expected<Replay> replay = replayPlan(index, plan);
    if (!replay)
      return replay.takeError();
    data.replay = std::move(*replay);
    data.deviceBytes = deviceBytesOf(index.graph(), plan);
    data.steps = findSteps(index.graph(), plan, data.replay);
    data.ranges = RangeCutter(index, plan).take();
    data.peak = findPeak(data);
    data.refusals = findRefusals(index, plan, data);
  }
  data.verdict = describeVerdict(index, plan, data);
  return data;
}
