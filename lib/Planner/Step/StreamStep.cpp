//===- StreamStep.cpp - A planned step on several streams -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where plans for one stream come from a family, so do those for several. Else
// the one plan is put on streams in several ways, and the option chooses among
// those that keep the budget.
//
//===----------------------------------------------------------------------===//

#include "StreamStep.h"
#include "StreamFamily.h"
#include "SwapStep.h"
#include "memplan/Plan/PlanVerifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace memplan;

namespace {
/// One plan for one stream, and what is best of it by the options.
class Spreader {
public:
  Spreader(const StepContext &context, const Plan &single)
      : context(context), index(context.index), options(context.options),
        single(single),
        bytesOfOne(double(deviceBytesOf(index.graph(), single))),
        planner(context) {}

  llvm::Expected<PackedActions> spread();
  llvm::Error tryRoom(const Replan &replan);
  void take(StreamPlanner::Plans plans);
  void take(PackedActions packed);

  std::optional<PackedActions> best; ///< Of those that keep the budget.

private:
  llvm::Error tryByTime(StreamPlanner::Plans &plans) const;
  bool fits(const PackedActions &packed) const {
    return packed.fitsHost(index.graph()) &&
           packed.deviceBytes <=
               options.budgetBytes.value_or(packed.deviceBytes);
  }
  bool isBetter(const PackedActions &a, const PackedActions &b) const;

  const StepContext &context;
  const GraphIndex &index;
  const PlanOptions &options;
  const Plan &single;
  const double bytesOfOne;
  const StreamPlanner planner;
};
} // namespace

/// By what the option asks for first, then by the other. Where there is a
/// budget, bytes up to it are free.
bool Spreader::isBetter(const PackedActions &a, const PackedActions &b) const {
  auto key = [&](const PackedActions &packed) {
    const double time = *packed.plan.time;
    const auto bytes = double(packed.deviceBytes);
    if (options.parallelism == "memory")
      return std::pair(std::max(bytes, bytesOfOne), time);
    if (options.parallelism == "prefer" || options.budgetBytes)
      return std::pair(time, bytes);
    return std::pair(time * bytes, time);
  };
  return key(a) < key(b);
}

void Spreader::take(PackedActions packed) {
  if (fits(packed) && (!best || isBetter(packed, *best)))
    best = std::move(packed);
}

void Spreader::take(StreamPlanner::Plans plans) {
  for (StreamPlan &plan : plans)
    take(std::move(plan.packed));
}

/// Under falling limits on live bytes.
llvm::Error Spreader::tryByTime(StreamPlanner::Plans &plans) const {
  const int64_t live = single.peakBytes - index.graph().fixedBytes;
  std::vector<std::optional<int64_t>> limits = {std::nullopt};
  for (int64_t sixteenths : {32, 24, 20, 18, 16, 15, 14, 12})
    limits.push_back(live / 16 * sixteenths);
  if (options.budgetBytes)
    for (int64_t percent : {100, 98, 95, 92})
      limits.push_back(*options.budgetBytes / 100 * percent);
  for (std::optional<int64_t> limit : limits)
    for (bool keepOrder : {false, true}) {
      if (context.isStopped() || (keepOrder && (planner.keepsOrder() || limit)))
        continue;
      if (llvm::Error error = planner.byTime(single, limit, keepOrder, plans))
        return error;
    }
  return llvm::Error::success();
}

llvm::Expected<PackedActions> Spreader::spread() {
  // A sharing solver has settled what shares bytes.
  const bool isShared = sharesStorages(context.solvers);
  StreamPlanner::Plans plans;
  if (options.parallelism == "prefer" && !isShared) {
    if (llvm::Error error = planner.withoutWaitsForBytes(single, plans))
      return error;
    take(std::exchange(plans, {}));
    if (best)
      return std::move(*std::exchange(best, std::nullopt));
  }
  if (llvm::Error error = planner.asItStands(single, plans))
    return error;
  if (!isShared) {
    if (llvm::Error error = tryByTime(plans))
      return error;
    // In what a search plans to leave, packing may have need of nothing.
    const int64_t within = options.budgetBytes.value_or(single.peakBytes);
    for (int64_t bytes : {within, within + within / 40})
      if (llvm::Error error = planner.bySearch(single, {}, bytes,
                                               planner.movesFor(single), plans))
        return error;
  }
  take(std::move(plans));
  return std::move(*std::exchange(best, std::nullopt));
}

/// Side by side, runs need more bytes than one after the other. Where these
/// have to come out of the budget, a plan for a little less may be faster.
llvm::Error Spreader::tryRoom(const Replan &replan) {
  if (!replan || !options.budgetBytes || options.parallelism == "memory")
    return llvm::Error::success();
  for (int64_t percent : {98, 94}) {
    if (context.isStopped())
      break;
    llvm::Expected<Plan> plan = replan(*options.budgetBytes / 100 * percent);
    if (!plan)
      return plan.takeError();
    if (plan->steps.empty())
      break;
    llvm::Expected<PackedActions> packed = Spreader(context, *plan).spread();
    if (!packed)
      return packed.takeError();
    take(std::move(*packed));
  }
  return llvm::Error::success();
}

static llvm::Expected<PackedActions> planOnStreams(const StepContext &context,
                                                   const Plan &plan,
                                                   const ClimbedRungs &climbed,
                                                   const Replan &replan) {
  Spreader spreader(context, plan);
  if (context.options.budgetBytes && hasStreamFamily(context, climbed)) {
    const int64_t budget = context.options.parallelism == "memory"
                               ? deviceBytesOf(context.index.graph(), plan)
                               : *context.options.budgetBytes;
    llvm::Expected<StreamPlan> made =
        StreamFamily(context, climbed).planWithin(budget, plan);
    if (!made)
      return made.takeError();
    if (!copies(context.solvers))
      return std::move(made->packed);
    // Reruns alone may hide better than what is best on one stream.
    spreader.take(std::move(made->packed));
  }
  llvm::Expected<PackedActions> packed = Spreader(context, plan).spread();
  if (!packed)
    return packed;
  spreader.take(std::move(*packed));
  if (llvm::Error error = spreader.tryRoom(replan))
    return error;
  return std::move(*spreader.best);
}

llvm::Expected<Plan> memplan::spreadOverStreams(const StepContext &context,
                                                Plan plan,
                                                const ClimbedRungs &climbed,
                                                const Replan &replan) {
  if (context.options.streams == 1 || plan.steps.empty())
    return plan;
  const Graph &graph = context.index.graph();
  llvm::Expected<PackedActions> packed =
      planOnStreams(context, plan, climbed, replan);
  if (!packed)
    return packed.takeError();
  PackedActions &best = *packed;
  std::string note = llvm::formatv(
      "{0} streams: {1} bytes and makespan {2:f3}, on one {3} bytes and {4:f3}",
      context.options.streams, best.deviceBytes, *best.plan.time,
      deviceBytesOf(graph, plan), plan.makespan());
  plan.note = plan.note.empty() ? note : plan.note + "; " + note;
  plan.steps = std::move(best.plan.steps);
  plan.arenas = std::move(best.plan.arenas);
  plan.time = best.plan.time;
  plan.cost = best.plan.cost;
  plan.peakBytes = best.plan.peakBytes;
  // That on the time is of one stream, this for the whole budget, whichever
  // plan is taken.
  plan.timeBound.reset();
  plan.timeBoundSpace.clear();
  if (plan.status == SolveStatus::Optimal && plan.bound &&
      !isOptimalBound(*plan.bound, plan.cost))
    plan.status = SolveStatus::Feasible;
  return plan;
}
