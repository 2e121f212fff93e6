//===- Pack.cpp - From a schedule to offsets ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pack.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Schedule/UsefulRuns.h"

using namespace memplan;

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

void memplan::setReport(const SolveReport &report, Plan &plan) {
  plan.status = report.status;
  plan.solver = report.solver;
  plan.note = report.note;
  plan.bound = report.bound;
  plan.boundSpace = report.boundSpace;
  plan.proof = report.proof;
}

SolveReport memplan::reportOf(const Plan &plan) {
  SolveReport report;
  report.status = plan.status;
  report.solver = plan.solver;
  report.note = plan.note;
  report.bound = plan.bound;
  report.boundSpace = plan.boundSpace;
  report.proof = plan.proof;
  return report;
}

RematPlan memplan::rematPlanOf(const Plan &plan) {
  RematPlan remat;
  remat.schedule = scheduleOf(plan.steps);
  remat.inPlace = inPlaceOf(plan.steps);
  remat.peakBytes = plan.peakBytes;
  remat.cost = plan.cost;
  remat.report = reportOf(plan);
  return remat;
}

/// What runs in vain goes before anything is counted.
static void leaveOutInVain(const GraphIndex &index, bool keepsOrder,
                           RematPlan &remat) {
  if (!leaveOutRunsInVain(index, remat.schedule, remat.inPlace, keepsOrder))
    return;
  const ScheduleMetrics metrics =
      measureSchedule(index, remat.schedule, remat.inPlace);
  remat.cost = metrics.cost;
  remat.peakBytes = metrics.peakBytes;
}

/// Schedule -> live ranges -> storages -> actions -> buffers.
static llvm::Expected<ActionPacker> preparePacking(const GraphIndex &index,
                                                   RematPlan &remat,
                                                   const StepSolvers &solvers,
                                                   const PlanOptions &options,
                                                   const SolveLimits &limits) {
  leaveOutInVain(index, keepsSourceOrder(solvers), remat);
  SharingProblem sharing;
  sharing.index = &index;
  sharing.schedule = &remat.schedule;
  sharing.inPlace = &remat.inPlace;
  sharing.parallel = isSideBySide(index.graph(), options);
  llvm::Expected<StorageMap> storages =
      solve(sharing, *solvers.sharing, limits);
  if (!storages)
    return storages.takeError();
  std::vector<PlanAction> actions =
      buildActions(index, remat.schedule, remat.inPlace, storages->liveRanges);
  StepBuffers buffers =
      !hasArena(*solvers.arena) ? StepBuffers()
      : sharesStorages(solvers)
          ? makeBuffers(index, actions, *storages, options.alignmentBytes)
          : makeBuffers(index, actions, options.alignmentBytes);
  if (sharing.parallel && sharesStorages(solvers))
    keepApart(options, buffers);
  ActionPacker packing(index, std::move(actions), std::move(buffers));
  packing.setTotals(remat.cost, remat.peakBytes);
  return packing;
}

static llvm::Expected<std::optional<PackedPlan>>
withReport(const RematPlan &remat,
           llvm::Expected<std::optional<PackedPlan>> packed) {
  if (packed && *packed)
    setReport(remat.report, (*packed)->plan);
  return packed;
}

llvm::Expected<PackedPlan>
memplan::packStep(const GraphIndex &index, RematPlan remat,
                  const StepSolvers &solvers, const PlanOptions &options,
                  const SolveLimits &limits,
                  std::optional<int64_t> enoughBytes) {
  llvm::Expected<ActionPacker> packing =
      preparePacking(index, remat, solvers, options, limits);
  if (!packing)
    return packing.takeError();
  if (enoughBytes)
    packing->setEnough(*enoughBytes);
  llvm::Expected<std::optional<PackedPlan>> packed =
      withReport(remat, packing->pack(*solvers.arena, limits));
  if (!packed)
    return packed.takeError();
  return std::move(**packed);
}

llvm::Expected<std::optional<PackedPlan>>
memplan::packStepWithin(const GraphIndex &index, RematPlan remat,
                        int64_t targetBytes, const StepSolvers &solvers,
                        const PlanOptions &options, const SolveLimits &limits) {
  llvm::Expected<ActionPacker> packing =
      preparePacking(index, remat, solvers, options, limits);
  if (!packing)
    return packing.takeError();
  if (!packing->setBudget(targetBytes))
    return std::nullopt;
  return withReport(remat, packing->pack(*solvers.arena, limits));
}

llvm::Expected<std::optional<PackedPlan>>
memplan::packStepAt(const GraphIndex &index, RematPlan remat,
                    const StepSolvers &solvers, const PlanOptions &options,
                    const SolveLimits &limits, OffsetsOf offsetsOf) {
  llvm::Expected<ActionPacker> packing =
      preparePacking(index, remat, solvers, options, limits);
  if (!packing)
    return packing.takeError();
  return withReport(remat, packing->packAt(offsetsOf));
}
