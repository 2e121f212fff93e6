//===- PlannerBuffers.cpp - Packing buffers from C ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerHandles.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Step/EffortSeconds.h"

using namespace memplan;
using namespace memplan::capi;

static llvm::Expected<ArenaProblem> makeProblem(const memplan_buffer_t *buffers,
                                                int64_t count,
                                                const PlanOptions &options) {
  ArenaProblem problem;
  problem.alignmentBytes = options.alignmentBytes;
  problem.budgetBytes = options.budgetBytes;
  if (options.budgetShare)
    return llvm::createStringError("budget: buffers have no unplanned peak to "
                                   "take a share of; give bytes");
  for (int64_t i = 0; i < count; ++i) {
    const memplan_buffer_t &given = buffers[i];
    ArenaBuffer buffer;
    buffer.id = std::to_string(i);
    buffer.bytes = given.bytes;
    buffer.begin = given.begin;
    buffer.end = given.end;
    if (given.alignment_bytes != 0)
      buffer.alignmentBytes = given.alignment_bytes;
    if (given.fixed_offset >= 0)
      buffer.fixedOffset = given.fixed_offset;
    problem.buffers.push_back(std::move(buffer));
  }
  if (llvm::Error wrong = problem.check())
    return std::move(wrong);
  return problem;
}

memplan_status_t memplan_pack_buffers(const memplan_buffer_t *buffers,
                                      int64_t count,
                                      const memplan_options_t *options,
                                      int64_t *offsets,
                                      memplan_packing_t *packing) {
  return guardLlvm([&] {
    if (count < 0 || (count > 0 && (!buffers || !offsets)) ||
        (packing && !hasSize(packing)))
      return refuse("memplan_pack_buffers got a null pointer, a negative count "
                    "or a struct without struct_bytes");
    const PlanOptions asked = options ? options->forPlanning() : PlanOptions();
    if (llvm::Error error = checkEffortIsCount(asked))
      return fail(MEMPLAN_INVALID_ARGUMENT, std::move(error));
    llvm::Expected<ArenaProblem> problem = makeProblem(buffers, count, asked);
    if (!problem)
      return fail(MEMPLAN_INVALID_ARGUMENT, problem.takeError());
    llvm::Expected<const ArenaSolver *> solver =
        lookUpSolver("arena", arenaSolvers(), asked.arena);
    if (!solver)
      return fail(MEMPLAN_INVALID_ARGUMENT, solver.takeError());
    llvm::Expected<ArenaPlan> plan = solve(*problem, **solver, asked.limits);
    if (!plan)
      return fail(MEMPLAN_FAILED, plan.takeError());
    std::copy(plan->offsets.begin(), plan->offsets.end(), offsets);
    if (packing)
      fill(packing, {0, int32_t(plan->report.status), plan->peakBytes,
                     problem->lowerBoundBytes()});
    return MEMPLAN_OK;
  });
}
