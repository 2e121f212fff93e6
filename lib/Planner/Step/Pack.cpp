//===- Pack.cpp - From a schedule to offsets ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pack.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Planner/Step/Buffers.h"

using namespace memplan;

static int64_t lowerBoundOf(const ArenaProblem &problem, MemorySpace space) {
  for (const auto &[name, bytes] : problem.lowerBoundBySpace())
    if (name == spaceName(space))
      return bytes;
  return 0;
}

/// Storages that the sharing solver has chosen pass on along its ordering
/// edges. What offsets would share beyond that makes further runs wait:
/// anything under parallelism=memory, whole storages under balance, nothing
/// under prefer.
static void keepApart(const PlanOptions &options, StepBuffers &buffers) {
  if (options.parallelism == "memory")
    return;
  int64_t end = 0;
  for (const ArenaBuffer &buffer : buffers.problem.buffers)
    end = std::max(end, buffer.end);
  for (ArenaBuffer &buffer : buffers.problem.buffers) {
    buffer.gaps.clear();
    if (options.parallelism != "prefer")
      continue;
    buffer.begin = 0;
    buffer.end = end;
  }
}

llvm::Expected<PackedStep> memplan::packStep(const GraphIndex &index,
                                             RematPlan remat,
                                             const StepSolvers &solvers,
                                             const PlanOptions &options,
                                             const SolveLimits &limits) {
  // Schedule -> live ranges -> storages -> buffers -> offsets -> arenas.
  SharingProblem sharing;
  sharing.index = &index;
  sharing.schedule = &remat.schedule;
  sharing.inPlace = &remat.inPlace;
  sharing.parallel = options.streams > 1;
  llvm::Expected<StorageMap> storages =
      solve(sharing, *solvers.sharing, limits);
  if (!storages)
    return storages.takeError();
  PackedStep packed;
  Plan &plan = packed.plan;
  plan.steps =
      buildActions(index, remat.schedule, remat.inPlace, storages->liveRanges);
  StepBuffers buffers =
      makeBuffers(index, plan.steps, *storages, options.alignmentBytes);
  if (sharing.parallel && sharesStorages(solvers))
    keepApart(options, buffers);
  llvm::Expected<ArenaPlan> offsets =
      solve(buffers.problem, *solvers.arena, limits);
  if (!offsets)
    return offsets.takeError();
  plan.arenas = makeArenas(buffers, *offsets);
  for (PlanArena &arena : plan.arenas)
    arena.liveBytes = liveBoundBytes(index.graph(), plan, arena);
  plan.graphName = index.graph().name;
  plan.status = remat.report.status;
  plan.time = plan.cost = remat.cost;
  plan.peakBytes = remat.peakBytes;
  plan.solver = remat.report.solver;
  plan.note = remat.report.note;
  packed.deviceBytes =
      index.graph().persistentBytes() + plan.arenas.front().bytes;
  for (TensorId id : plan.arenas.front().owns)
    packed.deviceBytes -= index.graph()[id].bytes;
  packed.boundBytes = packed.deviceBytes - plan.arenas.front().bytes +
                      lowerBoundOf(buffers.problem, MemorySpace::Device);
  packed.remat = std::move(remat);
  return packed;
}
