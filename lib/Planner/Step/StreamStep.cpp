//===- StreamStep.cpp - A planned step on several streams -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Within a budget, plans on several streams have a walk of their own. Without
// one, the plan is put on streams in several ways, and the option chooses.
//
//===----------------------------------------------------------------------===//

#include "StreamStep.h"
#include "Objective.h"
#include "StepFront.h"
#include "Tuning.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace memplan;

/// Every node runs once on some stream, those that communicate on one of their
/// own, and one of the longest path after the other.
double memplan::leastTimeOn(const GraphIndex &index, int64_t streams) {
  const Graph &graph = index.graph();
  std::vector<double> ends(graph.tensors.size(), 0);
  double longest = 0, computing = 0, communicating = 0;
  for (const Node &node : graph.nodes) {
    double start = 0;
    const double cost = node.leastCost();
    for (TensorId input : node.inputs)
      start = std::max(start, ends[input.index]);
    for (TensorId output : node.outputs)
      ends[output.index] = start + cost;
    longest = std::max(longest, start + cost);
    (node.communicates() ? communicating : computing) += cost;
  }
  return std::max({longest, computing / double(streams), communicating});
}

StreamFront::Breadth StreamFront::breadthOf(const StepContext &context) {
  if (context.options.streams == 1 &&
      context.index.graph().nodes.size() > largeStep)
    return {tuning::levelsBesideCommunication, tuning::depthBesideCommunication,
            false, tuning::sharesBesideCommunication};
  return {tuning::levelsOfStreams, tuning::depthOfStreams, true,
          tuning::sharesOnSeveralStreams};
}

StreamFront::StreamFront(const StepContext &context, StepFront &single,
                         bool mayCopy)
    : context(context), single(single), mayCopy(mayCopy), planner(context),
      breadth(breadthOf(context)),
      leastTime(leastTimeOn(context.index, context.options.streams)) {
  if (mayCopy && searchesCopies(context))
    withoutCopies.reset(new StreamFront(context, single, /*mayCopy=*/false));
}

/// Sources on one stream: the fastest, and others that leave room. Runs side by
/// side need more bytes than one after the other, and what another stream can
/// hide costs nothing.
static std::vector<std::shared_ptr<const Plan>>
sourcesWithin(const ParetoFront &front, int64_t bytes,
              llvm::ArrayRef<int64_t> percents) {
  std::vector<std::shared_ptr<const Plan>> sources;
  for (int64_t percent : percents) {
    const PackedPlan *source = front.fastestWithin(bytes / 100 * percent);
    if (source && (sources.empty() ||
                   sources.back()->makespan() != source->plan.makespan()))
      sources.push_back(std::make_shared<const Plan>(source->plan));
  }
  return sources;
}

llvm::Expected<std::vector<StreamPlan>>
StreamFront::searchFrom(const ParetoFront &sources, const StreamPlan *known,
                        int64_t bytes) {
  StreamPlanner::Plans plans;
  int64_t share = 1;
  StreamTries tries;
  tries.prefetchBytes = {bytes};
  if (breadth.searches) {
    tries.searchBytes = {bytes};
    if (context.index.graph().communicates())
      tries.byTime.push_back({std::nullopt, /*keepsOrder=*/true});
  }
  for (const auto &source : sourcesWithin(sources, bytes, breadth.sources)) {
    if (context.options.parallelism == "prefer")
      if (llvm::Error error = planner.withoutWaitsForBytes(*source, plans))
        return std::move(error);
    tries.moves = planner.movesFor(*source) / share + 1;
    if (llvm::Error error = planner.tryAll(source, tries, plans))
      return std::move(error);
    share = tuning::partOfOtherSources;
  }
  if (breadth.searches && known && known->source)
    if (llvm::Error error =
            planner.bySearch(known->source, known->order, bytes,
                             planner.movesFor(*known->source) / 2 + 1, plans))
      return std::move(error);
  llvm::erase_if(plans, [&](const StreamPlan &plan) {
    return !plan.fitsHost(context.index.graph());
  });
  return plans;
}

llvm::Expected<std::vector<StreamPlan>>
StreamFront::search(const Walk::Place &place) {
  if (context.isStopped() ||
      (place.below && isAtMost(place.below->plan.makespan(), leastTime)))
    return std::vector<StreamPlan>();
  llvm::Expected<ParetoFront> sources =
      single.sourcesFor(place.bytes, place.depth, mayCopy);
  if (!sources)
    return sources.takeError();
  return searchFrom(*sources, place.below, place.bytes);
}

/// Plans that larger budgets have, too, whatever the walk to them meets: what
/// recomputes more may be faster on several streams. By levels, each from the
/// one below.
llvm::Error StreamFront::addLevels(int64_t leastBytes) {
  const int levels = breadth.levels;
  ParetoFront sources;
  for (int level = 1; level <= levels; ++level) {
    const int64_t bytes = budgetBetween(leastBytes, mostBytes, level, levels);
    llvm::Expected<ParetoFront> met =
        single.sourcesFor(bytes, tuning::depthOfSources, mayCopy);
    if (!met)
      return met.takeError();
    sources.add(*met);
    if (llvm::Error error = addFrom(sources, bytes, base))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error StreamFront::addFrom(const ParetoFront &sources, int64_t bytes,
                                 FrontOf<StreamPlan> &front) {
  const StreamPlan *known = front.fastestWithin(bytes);
  if (context.isStopped() ||
      (known && isAtMost(known->plan.makespan(), leastTime)))
    return llvm::Error::success();
  llvm::Expected<std::vector<StreamPlan>> plans =
      searchFrom(sources, known, bytes);
  if (!plans)
    return plans.takeError();
  for (StreamPlan &plan : *plans)
    front.add(std::move(plan));
  return llvm::Error::success();
}

/// With more bytes than one stream has use of.
llvm::Error StreamFront::addSpacious(int64_t budget,
                                     FrontOf<StreamPlan> &front) {
  llvm::Expected<ParetoFront> sources =
      single.sourcesFor(mostBytes, 0, mayCopy);
  if (!sources)
    return sources.takeError();
  for (int64_t eighths : tuning::spaciousInEighths) {
    const int64_t bytes = mostBytes / 8 * eighths + mostBytes % 8;
    if (bytes > budget)
      break;
    if (llvm::Error error = addFrom(*sources, bytes, front))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<FrontOf<StreamPlan>> StreamFront::plansFor(int64_t budget) {
  llvm::Expected<FrontOf<StreamPlan>> front = walkTo(budget);
  if (!front || !withoutCopies)
    return front;
  llvm::Expected<FrontOf<StreamPlan>> others = withoutCopies->walkTo(budget);
  if (!others)
    return others;
  front->add(*others);
  return front;
}

llvm::Expected<FrontOf<StreamPlan>> StreamFront::walkTo(int64_t budget) {
  if (!walk) {
    llvm::Expected<std::pair<int64_t, int64_t>> range =
        single.rangeOfSources(mayCopy);
    if (!range)
      return range.takeError();
    mostBytes = range->second;
    walk = std::make_unique<Walk>(
        range->first, mostBytes, breadth.depth,
        [this](const Walk::Place &place) { return search(place); });
    if (llvm::Error error = addLevels(range->first))
      return std::move(error);
    for (const auto &[bytes, plan] : base.all())
      walk->add(plan);
  }
  llvm::Expected<FrontOf<StreamPlan>> front = walk->walkTo(budget);
  if (front && budget > mostBytes)
    if (llvm::Error error = addSpacious(budget, *front))
      return std::move(error);
  return front;
}

namespace {
/// One plan for one stream, and what is best of it by the options.
class Spreader {
public:
  Spreader(const StepContext &context, const Plan &single)
      : context(context), index(context.index), options(context.options),
        single(single),
        objective(Objective::of(options, /*sideBySide=*/true,
                                deviceBytesOf(index.graph(), single))),
        planner(context) {}

  llvm::Expected<PackedPlan> spread();
  void take(StreamPlanner::Plans plans);
  void take(PackedPlan packed);

  std::optional<PackedPlan> best; ///< Best of those that keep the budget.

private:
  StreamTries waysToTry() const;
  bool fits(const PackedPlan &packed) const {
    return packed.fitsHost(index.graph()) &&
           packed.deviceBytes <=
               options.budgetBytes.value_or(packed.deviceBytes);
  }
  const StepContext &context;
  const GraphIndex &index;
  const PlanOptions &options;
  const Plan &single;
  const Objective objective;
  const StreamPlanner planner;
};
} // namespace

void Spreader::take(PackedPlan packed) {
  if (fits(packed))
    objective.take(std::move(packed), best);
}

void Spreader::take(StreamPlanner::Plans plans) {
  for (StreamPlan &plan : plans)
    take(std::move(static_cast<PackedPlan &>(plan)));
}

/// By time under falling limits on live bytes. In what a search plans to leave,
/// packing may have need of nothing.
StreamTries Spreader::waysToTry() const {
  StreamTries tries;
  tries.byTime.push_back({});
  if (!planner.keepsOrder())
    tries.byTime.push_back({std::nullopt, /*keepsOrder=*/true});
  const int64_t live = single.peakBytes - index.graph().fixedBytes;
  for (int64_t sixteenths : tuning::liveInSixteenths)
    tries.byTime.push_back({live / 16 * sixteenths});
  const int64_t within = options.budgetBytes.value_or(single.peakBytes);
  if (options.budgetBytes)
    for (int64_t percent : tuning::liveInPercent)
      tries.byTime.push_back({within / 100 * percent});
  for (int64_t percent : tuning::prefetchInPercent)
    if (percent == 100 || !options.budgetBytes)
      tries.prefetchBytes.push_back(within / 100 * percent);
  tries.searchBytes = {within, within + within / tuning::partBeyond};
  tries.moves = planner.movesFor(single);
  return tries;
}

llvm::Expected<PackedPlan> Spreader::spread() {
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
  if (llvm::Error error =
          planner.tryAll(std::make_shared<const Plan>(single),
                         isShared ? StreamTries() : waysToTry(), plans))
    return error;
  take(std::move(plans));
  return std::move(*std::exchange(best, std::nullopt));
}

static PackedPlan onOneStream(const GraphIndex &index, const Plan &single) {
  PackedPlan packed;
  packed.plan = single;
  packed.plan.time = single.makespan();
  packed.deviceBytes = deviceBytesOf(index.graph(), single);
  return packed;
}

/// What sharing solvers have settled is for one plan: a few are tried.
static llvm::Expected<PackedPlan> spreadShared(const StepContext &context,
                                               const Plan &plan, int64_t budget,
                                               StepFront &front) {
  llvm::Expected<ParetoFront> sources = front.plansFor(budget);
  if (!sources)
    return sources.takeError();
  Spreader spreader(context, plan);
  llvm::Expected<PackedPlan> packed = Spreader(context, plan).spread();
  for (const auto &source :
       sourcesWithin(*sources, budget, tuning::sharesOnSeveralStreams)) {
    if (!packed)
      return packed;
    spreader.take(std::move(*packed));
    packed = Spreader(context, *source).spread();
  }
  if (packed)
    spreader.take(std::move(*packed));
  return packed ? std::move(*spreader.best) : std::move(packed);
}

static llvm::Expected<PackedPlan>
planOnStreams(const StepContext &context, const Plan &plan, StepFront *front) {
  const PlanOptions &options = context.options;
  if (!front || !options.budgetBytes)
    return Spreader(context, plan).spread();
  if (sharesStorages(context.solvers))
    return spreadShared(context, plan, *options.budgetBytes, *front);
  const PackedPlan single = onOneStream(context.index, plan);
  const int64_t budget = options.parallelism == "memory" ? single.deviceBytes
                                                         : *options.budgetBytes;
  llvm::Expected<FrontOf<StreamPlan>> plans =
      StreamFront(context, *front).plansFor(budget);
  if (!plans)
    return plans.takeError();
  // On one stream nothing gets slower with more budget either.
  std::optional<PackedPlan> best = single;
  if (const StreamPlan *fastest = plans->fastestWithin(budget))
    Objective::time().take(static_cast<const PackedPlan &>(*fastest), best);
  return std::move(*best);
}

llvm::Expected<Plan> memplan::spreadOverStreams(const StepContext &context,
                                                Plan plan, StepFront *front) {
  const Graph &graph = context.index.graph();
  if (!isSideBySide(graph, context.options) || plan.steps.empty())
    return plan;
  llvm::Expected<PackedPlan> packed = planOnStreams(context, plan, front);
  if (!packed)
    return packed.takeError();
  PackedPlan &best = *packed;
  std::string note = llvm::formatv(
      "{0}{1}: {2} bytes and makespan {3:f3}, on one {4} bytes and {5:f3}",
      context.options.streams == 1
          ? "a stream"
          : std::to_string(context.options.streams) + " streams",
      graph.communicates() ? " and that of communication" : "",
      best.deviceBytes, *best.plan.time, deviceBytesOf(graph, plan),
      plan.makespan());
  // What a swap solver says is of the copies that it chose.
  if (copies(context.solvers))
    plan.note = std::move(best.plan.note);
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
