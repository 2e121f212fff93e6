//===- PlanBatches.cpp - One plan for every batch of a range --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PlanBatches.h"
#include "BatchSizes.h"
#include "Pack.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BatchPlan.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Planner/Arena/BatchArena.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
/// Steps with offsets for the whole range.
struct Candidate {
  Plan plan;
  int64_t mostBytes = 0; ///< Of all arenas, at the largest batch.
  double share = 0;      ///< Of what the plans of other batches take, added.
};

class BatchPlanner {
public:
  BatchPlanner(const BatchSteps &steps, const PlanOptions &options)
      : steps(steps), range(steps.range), options(options),
        most(graphAtBatch(steps.most(), range, range.most())), index(most) {}

  llvm::Expected<BatchPlan> plan();

private:
  llvm::Error planEach();
  bool mayStandIn(const Plan &other) const;
  llvm::Expected<Candidate> pack(const Plan &from);
  llvm::Expected<std::vector<std::vector<int64_t>>>
  findStarts(const StepBuffers &buffers, const BatchArenaProblem &problem,
             const Plan &from) const;
  llvm::Error finish(Plan &plan) const;
  llvm::Error compare(const Plan &plan, BatchPlan &result) const;

  const BatchSteps &steps;
  const BatchRange &range;
  const PlanOptions &options;
  const Graph most; ///< With the scratch of the range.
  const GraphIndex index;
  std::vector<Plan>
      ownPlans; ///< By step of `steps`: made for that batch alone.
};
} // namespace

llvm::Error BatchPlanner::planEach() {
  for (size_t s = 0; s < steps.steps.size(); ++s) {
    llvm::Expected<Plan> plan =
        planStep(s == 0 ? most : steps.steps[s].second, options);
    if (!plan)
      return plan.takeError();
    ownPlans.push_back(std::move(*plan));
    if (!hasSteps(ownPlans.front().status))
      return llvm::Error::success();
  }
  return llvm::Error::success();
}

/// Whether a plan of another batch does the same work at the largest. Streams
/// and copies are timed for their batch.
bool BatchPlanner::mayStandIn(const Plan &other) const {
  const Plan &first = ownPlans.front();
  if (!hasSteps(other.status) || options.streams > 1 ||
      llvm::any_of(other.steps, [](const PlanAction &action) {
        return action.action != ActionKind::Compute &&
               action.action != ActionKind::Free;
      }))
    return false;
  Plan replayed;
  replayed.steps = other.steps;
  llvm::Expected<Replay> replay = replayPlan(index, replayed);
  if (!replay) {
    // An output in place that does not fit at the largest batch.
    llvm::consumeError(replay.takeError());
    return false;
  }
  return isAtMost(replay->time, first.makespan()) &&
         isAtMost(replay->cost, first.cost);
}

/// Offsets at several batches: each of the plan's arenas where it has one, and
/// what the arena solver finds at the other ends.
llvm::Expected<std::vector<std::vector<int64_t>>>
BatchPlanner::findStarts(const StepBuffers &buffers,
                         const BatchArenaProblem &problem,
                         const Plan &from) const {
  std::vector<std::vector<int64_t>> starts;
  // What the plan for the largest batch has is never given up for more bytes.
  if (&from == &ownPlans.front()) {
    std::vector<int64_t> offsets(problem.atMost.buffers.size());
    for (size_t i = 0; i < buffers.placements.size(); ++i) {
      const Placement &wanted = buffers.placements[i];
      const ArenaBuffer &buffer = problem.atMost.buffers[buffers.bufferOf[i]];
      for (const PlanArena &arena : from.arenas)
        for (const Placement &placement : arena.placements)
          if (arena.space == buffer.space && placement.kind == wanted.kind &&
              placement.stepBegin == wanted.stepBegin &&
              (wanted.kind == PlacementKind::Workspace
                   ? placement.node == wanted.node
                   : placement.tensor == wanted.tensor))
            offsets[buffers.bufferOf[i]] = placement.offset;
    }
    starts.push_back(std::move(offsets));
  }
  const ArenaSolver &solver =
      *llvm::cantFail(lookUpSolver("arena", arenaSolvers(), options.arena));
  for (const auto &[batch, step] : steps.steps) {
    llvm::Expected<ArenaPlan> plan =
        solve(problem.at(batch), solver, options.limits);
    if (!plan)
      return plan.takeError();
    starts.push_back(std::move(plan->offsets));
  }
  return starts;
}

static int64_t arenaBytes(const Plan &plan) {
  int64_t bytes = 0;
  for (const PlanArena &arena : plan.arenas)
    if (arena.space == spaceName(MemorySpace::Device))
      bytes += arena.bytes;
  return bytes;
}

llvm::Expected<Candidate> BatchPlanner::pack(const Plan &from) {
  StepBuffers buffers = makeBuffers(index, from.steps, options.alignmentBytes);
  BatchArenaProblem problem;
  problem.atMost = buffers.problem;
  problem.breakpoints = range.breakpoints;
  problem.bytesPerSample.resize(problem.atMost.buffers.size());
  for (size_t i = 0; i < buffers.placements.size(); ++i) {
    const Placement &placement = buffers.placements[i];
    problem.bytesPerSample[buffers.bufferOf[i]] =
        placement.kind == PlacementKind::Workspace
            ? range.scratch[placement.node.index].perSample
            : range.bytesPerSample[placement.tensor.index];
  }
  llvm::Expected<std::vector<std::vector<int64_t>>> starts =
      findStarts(buffers, problem, from);
  if (!starts)
    return starts.takeError();
  llvm::Expected<BatchArenaPlan> packed =
      packBatches(problem, *starts, options.limits.effort);
  if (!packed)
    return packed.takeError();
  Candidate candidate;
  candidate.plan = ownPlans.front();
  candidate.plan.steps = from.steps;
  ArenaPlan offsets;
  for (const std::vector<int64_t> &at : packed->offsets)
    offsets.offsets.push_back(at.back());
  candidate.plan.arenas = makeArenas(buffers, offsets);
  for (PlanArena &arena : candidate.plan.arenas) {
    arena.bytesAt.resize(range.breakpoints.size());
    for (const BatchSpace &space : batchSpaces(problem, *packed))
      if (space.space == arena.space)
        arena.bytesAt = space.bytes;
    arena.bytes = arena.bytesAt.back();
    candidate.mostBytes += arena.bytes;
    // Placements stand in it in the order in which they were.
    for (size_t i = 0; i < buffers.placements.size(); ++i)
      if (arena.space == problem.atMost.buffers[buffers.bufferOf[i]].space)
        arena.offsetsAt.push_back(packed->offsets[buffers.bufferOf[i]]);
  }
  for (size_t s = 1; s < ownPlans.size(); ++s)
    if (const int64_t ownBytes = arenaBytes(ownPlans[s]); ownBytes > 0)
      candidate.share +=
          double(range.between(steps.steps[s].first,
                               candidate.plan.arenas.front().bytesAt)) /
          double(ownBytes);
  return candidate;
}

llvm::Error BatchPlanner::finish(Plan &plan) const {
  plan.batches = range;
  plan.graphHash = hashGraph(steps.most());
  for (PlanArena &arena : plan.arenas)
    arena.liveBytes = liveBoundBytes(most, plan, arena);
  llvm::Expected<Replay> replay = replayPlan(index, plan);
  if (!replay)
    return replay.takeError();
  plan.peakBytes = replay->peakBytes;
  plan.cost = replay->cost;
  plan.time = replay->time;
  if (llvm::Error error =
          verifyStepPlan(GraphIndex(steps.most()), plan, options))
    return invalidPlan("batches", std::move(error));
  return llvm::Error::success();
}

llvm::Error BatchPlanner::compare(const Plan &plan, BatchPlan &result) const {
  for (size_t s = 0; s < steps.steps.size(); ++s) {
    const int64_t batch = steps.steps[s].first;
    // With this range's views and the costs of that batch.
    const Graph &own = steps.steps[s].second;
    Graph step = graphAtBatch(most, range, batch);
    for (size_t n = 0; n < step.nodes.size(); ++n) {
      step.nodes[n].cost = own.nodes[n].cost;
      step.nodes[n].workspaceBytes = own.nodes[n].workspaceBytes;
      step.nodes[n].variants = own.nodes[n].variants;
    }
    llvm::Expected<Plan> at = planAtBatch(GraphIndex(step), plan, batch);
    if (!at)
      return at.takeError();
    ComparedBatch &compared = result.compared.emplace_back();
    compared.batch = batch;
    compared.deviceBytes = deviceBytesOf(step, *at);
    compared.arenaBytes = arenaBytes(*at);
    compared.time = at->makespan();
    const Plan &alone = ownPlans[s];
    compared.hasOwn = hasSteps(alone.status);
    if (!compared.hasOwn)
      continue;
    compared.ownDeviceBytes = deviceBytesOf(own, alone);
    compared.ownArenaBytes = arenaBytes(alone);
    compared.ownTime = alone.makespan();
  }
  return llvm::Error::success();
}

llvm::Expected<BatchPlan> BatchPlanner::plan() {
  BatchPlan result;
  result.graph = steps.most();
  if (llvm::Error error = planEach())
    return error;
  if (!hasSteps(ownPlans.front().status)) {
    result.plan = std::move(ownPlans.front());
    return result;
  }
  std::optional<Candidate> best;
  for (const Plan &from : ownPlans) {
    if (&from != &ownPlans.front() && !mayStandIn(from))
      continue;
    llvm::Expected<Candidate> packed = pack(from);
    if (!packed)
      return packed.takeError();
    // The first never takes more than the plan for the largest batch alone.
    if (best &&
        (packed->mostBytes > best->mostBytes || packed->share >= best->share))
      continue;
    best = std::move(*packed);
  }
  result.plan = std::move(best->plan);
  if (llvm::Error error = finish(result.plan))
    return error;
  if (llvm::Error error = compare(result.plan, result))
    return error;
  return result;
}

llvm::Expected<BatchPlan> memplan::planBatches(const StepAtBatch &stepAt,
                                               int64_t least, int64_t most,
                                               const PlanOptions &options) {
  if (options.arena == noArena().name)
    return llvm::createStringError("arena: '" + options.arena +
                                   "' gives no offsets, and a plan for a range "
                                   "of batches is made of them");
  llvm::Expected<BatchSteps> steps = readBatchSizes(stepAt, least, most);
  if (!steps)
    return steps.takeError();
  PlanOptions resolved = options;
  // A share is of the largest batch.
  resolveBudget(GraphIndex(steps->most()), resolved);
  return BatchPlanner(*steps, resolved).plan();
}
