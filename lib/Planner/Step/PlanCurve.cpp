//===- PlanCurve.cpp - What bytes cost in time ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PlanCurve.h"
#include "Reorder.h"
#include "StepFront.h"
#include "StreamStep.h"
#include "Tuning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/EffortSeconds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace memplan;

namespace {
/// Plans of a step, in its own order.
class CurvePlans {
public:
  explicit CurvePlans(const Graph &graph) : graph(graph) {}

  void add(Plan plan) {
    PackedPlan packed;
    packed.deviceBytes = deviceBytesOf(graph, plan);
    packed.plan = std::move(plan);
    front.add(std::move(packed));
  }
  bool isEmpty() const { return front.all().empty(); }
  const Plan &within(int64_t budget) const {
    return front.fastestWithin(budget)->plan;
  }
  /// At so many equal steps from the least bytes to the most.
  int64_t budgetOf(int64_t point, int64_t points) const {
    return budgetBetween(front.all().begin()->first,
                         front.all().rbegin()->first, point, points - 1);
  }

private:
  const Graph &graph;
  ParetoFront front;
};

/// The front of a step, read at many budgets.
class CurveReader {
public:
  CurveReader(const GraphIndex &index, const PlanOptions &options,
              const PreparedStep &prepared, int64_t points,
              const CurveCount &count)
      : index(index), options(options), prepared(prepared), points(points),
        count(count), sideBySide(isSideBySide(index.graph(), options)),
        single(prepared.context), onStreams(prepared.context, single) {}

  llvm::Expected<PlanCurve> read(llvm::ArrayRef<Plan> known);

private:
  /// With a bound of its own for each point.
  bool isProved() const {
    return !copies(prepared.context.solvers) && !sideBySide;
  }
  llvm::Error addPlans(int64_t budget);
  llvm::Expected<Plan> planAt(int64_t budget);
  /// Each point is planned, then proved.
  void tellCount() const {
    if (count)
      count(partsDone, 2 * points);
  }
  void countPart() {
    ++partsDone;
    tellCount();
  }
  llvm::Expected<std::vector<int64_t>> addAllPlans();
  llvm::Error addPoint(Plan plan, PlanCurve &curve) const;

  const GraphIndex &index;
  const PlanOptions &options;
  const PreparedStep &prepared;
  const int64_t points;
  const CurveCount &count;
  const bool sideBySide;
  int64_t partsDone = 0;
  StepFront single;
  StreamFront onStreams;
  ParetoFront front;
};
} // namespace

llvm::Error CurveReader::addPlans(int64_t budget) {
  if (sideBySide) {
    llvm::Expected<FrontOf<StreamPlan>> plans = onStreams.plansFor(budget);
    if (!plans)
      return plans.takeError();
    front.add(*plans);
  }
  llvm::Expected<ParetoFront> plans = single.plansFor(budget);
  if (!plans)
    return plans.takeError();
  front.add(*plans);
  return llvm::Error::success();
}

/// A bound for a budget holds for all smaller ones.
static void takeBoundOf(const Plan &larger, Plan &plan) {
  if (larger.bound && *larger.bound > plan.bound.value_or(0) &&
      *larger.bound <= plan.cost) {
    plan.bound = larger.bound;
    plan.boundSpace = larger.boundSpace;
    plan.proof = larger.proof;
    if (isOptimalBound(*plan.bound, plan.cost))
      plan.status = SolveStatus::Optimal;
  }
  if (larger.timeBound && *larger.timeBound > plan.timeBound.value_or(0) &&
      *larger.timeBound <= plan.makespan()) {
    plan.timeBound = larger.timeBound;
    plan.timeBoundSpace = larger.timeBoundSpace;
  }
}

/// From the largest budget on.
llvm::Error CurveReader::addPoint(Plan plan, PlanCurve &curve) const {
  const auto &[step, context] = prepared;
  const ProofEffort effort =
      effortOfProof(options).dividedBy(tuning::partOfPoint);
  if (!isProved()) {
    boundByRunOnce(index.graph(), plan);
    if (!sideBySide && searchesCopies(context)) {
      claimTime(context, plan);
      if (&step.index() != &index)
        lowerTimeBound(index, options, effort, plan);
    }
  }
  if (!curve.plans.empty() && !sideBySide)
    takeBoundOf(curve.plans.back(), plan);
  PlanOptions promised = options;
  promised.budgetBytes = plan.budgetBytes;
  if (llvm::Error error = verifyStepPlan(index, plan, promised))
    return invalidPlan(plan.solver, std::move(error));
  curve.plans.push_back(std::move(plan));
  return llvm::Error::success();
}

/// Plans for all budgets of the curve: from the smallest plan to the fastest.
llvm::Expected<std::vector<int64_t>> CurveReader::addAllPlans() {
  std::vector<int64_t> budgets;
  tellCount();
  if (llvm::Error error = addPlans(0))
    return std::move(error);
  if (front.all().empty())
    return budgets;
  auto spread = [&] {
    budgets.clear();
    for (int64_t point = 0; point < points; ++point)
      budgets.push_back(budgetBetween(front.all().begin()->first,
                                      front.all().rbegin()->first, point,
                                      points - 1));
  };
  spread();
  for (int64_t budget : budgets) {
    if (llvm::Error error = addPlans(budget))
      return std::move(error);
    countPart();
  }
  spread(); // Several streams may have use of more.
  return budgets;
}

/// The plan of the front, for the graph as it was given.
llvm::Expected<Plan> CurveReader::planAt(int64_t budget) {
  const auto &[step, context] = prepared;
  const PackedPlan &best = *front.fastestWithin(budget);
  const ProofEffort effort =
      effortOfProof(options).dividedBy(tuning::partOfPoint);
  Plan plan = best.plan;
  if (isProved()) {
    llvm::Expected<Plan> finished =
        single.finish(best, budget, proveFor(context, budget, best, effort));
    if (!finished)
      return finished;
    plan = std::move(*finished);
  } else {
    if (searchesCopies(context))
      plan.solver = std::string(context.solvers.remat->name) + "+" +
                    std::string(context.solvers.swap->name);
    plan.bound.reset();
    plan.timeBound.reset();
  }
  plan.graphHash = hashGraph(step.index().graph());
  plan.budgetBytes = budget;
  step.restore(options, effort, plan);
  return plan;
}

llvm::Expected<PlanCurve> CurveReader::read(llvm::ArrayRef<Plan> known) {
  PlanCurve curve;
  curve.leastCost = *reportRunOnce(index.graph()).bound;
  curve.unplannedBytes = measureUnplanned(index).peakBytes;
  if (sideBySide)
    curve.leastTime = leastTimeOn(index, options.streams);
  llvm::Expected<std::vector<int64_t>> budgets = addAllPlans();
  if (!budgets)
    return budgets.takeError();
  CurvePlans plans(index.graph());
  for (const Plan &plan : known)
    plans.add(plan);
  for (int64_t budget : llvm::reverse(*budgets)) {
    llvm::Expected<Plan> plan = planAt(budget);
    if (!plan)
      return plan.takeError();
    countPart();
    if (!isProved())
      plans.add(std::move(*plan));
    else if (llvm::Error error = addPoint(std::move(*plan), curve))
      return std::move(error);
  }
  for (int64_t point = points - 1; point >= 0 && !plans.isEmpty(); --point) {
    Plan plan = plans.within(plans.budgetOf(point, points));
    plan.budgetBytes = plans.budgetOf(point, points);
    if (llvm::Error error = addPoint(std::move(plan), curve))
      return std::move(error);
  }
  std::reverse(curve.plans.begin(), curve.plans.end());
  return curve;
}

llvm::Expected<PlanCurve>
memplan::planCurve(const Graph &graph, const PlanOptions &given, int64_t points,
                   llvm::ArrayRef<Plan> known, const CurveCount &count) {
  if (points < 2)
    return llvm::createStringError(
        "a curve of %lld points is none; ask for at least 2",
        static_cast<long long>(points));
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  PlanOptions options = given;
  if (llvm::Error error = resolveEffort(index, options))
    return error;
  llvm::Expected<PreparedStep> prepared = prepareStep(index, options);
  if (!prepared)
    return prepared.takeError();
  return CurveReader(index, options, *prepared, points, count).read(known);
}

/// Whether whatever takes the one takes no more time on the other.
static bool isSlower(const Bandwidth &a, const Bandwidth &b) {
  auto rate = [](std::optional<double> value) {
    return value.value_or(std::numeric_limits<double>::infinity());
  };
  return rate(a.hostToDevice) <= rate(b.hostToDevice) &&
         rate(a.deviceToHost) <= rate(b.deviceToHost) && a.latency >= b.latency;
}

/// The plans of a curve at a slower link, timed anew.
static llvm::Error addTimed(const PlanCurve &curve, const GraphIndex &index,
                            std::vector<Plan> &known) {
  for (Plan plan : curve.plans) {
    llvm::Expected<Replay> replay = replayPlan(index, plan);
    if (!replay)
      return replay.takeError();
    plan.time = replay->time;
    known.push_back(std::move(plan));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<CurveAt>>
memplan::planCurves(const Graph &graph, const PlanOptions &options,
                    const CurveCount &count) {
  std::vector<CurveAt> curves;
  if (options.paretoBandwidths.empty())
    curves.push_back({graph, {}});
  for (const Bandwidth &bandwidth : options.paretoBandwidths) {
    curves.push_back({graph, {}});
    curves.back().graph.bandwidth = bandwidth;
  }
  // Slower ones first.
  std::vector<CurveAt *> order;
  for (CurveAt &curve : curves)
    order.push_back(&curve);
  llvm::sort(order, [](const CurveAt *a, const CurveAt *b) {
    const Bandwidth x = a->graph.bandwidth.value_or(Bandwidth());
    const Bandwidth y = b->graph.bandwidth.value_or(Bandwidth());
    return std::tuple(x.hostToDevice, x.deviceToHost, -x.latency, a) <
           std::tuple(y.hostToDevice, y.deviceToHost, -y.latency, b);
  });
  for (auto at = order.begin(); at != order.end(); ++at) {
    const GraphIndex index((*at)->graph);
    std::vector<Plan> known;
    for (auto slower = order.begin(); slower != at; ++slower)
      if (isSlower(*(*slower)->graph.bandwidth, *(*at)->graph.bandwidth))
        if (llvm::Error error = addTimed((*slower)->curve, index, known))
          return std::move(error);
    auto countOfAll = [&](int64_t done, int64_t all) {
      if (count)
        count(all * (at - order.begin()) + done, all * int64_t(order.size()));
    };
    llvm::Expected<PlanCurve> curve =
        planCurve((*at)->graph, options, options.pareto, known, countOfAll);
    if (!curve)
      return curve.takeError();
    (*at)->curve = std::move(*curve);
  }
  return curves;
}
