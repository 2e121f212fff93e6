//===- JobGraph.h - The runs and copies of a list ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STREAMS_JOBGRAPH_H
#define MEMPLAN_LIB_PLANNER_STREAMS_JOBGRAPH_H

#include "memplan/Plan/ActionStorages.h"
#include "memplan/Planner/Streams/Clocks.h"
#include "memplan/Planner/Streams/Streams.h"

namespace memplan {

/// What holds in whatever order the runs and copies of a list start: which has
/// to end before which begins, and what they take. Jobs are named by their
/// place in the list.
struct JobGraph {
  JobGraph(const GraphIndex &index, const std::vector<PlanAction> &actions,
           const ReuseDependencies &reuse);

  bool isRun(int32_t job) const {
    return actions[job].action == ActionKind::Compute;
  }
  /// Whether it runs on the stream behind those that compute.
  bool communicates(int32_t job) const {
    return isRun(job) && graph[actions[job].node].communicates();
  }
  /// In the order of the list; on stream 0, if it computes.
  bool keepsPlace(int32_t job) const {
    return isRun(job) && graph[actions[job].node].keepsPlace();
  }
  bool isGivenBack(int32_t storage) const {
    return storages.all[storage].placement.stepEnd <
           static_cast<int32_t>(actions.size());
  }

  const Graph &graph;
  const std::vector<PlanAction> &actions;
  ActionStorages storages;
  std::vector<int32_t> jobs;                ///< In the order of the list.
  std::vector<std::vector<int32_t>> later;  ///< By job: those after it.
  std::vector<double> times;                ///< By job.
  std::vector<double> path;                 ///< By job: to the end of the step.
  int64_t initialBytes = 0;                 ///< There before the first job.
  std::vector<int64_t> takes;               ///< By job: new bytes.
  std::vector<std::vector<int32_t>> usedBy; ///< By job: storages on the device.

private:
  void findEdges(const ReuseDependencies &reuse);
  void findPaths();
  void findBytes();
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STREAMS_JOBGRAPH_H
