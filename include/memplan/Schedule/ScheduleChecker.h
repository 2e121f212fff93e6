//===- ScheduleChecker.h - What is readable while a schedule runs ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SCHEDULE_SCHEDULECHECKER_H
#define MEMPLAN_SCHEDULE_SCHEDULECHECKER_H

#include "memplan/Schedule/Schedule.h"

namespace memplan {

struct ScheduleViolation {
  enum Kind {
    UnknownNode,      ///< schedule_c1
    RunsTwice,        ///< schedule_c1
    NeverRuns,        ///< schedule_c1
    NotMade,          ///< schedule_c2: nothing has made the tensor
    StaleView,        ///< schedule_c2: the base was made anew after the view
    WrongVersion,     ///< schedule_c3
    CollectivesOrder, ///< schedule_c4
    StaleAtEnd,       ///< schedule_c5
  };
  Kind kind;
  int32_t run = 0;
  NodeId node;     ///< Not for StaleAtEnd.
  TensorId tensor; ///< Where a tensor is concerned.
};

/// "schedule_c2: run 3: node 5 needs ...".
llvm::Error toError(const Graph &graph, const ScheduleViolation &found);

/// Follows a schedule run by run. A tensor made once stays readable until its
/// producer runs again: memory is not this class's concern. Cheap enough for
/// every step of a local search; keeps its buffers between schedules.
class ScheduleChecker {
public:
  explicit ScheduleChecker(const GraphIndex &index);

  /// Starts a new schedule.
  void reset();
  bool hasRun(NodeId node) const { return runs[node.index] > 0; }
  /// True if a read of the tensor finds a value that is not older than its
  /// base.
  bool isReadable(TensorId tensor) const {
    int32_t base = bases[tensor.index];
    return tensor.index == base ? epochs[base] > 0
                                : viewEpochs[tensor.index] == epochs[base];
  }
  /// Why the node may not run next.
  std::optional<ScheduleViolation> findObstacle(NodeId node) const;
  /// Runs the node, which has no obstacle.
  void run(NodeId node);
  /// What is missing at the end.
  std::optional<ScheduleViolation> findGapAtEnd() const;
  /// All of the above for a whole schedule.
  std::optional<ScheduleViolation> check(llvm::ArrayRef<NodeId> schedule);
  /// First tensor that the node needs and that is not readable.
  std::optional<TensorId> findUnreadable(NodeId node) const;

private:
  const GraphIndex *index;
  std::vector<int32_t> bases;
  std::vector<NodeId> collectives;
  std::vector<NodeId>
      versionedNodes; ///< Nodes that use a base that some node writes.
  std::vector<bool> usesVersions; ///< By node.
  // State of the schedule:
  std::vector<int32_t> runs;   ///< By node.
  std::vector<int32_t> epochs; ///< By base: how often it was made; caller's
                               ///< tensors start with 1.
  std::vector<int32_t>
      viewEpochs; ///< By view: epoch of its base when it was made; 0: never.
  std::vector<int32_t> writes;   ///< By base: writes so far.
  std::vector<int32_t> contents; ///< By base: writes since it was made last.
  size_t collectivesRun = 0;
  int32_t runsSoFar = 0;
};

} // namespace memplan

#endif // MEMPLAN_SCHEDULE_SCHEDULECHECKER_H
