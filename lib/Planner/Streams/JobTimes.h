//===- JobTimes.h - What runs and copies take -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STREAMS_JOBTIMES_H
#define MEMPLAN_LIB_PLANNER_STREAMS_JOBTIMES_H

#include "memplan/Graph/CopyTime.h"
#include "memplan/Plan/Plan.h"

namespace memplan {

class JobTimes {
public:
  explicit JobTimes(const Graph &graph)
      : graph(graph), bandwidth(graph.bandwidth.value_or(Bandwidth())) {}

  double of(const PlanAction &job) const {
    if (job.action == ActionKind::Compute)
      return graph[job.node].variant(job.variant).cost;
    return copyTime(bandwidth,
                    job.action == ActionKind::Fetch
                        ? CopyDirection::HostToDevice
                        : CopyDirection::DeviceToHost,
                    graph[job.tensors.front()].bytes);
  }

private:
  const Graph &graph;
  Bandwidth bandwidth;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STREAMS_JOBTIMES_H
