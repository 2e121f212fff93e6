//===- BudgetPlansTest.cpp - Fronts, packing and orders by default --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "ParetoFront.h"
#include "PlanSpace.h"
#include "Planner/LayeredGraph.h"
#include "Planner/RematGraphs.h"
#include "PlanningContext.h"
#include "RandomGraph.h"
#include "RematSpaces.h"
#include "Tighten.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/LeastBudget.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Thresholds.h"
#include "memplan/Support/Random.h"

using namespace memplan;

namespace {

PackedPlan packedOf(int64_t bytes, double cost) {
  PackedPlan packed;
  packed.deviceBytes = bytes;
  packed.plan.cost = cost;
  return packed;
}

// A plan that another one beats in both would be given out, or one that none
// beats be lost.
TEST(Front, keeps_what_no_other_plan_beats) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    ParetoFront front;
    std::vector<std::pair<int64_t, double>> all;
    for (int i = 0; i < 20; ++i) {
      all.push_back({random.below(12), random.below(12)});
      front.add(packedOf(all.back().first, all.back().second));
    }
    for (int64_t budget = -1; budget <= 12; ++budget) {
      std::optional<double> least;
      for (auto [bytes, cost] : all)
        if (bytes <= budget && (!least || cost < *least))
          least = cost;
      const PackedPlan *found = front.fastestWithin(budget);
      ASSERT_EQ(found != nullptr, least.has_value()) << "seed " << seed;
      if (found)
        EXPECT_EQ(found->plan.cost, *least) << "seed " << seed;
    }
    double before = 100;
    for (const auto &[bytes, packed] : front.all()) {
      EXPECT_LT(packed.plan.cost, before) << "seed " << seed;
      before = packed.plan.cost;
    }
  }
}

int packings = 0;
llvm::Expected<ArenaPlan> countPacking(const ArenaProblem &problem,
                                       const SolveLimits &limits) {
  ++packings;
  return solve(problem, solverNamed(arenaSolvers(), "best-fit"), limits);
}

// Packing takes most of the time of a first plan: what a search has packed
// would be packed again by who asked for it, or be taken for another target.
TEST(Attempt, packs_a_plan_towards_a_target_once) {
  ArenaSolver counting = solverNamed(arenaSolvers(), "best-fit");
  counting.solve = countPacking;
  PlanOptions options;
  const StepSolvers solvers{nullptr, &solverNamed(orderSolvers(), "source"),
                            &solverNamed(sharingSolvers(), "none"), &counting};
  const Graph graph = makeRandomGraph(3, 20);
  GraphIndex index(graph);
  const StepContext context{index, options, solvers};
  RematProblem problem;
  problem.index = &index;
  llvm::Expected<RematPlan> remat = solveCheckpointAll(problem, {});
  ASSERT_THAT(remat, Succeeds());
  auto pack = [&](int64_t target) {
    packings = 0;
    llvm::Expected<PackedPlan> packed = context.pack(*remat, target);
    EXPECT_THAT(packed, Succeeds());
    return packed->deviceBytes;
  };
  const int64_t bytes = pack(int64_t(1) << 40);
  EXPECT_GT(packings, 0);
  const int64_t excessive = pack(1);
  EXPECT_GT(packings, 0);
  EXPECT_EQ(pack(int64_t(1) << 40), bytes);
  EXPECT_EQ(pack(1), excessive);
  EXPECT_EQ(packings, 0);
  pack(2);
  EXPECT_GT(packings, 0);
}

/// Nothing shares a byte, but where a budget is known and there is some work to
/// spend.
llvm::Expected<ArenaPlan> packForBudget(const ArenaProblem &problem,
                                        const SolveLimits &limits) {
  ++packings;
  if (problem.budgetBytes && limits.effort == 1000)
    return solve(problem, solverNamed(arenaSolvers(), "exact"), limits);
  ArenaPlan plan;
  for (const ArenaBuffer &buffer : problem.buffers) {
    plan.offsets.push_back(plan.peakBytes);
    plan.peakBytes += buffer.bytes;
  }
  plan.report.bound = double(problem.lowerBoundBytes());
  return plan;
}

// A plan that fits would be given up, be packed again without the work it
// takes, or one that does not fit be given out as one that does.
TEST(Attempt, packs_with_more_work_where_that_keeps_the_target) {
  ArenaSolver lazy = solverNamed(arenaSolvers(), "exact");
  lazy.solve = packForBudget;
  PlanOptions options;
  options.alignmentBytes = 1;
  const StepSolvers solvers{nullptr, &solverNamed(orderSolvers(), "source"),
                            &solverNamed(sharingSolvers(), "none"), &lazy};
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Graph graph = makeRandomGraph(seed, 12);
    GraphIndex index(graph);
    const StepContext context{index, options, solvers};
    RematProblem problem;
    problem.index = &index;
    llvm::Expected<RematPlan> remat = solveCheckpointAll(problem, {});
    ASSERT_THAT(remat, Succeeds());
    llvm::Expected<PackedPlan> badly = context.pack(*remat);
    ASSERT_THAT(badly, Succeeds());
    const int64_t least = badly->boundBytes;
    if (badly->deviceBytes == least)
      continue;
    // Small steps nearly always pack at their bound.
    const int64_t target = least + (badly->deviceBytes - least) / 2;
    llvm::Expected<PackedPlan> well = context.repack(*remat, target, 1000);
    ASSERT_THAT(well, Succeeds());
    EXPECT_LE(well->deviceBytes, target) << "seed " << seed;
    Plan plan = well->plan;
    plan.graphHash = hashGraph(graph);
    boundByRunOnce(graph, plan);
    EXPECT_THAT(verifyPlan(index, plan), Succeeds()) << "seed " << seed;
    packings = 0;
    llvm::Expected<PackedPlan> known = context.pack(*remat, target);
    ASSERT_THAT(known, Succeeds());
    EXPECT_EQ(known->deviceBytes, well->deviceBytes) << "seed " << seed;
    EXPECT_EQ(packings, 0) << "seed " << seed;
    llvm::Expected<PackedPlan> refused =
        context.repack(*remat, least - 1, 1000);
    ASSERT_THAT(refused, Succeeds());
    EXPECT_GT(refused->deviceBytes, least - 1) << "seed " << seed;
  }
}

// A schedule would get more expensive, larger or illegal while it is made to
// pack better, or lose to the one without anything in place.
TEST(Tighten, keeps_cost_and_never_takes_more_bytes) {
  const StepSolvers solvers{nullptr, nullptr,
                            &solverNamed(sharingSolvers(), "none"),
                            &solverNamed(arenaSolvers(), "best-fit")};
  PlanOptions options;
  options.alignmentBytes = 1;
  int tightened = 0;
  auto check = [&](const Graph &graph, int64_t percent) {
    GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    problem.budgetBytes =
        std::max<int64_t>(1, measureUnplanned(index).peakBytes * percent / 100);
    SolveLimits limits;
    limits.effort = 500;
    llvm::Expected<RematPlan> remat =
        solve(problem, solverNamed(rematSolvers(), "greedy"), limits);
    ASSERT_THAT(remat, Succeeds());
    if (remat->schedule.runs.empty())
      return;
    PackPlan pack = [&](RematPlan plan) {
      return packStep(index, std::move(plan), solvers, options, {});
    };
    llvm::Expected<PackedPlan> before = pack(*remat);
    ASSERT_THAT(before, Succeeds());
    const int64_t bytes = before->deviceBytes;
    llvm::Expected<PackedPlan> after =
        tighten(index, true, *before, before->boundBytes, 20, pack);
    ASSERT_THAT(after, Succeeds());
    EXPECT_EQ(after->plan.cost, before->plan.cost);
    EXPECT_LE(after->deviceBytes, bytes);
    EXPECT_LE(after->plan.peakBytes,
              std::max(before->boundBytes, before->plan.peakBytes));
    // Packing puts off a first run that is in vain: bounds in source order do
    // not hold of such a plan.
    RematPlan tighter = rematPlanOf(after->plan);
    tighter.report = reportRunOnce(graph);
    EXPECT_THAT(problem.verify(tighter), Succeeds());
    RematPlan apart = *remat;
    apart.inPlace = InPlaceChoice(apart.schedule.runs.size());
    apart.peakBytes =
        measureSchedule(index, apart.schedule, apart.inPlace).peakBytes;
    const bool isAllowed = apart.peakBytes <= remat->peakBytes;
    llvm::Expected<PackedPlan> none = pack(std::move(apart));
    ASSERT_THAT(none, Succeeds());
    if (isAllowed)
      EXPECT_LE(after->deviceBytes, none->deviceBytes);
    tightened += after->deviceBytes < bytes;
  };
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(makeRandomGraph(seed, 20), 80);
  }
  for (int length : {6, 10, 14})
    for (int64_t percent : {80, 65})
      check(makeResidualNet(length), percent);
  EXPECT_GT(tightened, 2);
}

// Whoever names no order would pay for one that suits other budgets.
TEST(BudgetPlans, the_order_by_default_costs_no_more_than_source_order) {
  int better = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Graph graph = makeRandomGraph(seed, 14);
    const GraphIndex index(graph);
    const int64_t low = largestWorkingSet(index, true).bytes,
                  high = measureUnplanned(index).peakBytes;
    for (int64_t part : {1, 3}) {
      PlanOptions options;
      options.alignmentBytes = 1;
      options.limits.effort = 800;
      options.budgetBytes = low + (high - low) * part / 4;
      auto costOf = [&](const char *order) {
        options.order = order;
        const Plan plan = llvm::cantFail(planStep(graph, options));
        return hasSteps(plan.status) ? plan.cost : 1e9;
      };
      const double source = costOf("source"), chosen = costOf("auto");
      better += chosen < source;
      EXPECT_LE(chosen, source) << "seed " << seed << ", part " << part;
    }
  }
  EXPECT_GT(better, 3);
}

// Each budget would pay for the least one, where searches take longest.
TEST(BudgetPlans, only_low_budgets_go_down_to_the_least_one) {
  const Graph graph = makeResidualNet(6);
  int reports = 0;
  PlanOptions options;
  options.remat = "search";
  options.limits.effort = 800;
  options.limits.progress = [&](const Progress &) { ++reports; };
  llvm::Expected<std::optional<LeastBudget>> least =
      leastBudget(graph, options);
  ASSERT_THAT(least, Succeeds());
  ASSERT_TRUE(*least);
  const int forLeast = reports;
  reports = 0;
  options.budgetBytes = 2 * measureUnplanned(GraphIndex(graph)).peakBytes;
  ASSERT_THAT(planStep(graph, options), Succeeds());
  EXPECT_LT(reports, forLeast);
}

// A budget that cannot be kept would take as many full searches as a walk has
// places, however little was asked for.
TEST(SpaceWalk, all_searches_of_a_walk_share_its_moves) {
  const Graph graph = makeRandomGraph(3, 20);
  const GraphIndex index(graph);
  const PlanOptions options;
  const auto solvers = findSolvers(options);
  ASSERT_THAT(solvers, Succeeds());
  for (int64_t asked : {int64_t(0), int64_t(7), int64_t(5000)})
    for (bool isFound : {false, true}) {
      SCOPED_TRACE(std::to_string(asked) + (isFound ? ", found" : ""));
      const StepContext context{index, options, *solvers};
      int searches = 0;
      PlanSpace space;
      space.leastBytes = 1000;
      space.mostBytes = 2000;
      space.effortByItself = space.effortToGoOn = 4000;
      space.shareMoves(20, asked);
      space.search = [&](const BudgetSearch &search)
          -> llvm::Expected<std::vector<PackedPlan>> {
        ++searches;
        context.triedMoves += search.limitsFor(context, 4000).effort;
        std::vector<PackedPlan> plans(isFound);
        for (PackedPlan &plan : plans) {
          plan.deviceBytes = search.budgetBytes;
          plan.plan.cost = 1e6 / double(search.budgetBytes);
        }
        return plans;
      };
      PackedPlan unlimited;
      unlimited.deviceBytes = 2000;
      unlimited.plan.cost = 100;
      space.given.push_back(unlimited);
      const int64_t most = *space.mostMoves;
      SpaceWalk walk(context, std::move(space));
      ASSERT_THAT(walk.plansFor(0, 100), Succeeds());
      EXPECT_GT(searches, 9);
      // Where something is found, only an effort that is asked for is shared.
      if (asked > 0 || !isFound)
        // The first place has a plan already.
        EXPECT_LE(context.triedMoves, most + searches + (asked > 0 ? 0 : 4000));
      else
        EXPECT_GE(context.triedMoves, 9 * 4000);
    }
}

// The same of searches that are not made for a test: what they count is what
// they do.
TEST(SpaceWalk, refusals_take_what_was_asked_for) {
  PlanOptions options;
  options.limits.effort = 2000;
  const auto solvers = findSolvers(options);
  ASSERT_THAT(solvers, Succeeds());
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const Graph graph = makeRandomGraph(seed, 40);
    const GraphIndex index(graph);
    const StepContext context{index, options, *solvers};
    llvm::Expected<PlanSpace> space = spaceOfRecomputation(context);
    ASSERT_THAT(space, Succeeds());
    const int64_t least = space->leastBytes, most = *space->mostMoves;
    SpaceWalk walk(context, std::move(*space));
    ASSERT_THAT(walk.plansFor(least, 100), Succeeds());
    // A search may go beyond its share by a ramp's last pass.
    EXPECT_LE(context.triedMoves, 2 * most) << seed;
  }
}

// What finds no plan would take twice as long: where no checkpoints keep the
// budget, going on from them is the same search again.
TEST(RematSpaces, what_finds_nothing_is_searched_once) {
  int refused = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Graph graph = makeRandomGraph(seed, 40);
    const GraphIndex index(graph);
    int64_t moves[2];
    bool isRefused = true;
    for (bool isAuto : {false, true}) {
      PlanOptions options;
      options.remat = isAuto ? "auto" : "search";
      options.limits.effort = 2000;
      const auto solvers = findSolvers(options);
      ASSERT_THAT(solvers, Succeeds());
      const StepContext context{index, options, *solvers};
      llvm::Expected<PlanSpace> space = spaceOfRecomputation(context);
      ASSERT_THAT(space, Succeeds());
      BudgetSearch search;
      search.budgetBytes = space->leastBytes + 1;
      search.effort = options.limits.effort;
      isRefused &= !bestCheckpoints(context.problemWithin(search.budgetBytes));
      const int64_t before = context.triedMoves;
      llvm::Expected<std::vector<PackedPlan>> plans = space->search(search);
      ASSERT_THAT(plans, Succeeds());
      isRefused &= !search.isGain(*plans);
      moves[isAuto] = context.triedMoves - before;
    }
    if (!isRefused)
      continue;
    ++refused;
    EXPECT_GT(moves[false], 0) << "seed " << seed;
    EXPECT_EQ(moves[true], moves[false]) << "seed " << seed;
  }
  EXPECT_GT(refused, 3);
}

// On a large step, budgets just above what whole layers recomputed take would
// get these and nothing better: no place of a walk lies there.
TEST(RematSpaces, what_takes_no_search_on_a_large_step_is_improved) {
  PlanOptions options;
  options.arena = "none";
  options.limits.effort = 20'000;
  const auto solvers = findSolvers(options);
  ASSERT_THAT(solvers, Succeeds());
  LayeredStep layered;
  layered.layers = 80;
  const Graph graph = layered.make();
  ASSERT_GT(graph.nodes.size(), largeStep);
  const GraphIndex index(graph);
  const StepContext context{index, options, *solvers};
  llvm::Expected<PlanSpace> space = spaceOfRecomputation(context);
  ASSERT_THAT(space, Succeeds());
  const std::vector<RematPlan> family =
      planCheckpointFamily(context.problemWithin(std::nullopt), 1e300);
  ASSERT_FALSE(family.empty());
  // The family begins with what takes the fewest bytes.
  const RematPlan &least = family.front();
  auto isImproved = [&](const std::vector<PackedPlan> &plans) {
    return llvm::any_of(plans, [&](const PackedPlan &plan) {
      return plan.deviceBytes <= least.peakBytes && plan.plan.cost < least.cost;
    });
  };
  BudgetSearch search;
  search.effort = space->effortToGoOn;
  search.budgetBytes = space->mostBytes;
  const auto far = space->search(search);
  ASSERT_THAT(far, Succeeds());
  EXPECT_FALSE(isImproved(*far));
  // Within one byte less than it takes, it is made all the same.
  search.budgetBytes = least.peakBytes - 1;
  const auto near = space->search(search);
  ASSERT_THAT(near, Succeeds());
  EXPECT_TRUE(isImproved(*near));
}

} // namespace
