//===- TraceBytes.cpp - A pool against static offsets ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Dynamic/PoolModel.h"
#include "memplan/Planner/Step/ReplayTrace.h"
#include "llvm/ADT/STLExtras.h"
#include <unordered_map>

using namespace memplan;

/// Numbers of the stays by rising key; equals in their order.
template <typename Key>
static std::vector<size_t> orderBy(const std::vector<TraceStay> &stays,
                                   Key key) {
  std::vector<size_t> order(stays.size());
  for (size_t i = 0; i < stays.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(key(stays[a]), a) < std::pair(key(stays[b]), b);
  });
  return order;
}

/// Scratch of the runs, as stays of one step.
static void addScratch(const Trace &trace, const GraphIndex &index,
                       std::vector<TraceStay> &stays) {
  std::unordered_map<int64_t, const Node *> nodes;
  for (const Node &node : index.graph().nodes)
    nodes.emplace(node.externalId, &node);
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep &step = trace.steps[i];
    auto node = nodes.find(step.node);
    if (step.action != ActionKind::Compute || node == nodes.end() ||
        step.variant >= node->second->numVariants())
      continue;
    const int64_t bytes = node->second->variant(step.variant).workspaceBytes;
    if (bytes > 0)
      stays.push_back({-1, bytes, int32_t(i), int32_t(i) + 1, std::nullopt});
  }
  std::vector<TraceStay> sorted;
  for (size_t i :
       orderBy(stays, [](const TraceStay &stay) { return stay.begin; }))
    sorted.push_back(stays[i]);
  stays = std::move(sorted);
}

/// The sequence in a pool without a limit; by stay, its address.
static std::vector<int64_t> fillPool(const std::vector<TraceStay> &stays,
                                     TraceBytes &bytes) {
  const std::vector<size_t> byEnd =
      orderBy(stays, [](const TraceStay &stay) { return stay.end; });
  PoolModel pool;
  std::vector<int64_t> addresses(stays.size());
  int64_t live = 0;
  size_t given = 0;
  for (size_t i = 0; i < stays.size(); ++i) {
    // What ends at a step makes room for what begins there.
    for (; stays[byEnd[given]].end <= stays[i].begin; ++given) {
      pool.release(addresses[byEnd[given]], stays[byEnd[given]].bytes);
      live -= stays[byEnd[given]].bytes;
    }
    addresses[i] = *pool.allocate(stays[i].bytes);
    live += stays[i].bytes;
    bytes.liveBytes = std::max(bytes.liveBytes, live);
  }
  bytes.poolBytes = pool.highWaterBytes();
  return addresses;
}

llvm::Expected<TraceBytes> memplan::measureTrace(const Trace &trace,
                                                 const GraphIndex *index,
                                                 const PlanOptions &options) {
  llvm::Expected<std::vector<TraceStay>> found = findStays(trace);
  if (!found)
    return found.takeError();
  std::vector<TraceStay> &stays = *found;
  TraceBytes bytes;
  bytes.tracedBytes = trace.highWaterBytes;
  for (const TraceStay &stay : stays)
    if (stay.address && !trace.highWaterBytes)
      bytes.tracedBytes =
          std::max(bytes.tracedBytes.value_or(0),
                   *stay.address + PoolModel::rounded(stay.bytes));
  if (index)
    addScratch(trace, *index, stays);
  // A step that takes and gives at once takes nothing.
  llvm::erase_if(stays, [](const TraceStay &stay) {
    return stay.end <= stay.begin || stay.bytes == 0;
  });
  fillPool(stays, bytes);
  ArenaProblem problem;
  problem.alignmentBytes = options.alignmentBytes;
  for (size_t i = 0; i < stays.size(); ++i) {
    ArenaBuffer buffer;
    buffer.id = std::to_string(i);
    buffer.bytes = stays[i].bytes;
    buffer.begin = stays[i].begin;
    buffer.end = stays[i].end;
    problem.buffers.push_back(std::move(buffer));
  }
  llvm::Expected<const ArenaSolver *> solver =
      lookUpSolver("arena", arenaSolvers(), options.arena);
  if (!solver)
    return solver.takeError();
  llvm::Expected<ArenaPlan> plan = solve(problem, **solver, options.limits);
  if (!plan)
    return plan.takeError();
  bytes.arenaBytes = plan->peakBytes;
  // The pool's own addresses are offsets too.
  if (PoolModel::granule % options.alignmentBytes == 0)
    bytes.arenaBytes = std::min(bytes.arenaBytes, bytes.poolBytes);
  return bytes;
}
