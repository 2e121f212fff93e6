//===- PackedPlan.cpp - From a list of actions to a plan ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PackedPlan.h"
#include "Pack.h"
#include "memplan/Plan/ActionStorages.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/Buffers.h"
#include "memplan/Planner/Streams/Clocks.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace memplan;

const ArenaSolver &memplan::noArena() {
  static const ArenaSolver none = {
      "none",
      "live bytes, without an arena",
      {.family = SolverFamily::Baseline},
      [](const ArenaProblem &,
         const SolveLimits &) -> llvm::Expected<ArenaPlan> {
        return llvm::createStringError("arena=none gives no offsets");
      }};
  return none;
}

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
  if (plan.arenas.empty())
    return plan.peakBytes;
  int64_t bytes = graph.persistentBytes();
  for (const PlanArena &arena : plan.arenas) {
    if (arena.space == spaceName(MemorySpace::Device))
      bytes += arena.bytes;
    for (TensorId id : arena.owns)
      bytes -= graph[id].bytes;
  }
  return bytes;
}

Schedule memplan::scheduleOf(const std::vector<PlanAction> &actions) {
  Schedule schedule;
  bool hasVariants = false;
  for (const PlanAction &action : actions) {
    if (action.action != ActionKind::Compute)
      continue;
    schedule.runs.push_back(action.node);
    schedule.variants.push_back(action.variant);
    hasVariants |= action.variant != 0;
  }
  if (!hasVariants)
    schedule.variants.clear();
  return schedule;
}

InPlaceChoice memplan::inPlaceOf(const std::vector<PlanAction> &actions) {
  InPlaceChoice inPlace;
  for (const PlanAction &action : actions)
    if (action.action == ActionKind::Compute)
      inPlace.push_back(action.inPlace);
  return inPlace;
}

/// Cost, time, peak and live host bytes by replay.
static llvm::Error replay(const GraphIndex &index, PackedPlan &packed) {
  llvm::Expected<Replay> found = replayPlan(index, packed.plan);
  if (!found)
    return found.takeError();
  packed.plan.cost = found->cost;
  packed.plan.time = found->time;
  packed.plan.peakBytes = found->peakBytes;
  packed.hostBytes = found->hostPeakBytes;
  return llvm::Error::success();
}

llvm::Expected<PackedPlan>
memplan::packWithArenas(const GraphIndex &index,
                        std::vector<PlanAction> actions,
                        std::vector<PlanArena> arenas, int64_t boundBytes,
                        const std::optional<std::pair<double, int64_t>> &totals,
                        llvm::StringRef solver) {
  const Graph &graph = index.graph();
  PackedPlan packed;
  Plan &plan = packed.plan;
  plan.steps = std::move(actions);
  plan.arenas = std::move(arenas);
  plan.graphName = graph.name;
  plan.status = SolveStatus::Feasible;
  if (totals) {
    plan.time = plan.cost = totals->first;
    plan.peakBytes = totals->second;
  } else if (llvm::Error error = replay(index, packed))
    return error;
  for (PlanArena &arena : plan.arenas) {
    arena.liveBytes = liveBoundBytes(graph, plan, arena);
    if (arena.space == spaceName(MemorySpace::Host))
      packed.hostBytes = arena.bytes;
  }
  packed.deviceBytes = deviceBytesOf(graph, plan);
  packed.boundBytes = packed.deviceBytes;
  if (!plan.arenas.empty())
    packed.boundBytes += boundBytes - plan.arenas.front().bytes;
  if (!totals && packed.fitsHost(graph))
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

/// Device bytes that are not the arena's.
int64_t ActionPacker::besideBytes() const {
  const Graph &graph = index.graph();
  int64_t bytes = graph.persistentBytes();
  for (const std::vector<TensorId> *owns : {&buffers.owns, &buffers.hostOwns})
    for (TensorId id : *owns)
      bytes -= graph[id].bytes;
  return bytes;
}

/// What is live is what it takes.
llvm::Expected<std::optional<PackedPlan>> ActionPacker::countLiveBytes() {
  llvm::Expected<PackedPlan> packed =
      packWithArenas(index, std::move(actions), {}, 0, totals, noArena().name);
  if (!packed)
    return packed.takeError();
  if (mostBytes &&
      (packed->deviceBytes > *mostBytes || !packed->fitsHost(index.graph())))
    return std::nullopt;
  return std::optional<PackedPlan>(std::move(*packed));
}

bool ActionPacker::setBudget(int64_t deviceBytes) {
  mostBytes = deviceBytes;
  const int64_t left = deviceBytes - besideBytes();
  if (left < 0 || boundOf(buffers.problem) > left)
    return false;
  const char *host = spaceName(MemorySpace::Host);
  if (llvm::none_of(buffers.problem.buffers, [&](const ArenaBuffer &buffer) {
        return buffer.space == host;
      })) {
    buffers.problem.budgetBytes = left;
    return true;
  }
  std::vector<ArenaSpace> &spaces = buffers.problem.spaces;
  spaces.push_back({spaceName(MemorySpace::Device), left, {}});
  if (const auto &hostBytes = index.graph().hostBudgetBytes)
    spaces.push_back({host, *hostBytes, {}});
  return true;
}

void ActionPacker::setEnough(int64_t deviceBytes) {
  buffers.problem.spaces.push_back(
      {spaceName(MemorySpace::Device),
       {},
       {},
       std::max<int64_t>(0, deviceBytes - besideBytes())});
  buffers.problem.spaces.push_back({spaceName(MemorySpace::Host),
                                    {},
                                    {},
                                    index.graph().hostBudgetBytes.value_or(
                                        std::numeric_limits<int64_t>::max())});
}

llvm::Expected<std::optional<PackedPlan>>
ActionPacker::pack(const ArenaSolver &solver, const SolveLimits &limits) {
  if (!hasArena(solver))
    return countLiveBytes();
  llvm::Expected<ArenaPlan> offsets = solve(buffers.problem, solver, limits);
  if (!offsets)
    return offsets.takeError();
  if (offsets->offsets.empty() && !buffers.problem.buffers.empty())
    return std::nullopt;
  return placeAt(*offsets, solver.name);
}

llvm::Expected<std::optional<PackedPlan>>
ActionPacker::placeAt(const ArenaPlan &offsets, llvm::StringRef solver) {
  llvm::Expected<PackedPlan> packed =
      packWithArenas(index, std::move(actions), makeArenas(buffers, offsets),
                     boundOf(buffers.problem), totals, solver);
  if (!packed)
    return packed.takeError();
  return std::optional<PackedPlan>(std::move(*packed));
}

llvm::Expected<std::optional<PackedPlan>>
ActionPacker::packAt(OffsetsOf offsetsOf) {
  ArenaPlan known;
  known.report.status = SolveStatus::Feasible;
  known.offsets = offsetsOf(actions, buffers);
  const std::vector<ArenaBuffer> &list = buffers.problem.buffers;
  if (known.offsets.size() != list.size())
    return std::nullopt;
  for (size_t i = 0; i < list.size(); ++i)
    known.peakBytes =
        std::max(known.peakBytes, known.offsets[i] + list[i].bytes);
  if (llvm::Error error = buffers.problem.verify(known)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return placeAt(known, "known offsets");
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

/// A list that is checked, with its buffers.
static llvm::Expected<ActionPacker>
preparePacking(const GraphIndex &index, std::vector<PlanAction> actions,
               const ArenaSolver &solver, int64_t alignmentBytes) {
  if (llvm::Error error = checkActions(index, actions))
    return error;
  StepBuffers buffers = hasArena(solver)
                            ? makeBuffers(index, actions, alignmentBytes)
                            : StepBuffers();
  return ActionPacker(index, std::move(actions), std::move(buffers));
}

llvm::Expected<PackedPlan>
memplan::packActions(const GraphIndex &index, std::vector<PlanAction> actions,
                     const ArenaSolver &solver, int64_t alignmentBytes,
                     const SolveLimits &limits,
                     std::optional<int64_t> enoughBytes) {
  llvm::Expected<ActionPacker> packing =
      preparePacking(index, std::move(actions), solver, alignmentBytes);
  if (!packing)
    return packing.takeError();
  if (enoughBytes)
    packing->setEnough(*enoughBytes);
  llvm::Expected<std::optional<PackedPlan>> packed =
      packing->pack(solver, limits);
  if (!packed)
    return packed.takeError();
  return std::move(**packed);
}

llvm::Expected<std::optional<PackedPlan>>
memplan::packActionsWithin(const GraphIndex &index,
                           std::vector<PlanAction> actions, int64_t deviceBytes,
                           const ArenaSolver &solver, int64_t alignmentBytes,
                           const SolveLimits &limits) {
  llvm::Expected<ActionPacker> packing =
      preparePacking(index, std::move(actions), solver, alignmentBytes);
  if (!packing)
    return packing.takeError();
  if (!packing->setBudget(deviceBytes))
    return std::nullopt;
  return packing->pack(solver, limits);
}

llvm::Expected<PackedPlan> memplan::packInListOrder(const GraphIndex &index,
                                                    const StreamList &list,
                                                    const ArenaSolver &solver,
                                                    int64_t alignmentBytes,
                                                    const SolveLimits &limits) {
  // As if one stream issued everything.
  std::vector<PlanAction> serial = list.actions;
  for (PlanAction &action : serial)
    action.stream = 0;
  StepBuffers buffers = makeBuffers(index, serial, alignmentBytes);
  // Scratch is of one step of the list, and there for as long as its run.
  for (size_t i = 0; i < buffers.placements.size(); ++i)
    if (const Placement &placement = buffers.placements[i];
        placement.kind != PlacementKind::Tensor && !list.doneBy.empty())
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

llvm::Expected<PackedPlan> memplan::waitForBytes(const GraphIndex &index,
                                                 const StreamList &list,
                                                 std::vector<PlanArena> arenas,
                                                 int64_t boundBytes) {
  const ReuseDependencies reuse =
      findReuseDependencies(index, list.actions, arenas);
  std::vector<PlanAction> issued = addWaits(index, list.actions, reuse);
  arenas = moveArenas(index, issued, matchJobs(list.actions, issued),
                      std::move(arenas));
  return packWithArenas(index, std::move(issued), std::move(arenas), boundBytes,
                        std::nullopt, "streams");
}
