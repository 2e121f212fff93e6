//===- StageGraph.h - The graph as remat solvers see it ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checkmate's view of a step (Jain et al., MLSys 2020, 4.1-4.2): stage t is the
// stretch of the schedule in which op t runs for the first time. Within a
// stage ops run in source order, each at most once. The view is carried over to
// real steps: values are base tensors, so that an op may have several outputs
// kept apart; nodes that only make views vanish and come back when a schedule
// is written; outputs of the step are read by a last op that stands for its
// end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_STAGEGRAPH_H
#define MEMPLAN_PLANNER_REMAT_STAGEGRAPH_H

#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// An output that some plan may put over an input of its op, and what a bound
/// of the bytes may count on: the smaller of the two.
struct StageOverlap {
  int32_t output;
  int32_t input;   ///< -1: a donated input of the caller, `source`.
  TensorId source; ///< Base tensor of the input.
  int64_t savedBytes;
};

/// A node that does more than make views, or the end of the step.
struct StageOp {
  NodeId node;                ///< Invalid for the end.
  double cost = 0;            ///< Of the way that the search counts with.
  int64_t workspaceBytes = 0; ///< Likewise.
  /// The variants worth having: cost rises, workspace falls. One at least.
  std::vector<NodeVariant> ways;
  std::vector<int32_t>
      inputs; ///< Values read (or overwritten), ascending, each once.
  std::vector<int32_t> outputs; ///< Values made.
  std::vector<std::pair<int32_t, int32_t>>
      inPlace; ///< Output and input value of equal bytes, as listed.
  std::vector<StageOverlap> overlaps; ///< All that any plan may do.
  /// Last stage in which the op may run: its own if it runs once, else the
  /// stage that overwrites what it reads or makes.
  int32_t lastStage = 0;
  bool forward =
      false; ///< Neither backward, nor fed by a backward op, nor an update.
};

/// A base tensor that the step makes.
struct StageValue {
  TensorId tensor;
  int64_t bytes = 0;
  int32_t producer = 0;
  std::vector<int32_t> readers; ///< Ops, ascending.
};

/// The ops that run in each stage, ascending.
using StageRows = std::vector<std::vector<int32_t>>;

/// Which variant of a node the stages count with. Runs get their variants when
/// they are measured.
enum class CountedVariant { Cheapest, Smallest };

/// O(tensors + edges).
class StageGraph {
public:
  /// `inPlace`: whether outputs may take the storage of inputs.
  StageGraph(const GraphIndex &index, bool inPlace,
             CountedVariant counted = CountedVariant::Cheapest);

  const GraphIndex &index() const { return *graphIndex; }
  const std::vector<StageOp> &ops() const { return opList; }
  const std::vector<StageValue> &values() const { return valueList; }
  /// Ops and stages, the end included.
  int32_t numStages() const { return static_cast<int32_t>(opList.size()); }
  int32_t numValues() const { return static_cast<int32_t>(valueList.size()); }
  /// Last op that reads the value, or its producer if none does.
  int32_t lastReader(int32_t value) const;
  double totalCost() const { return costOfAll; }
  /// Least cost of the nodes that vanished from the stages, each run once.
  double costOutside() const { return costOfVanished; }
  /// What plans in stages may do and the stages do not: the bounds of a model
  /// of them are none then. Empty for most graphs.
  const std::string &leftOut() const { return leftOutNote; }
  /// Bytes of donated inputs that nobody touches in or after the stage for the
  /// first time, and that a plan may therefore have freed.
  int64_t releasedBytes(int32_t stage) const { return released[stage]; }
  /// The op of that stage is the last to touch a donated input.
  bool isLastTouch(int32_t stage, TensorId base) const {
    return lastTouch[base.index] == stage;
  }

  /// The schedule of the rows; view nodes run right before the first reader
  /// that needs them.
  Schedule expand(const StageRows &rows) const;

private:
  void classifyNodes();
  void makeOps();
  void countOp(StageOp &op, const Node &node) const;
  void linkOp(int32_t op);
  void linkOverlaps(int32_t op, llvm::ArrayRef<int64_t> storageBytes);
  void releaseDonated();
  void limitStages();
  void limitViewMakers(int32_t op);
  void markForward();

  const GraphIndex *graphIndex;
  bool allowInPlace;
  CountedVariant counted;
  double costOfAll = 0, costOfVanished = 0;
  std::string leftOutNote;
  std::vector<int64_t> released;  ///< By stage.
  std::vector<int32_t> lastTouch; ///< By base: last op that names it.
  std::vector<StageOp> opList;
  std::vector<StageValue> valueList;
  std::vector<bool> viewOnly;    ///< By node: it vanishes from the stages.
  std::vector<int32_t> opOfNode; ///< -1 for vanished nodes.
  std::vector<int32_t>
      valueOfBase; ///< By tensor; -1 unless a base tensor made by the step.
};

/// Which values are kept from one stage to the next: Checkmate's S, lower
/// triangular.
class Retention {
public:
  Retention(int32_t numStages, int32_t numValues);

  /// The value is in memory when the stage begins.
  bool kept(int32_t value, int32_t stage) const {
    return words[size_t(value) * stride + size_t(stage >> 6)] >> (stage & 63) &
           1;
  }
  /// Sets or clears stages [first, last].
  void set(int32_t value, int32_t first, int32_t last, bool on);
  /// Last stage in [0, stage] where the value is kept, or -1.
  int32_t lastKept(int32_t value, int32_t stage) const;
  /// First and last stage of the run of kept stages around a kept one.
  int32_t segmentBegin(int32_t value, int32_t stage) const;
  int32_t segmentEnd(int32_t value, int32_t stage) const;

  int32_t numStages() const { return stages; }

private:
  int32_t stages;
  size_t stride;
  std::vector<uint64_t> words;
};

/// Everything kept from its making to its last reader: no recomputation.
Retention keepAll(const StageGraph &graph);

/// Checkmate 5.1, "solve R given S": the least rows that compute each op in its
/// stage and every value in the stage before it is first kept. A value that
/// cannot be made again where it is needed is kept until then (this alone
/// changes `retention`). O(stages + size of the rows).
StageRows solveRows(const StageGraph &graph, Retention &retention);

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_STAGEGRAPH_H
