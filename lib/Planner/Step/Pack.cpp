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

namespace {
/// Schedule -> live ranges -> storages -> buffers -> offsets -> arenas.
class StepPacking {
public:
  StepPacking(const GraphIndex &index, RematPlan remat,
              const StepSolvers &solvers, const PlanOptions &options)
      : index(index), remat(std::move(remat)), solvers(solvers),
        options(options) {}

  llvm::Error makeBuffersOfStep(const SolveLimits &limits);
  /// Device bytes that are not the arena's.
  int64_t besideBytes() const;
  llvm::Expected<ArenaPlan> findOffsets(const SolveLimits &limits) const {
    return solve(buffers.problem, *solvers.arena, limits);
  }
  PackedStep finish(const ArenaPlan &offsets);

  StepBuffers buffers;

private:
  const GraphIndex &index;
  RematPlan remat;
  const StepSolvers &solvers;
  const PlanOptions &options;
  Plan plan;
};
} // namespace

llvm::Error StepPacking::makeBuffersOfStep(const SolveLimits &limits) {
  SharingProblem sharing;
  sharing.index = &index;
  sharing.schedule = &remat.schedule;
  sharing.inPlace = &remat.inPlace;
  sharing.parallel = options.streams > 1;
  llvm::Expected<StorageMap> storages =
      solve(sharing, *solvers.sharing, limits);
  if (!storages)
    return storages.takeError();
  plan.steps =
      buildActions(index, remat.schedule, remat.inPlace, storages->liveRanges);
  buffers = makeBuffers(index, plan.steps, *storages, options.alignmentBytes);
  if (sharing.parallel && sharesStorages(solvers))
    keepApart(options, buffers);
  return llvm::Error::success();
}

int64_t StepPacking::besideBytes() const {
  int64_t bytes = index.graph().persistentBytes();
  for (TensorId id : buffers.owns)
    bytes -= index.graph()[id].bytes;
  return bytes;
}

PackedStep StepPacking::finish(const ArenaPlan &offsets) {
  PackedStep packed;
  plan.arenas = makeArenas(buffers, offsets);
  for (PlanArena &arena : plan.arenas)
    arena.liveBytes = liveBoundBytes(index.graph(), plan, arena);
  plan.graphName = index.graph().name;
  plan.status = remat.report.status;
  plan.time = plan.cost = remat.cost;
  plan.peakBytes = remat.peakBytes;
  plan.solver = remat.report.solver;
  plan.note = remat.report.note;
  packed.deviceBytes = besideBytes() + plan.arenas.front().bytes;
  packed.boundBytes =
      besideBytes() + lowerBoundOf(buffers.problem, MemorySpace::Device);
  packed.plan = std::move(plan);
  packed.remat = std::move(remat);
  return packed;
}

llvm::Expected<PackedStep> memplan::packStep(const GraphIndex &index,
                                             RematPlan remat,
                                             const StepSolvers &solvers,
                                             const PlanOptions &options,
                                             const SolveLimits &limits) {
  StepPacking packing(index, std::move(remat), solvers, options);
  if (llvm::Error error = packing.makeBuffersOfStep(limits))
    return error;
  llvm::Expected<ArenaPlan> offsets = packing.findOffsets(limits);
  if (!offsets)
    return offsets.takeError();
  return packing.finish(*offsets);
}

llvm::Expected<std::optional<PackedStep>>
memplan::packStepWithin(const GraphIndex &index, RematPlan remat,
                        int64_t targetBytes, const StepSolvers &solvers,
                        const PlanOptions &options, const SolveLimits &limits) {
  StepPacking packing(index, std::move(remat), solvers, options);
  if (llvm::Error error = packing.makeBuffersOfStep(limits))
    return error;
  ArenaProblem &problem = packing.buffers.problem;
  problem.budgetBytes = targetBytes - packing.besideBytes();
  if (*problem.budgetBytes < 0 ||
      lowerBoundOf(problem, MemorySpace::Device) > *problem.budgetBytes)
    return std::nullopt;
  llvm::Expected<ArenaPlan> offsets = packing.findOffsets(limits);
  if (!offsets)
    return offsets.takeError();
  if (offsets->offsets.empty() && !problem.buffers.empty())
    return std::nullopt;
  return packing.finish(*offsets);
}
