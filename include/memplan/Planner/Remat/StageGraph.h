//===- StageGraph.h - The contracted step in stages -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checkmate's view of a step (Jain et al., MLSys 2020, 4.1-4.2). Stage t is the
// segment of the schedule in which op t runs for the first time. Within a stage
// ops run in source order, each at most once.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_STAGEGRAPH_H
#define MEMPLAN_PLANNER_REMAT_STAGEGRAPH_H

#include "memplan/Planner/Model/ContractedStep.h"

namespace memplan {

/// The ops that run in each stage, ascending.
using StageRows = std::vector<std::vector<int32_t>>;

/// The contracted step, seen in stages. O(tensors + edges + donated inputs *
/// stages).
class StageGraph : public ContractedStep {
public:
  StageGraph(const GraphIndex &index, bool inPlace);

  /// Ops and stages, the end included.
  int32_t numStages() const { return numOps(); }
  /// Last stage in which the op may run: its own if it runs once, else the
  /// stage that overwrites what it reads or makes.
  int32_t lastStage(int32_t op) const { return lastStages[op]; }
  /// Bytes of donated inputs that nothing touches in or after the stage for the
  /// first time, and that a plan may therefore have freed.
  int64_t releasedBytes(int32_t stage) const { return released[stage]; }
  /// The op of that stage is the last to touch a donated input.
  bool isLastTouch(int32_t stage, TensorId base) const {
    return lastTouch[base.index] == stage;
  }

  /// The schedule of the rows.
  Schedule expand(const StageRows &rows) const;
  /// The stages of a schedule: what runs up to the first run of each op, once
  /// and in source order. `isExact`: whether the schedule runs just that, or
  /// null.
  StageRows rowsOf(const Schedule &schedule, bool *isExact = nullptr) const;

private:
  void releaseDonated();

  std::vector<int32_t> lastStages;
  std::vector<int64_t> released;  ///< By stage.
  std::vector<int32_t> lastTouch; ///< By base: last op that names it.
};

/// Which values are kept from one stage to the next: Checkmate's S, lower
/// triangular. A value takes bits for the stages around those in which it was
/// ever kept, so that large steps of short-lived values take little memory.
class Retention {
public:
  Retention(int32_t numStages, int32_t numValues)
      : stages(numStages), windows(size_t(numValues)) {}

  /// The value is in memory when the stage begins.
  bool kept(int32_t value, int32_t stage) const {
    return wordAt(windows[value], stage >> 6) >> (stage & 63) & 1;
  }
  /// Sets or clears stages [first, last].
  void set(int32_t value, int32_t first, int32_t last, bool on);
  /// Last stage in [0, stage] where the value is kept, or -1.
  int32_t lastKept(int32_t value, int32_t stage) const;
  /// First stage of the run of kept stages around a kept one.
  int32_t segmentBegin(int32_t value, int32_t stage) const;

  int32_t numStages() const { return stages; }

private:
  /// Words of 64 stages: those from `first` on, `count` of them, at `place`.
  struct Window {
    size_t place = 0;
    int32_t first = 0, count = 0;
  };
  /// Outside of its window nothing of the value is kept.
  uint64_t wordAt(const Window &window, int32_t word) const {
    const auto at = static_cast<uint32_t>(word - window.first);
    return at < static_cast<uint32_t>(window.count) ? words[window.place + at]
                                                    : 0;
  }
  void widen(Window &window, int32_t firstWord, int32_t lastWord);

  int32_t stages;
  std::vector<Window> windows; ///< By value.
  std::vector<uint64_t> words;
};

/// Everything kept from its making to its last user: no recomputation.
Retention keepAll(const StageGraph &graph);

/// Checkmate 5.1, "solve R given S". The least rows that compute each op in its
/// stage and every value in the stage before it is first kept. A value that
/// cannot be recomputed where it is needed is kept until then (this alone
/// changes `retention`). O(stages + size of the rows).
StageRows solveRows(const StageGraph &graph, Retention &retention);

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_STAGEGRAPH_H
