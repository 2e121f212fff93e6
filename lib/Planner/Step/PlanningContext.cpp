//===- PlanningContext.cpp - Solvers and packing within limits ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanningContext.h"
#include "Objective.h"
#include "Tighten.h"
#include "Tuning.h"
#include "memplan/Plan/UsefulActions.h"
#include "memplan/Planner/Model/OneVariant.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>
#include <limits>

using namespace memplan;

bool memplan::hasCopies(const std::vector<PlanAction> &actions) {
  return llvm::any_of(actions, [](const PlanAction &action) {
    return action.action == ActionKind::Evict ||
           action.action == ActionKind::Fetch;
  });
}

std::vector<PlanAction>
memplan::usefulInOneVariant(const StepContext &context,
                            std::vector<PlanAction> actions) {
  actions = leaveOutActionsInVain(context.index, std::move(actions),
                                  keepsSourceOrder(context.solvers));
  OneVariant chosen(context.index.graph());
  for (const PlanAction &action : actions)
    if (action.action == ActionKind::Compute)
      chosen.add(action.node, action.variant);
  for (PlanAction &action : actions)
    if (action.action == ActionKind::Compute)
      action.variant = chosen.of(action.node);
  return actions;
}

PlanOptions memplan::optionsForShare(const StepContext &context, double share) {
  PlanOptions options = context.options;
  if (options.limits.timeLimitSeconds)
    options.limits.timeLimitSeconds = share * *context.clock.secondsLeft();
  return options;
}

const RematSolver &memplan::solverOfSearch(const StepContext &context) {
  const RematSolver &solver = *context.solvers.remat;
  return solver.traits.family == SolverFamily::Milp
             ? solverNamed(rematSolvers(), "auto")
             : solver;
}

SolveLimits StepContext::limitsWith(int64_t effort) const {
  SolveLimits limits = options.limits;
  limits.effort = effort;
  limits.triedMoves = &triedMoves;
  limits.timeLimitSeconds = clock.secondsLeft();
  return limits;
}

SolveLimits StepContext::limitsOfPacking(int64_t effort) const {
  SolveLimits limits = limitsWith(effort);
  limits.progress = nullptr;
  return limits;
}

RematProblem
StepContext::problemWithin(std::optional<int64_t> budgetBytes) const {
  RematProblem problem;
  problem.index = &index;
  problem.inPlace = options.inPlace;
  problem.mayReorder = solvers.order->traits.family == SolverFamily::Search;
  problem.budgetBytes = budgetBytes;
  auto bytesOf = [](llvm::Expected<PackedPlan> packed) {
    if (packed)
      return packed->deviceBytes;
    // The final packing meets the error again.
    llvm::consumeError(packed.takeError());
    return std::numeric_limits<int64_t>::max();
  };
  problem.packedBytes = [=, this](const RematPlan &plan) {
    return bytesOf(pack(plan, budgetBytes));
  };
  if (budgetBytes && solvers.arena->traits.obeysEffort)
    problem.repackedBytes = [=, this](const RematPlan &plan,
                                      int64_t placements) {
      return bytesOf(repack(plan, *budgetBytes, placements));
    };
  return problem;
}

/// The effort asked for is what remat searches may spend; each of the many
/// packings takes little.
static llvm::Expected<PackedPlan>
packWith(const StepContext &context, RematPlan remat, int64_t effort,
         std::optional<int64_t> enoughBytes = std::nullopt) {
  return packStep(context.index, std::move(remat), context.solvers,
                  context.options, context.limitsOfPacking(effort),
                  enoughBytes);
}

/// Effort of a packing: enough for small steps, and little beside the search
/// for large ones.
static int64_t effortInsideLoops(const StepContext &context) {
  const auto nodes = int64_t(context.index.graph().nodes.size());
  return std::clamp<int64_t>(tuning::pairsOfPacking /
                                 ((nodes + 1) * (nodes + 1)),
                             tuning::leastPacking, tuning::mostPacking);
}

bool KnownPacking::isOf(const RematPlan &remat, int64_t target) const {
  return targetBytes == target && schedule.runs == remat.schedule.runs &&
         schedule.variants == remat.schedule.variants &&
         inPlace == remat.inPlace;
}

llvm::Expected<PackedPlan>
StepContext::pack(RematPlan remat, std::optional<int64_t> targetBytes) const {
  if (!targetBytes)
    return packAnew(std::move(remat), targetBytes);
  if (const KnownPacking *known = find(remat, *targetBytes)) {
    PackedPlan packed = known->packed;
    setReport(remat.report, packed.plan);
    return packed;
  }
  KnownPacking known{remat.schedule, remat.inPlace, *targetBytes, {}};
  llvm::Expected<PackedPlan> packed = packAnew(std::move(remat), targetBytes);
  if (packed) {
    known.packed = *packed;
    remember(std::move(known));
  }
  return packed;
}

const std::vector<RematPlan> &StepContext::checkpoints() const {
  if (!knownCheckpoints)
    knownCheckpoints = planCheckpointFamily(problemWithin(std::nullopt));
  return *knownCheckpoints;
}

const KnownPacking *StepContext::find(const RematPlan &remat,
                                      int64_t targetBytes) const {
  for (const std::optional<KnownPacking> *known : {&lastKept, &nearest})
    if (*known && (*known)->isOf(remat, targetBytes))
      return &**known;
  return nullptr;
}

llvm::Expected<PackedPlan> StepContext::repack(const RematPlan &remat,
                                               int64_t targetBytes,
                                               int64_t placements) const {
  const KnownPacking *known = find(remat, targetBytes);
  if (known && known->packed.deviceBytes <= targetBytes)
    return known->packed;
  if (placements <= 0) {
    llvm::Expected<PackedPlan> packed =
        packWith(*this, remat, effortInsideLoops(*this));
    if (packed && packed->deviceBytes <= targetBytes)
      remember({remat.schedule, remat.inPlace, targetBytes, *packed});
    return packed;
  }
  llvm::Expected<std::optional<PackedPlan>> packed = packStepWithin(
      index, remat, targetBytes, solvers, options, limitsOfPacking(placements));
  if (!packed)
    return packed.takeError();
  if (!*packed)
    return pack(remat, targetBytes);
  remember({remat.schedule, remat.inPlace, targetBytes, **packed});
  return std::move(**packed);
}

void StepContext::remember(KnownPacking known) const {
  if (known.packed.deviceBytes <= known.targetBytes)
    lastKept = std::move(known);
  else if (!nearest || nearest->targetBytes != known.targetBytes ||
           nearest->packed.deviceBytes > known.packed.deviceBytes)
    nearest = std::move(known);
}

llvm::Expected<PackedPlan>
StepContext::packAnew(RematPlan remat,
                      std::optional<int64_t> targetBytes) const {
  if (targetBytes &&
      index.graph().nodes.size() > searchTuning::mostNodesToTighten)
    return packWith(*this, std::move(remat), effortInsideLoops(*this),
                    targetBytes);
  llvm::Expected<PackedPlan> packed =
      packWith(*this, std::move(remat), effortInsideLoops(*this));
  // What is further off would hardly come down so far.
  if (!packed || !targetBytes || packed->deviceBytes <= *targetBytes ||
      packed->boundBytes > *targetBytes ||
      packed->deviceBytes - *targetBytes > *targetBytes / tuning::partToTighten)
    return packed;
  return tighten(index, options.inPlace, std::move(*packed), *targetBytes,
                 tuning::packingsInLoop, [this](RematPlan changed) {
                   return packWith(*this, std::move(changed),
                                   effortInsideLoops(*this));
                 });
}

llvm::Expected<PackedPlan> StepContext::packWell(PackedPlan packed) const {
  if (!hasArena(*solvers.arena))
    return packed;
  const int64_t target =
      roundedAbove(leastDeviceBytes(index, options.inPlace, packed));
  if (packed.deviceBytes <= target || isStopped())
    return packed;
  if (packed.deviceBytes > roundedAbove(packed.boundBytes)) {
    llvm::Expected<PackedPlan> again =
        packWith(*this, rematPlanOf(packed.plan), 0);
    if (!again)
      return again;
    if (again->deviceBytes < packed.deviceBytes)
      packed = std::move(*again);
  }
  // Of the largest steps that took half of the time, for a thousandth.
  if (int64_t(index.graph().nodes.size()) > largestStep)
    return packed;
  return tighten(index, options.inPlace, std::move(packed), target,
                 tuning::packingsAtEnd, [this](RematPlan changed) {
                   return packWith(*this, std::move(changed),
                                   effortInsideLoops(*this));
                 });
}

std::optional<PackedPlan> memplan::smaller(std::optional<PackedPlan> a,
                                           std::optional<PackedPlan> b) {
  if (!a || !b)
    return a ? std::move(a) : std::move(b);
  return Objective::bytes().isBetter(*b, *a) ? std::move(b) : std::move(a);
}

std::optional<PackedPlan> memplan::cheaper(std::optional<PackedPlan> a,
                                           std::optional<PackedPlan> b) {
  if (!a || !b)
    return a ? std::move(a) : std::move(b);
  return Objective::time().isBetter(*b, *a) ? std::move(b) : std::move(a);
}

std::optional<PackedPlan> memplan::within(int64_t deviceBytes,
                                          std::optional<PackedPlan> step) {
  if (step && step->deviceBytes > deviceBytes)
    return std::nullopt;
  return step;
}

Attempts memplan::join(Attempts a, Attempts b) {
  a.cheapest = cheaper(std::move(a.cheapest), std::move(b.cheapest));
  a.smallest = smaller(std::move(a.smallest), std::move(b.smallest));
  if (!a.report) {
    a.report = std::move(b.report);
    a.boundBytes = b.boundBytes;
  }
  if (a.note.empty())
    a.note = std::move(b.note);
  return a;
}

bool memplan::hasPlan(const StepContext &context, const RematPlan &remat) {
  return !remat.schedule.runs.empty() || context.index.graph().nodes.empty();
}

llvm::Expected<std::optional<PackedPlan>>
memplan::attempt(const StepContext &context, const RematSolver &solver,
                 std::optional<int64_t> liveBytes, int64_t effort) {
  llvm::Expected<RematPlan> remat = solve(context.problemWithin(liveBytes),
                                          solver, context.limitsWith(effort));
  if (!remat)
    return remat.takeError();
  if (!hasPlan(context, *remat))
    return std::nullopt;
  llvm::Expected<PackedPlan> packed = context.pack(std::move(*remat));
  if (!packed)
    return packed.takeError();
  return std::optional<PackedPlan>(std::move(*packed));
}

/// Too few bytes to recompute in: between them and what packed badly.
static std::optional<LiveBudget> afterFailure(LiveBudget live, int64_t target) {
  if (!live.exceeds ||
      *live.exceeds - live.bytes < target / tuning::partOfCloseLimits)
    return std::nullopt;
  live.bytes += (*live.exceeds - live.bytes) / 2;
  return live;
}

/// A plan of that live peak and those device bytes was found.
static std::optional<LiveBudget> afterPacking(LiveBudget live, int64_t target,
                                              int64_t peakBytes,
                                              int64_t deviceBytes) {
  const int64_t excess = deviceBytes - target;
  if (excess <= 0)
    live.fits = live.bytes;
  else // A plan may stay below its live budget; what counts is what was packed.
    live.exceeds = std::min(live.bytes, peakBytes);
  if (!live.exceeds || (live.fits && *live.exceeds - *live.fits <
                                         target / tuning::partOfCloseLimits))
    return std::nullopt;
  live.bytes = live.fits ? *live.fits + (*live.exceeds - *live.fits) / 2
                         : *live.exceeds - std::max<int64_t>(excess / 2, 1);
  if (live.bytes <= 0)
    return std::nullopt;
  return live;
}

llvm::Expected<Attempts> memplan::fitTarget(const StepContext &context,
                                            const RematSolver &solver,
                                            int64_t target, int rounds,
                                            int64_t effort) {
  Attempts found;
  std::optional<LiveBudget> live = LiveBudget{target, {}, {}};
  for (int round = 0; round < rounds && live; ++round) {
    if (context.isStopped() && found.cheapest)
      break;
    llvm::Expected<RematPlan> remat = solve(context.problemWithin(live->bytes),
                                            solver, context.limitsWith(effort));
    if (!remat)
      return remat.takeError();
    if (round == 0) {
      found.report = remat->report;
      found.boundBytes = remat->boundBytes;
    }
    if (!hasPlan(context, *remat)) {
      if (!live->exceeds)
        found.note = remat->report.note;
      live = afterFailure(*live, target);
      continue;
    }
    llvm::Expected<PackedPlan> packed = context.pack(std::move(*remat), target);
    if (!packed)
      return packed.takeError();
    live = afterPacking(*live, target, packed->plan.peakBytes,
                        packed->deviceBytes);
    if (packed->deviceBytes > target)
      found.note =
          "live bytes fit, but packing them takes more than the budget";
    found.smallest = smaller(std::move(found.smallest), *packed);
    found.cheapest =
        cheaper(std::move(found.cheapest), within(target, std::move(*packed)));
  }
  return found;
}
