//===- PackActions.cpp - From a list of actions to a plan -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PackActions.h"
#include "memplan/Plan/ActionStorages.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/Buffers.h"
#include "memplan/Planner/Streams/Clocks.h"
#include <map>
#include <tuple>

using namespace memplan;

void memplan::boundByRunOnce(const Graph &graph, Plan &plan) {
  const SolveReport once = reportRunOnce(graph);
  plan.bound = once.bound;
  plan.boundSpace = once.boundSpace;
  plan.proof = once.proof;
  plan.timeBound.reset();
  plan.timeBoundSpace.clear();
  plan.status =
      isOptimalBound(*once.bound, std::max(plan.cost, plan.makespan()))
          ? SolveStatus::Optimal
          : SolveStatus::Feasible;
}

int64_t memplan::deviceBytesOf(const Graph &graph, const Plan &plan) {
  int64_t bytes = graph.persistentBytes();
  for (const PlanArena &arena : plan.arenas) {
    if (arena.space == spaceName(MemorySpace::Device))
      bytes += arena.bytes;
    for (TensorId id : arena.owns)
      bytes -= graph[id].bytes;
  }
  return bytes;
}

/// Everything about a plan but what its replay finds is known.
static llvm::Expected<PackedActions> finish(const GraphIndex &index,
                                            std::vector<PlanAction> actions,
                                            std::vector<PlanArena> arenas,
                                            int64_t boundBytes,
                                            llvm::StringRef solver) {
  const Graph &graph = index.graph();
  PackedActions packed;
  Plan &plan = packed.plan;
  plan.steps = std::move(actions);
  plan.arenas = std::move(arenas);
  llvm::Expected<Replay> replay = replayPlan(index, plan);
  if (!replay)
    return replay.takeError();
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
  packed.deviceBytes = deviceBytesOf(graph, plan);
  packed.boundBytes =
      packed.deviceBytes - plan.arenas.front().bytes + boundBytes;
  if (packed.fitsHost(graph))
    if (llvm::Error error = verifyPlan(index, plan))
      return invalidPlan(solver, std::move(error));
  return packed;
}

static int64_t boundOf(const ArenaProblem &problem) {
  for (const auto &[space, bytes] : problem.lowerBoundBySpace())
    if (space == spaceName(MemorySpace::Device))
      return bytes;
  return 0;
}

static llvm::Error checkActions(const GraphIndex &index,
                                const std::vector<PlanAction> &actions) {
  // What lets everything below trust the list. What it fetches before anything
  // evicts it lives on the host.
  Plan plan;
  plan.steps = actions;
  PlanArena &host = plan.arenas.emplace_back();
  host.space = spaceName(MemorySpace::Host);
  host.owns = findHosted(index, plan.steps);
  return replayPlan(index, plan).takeError();
}

llvm::Expected<PackedActions>
memplan::packActions(const GraphIndex &index, std::vector<PlanAction> actions,
                     const ArenaSolver &solver, int64_t alignmentBytes,
                     const SolveLimits &limits) {
  if (llvm::Error error = checkActions(index, actions))
    return error;
  const StepBuffers buffers = makeBuffers(index, actions, alignmentBytes);
  llvm::Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
  if (!offsets)
    return offsets.takeError();
  return finish(index, std::move(actions), makeArenas(buffers, *offsets),
                boundOf(buffers.problem), solver.name);
}

llvm::Expected<std::optional<PackedActions>>
memplan::packActionsWithin(const GraphIndex &index,
                           std::vector<PlanAction> actions, int64_t deviceBytes,
                           const ArenaSolver &solver, int64_t alignmentBytes,
                           const SolveLimits &limits) {
  if (llvm::Error error = checkActions(index, actions))
    return error;
  StepBuffers buffers = makeBuffers(index, actions, alignmentBytes);
  const Graph &graph = index.graph();
  int64_t left = deviceBytes - graph.persistentBytes();
  for (const std::vector<TensorId> *owns : {&buffers.owns, &buffers.hostOwns})
    for (TensorId id : *owns)
      left += graph[id].bytes;
  if (left < 0)
    return std::nullopt;
  auto setBudget = [&](MemorySpace space, int64_t bytes) {
    buffers.problem.spaces.push_back({spaceName(space), bytes, {}});
  };
  setBudget(MemorySpace::Device, left);
  if (graph.hostBudgetBytes)
    setBudget(MemorySpace::Host, *graph.hostBudgetBytes);
  llvm::Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
  if (!offsets)
    return offsets.takeError();
  if (offsets->offsets.empty() && !buffers.problem.buffers.empty())
    return std::nullopt;
  return finish(index, std::move(actions), makeArenas(buffers, *offsets),
                boundOf(buffers.problem), solver.name);
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
  return waitForBytes(index, list, makeArenas(buffers, *offsets),
                      boundOf(buffers.problem));
}

/// By action of a list, of jobs: the place in another list of the same jobs in
/// the same order.
static std::vector<int32_t> matchJobs(const std::vector<PlanAction> &from,
                                      const std::vector<PlanAction> &to) {
  std::vector<int32_t> places(to.size(), -1);
  size_t next = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    if (!isJob(to[i]))
      continue;
    while (!isJob(from[next]))
      ++next;
    places[i] = static_cast<int32_t>(next++);
  }
  return places;
}

std::vector<PlanArena> memplan::moveArenas(const GraphIndex &index,
                                           const std::vector<PlanAction> &to,
                                           const std::vector<int32_t> &from,
                                           std::vector<PlanArena> arenas) {
  using Key = std::tuple<MemorySpace, PlacementKind, int32_t, int32_t>;
  auto keyOf = [](MemorySpace space, const Placement &placement,
                  int32_t begin) {
    const bool isNode = placement.kind == PlacementKind::Workspace;
    return Key(space, placement.kind,
               isNode ? placement.node.index : placement.tensor.index, begin);
  };
  std::map<Key, Placement> moved;
  const ActionStorages storages = findStorages(index, to);
  for (const ActionStorage &storage : storages.all) {
    const int32_t begin = storage.placement.stepBegin;
    moved[keyOf(storage.space, storage.placement,
                storage.isInitial ? 0 : from[begin])] = storage.placement;
  }
  for (PlanArena &arena : arenas)
    for (Placement &placement : arena.placements) {
      const MemorySpace space = arena.space == spaceName(MemorySpace::Host)
                                    ? MemorySpace::Host
                                    : MemorySpace::Device;
      const Placement &next =
          moved.at(keyOf(space, placement, placement.stepBegin));
      placement.stepBegin = next.stepBegin;
      placement.stepEnd = std::max(next.stepEnd, next.stepBegin + 1);
    }
  return arenas;
}

llvm::Expected<PackedActions>
memplan::waitForBytes(const GraphIndex &index, const StreamList &list,
                      std::vector<PlanArena> arenas, int64_t boundBytes) {
  const HandOvers handOvers = findHandOvers(index, list.actions, arenas);
  std::vector<PlanAction> issued = addWaits(index, list.actions, handOvers);
  arenas = moveArenas(index, issued, matchJobs(list.actions, issued),
                      std::move(arenas));
  return finish(index, std::move(issued), std::move(arenas), boundBytes,
                "streams");
}
