//===- ContractedStep.h - The step as remat solvers see it ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every remat solver works on, whatever its plans look like. Values are
// base tensors, so that an op may have several outputs kept apart. Nodes that
// only make views vanish and come back when a schedule is written. Outputs of
// the step are read by a last op that stands for its end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_MODEL_CONTRACTEDSTEP_H
#define MEMPLAN_PLANNER_MODEL_CONTRACTEDSTEP_H

#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// An output that some plan may put over an input of its op, and the smaller of
/// the two, which a bound may count on.
struct StepOverlap {
  int32_t output;
  int32_t input;   ///< -1: a donated input of the caller, `source`.
  TensorId source; ///< Base tensor of the input.
  int64_t savedBytes;
};

/// A node that does more than make views, or the end of the step.
struct StepOp {
  NodeId node;                ///< Invalid for the end.
  double cost = 0;            ///< Cost of the cheapest variant.
  int64_t workspaceBytes = 0; ///< Workspace of that variant.
  /// The variants worth having: cost rises, workspace falls. One at least.
  std::vector<NodeVariant> variants;
  std::vector<int32_t>
      inputs; ///< Values read (or overwritten), ascending, each once.
  std::vector<int32_t> outputs; ///< Values made.
  std::vector<std::pair<int32_t, int32_t>>
      inPlace; ///< Output and input value of equal bytes, as listed.
  std::vector<StepOverlap> overlaps; ///< All that any plan may do.
  /// No plan made from this view runs it again.
  bool runsOnce = false;
  /// Besides the producers of its inputs: ops all of whose runs come before all
  /// runs of this one, and after all runs of it. Of each such pair one op runs
  /// once: it writes, makes views, or keeps its place. Ascending, each once.
  std::vector<int32_t> after, before;
  /// Runs before the backward pass comes back to what it reads, and reads
  /// nothing of it.
  bool forward = false;
  /// A forward op that the backward pass depends on; statistics and metrics
  /// beside it are none. All that write nothing where there is no such pass.
  bool feedsBackward = false;
};

/// A base tensor that the step makes.
struct StepValue {
  TensorId tensor;
  int64_t bytes = 0;
  int32_t producer = 0;
  std::vector<int32_t> users; ///< Ops, ascending.
};

/// An input of the caller that the step may free after its last touch.
struct DonatedInput {
  TensorId tensor; ///< A base tensor.
  int64_t bytes = 0;
  /// Ops that read or write it, ascending; the end where an output is a view of
  /// it.
  std::vector<int32_t> users;
};

/// O(tensors + edges).
class ContractedStep {
public:
  /// `inPlace`: whether outputs may take the storage of inputs.
  ContractedStep(const GraphIndex &index, bool inPlace);

  const GraphIndex &index() const { return *graphIndex; }
  bool allowsInPlace() const { return allowInPlace; }
  /// In source order, the end last.
  const std::vector<StepOp> &ops() const { return opList; }
  const std::vector<StepValue> &values() const { return valueList; }
  const std::vector<DonatedInput> &donated() const { return donatedList; }
  int32_t numOps() const { return static_cast<int32_t>(opList.size()); }
  int32_t numValues() const { return static_cast<int32_t>(valueList.size()); }
  /// Last op that reads the value, or its producer if none does.
  int32_t lastUser(int32_t value) const;
  /// -1 for vanished nodes.
  int32_t opOf(NodeId node) const { return opOfNode[node.index]; }
  /// The op's variant that stands for a variant of its node: no more expensive,
  /// and of no more workspace.
  int32_t variantOf(int32_t op, const NodeVariant &of) const;
  /// The node only makes views that run where a user needs them.
  bool vanishes(NodeId node) const { return viewOnly[node.index]; }
  double totalCost() const { return costOfAll; }
  /// Least cost of the nodes that vanished, each run once.
  double costOutside() const { return costOfVanished; }
  /// What plans may do and this view does not: bounds found in it are none
  /// then. Empty for most graphs.
  const std::string &leftOut() const { return leftOutNote; }
  /// Bytes that are live whatever the plan: fixed ones and the caller's
  /// tensors, donated inputs left out.
  int64_t residentBytes() const;

  /// The schedule that runs the ops in that order; view nodes run right before
  /// the first user that needs them. The end stands last or not at all.
  Schedule expand(llvm::ArrayRef<int32_t> sequence) const;

private:
  friend class MergedStep; // Writes the lists of ops and values anew.

  void classifyNodes();
  void makeOps();
  static void countOp(StepOp &op, const Node &node);
  void linkOp(int32_t op);
  void linkOverlaps(int32_t op, llvm::ArrayRef<int64_t> storageBytes);
  void listDonated();
  void noteKeptViews();
  void limitRuns();
  void limitViewProducers(int32_t op);
  void orderVersions();
  void orderPlaces();
  void orderViews();
  void putBefore(int32_t first, int32_t second);
  void markForward();

  const GraphIndex *graphIndex;
  bool allowInPlace;
  double costOfAll = 0, costOfVanished = 0;
  std::string leftOutNote;
  std::vector<StepOp> opList;
  std::vector<StepValue> valueList;
  std::vector<DonatedInput> donatedList;
  std::vector<bool> viewOnly;    ///< By node: it vanishes.
  std::vector<int32_t> opOfNode; ///< -1 for vanished nodes.
  std::vector<int32_t>
      valueOfBase; ///< By tensor; -1 unless a base tensor made by the step.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_MODEL_CONTRACTEDSTEP_H
