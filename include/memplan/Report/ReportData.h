//===- ReportData.h - Where the memory of a planned step goes ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a report of a plan shows, as found by replaying it. It says
// what lies where from when to when, and what the peak is made of. It also says
// when each action runs, and what was not done and why. Nothing here draws.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REPORT_REPORTDATA_H
#define MEMPLAN_REPORT_REPORTDATA_H

#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// How the value of a live range was made.
enum class RangeOrigin { Caller, Computed, Recomputed, Fetched, Evicted };
const char *originName(RangeOrigin origin); ///< "caller", "computed", ...

/// Bytes that one value, or the scratch of one run, takes at the steps
/// [begin, end). An output in place begins where what it lies over ends, so
/// that no byte counts twice.
struct ReportRange {
  PlacementKind kind = PlacementKind::Tensor;
  TensorId tensor; ///< Tensor, Discard
  NodeId node;     ///< Workspace
  MemorySpace space = MemorySpace::Device;
  int32_t begin = 0;
  int32_t end = 0;
  int32_t lastUse = -1; ///< Step of the last run or copy; -1: none uses it.
  int64_t bytes =
      0; ///< Bytes of the storage, which may be more than the tensor's.
  std::optional<int64_t> offset; ///< In the arena, where it lies in one.
  RangeOrigin origin = RangeOrigin::Computed;
  std::optional<TensorId> over; ///< In place: the tensor that it lies over.
  int32_t reuses = -1; ///< Range that had most of its bytes before; -1: none.

  bool isAt(int32_t step) const { return begin <= step && step < end; }
};

/// One action in time. A free takes none.
struct ReportStep {
  double start = 0;
  double end = 0;
  int64_t bytes = 0; ///< Live on the device while it executes.
  bool isRecomputation = false;
};

/// What would have saved bytes and was not done.
struct Refusal {
  enum class Kind { Recompute, InPlace };
  Kind kind = Kind::Recompute;
  TensorId tensor; ///< Recompute: kept at the peak. InPlace: the output.
  NodeId node;     ///< The node that would run again, or write in place.
  int64_t bytes = 0;
  std::string reason;
};

/// The batch of the step, where --max-batch has chosen it.
struct ChosenBatch {
  int64_t batch = 0;
  std::string slowdown;     ///< What it was allowed to cost: "forward", "2" ...
  bool isEstimated = false; ///< By costs that were not measured.
  bool isStopped = false;   ///< Larger ones may fit: the search was stopped.
};

struct ReportData {
  Replay replay;
  int64_t deviceBytes = 0;    ///< What the budget limits.
  int64_t unplannedBytes = 0; ///< Peak of the source order.
  double unplannedCost = 0;   ///< Every node once.
  std::string verdict;        ///< One sentence: does it fit, at what cost.
  std::vector<ReportStep> steps;
  std::vector<ReportRange> ranges; ///< By begin, the caller's first.
  /// Places in `ranges` of what is live on the device at the peak, the larger
  /// first. With the graph's fixed bytes they are `replay.peakBytes`.
  std::vector<int32_t> peak;
  std::vector<Refusal> refusals; ///< The larger first.
  /// By node, where its program says it: "model.py:17". Empty where nothing
  /// knows; makeReportData() leaves it so.
  std::vector<std::string> sources;
  std::optional<ChosenBatch> batch; ///< makeReportData() leaves it unset.
};

/// Replays the plan, which may be one without steps, and finds all of this.
/// Fails where the plan breaks a rule of replayPlan(). O(actions * arity).
llvm::Expected<ReportData> makeReportData(const GraphIndex &index,
                                          const Plan &plan);

/// What a range counts as at the peak: "parameters", "states", "inputs",
/// "outputs", "gradients", "temporaries", "recomputed", "fetched" or "scratch".
/// "kept for backward" is made before the backward pass and read in it.
const char *categoryOf(const GraphIndex &index, const ReportRange &range);

/// The part of the user's model that a node or tensor belongs to. It is the
/// first location of the node, or of the node that makes the tensor. Of a
/// caller's tensor it is its name up to the last dot. May be empty.
std::string moduleOf(const Graph &graph, NodeId id);
std::string moduleOf(const GraphIndex &index, TensorId id);

/// The tensor as a person would name it: its name, or its module and the
/// operator that makes it, or its number.
std::string titleOf(const GraphIndex &index, TensorId id);

} // namespace memplan

#endif // MEMPLAN_REPORT_REPORTDATA_H
