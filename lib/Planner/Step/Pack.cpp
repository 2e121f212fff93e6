//===- Pack.cpp - From a schedule to offsets ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pack.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Arena/Lifetimes.h"

using namespace memplan;

static llvm::Expected<StepLifetimes>
makeLifetimes(const GraphIndex &index, const RematPlan &remat,
              const std::vector<PlanAction> &steps, const StepSolvers &solvers,
              const PlanOptions &options) {
  // With a storage for each value, offsets alone share bytes.
  if (solvers.sharing->traits.family == SolverFamily::Baseline)
    return makeArenaProblem(index, steps, options.alignmentBytes);
  SharingProblem problem;
  problem.index = &index;
  problem.schedule = &remat.schedule;
  problem.inPlace = &remat.inPlace;
  llvm::Expected<StorageMap> storages =
      solve(problem, *solvers.sharing, options.limits);
  if (!storages)
    return storages.takeError();
  return makeArenaProblem(index, steps, options.alignmentBytes, *storages);
}

llvm::Expected<PackedStep> memplan::packStep(const GraphIndex &index,
                                             RematPlan remat,
                                             const StepSolvers &solvers,
                                             const PlanOptions &options) {
  PackedStep packed;
  Plan &plan = packed.plan;
  plan.steps = buildActions(index, remat.schedule, remat.inPlace);
  llvm::Expected<StepLifetimes> lifetimes =
      makeLifetimes(index, remat, plan.steps, solvers, options);
  if (!lifetimes)
    return lifetimes.takeError();
  llvm::Expected<ArenaPlan> offsets =
      solve(lifetimes->problem, *solvers.arena, options.limits);
  if (!offsets)
    return offsets.takeError();
  plan.arenas = {makeArena(*lifetimes, *offsets)};
  plan.graphName = index.graph().name;
  plan.graphHash = hashGraph(index.graph());
  plan.status = remat.report.status;
  plan.cost = plan.time = remat.cost;
  plan.peakBytes = remat.peakBytes;
  plan.solver = remat.report.solver;
  plan.note = remat.report.note;
  packed.deviceBytes =
      index.graph().persistentBytes() + plan.arenas.front().bytes;
  packed.remat = std::move(remat);
  return packed;
}
