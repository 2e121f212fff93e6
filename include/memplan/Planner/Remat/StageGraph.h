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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

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

  /// The last forward op that reads the value, or its producer.
  int32_t lastForwardUser(int32_t value) const;
  /// Whether an op beside the forward pass reads the value.
  bool isReadBackward(int32_t value) const;
  /// Bytes of the outputs of the op.
  int64_t bytesMade(int32_t op) const;

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
/// triangular. A value has a list of the segments in which it is kept, since
/// plans recompute few values more than once or twice.
class Retention {
public:
  Retention(int32_t numStages, int32_t numValues)
      : stages(numStages), segments(size_t(numValues)) {}

  /// The value is in memory when the stage begins. O(log segments), as all
  /// below but set(), which may move all of them.
  bool kept(int32_t value, int32_t stage) const {
    return lastKept(value, stage) == stage;
  }
  /// Sets or clears stages [first, last].
  void set(int32_t value, int32_t first, int32_t last, bool on);
  /// Last stage in [0, stage] where the value is kept, or -1.
  int32_t lastKept(int32_t value, int32_t stage) const {
    const Segment *segment = lastBegunBy(value, stage);
    return segment ? std::min(segment->last, stage) : -1;
  }
  /// First stage of the segment of kept stages around a kept one.
  int32_t segmentBegin(int32_t value, int32_t stage) const {
    return lastBegunBy(value, stage)->first;
  }

  int32_t numStages() const { return stages; }

private:
  /// Stages [first, last]. Between two segments of a value it is not kept.
  struct Segment {
    int32_t first, last;
  };

  /// The last segment that begins in [0, stage]; null if none does.
  const Segment *lastBegunBy(int32_t value, int32_t stage) const {
    const llvm::ArrayRef<Segment> list = segments[value];
    const Segment *after =
        llvm::partition_point(list, [stage](const Segment &segment) {
          return segment.first <= stage;
        });
    return after == list.begin() ? nullptr : after - 1;
  }

  int32_t stages;
  std::vector<llvm::SmallVector<Segment, 2>> segments; ///< By value, ascending.
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
