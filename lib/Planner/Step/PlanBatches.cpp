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
#include "PlanningContext.h"
#include "Tuning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BatchPlan.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Planner/Arena/BatchArena.h"
#include "memplan/Planner/Step/EffortSeconds.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
/// Steps with offsets for the whole range.
struct Candidate {
  Plan plan;
  int64_t mostBytes = 0; ///< Bytes of all arenas, at the largest batch.
  double share = 0; ///< Shares of what the plans of other batches take, added.

  /// Bytes at the largest batch count more.
  double weighed(int64_t leastAtMost) const {
    return share + tuning::weightOfLargest * double(mostBytes - leastAtMost) /
                       double(std::max<int64_t>(1, leastAtMost));
  }
};

class BatchPlanner {
public:
  BatchPlanner(const BatchSteps &steps, const PlanOptions &options)
      : steps(steps), range(steps.range), options(options),
        most(graphAtBatch(steps.most(), range, range.most())), index(most) {}

  llvm::Expected<BatchPlan> plan();

private:
  llvm::Error planEach();
  llvm::Error findOthers();
  bool mayStandIn(const Plan &other) const;
  BatchArenaProblem problemOf(const StepBuffers &buffers) const;
  std::optional<double> leastShare(const Plan &from) const;
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
  /// By step of `steps`: made for that batch alone.
  std::vector<Plan> ownPlans;
  std::vector<Plan>
      others; ///< Plans whose steps may serve the range, best first.
  int64_t slackBytes = 0; ///< Allowed at the largest batch.
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
  if (!hasSteps(other.status) || isSideBySide(index.graph(), options) ||
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
  // What the plan for the largest batch has is given up for no more than the
  // slack.
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

BatchArenaProblem BatchPlanner::problemOf(const StepBuffers &buffers) const {
  BatchArenaProblem problem;
  problem.atMost = buffers.problem;
  problem.breakpoints = range.breakpoints;
  problem.slackBytes = slackBytes;
  problem.bytesPerSample.resize(problem.atMost.buffers.size());
  for (size_t i = 0; i < buffers.placements.size(); ++i) {
    const Placement &placement = buffers.placements[i];
    problem.bytesPerSample[buffers.bufferOf[i]] =
        placement.kind == PlacementKind::Workspace
            ? range.scratch[placement.node.index].perSample
            : range.bytesPerSample[placement.tensor.index];
  }
  return problem;
}

/// What no offsets of these steps go below, as shares of what the plans of the
/// other batches take, added; nothing where the largest batch takes too much.
std::optional<double> BatchPlanner::leastShare(const Plan &from) const {
  const BatchArenaProblem problem =
      problemOf(makeBuffers(index, from.steps, options.alignmentBytes));
  if (problem.atMost.lowerBoundBytes() >
      arenaBytes(ownPlans.front()) + slackBytes)
    return std::nullopt;
  double share = 0;
  for (size_t s = 1; s < ownPlans.size(); ++s)
    share += double(problem.at(steps.steps[s].first).lowerBoundBytes()) /
             double(std::max<int64_t>(1, arenaBytes(ownPlans[s])));
  return share;
}

/// Steps that were planned for smaller batches, where constant bytes matter
/// more, and do the same work.
llvm::Error BatchPlanner::findOthers() {
  std::vector<Plan> found(ownPlans.begin() + 1, ownPlans.end());
  for (int64_t batch : range.breakpoints) {
    if (batch == range.most() ||
        (found.size() > 1 && batch == range.most() / 2))
      continue;
    llvm::Expected<Plan> plan =
        planStep(graphAtBatch(most, range, batch), options);
    if (!plan)
      return plan.takeError();
    found.push_back(std::move(*plan));
  }
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < found.size(); ++i) {
    const bool isKnown = found[i].steps == ownPlans.front().steps ||
                         llvm::any_of(llvm::ArrayRef(found).take_front(i),
                                      [&](const Plan &plan) {
                                        return plan.steps == found[i].steps;
                                      });
    if (isKnown || !mayStandIn(found[i]))
      continue;
    if (std::optional<double> share = leastShare(found[i]))
      ranked.push_back({*share, i});
  }
  llvm::sort(ranked);
  ranked.resize(std::min(ranked.size(), tuning::mostOthers));
  for (auto [share, i] : ranked)
    others.push_back(std::move(found[i]));
  return llvm::Error::success();
}

llvm::Expected<Candidate> BatchPlanner::pack(const Plan &from) {
  StepBuffers buffers = makeBuffers(index, from.steps, options.alignmentBytes);
  const BatchArenaProblem problem = problemOf(buffers);
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
  const int64_t mostBytes = arenaBytes(ownPlans.front());
  if (!hasCopies(ownPlans.front().steps)) {
    slackBytes = mostBytes / tuning::partOfSlack;
    if (options.budgetBytes)
      slackBytes =
          std::min(slackBytes, *options.budgetBytes -
                                   deviceBytesOf(most, ownPlans.front()));
  }
  if (llvm::Error error = findOthers())
    return error;
  llvm::Expected<Candidate> packed = pack(ownPlans.front());
  if (!packed)
    return packed.takeError();
  Candidate best = std::move(*packed);
  for (const Plan &from : others) {
    packed = pack(from);
    if (!packed)
      return packed.takeError();
    if (packed->mostBytes <= mostBytes + slackBytes &&
        packed->weighed(mostBytes) < best.weighed(mostBytes))
      best = std::move(*packed);
  }
  result.plan = std::move(best.plan);
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
  const GraphIndex largest(steps->most());
  resolveBudget(largest, resolved);
  if (llvm::Error error = resolveEffort(largest, resolved))
    return error;
  return BatchPlanner(*steps, resolved).plan();
}
