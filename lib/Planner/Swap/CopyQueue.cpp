//===- CopyQueue.cpp - Actions, with what they do to bytes and time -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyQueue.h"
#include "memplan/Graph/CopyTime.h"
#include <limits>

using namespace memplan;

CopyQueue::CopyQueue(const SwapProblem &problem)
    : graph(problem.index->graph()),
      budget(problem.budgetBytes.value_or(std::numeric_limits<int64_t>::max() /
                                          2)),
      hostBudget(std::min(problem.hostBudgetBytes.value_or(
                              std::numeric_limits<int64_t>::max() / 2),
                          graph.hostBudgetBytes.value_or(
                              std::numeric_limits<int64_t>::max() / 2))),
      bandwidth(graph.bandwidth.value_or(Bandwidth{})),
      live(graph.persistentBytes()), held(graph.tensors.size()),
      coming(graph.tensors.size()) {
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (isCallerOwned(graph.tensors[i].kind) && !graph.tensors[i].viewOf)
      held[i] = graph.tensors[i].bytes;
}

void CopyQueue::wait(int64_t event, double end) {
  actions.push_back(PlanAction::wait(event));
  now = std::max(now, end);
}

void CopyQueue::compute(PlanAction action, int64_t madeBytes) {
  now += graph[action.node].variant(action.variant).cost;
  live += madeBytes;
  actions.push_back(std::move(action));
}

void CopyQueue::free(TensorId base) {
  live -= held[base.index];
  held[base.index] = 0;
  freed.push_back(base);
}

bool CopyQueue::evict(TensorId tensor, int32_t lastUse) {
  if (hostLive + graph[tensor].bytes > hostBudget)
    return false;
  hostLive += graph[tensor].bytes;
  outIsFree =
      std::max(outIsFree, now) +
      copyTime(bandwidth, CopyDirection::DeviceToHost, graph[tensor].bytes);
  leaving.push_back({tensor, events, outIsFree, lastUse});
  actions.push_back(PlanAction::evict(tensor, events++));
  return true;
}

void CopyQueue::giveBack(size_t which) {
  const Leaving left = leaving[which];
  leaving.erase(leaving.begin() + static_cast<std::ptrdiff_t>(which));
  wait(left.event, left.end);
  free(left.tensor);
}

void CopyQueue::giveBackWhatIsOver(int32_t run) {
  for (size_t i = 0; i < leaving.size();)
    if (leaving[i].lastUse <= run && leaving[i].end <= now)
      giveBack(i);
    else
      ++i;
}

void CopyQueue::makeRoom(int64_t bytes, int32_t run) {
  for (size_t i = 0; i < leaving.size() && live + bytes > budget;)
    if (leaving[i].lastUse <= run)
      giveBack(i);
    else
      ++i;
}

void CopyQueue::fetch(TensorId tensor) {
  for (size_t i = 0; i < leaving.size(); ++i)
    if (leaving[i].tensor == tensor) {
      giveBack(i);
      break;
    }
  inIsFree =
      std::max(inIsFree, now) +
      copyTime(bandwidth, CopyDirection::HostToDevice, graph[tensor].bytes);
  coming[tensor.index] = {events, inIsFree};
  actions.push_back(PlanAction::fetch(tensor, events++));
  held[tensor.index] = graph[tensor].bytes;
  live += graph[tensor].bytes;
}

void CopyQueue::waitForFetch(TensorId tensor) {
  wait(coming[tensor.index].event, coming[tensor.index].end);
}

void CopyQueue::dropHost(TensorId tensor) {
  hostLive -= graph[tensor].bytes;
  actions.push_back(PlanAction::dropHost(tensor));
}
