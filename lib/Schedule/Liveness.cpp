//===- Liveness.cpp - Live ranges of a schedule, and their peak -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/Liveness.h"
#include "memplan/Schedule/ScheduleChecker.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

const char *spaceName(MemorySpace space) {
  return space == MemorySpace::Device ? "device" : "host";
}

namespace {
/// Walks the runs of a schedule and notes who lives.
class LiveRangeFinder {
public:
  LiveRangeFinder(const GraphIndex &index, const Schedule &schedule)
      : index(index), graph(index.graph()), runs(schedule.runs),
        current(graph.tensors.size(), -1), hasRun(graph.nodes.size(), 0) {}

  std::vector<LiveRange> find(const InPlaceChoice &inPlace) {
    list.reserve(runs.size() + runs.size() / 4);
    addDonated();
    for (size_t run = 0; run < runs.size(); ++run)
      addRun(static_cast<int32_t>(run), run < inPlace.size()
                                            ? ArrayRef(inPlace[run])
                                            : ArrayRef<InPlacePair>());
    for (int32_t at = 0; at < static_cast<int32_t>(list.size()); ++at)
      if (current[list[at].tensor.index] == at && survives(list[at]))
        use(list[at].tensor, static_cast<int32_t>(runs.size()));
    return std::move(list);
  }

private:
  void addDonated() {
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      TensorId id(i);
      const Tensor &tensor = graph[id];
      if (tensor.kind != TensorKind::Input || !tensor.donated || tensor.viewOf)
        continue;
      add(id, -1);
    }
  }

  /// True for what must be live at the end, for itself or for a view.
  bool survives(const LiveRange &range) const {
    if (range.begin >= 0)
      return index.isKept(range.tensor);
    return llvm::any_of(index.aliasSet(range.tensor), [&](TensorId member) {
      return index.staysToTheEnd(member);
    });
  }

  void addRun(int32_t run, ArrayRef<InPlacePair> pairs) {
    NodeId node = runs[run];
    for (TensorId base : index.usedBases(node))
      use(base, run);
    for (TensorId base : index.madeBases(node)) {
      add(base, run);
      // Until a use is seen, the output of a recomputation is unwanted.
      list.back().discarded = hasRun[node.index] != 0;
    }
    for (const InPlacePair &pair : pairs)
      if (llvm::is_contained(graph[node].inPlace, pair))
        putOver(current[pair.output.index],
                current[index.base(pair.input).index]);
    hasRun[node.index] = 1;
  }

  void add(TensorId base, int32_t run) {
    current[base.index] = static_cast<int32_t>(list.size());
    LiveRange &range = list.emplace_back();
    range.tensor = range.allocatedBy = base;
    range.bytes = graph[base].bytes;
    range.begin = run;
    range.end = run + 1;
  }

  void use(TensorId base, int32_t run) {
    int32_t at = current[base.index];
    if (at < 0) // The caller's, and not donated.
      return;
    list[at].end = run + 1;
    list[at].discarded = false;
  }

  /// Lets an output continue on the storage of an input.
  void putOver(int32_t output, int32_t input) {
    if (input < 0)
      return;
    list[input].takenOver = true;
    list[output].over = input;
    list[output].bytes = list[input].bytes;
    list[output].allocatedBy = list[input].allocatedBy;
  }

  const GraphIndex &index;
  const Graph &graph;
  ArrayRef<NodeId> runs;
  std::vector<int32_t> current; ///< By base: its latest live range, or -1.
  std::vector<uint8_t> hasRun;  ///< By node.
  std::vector<LiveRange> list;
};
} // namespace

std::vector<LiveRange> computeLiveRanges(const GraphIndex &index,
                                         const Schedule &schedule,
                                         const InPlaceChoice &inPlace) {
  return LiveRangeFinder(index, schedule).find(inPlace);
}

ScheduleMetrics measureLiveRanges(const GraphIndex &index,
                                  const Schedule &schedule,
                                  const std::vector<LiveRange> &liveRanges) {
  const Graph &graph = index.graph();
  ArrayRef<NodeId> runs = schedule.runs;
  // Changes between one run and the next, then their running sum.
  ScheduleMetrics metrics;
  std::vector<int64_t> &bytes = metrics.bytesAtRun;
  bytes.assign(runs.size(), 0);
  for (const LiveRange &range : liveRanges) {
    // Donated inputs are among the caller's bytes until they end.
    if (!range.isInPlace() && range.begin >= 0)
      bytes[range.begin] += range.bytes;
    if (!range.takenOver && static_cast<size_t>(range.end) < bytes.size())
      bytes[range.end] -= range.bytes;
  }
  int64_t live = graph.persistentBytes();
  metrics.peakBytes = live;
  for (size_t run = 0; run < runs.size(); ++run) {
    const NodeVariant variant = schedule.variantAt(graph, run);
    live += bytes[run];
    bytes[run] = live + variant.workspaceBytes;
    metrics.cost += variant.cost;
    if (bytes[run] > metrics.peakBytes) {
      metrics.peakBytes = bytes[run];
      metrics.peakRun = static_cast<int32_t>(run);
    }
  }
  return metrics;
}

ScheduleMetrics measureSchedule(const GraphIndex &index,
                                const Schedule &schedule,
                                const InPlaceChoice &inPlace) {
  return measureLiveRanges(index, schedule,
                           computeLiveRanges(index, schedule, inPlace));
}

static Error verifyVariants(const Graph &graph, const Schedule &schedule) {
  if (schedule.variants.empty())
    return Error::success();
  if (schedule.variants.size() != schedule.runs.size())
    return violation("schedule_c6", "variants for {0} runs, but there are {1}",
                     schedule.variants.size(), schedule.runs.size());
  for (size_t run = 0; run < schedule.runs.size(); ++run) {
    const int32_t variant = schedule.variants[run];
    if (variant < 0 || variant >= graph[schedule.runs[run]].numVariants())
      return violation("schedule_c6", "run {0}: {1} has no variant {2}", run,
                       describe(graph, schedule.runs[run]), variant);
  }
  return Error::success();
}

Error verifySchedule(const GraphIndex &index, const Schedule &schedule) {
  ScheduleChecker checker(index);
  if (std::optional<ScheduleViolation> found = checker.check(schedule.runs))
    return toError(index.graph(), *found);
  return verifyVariants(index.graph(), schedule);
}

Schedule sourceSchedule(const Graph &graph) {
  Schedule source;
  for (size_t node = 0; node < graph.nodes.size(); ++node)
    source.runs.push_back(NodeId(node));
  return source;
}

ScheduleMetrics measureUnplanned(const GraphIndex &index) {
  return measureSchedule(index, sourceSchedule(index.graph()), {});
}

} // namespace memplan
