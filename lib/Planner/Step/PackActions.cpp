//===- PackActions.cpp - From a list of actions to a plan -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PackActions.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Step/Buffers.h"

using namespace memplan;

static int64_t sumBytes(const Graph &graph, const std::vector<TensorId> &ids) {
  int64_t bytes = 0;
  for (TensorId id : ids)
    bytes += graph[id].bytes;
  return bytes;
}

llvm::Expected<PackedActions>
memplan::packActions(const GraphIndex &index, std::vector<PlanAction> actions,
                     const ArenaSolver &solver, int64_t alignmentBytes,
                     const SolveLimits &limits) {
  const Graph &graph = index.graph();
  PackedActions packed;
  Plan &plan = packed.plan;
  plan.steps = std::move(actions);
  // Also what lets everything below trust the list.
  llvm::Expected<Replay> replay = replayPlan(index, plan);
  if (!replay)
    return replay.takeError();
  const StepBuffers buffers = makeBuffers(index, plan.steps, alignmentBytes);
  llvm::Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
  if (!offsets)
    return offsets.takeError();
  plan.arenas = makeArenas(buffers, *offsets);
  for (PlanArena &arena : plan.arenas) {
    arena.liveBytes = liveBoundBytes(graph, plan, arena);
    if (arena.space == spaceName(MemorySpace::Host))
      packed.hostBytes = arena.bytes;
  }
  plan.graphName = graph.name;
  plan.status = SolveStatus::Feasible;
  plan.cost = replay->cost;
  plan.time = replay->time;
  plan.peakBytes = replay->peakBytes;
  const int64_t outside = graph.persistentBytes() -
                          sumBytes(graph, buffers.owns) -
                          sumBytes(graph, buffers.hostOwns);
  packed.deviceBytes = outside + plan.arenas.front().bytes;
  packed.boundBytes = outside;
  for (const auto &[space, bytes] : buffers.problem.lowerBoundBySpace())
    if (space == spaceName(MemorySpace::Device))
      packed.boundBytes += bytes;
  if (packed.fitsHost(graph))
    if (llvm::Error error = verifyPlan(index, plan))
      return invalidPlan(solver.name, std::move(error));
  return packed;
}
