//===- JobGraph.cpp - The runs and copies of a list -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JobGraph.h"
#include "JobTimes.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

JobGraph::JobGraph(const GraphIndex &index,
                   const std::vector<PlanAction> &actions,
                   const ReuseDependencies &reuse)
    : graph(index.graph()), actions(actions),
      storages(findStorages(index, actions)), later(actions.size()),
      times(actions.size()), path(actions.size()), takes(actions.size()),
      usedBy(actions.size()) {
  const JobTimes timeOf(graph);
  for (size_t i = 0; i < actions.size(); ++i)
    if (isJob(actions[i])) {
      jobs.push_back(static_cast<int32_t>(i));
      times[i] = timeOf.of(actions[i]);
    }
  findEdges(reuse);
  findPaths();
  findBytes();
}

void JobGraph::findEdges(const ReuseDependencies &reuse) {
  int32_t lastRun = -1, lastCollective = -1;
  for (int32_t job : jobs) {
    for (int32_t before : storages.after[job])
      later[before].push_back(job);
    for (int32_t before : storages.renames[job])
      later[before].push_back(job);
    if (static_cast<size_t>(job) < reuse.size())
      for (int32_t before : reuse[job])
        later[before].push_back(job);
    if (!isRun(job)) {
      // The author of the list did not want the copy any earlier.
      if (lastRun >= 0)
        later[lastRun].push_back(job);
      continue;
    }
    if (!communicates(job))
      lastRun = job;
    if (keepsPlace(job)) {
      if (lastCollective >= 0)
        later[lastCollective].push_back(job);
      lastCollective = job;
    }
  }
}

void JobGraph::findPaths() {
  for (int32_t job : llvm::reverse(jobs)) {
    for (int32_t after : later[job])
      path[job] = std::max(path[job], path[after]);
    path[job] += times[job];
  }
}

void JobGraph::findBytes() {
  for (size_t i = 0; i < storages.all.size(); ++i) {
    const ActionStorage &storage = storages.all[i];
    if (storage.space != MemorySpace::Device)
      continue;
    for (int32_t user : storage.users)
      usedBy[user].push_back(static_cast<int32_t>(i));
    if (storage.isInitial)
      initialBytes += storage.bytes;
    else
      takes[storage.users.front()] += storage.bytes;
  }
}
