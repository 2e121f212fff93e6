//===- BoundsOracleTest.cpp - Bounds against all plans --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Remat/TinyGraph.h"
#include "Ascent.h"
#include "FlowMultipliers.h"
#include "LiveSetSearch.h"
#include "NeedSearch.h"
#include "PeakMilp.h"
#include "PlanOracle.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Bounds/ValueCut.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <cmath>
#include <numeric>

using namespace memplan;

namespace {

/// Four to six nodes; a few have seven or eight. A multiple of the
/// count for longer runs: MEMPLAN_ORACLE_RUNS.
int graphCount(int count) {
  const char *times = std::getenv("MEMPLAN_ORACLE_RUNS");
  return count * (times ? std::max(1, std::atoi(times)) : 1);
}
int nodesOf(uint64_t seed) {
  return seed % 64 == 0 ? 8 : seed % 16 == 0 ? 7 : 4 + int(seed % 3);
}

/// Multipliers that no search would find.
std::vector<double> corruptedMultipliers(uint64_t seed, int32_t rows) {
  static const double strange[] = {0, 1e-9, 0.01, 0.3, -1, 1e30, NAN, INFINITY};
  Dice dice(seed);
  std::vector<double> multipliers;
  for (int32_t row = 0; row < rows; ++row)
    multipliers.push_back(strange[dice.roll(dice.chance(90) ? 4 : 8)]);
  return multipliers;
}

// A bound would be above the cost of a plan: for views, several outputs, unread
// ones, outputs over inputs, donated inputs, variants, workspaces, writes or
// nodes that run once.
TEST(RematBounds, never_above_the_cheapest_plan_in_fixed_order) {
  int compared = 0, above = 0, impossible = 0;
  for (int seed = 1; seed <= graphCount(500); ++seed) {
    const Graph graph = makeTinyGraph(uint64_t(seed), nodesOf(uint64_t(seed)));
    const GraphIndex index(graph);
    const bool inPlace = seed % 4 != 0;
    const ContractedStep step(index, inPlace);
    double leastCost = 0;
    for (const Node &node : graph.nodes)
      leastCost += node.leastCost();
    PlanOracle oracle(index, OracleSpace::FixedOrder, inPlace);
    const int64_t least = oracle.smallest().peakBytes;
    for (int64_t budget : {least - 8, least, least + 8}) {
      if (budget <= 0)
        continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                   std::to_string(budget));
      const std::optional<PlanOracle::Answer> best = oracle.cheapest(budget);
      const double cost = best ? best->cost : INFINITY;
      const ProvedBound bound =
          proveCost(step, budget, best ? std::optional(cost) : std::nullopt,
                    /*repeat=*/std::nullopt, /*effort=*/20'000);
      EXPECT_LE(bound.cost, cost);
      ++compared;
      above += best && bound.cost > leastCost + 1e-6;
      impossible += std::isinf(bound.cost);
      const OrderRows rows(step);
      for (int treeSize : {0, 3}) {
        const GapDual dual(rows, budget, treeSize);
        EXPECT_LE(dual.prove(corruptedMultipliers(uint64_t(seed + treeSize),
                                                  rows.numRows())),
                  cost);
      }
      std::vector<int32_t> peaks;
      for (int32_t row = 0; row < rows.numRows(); ++row)
        if ((seed >> (row % 9)) & 1)
          peaks.push_back(row);
      const PeakModel model(rows, budget, peaks,
                            seed % 3 == 0 ? PeakModel::allBlocks : seed % 3);
      PeakDual dual(model);
      PeakMultipliers multipliers{
          corruptedMultipliers(uint64_t(seed), model.numPeaks()),
          corruptedMultipliers(uint64_t(seed) + 1,
                               int32_t(model.needs.size()))};
      EXPECT_LE(dual.prove(multipliers), cost);
      // Dual values that no linear program has.
      const PeakMilp program(model);
      EXPECT_LE(dual.prove(program.multipliersOf(corruptedMultipliers(
                    uint64_t(seed) + 2, program.program().numRows()))),
                cost);
      // Multipliers that are good for something.
      multipliers.ofRow.assign(peaks.size(), 0.1);
      multipliers.ofNeed.assign(model.needs.size(), 0);
      multipliers = PeakAscent(dual, best ? cost : 1, 1, budget)
                        .run(std::move(multipliers), 100);
      EXPECT_LE(dual.prove(multipliers), cost);
      PeakMultipliers rise;
      if (best && rows.bytesAt(0) <= budget) {
        EXPECT_NEAR(dual.evaluate(multipliers, rise) + leastCost,
                    dual.prove(multipliers), 1e-6 * (cost + 1));
      }
    }
  }
  EXPECT_GT(compared, 1400);
  EXPECT_GT(above, 50) << "bounds that say nothing prove nothing";
  EXPECT_GT(impossible, 300);
}

/// The cost of a sequence of ops that keeps the budget.
std::optional<double> costOf(const RematProblem &problem,
                             const ContractedStep &step,
                             llvm::ArrayRef<int32_t> sequence) {
  Schedule schedule = step.expand(sequence);
  if (llvm::errorToBool(verifySchedule(*problem.index, schedule)))
    return std::nullopt;
  const RematPlan plan = measurePlan(problem, std::move(schedule));
  if (plan.peakBytes > *problem.budgetBytes)
    return std::nullopt;
  return plan.cost;
}

// What is kept across one row is a least cut: its flow has the best
// multipliers. Those of needs would be lost on the way, the multiplier of bytes
// would not be the best one, or a row that lowers the bound would be taken.
TEST(RematBounds, flows_reach_the_linear_program_of_one_row) {
  std::unique_ptr<MilpBackend> backend = createHighsBackend();
  if (!backend)
    GTEST_SKIP() << "built without HiGHS";
  int reached = 0, compared = 0, paid = 0;
  for (int seed = 1; seed <= graphCount(150); ++seed) {
    const Graph graph = makeTinyGraph(uint64_t(seed), 8 + seed % 9);
    const GraphIndex index(graph);
    const ContractedStep step(index, /*inPlace=*/seed % 2 == 0);
    const OrderRows rows(step);
    const std::vector<int64_t> bytes = bytesOfAll(rows);
    const auto highest = std::max_element(bytes.begin(), bytes.end());
    const int32_t row = int32_t(highest - bytes.begin());
    const int64_t least = cutAt(rows, row).bytes;
    if (least >= *highest)
      continue; // Nothing to choose.
    const int64_t budget = least + (*highest - least) * (seed % 4) / 4;
    SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                 std::to_string(budget));
    const PeakModel model(rows, budget, {row});
    PeakDual dual(model);
    const PeakMultipliers multipliers =
        multipliersByFlow(model, dual, {1e-3}, 0);
    PeakMilp program(model);
    llvm::Expected<MilpResult> relaxed =
        backend->solve(program.relaxation(), {}, {});
    ASSERT_TRUE(bool(relaxed));
    if (program.program().numColumns() == 0)
      continue;
    ASSERT_EQ(relaxed->status, MilpStatus::Optimal);
    const double objective =
        program.cost(program.program().objective(relaxed->values));
    const double bound = dual.prove(multipliers);
    ++compared;
    EXPECT_LE(bound, objective * (1 + 1e-6));
    reached += bound >= objective * (1 - 1e-4);
    paid += objective > rows.leastCost() * (1 + 1e-6);
    // One more row never lowers what the first one proves.
    if (row + 1 < rows.numRows()) {
      const PeakModel two(rows, budget, {row, row + 1});
      PeakDual both(two);
      PeakMultipliers rise;
      const double ofBoth =
          both.evaluate(multipliersByFlow(two, both, {1e-3, 1e-3}, 0), rise);
      EXPECT_GE(ofBoth, 0);
    }
  }
  EXPECT_GT(compared, 60);
  EXPECT_GT(paid, compared / 3) << "bounds that say nothing prove nothing";
  EXPECT_GT(reached, compared * 19 / 20);
}

// The linear program's bound would be lost on the way to multipliers, or be
// above the cheapest plan; what is fixed by it would leave that plan out.
TEST(RematBounds, dual_values_of_linear_programs_prove_their_objective) {
  std::unique_ptr<MilpBackend> backend = createHighsBackend();
  if (!backend)
    GTEST_SKIP() << "built without HiGHS";
  int reached = 0, compared = 0, fixed = 0;
  for (int seed = 1; seed <= graphCount(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeTinyGraph(uint64_t(seed), nodesOf(uint64_t(seed)));
    const GraphIndex index(graph);
    const ContractedStep step(index, /*inPlace=*/true);
    PlanOracle oracle(index, OracleSpace::FixedOrder);
    const int64_t budget = oracle.smallest().peakBytes;
    const double cost = oracle.cheapest(budget)->cost;
    const OrderRows rows(step);
    std::vector<int32_t> peaks(size_t(rows.numRows()));
    std::iota(peaks.begin(), peaks.end(), 0);
    const PeakModel model(rows, budget, peaks);
    PeakMilp program(model);
    llvm::Expected<MilpResult> relaxed =
        backend->solve(program.relaxation(), {}, {});
    ASSERT_TRUE(bool(relaxed));
    if (program.program().numColumns() == 0)
      continue; // There is nothing to choose.
    ASSERT_EQ(relaxed->status, MilpStatus::Optimal);
    ASSERT_FALSE(relaxed->rowDuals.empty());
    std::vector<Stay> decisions(model.numPlaces(), Stay::Open);
    const double bound =
        PeakDual(model).prove(program.multipliersOf(relaxed->rowDuals),
                              cost * (1 + 1e-6) + 1e-9, decisions);
    ++compared;
    EXPECT_LE(bound, cost * (1 + 1e-9));
    reached +=
        bound >= program.cost(program.program().objective(relaxed->values)) -
                     1e-6 * cost;
    for (Stay decision : decisions)
      fixed += decision != Stay::Open;
    program.fix(decisions);
    llvm::Expected<MilpResult> whole =
        backend->solve(program.program(), {}, {});
    ASSERT_TRUE(bool(whole));
    ASSERT_EQ(whole->status, MilpStatus::Optimal);
    EXPECT_LE(program.cost(*whole->bound), cost * (1 + 1e-6) + 1e-9);
  }
  EXPECT_GT(reached, compared * 19 / 20);
  EXPECT_GT(fixed, compared);
}

// A plan would be called optimal although there is a cheaper one.
TEST(RematBounds, no_gap_is_closed_above_the_cheapest_plan) {
  int closed = 0, improved = 0, impossible = 0;
  for (int seed = 1; seed <= graphCount(300); ++seed) {
    Graph graph = makeTinyGraph(uint64_t(seed), nodesOf(uint64_t(seed)));
    // Half of them with costs that are no whole numbers.
    for (Node &node : graph.nodes)
      node.cost += seed % 2 * 0.25 * double(node.outputs.size());
    const GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    problem.inPlace = seed % 4 != 0;
    const ContractedStep step(index, problem.inPlace);
    PlanOracle oracle(index, OracleSpace::FixedOrder, problem.inPlace);
    const int64_t least = oracle.smallest().peakBytes;
    if (least > 8 && isImpossible(step, least - 8))
      ++impossible;
    for (int64_t budget : {least, least + 8, least + 16}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                   std::to_string(budget));
      problem.budgetBytes = budget;
      EXPECT_FALSE(isImpossible(step, budget));
      const double cost = oracle.cheapest(budget)->cost;
      for (double known : {cost, cost * 1.3 + 1}) {
        const Closing closing = closeGap(
            step, budget, known,
            [&](llvm::ArrayRef<int32_t> sequence) {
              return costOf(problem, step, sequence);
            },
            /*effort=*/200'000);
        EXPECT_LE(closing.bound.cost, cost * (1 + 1e-9));
        closed += closing.isClosed;
        improved += !closing.better.empty();
        if (closing.isClosed && closing.better.empty())
          EXPECT_LE(known, cost * (1 + 1e-4) + 1e-9);
      }
    }
  }
  EXPECT_GT(closed, 1400);
  EXPECT_GT(improved, 400);
  EXPECT_GT(impossible, 200);
  RecordProperty("closed", closed);
}

/// Of some seeds with values of no bytes, of some with all inputs donated.
Graph makeOddGraph(int seed) {
  Graph graph = makeTinyGraph(uint64_t(seed), nodesOf(uint64_t(seed)));
  for (Tensor &tensor : graph.tensors) {
    if (seed % 7 == 0 && tensor.externalId % 3 == 0)
      tensor.bytes = 0;
    if (seed % 5 != 0 || tensor.viewOf || tensor.kind > TensorKind::State)
      continue;
    tensor.kind = TensorKind::Input;
    tensor.donated = true;
  }
  EXPECT_FALSE(llvm::errorToBool(graph.check())) << "seed " << seed;
  return graph;
}

// A search guided by multipliers would cut the cheapest plan, or find another
// one than without them; that of any plan would miss the only ones.
TEST(RematBounds, guided_live_sets_lose_no_plan) {
  int compared = 0, impossible = 0;
  for (int seed = 1; seed <= graphCount(200); ++seed) {
    const Graph graph = makeOddGraph(seed);
    const GraphIndex index(graph);
    const ContractedStep step(index, seed % 4 != 0);
    const OrderRows rows(step);
    PlanOracle oracle(index, OracleSpace::FixedOrder, seed % 4 != 0);
    const int64_t least = oracle.smallest().peakBytes;
    for (int64_t budget : {least - 8, least, least + 8}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                   std::to_string(budget));
      std::vector<int32_t> peaks;
      for (int32_t row = 0; row < rows.numRows(); ++row)
        if ((seed >> (row % 7)) & 1)
          peaks.push_back(row);
      const PeakModel model(rows, budget, peaks);
      PeakDual dual(model);
      PeakMultipliers multipliers{std::vector<double>(peaks.size(), 0.1),
                                  std::vector<double>(model.needs.size(), 0)};
      if (seed % 3 == 0)
        multipliers = {corruptedMultipliers(uint64_t(seed), model.numPeaks()),
                       corruptedMultipliers(uint64_t(seed) + 1,
                                            int32_t(model.needs.size()))};
      else
        multipliers =
            PeakAscent(dual, rows.leastCost(), 1, std::max<int64_t>(budget, 1))
                .run(std::move(multipliers), 200);
      const std::optional<PlanOracle::Answer> best = oracle.cheapest(budget);
      const LiveSetAnswer plain =
          searchLiveSets(rows, budget, INFINITY, {}, 50'000);
      const LiveSetAnswer guided = searchLiveSets(
          rows, budget, INFINITY, LiveSetBound(model, multipliers), 50'000);
      const LiveSetAnswer any = searchAnyPlan(rows, budget, 50'000);
      ASSERT_EQ(plain.outcome, guided.outcome);
      ASSERT_EQ(plain.outcome, any.outcome);
      impossible += any.outcome == LiveSetAnswer::Outcome::Impossible;
      if (best) {
        ASSERT_EQ(guided.outcome, LiveSetAnswer::Outcome::Cheapest);
        EXPECT_LE(guided.cost, best->cost * (1 + 1e-9) + 1e-9);
      }
      if (guided.outcome != LiveSetAnswer::Outcome::Cheapest)
        continue;
      EXPECT_NEAR(guided.cost, plain.cost, 1e-6 * (1 + plain.cost));
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(impossible, 60);
}

// A budget that works would be called impossible, or one that does not be said
// to work: by what each op needs, on graphs where nothing is limited to once.
TEST(RematBounds, needs_decide_what_fits) {
  int plans = 0, impossible = 0, exact = 0;
  for (int seed = 1; seed <= graphCount(500); ++seed) {
    Graph graph = makeTinyGraph(uint64_t(seed), nodesOf(uint64_t(seed)));
    const GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    problem.inPlace = seed % 4 != 0;
    const ContractedStep step(index, problem.inPlace);
    const OrderRows rows(step);
    PlanOracle oracle(index, OracleSpace::FixedOrder, problem.inPlace);
    const int64_t least = oracle.smallest().peakBytes;
    for (int64_t budget : {least - 16, least - 8, least, least + 8}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                   std::to_string(budget));
      problem.budgetBytes = budget;
      const NeedAnswer answer = searchNeeds(rows, budget, 10'000);
      if (answer.outcome == NeedAnswer::Outcome::Impossible) {
        ++impossible;
        EXPECT_LT(budget, least);
        EXPECT_GE(answer.op, 0);
      }
      if (answer.outcome != NeedAnswer::Outcome::Plan)
        continue;
      ++plans;
      // Live sets count the same bytes.
      EXPECT_EQ(searchAnyPlan(rows, budget, 50'000).outcome,
                LiveSetAnswer::Outcome::Cheapest);
      exact += costOf(problem, step, answer.sequence).has_value();
    }
  }
  EXPECT_GT(impossible, 300);
  EXPECT_GT(plans, 900);
  EXPECT_GT(exact, plans * 3 / 4);
}

// Tight layered graphs would take long, or stay undecided.
TEST(RematBounds, needs_decide_layered_graphs_at_once) {
  for (int seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice{uint64_t(seed)};
    Graph graph;
    graph.name = "layered";
    for (int n = 0; n < 48; ++n) {
      Tensor tensor;
      tensor.externalId = n;
      tensor.bytes = 1 + dice.roll(60);
      tensor.kind = n == 47 ? TensorKind::Output : TensorKind::Activation;
      graph.tensors.push_back(tensor);
      Node node;
      node.externalId = n;
      node.cost = 1;
      node.outputs = {TensorId(n)};
      for (int i = 0; n >= 6 && i < 3; ++i)
        node.inputs.push_back(
            TensorId(int32_t(n / 6 * 6 - 1 - dice.roll(n < 12 ? 6 : 9))));
      graph.nodes.push_back(node);
    }
    ASSERT_FALSE(llvm::errorToBool(graph.check()));
    const GraphIndex index(graph);
    RematProblem problem;
    problem.index = &index;
    const ContractedStep step(index, true);
    const OrderRows rows(step);
    // From what fails to what works there is one step.
    int64_t works = 48 * 61, fails = 0;
    while (works - fails > 1) {
      const int64_t budget = (works + fails) / 2;
      const NeedAnswer answer = searchNeeds(rows, budget, 50'000);
      ASSERT_NE(answer.outcome, NeedAnswer::Outcome::Unknown);
      if (answer.outcome == NeedAnswer::Outcome::Impossible) {
        fails = budget;
        continue;
      }
      works = budget;
      problem.budgetBytes = budget;
      EXPECT_TRUE(costOf(problem, step, answer.sequence));
    }
  }
}

/// Runs again of a cheapest plan by block, and what stays across the rows.
struct PlanPoint {
  std::vector<int32_t> sequence;
  std::vector<std::vector<int32_t>> runs;
};

PlanPoint pointOf(const ContractedStep &step, const PeakModel &model,
                  const PlanOracle::Answer &plan) {
  std::vector<int32_t> opOfNode(step.index().graph().nodes.size(), -1);
  for (int32_t op = 0; op + 1 < step.numOps(); ++op)
    opOfNode[step.ops()[op].node.index] = op;
  PlanPoint point;
  for (const PlanAction &action : plan.steps)
    if (action.action == ActionKind::Compute &&
        opOfNode[action.node.index] >= 0)
      point.sequence.push_back(opOfNode[action.node.index]);
  point.sequence.push_back(step.numOps() - 1);
  point.runs.resize(size_t(model.numPeaks()) + 1);
  int32_t next = 0, block = 0;
  for (int32_t op : point.sequence) {
    if (op != next) {
      point.runs[block].push_back(op);
      continue;
    }
    block += block < model.numPeaks() && model.peaks[block] == op;
    ++next;
  }
  return point;
}

// A cut for memory within a block would leave the cheapest plan out, or the
// program would not have its point: `milp` would prove too much.
TEST(RematBounds, cuts_of_blocks_lose_no_plan) {
  std::unique_ptr<MilpBackend> backend = createHighsBackend();
  if (!backend)
    GTEST_SKIP() << "built without HiGHS";
  int cutCount = 0, costCuts = 0, sequences = 0, closed = 0, points = 0,
      whole = 0;
  const int count = graphCount(120);
  for (int seed = 1; seed <= count; ++seed) {
    const Graph graph = makeTinyGraph(uint64_t(seed), nodesOf(uint64_t(seed)));
    const GraphIndex index(graph);
    const bool inPlace = seed % 4 != 0;
    const ContractedStep step(index, inPlace);
    const OrderRows rows(step);
    PlanOracle oracle(index, OracleSpace::FixedOrder, inPlace);
    const int64_t budget = oracle.smallest().peakBytes + seed % 3 * 8;
    const PlanOracle::Answer best = *oracle.cheapest(budget);
    SCOPED_TRACE("seed " + std::to_string(seed) + " budget " +
                 std::to_string(budget));
    std::vector<int32_t> peaks;
    for (int32_t row = 0; row < rows.numRows(); ++row)
      if (seed % 2 || ((seed >> (row % 7)) & 1))
        peaks.push_back(row);
    const PeakModel model(rows, budget, peaks);
    std::vector<SegmentCut> cuts;
    for (int round = 0; round < 20; ++round) {
      PeakMilp program(model);
      if (round % 2 || seed % 5)
        for (int32_t block = 0; block <= model.numPeaks(); ++block)
          program.addRecomputations(block);
      for (const SegmentCut &cut : cuts)
        program.addCut(cut);
      if (round == 0 && step.leftOut().empty()) {
        ++whole;
        const PlanPoint point = pointOf(step, model, best);
        points += !program.pointOf(point.sequence).empty();
      }
      if (program.program().numColumns() == 0)
        break; // There is nothing to choose.
      llvm::Expected<MilpResult> result =
          backend->solve(program.program(), {}, {});
      ASSERT_TRUE(bool(result));
      ASSERT_EQ(result->status, MilpStatus::Optimal);
      EXPECT_LE(program.cost(*result->bound), best.cost * (1 + 1e-6) + 1e-9);
      const SegmentAnswer answer =
          runSegments(model, program.staysAt(result->values),
                      program.runsAt(result->values));
      if (!answer.sequence.empty() && answer.cuts.empty()) {
        ++sequences;
        closed += program.cost(*result->bound) >= best.cost * (1 - 1e-5);
        break;
      }
      for (const SegmentCut &cut : answer.cuts) {
        ++cutCount;
        costCuts += cut.cost > 0;
        cuts.push_back(cut);
      }
      if (answer.cuts.empty())
        break;
    }
  }
  EXPECT_GT(cutCount, count / 10);
  EXPECT_GT(costCuts, count / 100);
  EXPECT_GT(sequences, count / 3);
  EXPECT_GT(closed, count / 4);
  EXPECT_GT(whole, count / 4);
  EXPECT_GE(points * 10, whole * 9);
  RecordProperty("cuts", cutCount);
  RecordProperty("closed", closed);
}

} // namespace
