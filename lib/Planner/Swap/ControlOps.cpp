//===- ControlOps.cpp - What triggers a swap-in ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlOps.h"
#include <limits>

using namespace memplan;

ControlOps::ControlOps(const RunGraph &graph)
    : graph(graph), firstBackwardLevel(std::numeric_limits<int32_t>::max()),
      reached(graph.numRuns()), visited(graph.numRuns()) {
  int32_t highest = 0;
  for (int32_t run = 0; run < graph.numRuns(); ++run) {
    highest = std::max(highest, graph.levels[run]);
    if (graph.backward[run])
      firstBackwardLevel = std::min(firstBackwardLevel, graph.levels[run]);
  }
  latestAt.resize(highest + 1, -1);
}

void ControlOps::findAncestors(int32_t target) {
  if (ancestorsOf == target)
    return;
  ancestorsOf = target;
  ++stamp;
  std::fill(latestAt.begin(), latestAt.end(), -1);
  std::vector<int32_t> open = {target};
  while (!open.empty()) {
    const int32_t run = open.back();
    open.pop_back();
    for (int32_t source : graph.before[run])
      if (!reachesTarget(source)) {
        reached[source] = stamp;
        int32_t &latest = latestAt[graph.levels[source]];
        latest = std::max(latest, source);
        open.push_back(source);
      }
  }
}

std::optional<int32_t> ControlOps::findByDirectOrder(int32_t source,
                                                     int32_t target, int64_t lb,
                                                     int64_t ub) {
  findAncestors(target);
  for (int64_t distance = lb; distance <= ub; ++distance) {
    const int64_t level = graph.levels[target] - distance;
    if (level <= graph.levels[source])
      return std::nullopt;
    if (latestAt[level] >= 0)
      return latestAt[level];
  }
  return std::nullopt;
}

std::optional<int32_t> ControlOps::latestBackwardUser(int32_t run,
                                                      int32_t source,
                                                      int32_t target) const {
  std::optional<int32_t> latest;
  for (int32_t user : graph.after[run])
    if (graph.backward[user] && reachesTarget(user) &&
        graph.levels[user] > graph.levels[source] &&
        graph.levels[user] < graph.levels[target])
      latest = std::max(latest.value_or(user), user);
  return latest;
}

std::optional<int32_t> ControlOps::findByChainRule(int32_t source,
                                                   int32_t target, int64_t lb,
                                                   int64_t ub) {
  findAncestors(target);
  ++visits;
  std::vector<int32_t> level = {source}, next;
  while (!level.empty() && ub > 0 && lb <= ub) {
    for (int32_t run : level) {
      if (lb <= 0)
        if (std::optional<int32_t> found =
                latestBackwardUser(run, source, target))
          return found;
      for (int32_t user : graph.after[run])
        if (!graph.backward[user] && visited[user] != visits) {
          visited[user] = visits;
          next.push_back(user);
        }
    }
    --lb;
    --ub;
    level = std::move(next);
    next.clear();
  }
  return std::nullopt;
}

std::optional<int32_t> ControlOps::search(int32_t source, int32_t target,
                                          int64_t lb) {
  const TflmsParameters &parameters = graph.problem.tflms;
  // What the backward pass makes has no users across; and the target may be
  // so near the loss that whatever is found there triggers too late.
  if (parameters.ctrldStrategy == ControlStrategy::ChainRule &&
      !graph.backward[source] &&
      graph.levels[target] - lb >= firstBackwardLevel)
    if (std::optional<int32_t> found =
            findByChainRule(source, target, lb, parameters.ub))
      return found;
  return findByDirectOrder(source, target, lb, parameters.ub);
}

std::optional<int32_t> ControlOps::find(int32_t source, int32_t target,
                                        int64_t lb) {
  auto [at, isNew] = known.try_emplace({source, target, lb});
  if (isNew)
    at->second = search(source, target, lb);
  return at->second;
}
