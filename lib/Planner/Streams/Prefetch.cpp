//===- Prefetch.cpp - Communication starts before its results are used ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: as-late-as-possible scheduling on one resource. Idea: from the last
// run that communicates to the first, each ends just before its first user
// starts, and before the next one on their stream starts, as far as its results
// fit the bytes that are live from there on. A run that only makes a view of
// such results, as a wait for them is written, moves down to its first user.
// What they read is freed when they have ended, as far as that fits. Other runs
// that compute stay in their order. Guaranteed: a list that is right where the
// given one is; no more bytes live than the limit, or than before. O(actions *
// (arity + actions that a run passes)).
//
//===----------------------------------------------------------------------===//

#include "JobGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <map>

using namespace memplan;

namespace {
class Prefetcher {
public:
  Prefetcher(const GraphIndex &index, const std::vector<PlanAction> &actions,
             int64_t liveBytes);
  std::vector<PlanAction> list();

private:
  void countLive();
  void findNeighbours();
  /// The first action behind the job that it has to stay before; of those that
  /// compute alone.
  int32_t firstAfter(int32_t job, bool computing) const;
  int32_t firstRemake(TensorId tensor, int32_t from) const;
  void move(int32_t job, int32_t to);
  void holdInputs();
  void hold(int32_t storage, double until);
  /// So many bytes more between the action before and that one.
  bool fitsBefore(int32_t at, int64_t bytes) const {
    return at == 0 || live[at - 1] + takenBefore[at] + bytes <= limit;
  }
  void moveUp(int32_t job);
  void moveDown(int32_t job);
  bool onlyViewsResults(int32_t job) const;

  const std::vector<PlanAction> &actions;
  const JobGraph graph;
  const int64_t limit;
  /// By action: when what computes has come to it, were nothing waited for.
  std::vector<double> clock;
  std::vector<int64_t> live; ///< By action: device bytes while it executes.
  /// By job: the last one that has to stay before it, or the wait for a fetch.
  std::vector<int32_t> lastBefore;
  /// By job: of a run that communicates, or views of these.
  std::vector<bool> usesResults;
  std::vector<std::vector<int32_t>> movedTo; ///< By action: before it.
  std::vector<int64_t> takenBefore;          ///< By action: what these take.
  std::vector<int32_t> placeOf; ///< By job: where it is, or before that action.
  /// By action: storages that are freed before it, and those that it frees no
  /// more.
  std::vector<std::vector<int32_t>> freedAt;
  std::vector<std::vector<TensorId>> heldAt;
  /// By tensor: jobs that make it or bring it back.
  llvm::DenseMap<int32_t, llvm::SmallVector<int32_t, 2>> remakes;
  double nextStart = std::numeric_limits<double>::infinity();
};
} // namespace

Prefetcher::Prefetcher(const GraphIndex &index,
                       const std::vector<PlanAction> &actions,
                       int64_t liveBytes)
    : actions(actions), graph(index, actions, {}), limit(liveBytes),
      clock(actions.size() + 1), live(actions.size() + 1),
      lastBefore(actions.size(), -1), usesResults(actions.size()),
      movedTo(actions.size() + 1), takenBefore(actions.size() + 1),
      freedAt(actions.size() + 1), heldAt(actions.size()) {
  for (size_t i = 0; i < actions.size(); ++i) {
    const auto job = static_cast<int32_t>(i);
    const bool computes =
        actions[i].action == ActionKind::Compute && !graph.communicates(job);
    clock[i + 1] = clock[i] + (computes ? graph.times[i] : 0);
    placeOf.push_back(job);
  }
  countLive();
  findNeighbours();
}

void Prefetcher::countLive() {
  for (const ActionStorage &storage : graph.storages.all) {
    if (storage.space != MemorySpace::Device)
      continue;
    const int32_t begin =
        storage.isInitial ? 0 : std::max(storage.placement.stepBegin, 0);
    live[begin] += storage.bytes;
    live[std::max(storage.placement.stepEnd, begin)] -= storage.bytes;
  }
  for (size_t i = 1; i < live.size(); ++i)
    live[i] += live[i - 1];
}

void Prefetcher::findNeighbours() {
  std::map<int64_t, int32_t> arrives; // By event: the first wait for it.
  for (size_t i = 0; i < actions.size(); ++i)
    if (actions[i].action == ActionKind::Wait)
      arrives.try_emplace(*actions[i].event, static_cast<int32_t>(i));
  for (int32_t job : graph.jobs)
    for (int32_t after : graph.later[job]) {
      const bool isFetch = actions[job].action == ActionKind::Fetch;
      const int32_t there = isFetch ? arrives.at(*actions[job].event) : job;
      lastBefore[after] =
          std::max(lastBefore[after], there < after ? there : job);
      usesResults[after] = usesResults[after] || graph.communicates(job) ||
                           onlyViewsResults(job);
    }
  for (int32_t job : graph.jobs) {
    if (actions[job].action == ActionKind::Fetch)
      remakes[actions[job].tensors.front().index].push_back(job);
    if (graph.isRun(job))
      for (TensorId output : graph.graph[actions[job].node].outputs)
        remakes[output.index].push_back(job);
  }
  // What is made again is freed first.
  std::map<int32_t, int32_t> freed; // By tensor.
  for (const ActionStorage &storage : graph.storages.all) {
    const Placement &placement = storage.placement;
    if (storage.space != MemorySpace::Device ||
        placement.kind != PlacementKind::Tensor)
      continue;
    if (auto before = freed.find(placement.tensor.index);
        before != freed.end() && !storage.isInitial)
      lastBefore[placement.stepBegin] =
          std::max(lastBefore[placement.stepBegin], before->second);
    for (TensorId tensor : {placement.tensor, storage.last})
      freed[tensor.index] = placement.stepEnd;
  }
}

bool Prefetcher::onlyViewsResults(int32_t job) const {
  if (!graph.isRun(job) || graph.communicates(job) || !usesResults[job])
    return false;
  const Node &node = graph.graph[actions[job].node];
  return node.writes.empty() && !graph.keepsPlace(job) &&
         llvm::all_of(node.outputs, [&](TensorId output) {
           return graph.graph[output].viewOf.has_value();
         });
}

/// Behind none that frees what it reads or looks into.
void Prefetcher::moveDown(int32_t job) {
  int32_t to = firstAfter(job, false);
  for (int32_t storage : graph.usedBy[job])
    to = std::min(to, graph.storages.all[storage].placement.stepEnd);
  if (to <= job + 1)
    return;
  move(job, to);
}

/// The first action from there on that makes the tensor again, takes it back
/// from the host or ends the step.
int32_t Prefetcher::firstRemake(TensorId tensor, int32_t from) const {
  auto first = static_cast<int32_t>(actions.size());
  for (int32_t job : remakes.lookup(tensor.index))
    if (placeOf[job] >= from)
      first = std::min(first, placeOf[job]);
  return first;
}

int32_t Prefetcher::firstAfter(int32_t job, bool computing) const {
  auto first = static_cast<int32_t>(actions.size());
  for (int32_t after : graph.later[job])
    if (!computing || !graph.communicates(after))
      first = std::min(first, placeOf[after]);
  return first;
}

void Prefetcher::move(int32_t job, int32_t to) {
  placeOf[job] = to;
  movedTo[to].push_back(job);
}

void Prefetcher::moveUp(int32_t job) {
  const double start =
      std::min(clock[firstAfter(job, true)], nextStart) - graph.times[job];
  const int64_t takes = graph.takes[job];
  int32_t to = job;
  for (int32_t at = job; at - 1 > lastBefore[job] && clock[at] > start &&
                         live[at - 1] + takes <= limit &&
                         (takenBefore[at] == 0 || fitsBefore(at, takes));
       --at)
    if (fitsBefore(at - 1, takes))
      to = at - 1;
  nextStart = std::min(nextStart, std::max(clock[to], start));
  if (to == job)
    return;
  for (int32_t at = to; at < job; ++at)
    live[at] += takes;
  takenBefore[to] += takes;
  move(job, to);
}

/// What would take the bytes of an input has to wait for the run to end.
void Prefetcher::holdInputs() {
  double end = 0;
  for (int32_t job : graph.jobs) {
    if (!graph.communicates(job))
      continue;
    end = std::max(end, clock[placeOf[job]]) + graph.times[job];
    for (int32_t storage : graph.usedBy[job])
      if (graph.storages.all[storage].users.back() == job)
        hold(storage, end);
  }
}

void Prefetcher::hold(int32_t number, double until) {
  const ActionStorage &storage = graph.storages.all[number];
  const int32_t from = storage.placement.stepEnd;
  if (from >= int32_t(actions.size()) ||
      actions[from].action != ActionKind::Free ||
      !llvm::is_contained(actions[from].tensors, storage.last))
    return;
  const int32_t most = firstRemake(storage.last, from);
  int32_t to = from;
  while (to < most && clock[to] < until && live[to] + storage.bytes <= limit &&
         (to == from || takenBefore[to] == 0 || fitsBefore(to, storage.bytes)))
    ++to;
  if (to == from)
    return;
  for (int32_t at = from; at < to; ++at)
    live[at] += storage.bytes;
  heldAt[from].push_back(storage.last);
  freedAt[to].push_back(number);
}

std::vector<PlanAction> Prefetcher::list() {
  for (int32_t job : llvm::reverse(graph.jobs))
    if (graph.communicates(job) && actions[job].discard.empty())
      moveUp(job);
    else if (onlyViewsResults(job))
      moveDown(job);
  holdInputs();
  std::vector<PlanAction> result;
  for (size_t i = 0; i <= actions.size(); ++i) {
    for (int32_t storage : freedAt[i])
      result.push_back(PlanAction::free({graph.storages.all[storage].last}));
    llvm::sort(movedTo[i]);
    for (int32_t job : movedTo[i])
      result.push_back(actions[job]);
    if (i == actions.size() || placeOf[i] != int32_t(i))
      continue;
    PlanAction action = actions[i];
    llvm::erase_if(action.tensors, [&](TensorId tensor) {
      return llvm::is_contained(heldAt[i], tensor);
    });
    if (action.action != ActionKind::Free || !action.tensors.empty())
      result.push_back(std::move(action));
  }
  return result;
}

std::vector<PlanAction>
memplan::prefetchCommunication(const GraphIndex &index,
                               const std::vector<PlanAction> &actions,
                               int64_t liveBytes) {
  return Prefetcher(index, actions, liveBytes).list();
}
