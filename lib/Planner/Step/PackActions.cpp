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

/// Everything about a plan but its offsets is known.
static llvm::Expected<PackedActions>
finish(const GraphIndex &index, std::vector<PlanAction> actions,
       const StepBuffers &buffers, const ArenaProblem &problem,
       const ArenaPlan &offsets, llvm::StringRef solver) {
  const Graph &graph = index.graph();
  PackedActions packed;
  Plan &plan = packed.plan;
  plan.steps = std::move(actions);
  llvm::Expected<Replay> replay = replayPlan(index, plan);
  if (!replay)
    return replay.takeError();
  plan.arenas = makeArenas(buffers, offsets);
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
  for (const auto &[space, bytes] : problem.lowerBoundBySpace())
    if (space == spaceName(MemorySpace::Device))
      packed.boundBytes += bytes;
  if (packed.fitsHost(graph))
    if (llvm::Error error = verifyPlan(index, plan))
      return invalidPlan(solver, std::move(error));
  return packed;
}

llvm::Expected<PackedActions>
memplan::packActions(const GraphIndex &index, std::vector<PlanAction> actions,
                     const ArenaSolver &solver, int64_t alignmentBytes,
                     const SolveLimits &limits) {
  // What lets everything below trust the list.
  Plan plan;
  plan.steps = std::move(actions);
  if (llvm::Error error = replayPlan(index, plan).takeError())
    return std::move(error);
  const StepBuffers buffers = makeBuffers(index, plan.steps, alignmentBytes);
  llvm::Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
  if (!offsets)
    return offsets.takeError();
  return finish(index, std::move(plan.steps), buffers, buffers.problem,
                *offsets, solver.name);
}

llvm::Expected<PackedActions>
memplan::packInListOrder(const GraphIndex &index, const StreamList &list,
                         const ArenaSolver &solver, int64_t alignmentBytes,
                         const SolveLimits &limits) {
  // As if one stream issued everything.
  std::vector<PlanAction> serial = list.actions;
  for (PlanAction &action : serial)
    action.stream = 0;
  StepBuffers buffers = makeBuffers(index, serial, alignmentBytes);
  // Scratch is of one step of the list, and there for as long as its run.
  for (size_t i = 0; i < buffers.placements.size(); ++i)
    if (const Placement &placement = buffers.placements[i];
        placement.kind != PlacementKind::Tensor)
      buffers.problem.buffers[buffers.bufferOf[i]].end =
          list.doneBy[placement.stepBegin];
  llvm::Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
  if (!offsets)
    return offsets.takeError();
  const HandOvers handOvers =
      findHandOvers(index, list.actions, makeArenas(buffers, *offsets));
  std::vector<PlanAction> issued = addWaits(index, list.actions, handOvers);
  // The waits shift the steps, and nothing else.
  serial = issued;
  for (PlanAction &action : serial)
    action.stream = 0;
  const StepBuffers shifted = makeBuffers(index, serial, alignmentBytes);
  return finish(index, std::move(issued), shifted, buffers.problem, *offsets,
                solver.name);
}
