//===- UsefulRuns.h - No run in vain ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run is in vain if its node runs at another place too and nothing uses what
// this run makes. That is until the node runs again, or until the end of the
// step. What only such runs use is in vain itself. Nodes that run once are
// never in vain.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SCHEDULE_USEFULRUNS_H
#define MEMPLAN_SCHEDULE_USEFULRUNS_H

#include "memplan/Schedule/Schedule.h"
#include <set>

namespace memplan {

/// What is wanted of the values of a step, from its end to its beginning.
class UseTracker {
public:
  /// `runs`: how often each node runs. At the end, outputs and the caller's
  /// tensors are wanted. With `keepsOrder`, nodes run for the first time in the
  /// same order whether or not runs in vain are left out. A first run in vain
  /// is kept where its node would come behind another one.
  UseTracker(const GraphIndex &index, std::vector<int32_t> runs,
             bool keepsOrder);

  /// The run before those that were seen, at a lower place; what it discards,
  /// it does not make. Whether it is one to keep: it wants what it reads, then.
  bool seeRun(NodeId node, int32_t place,
              llvm::ArrayRef<TensorId> discards = {});
  void want(TensorId tensor) { wanted[tensor.index] = true; }
  /// Whether the base or a view of it is wanted.
  bool isWanted(TensorId base) const;
  /// Something else than a run brings the base there: nothing is wanted of
  /// earlier runs.
  void bring(TensorId base);

private:
  bool isInVain(NodeId node, llvm::ArrayRef<TensorId> discards) const;
  bool isOvertaken(NodeId node, int32_t place) const;
  void keepRun(NodeId node, llvm::ArrayRef<TensorId> discards);

  const GraphIndex &index;
  bool keepsOrder;
  std::vector<bool> wanted;        ///< By tensor.
  std::vector<int32_t> runsBefore; ///< By node: those not seen yet.
  std::vector<int32_t> nextPlace;  ///< By node: of its next run; -1: none.
  /// Places at which nodes that keep the order run for the first time.
  std::set<int32_t> firstPlaces;
};

/// Leaves out all runs in vain, with their variants and in-place pairs; says
/// whether there were any. The schedule has passed verifySchedule() and does so
/// afterwards; it costs no more, and no run has more live bytes. `keepsOrder`
/// as above. O(runs * (arity + log(nodes))).
bool leaveOutRunsInVain(const GraphIndex &index, Schedule &schedule,
                        InPlaceChoice &inPlace, bool keepsOrder);

/// Whether nodes run for the first time in source order, those aside that only
/// make views and may run again.
bool startsInSourceOrder(const Graph &graph, llvm::ArrayRef<NodeId> runs);

/// First runs that source order has and that were left out: each with the place
/// in `runs` before which it occurs. Searches that keep the order begin
/// with them. Places ascend, and so do nodes.
std::vector<std::pair<size_t, NodeId>>
findFirstRunsLeftOut(const Graph &graph, llvm::ArrayRef<NodeId> runs);

} // namespace memplan

#endif // MEMPLAN_SCHEDULE_USEFULRUNS_H
