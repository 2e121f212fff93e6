//===- ViewRuns.h - When nodes that only make views run ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_MODEL_VIEWRUNS_H
#define MEMPLAN_PLANNER_MODEL_VIEWRUNS_H

#include "memplan/Planner/Model/ContractedStep.h"

namespace memplan {

/// While a sequence of ops is written out: the vanished nodes that have to run
/// before an op finds the views that it reads. A view is good while it was made
/// in the same live range of its base.
class ViewRuns {
public:
  explicit ViewRuns(const ContractedStep &step);

  /// The base begins another live range: a run made it, or a fetch.
  void renew(TensorId base) { ++liveRange[base.index]; }
  /// Appends the nodes that make the tensor readable, none if it is.
  void provide(TensorId tensor, std::vector<NodeId> &runs);
  /// Appends the runs for all inputs and writes of a node.
  void provideInputs(NodeId node, std::vector<NodeId> &runs);
  /// A view that no op reads still has to be made once, while its base is live.
  /// That is after the first run of the op that makes the base.
  void provideUnread(int32_t op, std::vector<NodeId> &runs);
  /// Appends the runs for the outputs of the step, at its end.
  void provideOutputs(std::vector<NodeId> &runs);

private:
  std::optional<NodeId> findStale(TensorId tensor) const;

  const ContractedStep &step;
  const GraphIndex &index;
  std::vector<int32_t> liveRange, viewedAt; ///< By tensor.
  std::vector<bool> ran;                    ///< By node.
  std::vector<NodeId> chain;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_MODEL_VIEWRUNS_H
