//===- AssignStreams.cpp - Streams for a list as it stands ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: list scheduling by earliest start (Graham), in a given order. A
// stream runs its part of the list in the order of the list, so that the bytes
// of the list are those of one stream.
//
//===----------------------------------------------------------------------===//

#include "ListScheduler.h"

using namespace memplan;

StreamList memplan::assignStreams(const GraphIndex &index,
                                  std::vector<PlanAction> actions,
                                  const ReuseDependencies &reuse,
                                  int32_t streams) {
  const JobGraph graph(index, actions, reuse);
  const FlatJobs jobs(graph);
  ListScheduler scheduler(jobs, streams, StartRule::PerQueue);
  ListScheduler::State state = scheduler.begin();
  for (int32_t job = 0; job < jobs.count(); ++job) {
    scheduler.start(state, job);
    actions[graph.jobs[job]].stream = scheduler.streamOf[job];
  }
  StreamList list;
  list.time = state.time;
  list.actions = std::move(actions);
  return list;
}
