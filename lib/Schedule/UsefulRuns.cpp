//===- UsefulRuns.cpp - No run in vain ------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/UsefulRuns.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

static bool onlyMakesViews(const Graph &graph, const Node &node) {
  return !node.outputs.empty() && !node.runsOnce() &&
         llvm::all_of(node.outputs, [&](TensorId tensor) {
           return graph[tensor].viewOf.has_value();
         });
}

UseTracker::UseTracker(const GraphIndex &index, std::vector<int32_t> runs,
                       bool keepsOrder)
    : index(index), keepsOrder(keepsOrder),
      wanted(index.graph().tensors.size()), runsBefore(std::move(runs)),
      nextPlace(index.graph().nodes.size(), -1) {
  for (size_t t = 0; t < wanted.size(); ++t)
    wanted[t] = index.staysToTheEnd(TensorId(t));
}

bool UseTracker::isInVain(NodeId node,
                          llvm::ArrayRef<TensorId> discards) const {
  const bool runsElsewhere =
      nextPlace[node.index] >= 0 || runsBefore[node.index] > 1;
  return runsElsewhere && !index.graph()[node].runsOnce() &&
         llvm::none_of(index.graph()[node].outputs, [&](TensorId output) {
           return wanted[output.index] && !llvm::is_contained(discards, output);
         });
}

/// Whether another node runs for the first time before this one does, without
/// its run at `place`.
bool UseTracker::isOvertaken(NodeId node, int32_t place) const {
  if (onlyMakesViews(index.graph(), index.graph()[node]))
    return false;
  auto next = firstPlaces.upper_bound(place);
  return next != firstPlaces.end() && *next < nextPlace[node.index];
}

void UseTracker::keepRun(NodeId node, llvm::ArrayRef<TensorId> discards) {
  const Graph &graph = index.graph();
  for (TensorId output : graph[node].outputs)
    if (!llvm::is_contained(discards, output))
      wanted[output.index] = false;
  for (TensorId output : graph[node].outputs)
    if (const auto &parent = graph[output].viewOf;
        parent && index.producer(*parent) != node)
      want(*parent);
  for (TensorId input : graph[node].inputs)
    want(input);
  for (TensorId target : graph[node].writes)
    if (index.producer(target) != node)
      want(target);
}

bool UseTracker::seeRun(NodeId node, int32_t place,
                        llvm::ArrayRef<TensorId> discards) {
  const bool isFirst = runsBefore[node.index] == 1;
  const bool isKept = !isInVain(node, discards) ||
                      (keepsOrder && isFirst && isOvertaken(node, place));
  --runsBefore[node.index];
  if (isKept) {
    nextPlace[node.index] = place;
    keepRun(node, discards);
  }
  if (isFirst && !onlyMakesViews(index.graph(), index.graph()[node]))
    firstPlaces.insert(nextPlace[node.index]);
  return isKept;
}

bool UseTracker::isWanted(TensorId base) const {
  return llvm::any_of(index.aliasSet(base),
                      [&](TensorId member) { return wanted[member.index]; });
}

void UseTracker::bring(TensorId base) {
  for (TensorId member : index.aliasSet(base))
    wanted[member.index] = false;
}

static std::vector<bool> findUseful(const GraphIndex &index,
                                    llvm::ArrayRef<NodeId> runs,
                                    bool keepsOrder) {
  std::vector<int32_t> count(index.graph().nodes.size(), 0);
  for (NodeId node : runs)
    ++count[node.index];
  UseTracker uses(index, std::move(count), keepsOrder);
  std::vector<bool> isUseful(runs.size());
  for (auto place = static_cast<int32_t>(runs.size()); place-- > 0;)
    isUseful[place] = uses.seeRun(runs[place], place);
  return isUseful;
}

template <typename T>
static void keepOnly(const std::vector<bool> &isUseful, std::vector<T> &list) {
  size_t kept = 0;
  for (size_t place = 0; place < list.size(); ++place)
    if (isUseful[place]) {
      if (kept != place)
        list[kept] = std::move(list[place]);
      ++kept;
    }
  list.resize(kept);
}

bool memplan::leaveOutRunsInVain(const GraphIndex &index, Schedule &schedule,
                                 InPlaceChoice &inPlace, bool keepsOrder) {
  const std::vector<bool> isUseful =
      findUseful(index, schedule.runs, keepsOrder);
  if (!llvm::is_contained(isUseful, false))
    return false;
  keepOnly(isUseful, schedule.runs);
  keepOnly(isUseful, schedule.variants);
  keepOnly(isUseful, inPlace);
  return true;
}

bool memplan::startsInSourceOrder(const Graph &graph,
                                  llvm::ArrayRef<NodeId> runs) {
  std::vector<bool> ran(graph.nodes.size());
  int32_t last = -1;
  for (NodeId node : runs) {
    if (ran[node.index] || onlyMakesViews(graph, graph[node]))
      continue;
    if (node.index < last)
      return false;
    ran[node.index] = true;
    last = node.index;
  }
  return true;
}

std::vector<std::pair<size_t, NodeId>>
memplan::findFirstRunsLeftOut(const Graph &graph, llvm::ArrayRef<NodeId> runs) {
  std::vector<std::pair<size_t, NodeId>> found;
  std::vector<bool> ran(graph.nodes.size());
  // Of nodes that only make views, since the last first run of another one.
  std::vector<size_t> views;
  size_t next = 0;
  for (size_t place = 0; place < runs.size(); ++place) {
    const auto node = size_t(runs[place].index);
    if (ran[node])
      continue;
    if (onlyMakesViews(graph, graph.nodes[node])) {
      views.push_back(place);
      continue;
    }
    for (; next < node; ++next) {
      const Node &before = graph.nodes[next];
      if (ran[next] || before.runsOnce() || onlyMakesViews(graph, before))
        continue;
      const auto later = llvm::find_if(
          views, [&](size_t view) { return size_t(runs[view].index) > next; });
      found.push_back({later == views.end() ? place : *later, NodeId(next)});
      ran[next] = true;
    }
    ran[node] = true;
    views.clear();
  }
  return found;
}
