//===- ReportDataTest.cpp - What a report says of a plan ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If these fail, a report shows bytes that no plan has.
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/ReportData.h"
#include "../ErrorMatchers.h"
#include "PlannedChain.h"
#include "memplan/Plan/BuildActions.h"

using namespace memplan;
using ::testing::HasSubstr;

namespace {

/// Random plans of one stream, with recomputation and values in place.
Plan makePlan(const GraphIndex &index, uint64_t seed) {
  const Schedule schedule = makeRandomSchedule(index, seed);
  const InPlaceChoice inPlace = makeRandomInPlace(index, schedule, seed);
  const ScheduleMetrics metrics = measureSchedule(index, schedule, inPlace);
  Plan plan;
  plan.status = SolveStatus::Feasible;
  plan.time = plan.cost = metrics.cost;
  plan.peakBytes = metrics.peakBytes;
  plan.steps = buildActions(index, schedule, inPlace);
  return plan;
}

/// The ranges say of each run what the replay says: the same bytes live.
void expectSameBytes(const Graph &graph, const Plan &plan,
                     const ReportData &data) {
  for (size_t step = 0; step < plan.steps.size(); ++step) {
    if (plan.steps[step].action != ActionKind::Compute)
      continue;
    int64_t live = graph.fixedBytes;
    for (const ReportRange &range : data.ranges)
      if (range.space == MemorySpace::Device && range.isAt(int32_t(step)))
        live += range.bytes;
    EXPECT_EQ(live, data.steps[step].bytes) << "at step " << step;
  }
  int64_t peak = graph.fixedBytes;
  for (int32_t place : data.peak)
    peak += data.ranges[place].bytes;
  EXPECT_EQ(peak, data.replay.peakBytes);
  EXPECT_EQ(peak, plan.peakBytes);
}

/// No queue does two things at once, and the last ends when the plan says.
void expectQueues(const Graph &graph, const Plan &plan,
                  const ReportData &data) {
  std::map<int32_t, double> ends;
  double last = 0;
  for (size_t step = 0; step < plan.steps.size(); ++step) {
    const PlanAction &action = plan.steps[step];
    const ReportStep &found = data.steps[step];
    int32_t queue = action.stream;
    if (action.action == ActionKind::Evict)
      queue = -1;
    else if (action.action == ActionKind::Fetch)
      queue = -2;
    else if (action.action != ActionKind::Compute)
      continue;
    EXPECT_GE(found.start + 1e-9, ends[queue]) << "at step " << step;
    if (action.action == ActionKind::Compute)
      EXPECT_NEAR(found.end - found.start,
                  graph[action.node].variant(action.variant).cost, 1e-9);
    ends[queue] = found.end;
    last = std::max(last, found.end);
  }
  EXPECT_DOUBLE_EQ(last, plan.makespan());
}

TEST(ReportData, ranges_hold_the_replays_bytes) {
  int overs = 0, again = 0, scratch = 0;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = makeRandomGraph(seed, 5 + int(seed % 20));
    const GraphIndex index(graph);
    const Plan plan = makePlan(index, seed);
    llvm::Expected<ReportData> data = makeReportData(index, plan);
    ASSERT_THAT(data, Succeeds());
    expectSameBytes(graph, plan, *data);
    expectQueues(graph, plan, *data);
    for (const ReportRange &range : data->ranges) {
      overs += range.over.has_value();
      again += range.origin == RangeOrigin::Recomputed;
      scratch += range.kind != PlacementKind::Tensor;
    }
  }
  EXPECT_GT(overs, 50);
  EXPECT_GT(again, 50);
  EXPECT_GT(scratch, 50);
}

/// What the planner makes, with arenas, streams and copies.
TEST(ReportData, planned_steps_with_copies_and_streams) {
  int fetched = 0, placed = 0, reused = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const PlannedChain chain(seed);
    const Graph &graph = chain.graph;
    const Plan *plan = &chain.plan;
    const GraphIndex index(graph);
    llvm::Expected<ReportData> data = makeReportData(index, *plan);
    ASSERT_THAT(data, Succeeds());
    if (!hasSteps(plan->status))
      continue;
    expectSameBytes(graph, *plan, *data);
    expectQueues(graph, *plan, *data);
    std::map<int32_t, size_t> placedIn;
    for (const ReportRange &range : data->ranges) {
      fetched += range.origin == RangeOrigin::Fetched;
      placed += range.offset.has_value();
      reused += range.reuses >= 0;
      if (range.reuses < 0)
        continue;
      const ReportRange &before = data->ranges[range.reuses];
      EXPECT_LE(before.end, range.begin);
      EXPECT_LT(*before.offset, *range.offset + range.bytes);
      EXPECT_LT(*range.offset, *before.offset + before.bytes);
    }
    // Every placement of the arenas is the place of a range.
    size_t placements = 0, offsets = 0;
    for (const PlanArena &arena : plan->arenas)
      placements += arena.placements.size();
    for (const ReportRange &range : data->ranges)
      offsets += range.offset && !range.over;
    EXPECT_EQ(placements, offsets);
  }
  EXPECT_GT(fetched, 0);
  EXPECT_GT(placed, 100);
  EXPECT_GT(reused, 50);
}

const TensorId x(0), a(1), b(2), c(3), y(4);

/// x -> a -> b -> c -> y; y reads a too. Each output may lie over the input.
struct Chain {
  GraphBuilder builder;
  Chain() {
    builder.tensor(8, TensorKind::Input);
    for (int64_t bytes : {8, 8, 8})
      builder.tensor(bytes);
    builder.tensor(8, TensorKind::Output);
    builder.node({x}, {a}, 1);
    builder.node({a}, {b}, 2);
    builder.node({b}, {c}, 3);
    builder.node({a, c}, {y}, 4);
    for (int32_t n = 0; n < 4; ++n) {
      Node &node = builder[NodeId(n)];
      node.inPlace = {{node.outputs.front(), node.inputs.front()}};
    }
  }
  ReportData data(const InPlaceChoice &inPlace = {}) {
    const GraphIndex index(builder.graph);
    const Schedule schedule = sourceSchedule(builder.graph);
    Plan plan;
    plan.status = SolveStatus::Feasible;
    plan.steps = buildActions(index, schedule, inPlace);
    plan.cost = 10;
    return llvm::cantFail(makeReportData(index, plan));
  }
  std::string reason(Refusal::Kind kind, TensorId tensor,
                     const InPlaceChoice &inPlace = {}) {
    for (const Refusal &refusal : data(inPlace).refusals)
      if (refusal.kind == kind && refusal.tensor == tensor)
        return refusal.reason;
    return "";
  }
};

TEST(ReportData, refusals_say_why) {
  Chain chain;
  using enum Refusal::Kind;
  EXPECT_THAT(chain.reason(InPlace, a), HasSubstr("is the caller's"));
  EXPECT_THAT(chain.reason(InPlace, b),
              HasSubstr("used later, at step 4 by node 3"));
  EXPECT_THAT(chain.reason(InPlace, c), HasSubstr("nothing stands against"));
  // c over b: no refusal is left for it.
  InPlaceChoice inPlace(4);
  inPlace[2] = {{c, b}};
  EXPECT_EQ(chain.reason(InPlace, c, inPlace), "");
  chain.builder[x].donated = true;
  chain.builder[x].bytes = 4;
  EXPECT_THAT(chain.reason(InPlace, a), HasSubstr("has only 4 bytes"));
  // a is there at the peak, which is node 2, unused.
  EXPECT_THAT(chain.reason(Recompute, a), HasSubstr("costs at least 1 (10 %"));
  chain.builder[NodeId(0)].recompute = false;
  EXPECT_THAT(chain.reason(Recompute, a), HasSubstr("runs once"));
  chain.builder[NodeId(0)].collective = true;
  EXPECT_THAT(chain.reason(Recompute, a), HasSubstr("is a collective"));
}

TEST(ReportData, values_in_place_follow_each_other) {
  Chain chain;
  InPlaceChoice inPlace(4);
  inPlace[2] = {{c, b}};
  const ReportData data = chain.data(inPlace);
  std::map<int32_t, ReportRange> of;
  for (const ReportRange &range : data.ranges)
    of[range.tensor.index] = range;
  EXPECT_EQ(of[b.index].end, of[c.index].begin);
  EXPECT_EQ(of[c.index].over, b);
  // The run that writes c over b reads b last.
  EXPECT_EQ(of[b.index].lastUse, of[c.index].begin);
}

TEST(ReportData, categories_and_modules) {
  Chain chain;
  chain.builder[NodeId(3)].backward = true;
  chain.builder[NodeId(0)].locations = {"blocks.0.fc"};
  chain.builder[NodeId(0)].name = "matmul";
  chain.builder[x].name = "blocks.0.fc.weight";
  const GraphIndex index(chain.builder.graph);
  std::map<int32_t, std::string> categories;
  const ReportData data = chain.data();
  for (const ReportRange &range : data.ranges)
    categories[range.tensor.index] = categoryOf(index, range);
  EXPECT_EQ(categories[x.index], "inputs");
  EXPECT_EQ(categories[a.index], "kept for backward");
  EXPECT_EQ(categories[b.index], "temporaries");
  EXPECT_EQ(categories[y.index], "outputs");
  EXPECT_EQ(moduleOf(index, a), "blocks.0.fc");
  EXPECT_EQ(moduleOf(index, x), "blocks.0.fc");
  EXPECT_EQ(titleOf(index, a), "blocks.0.fc matmul #1");
  EXPECT_EQ(titleOf(index, x), "blocks.0.fc.weight");
}

TEST(ReportData, verdicts) {
  Chain chain;
  const GraphIndex index(chain.builder.graph);
  PlanOptions options;
  options.budgetBytes = 1 << 20;
  Plan plan = llvm::cantFail(planStep(chain.builder.graph, options));
  EXPECT_THAT(llvm::cantFail(makeReportData(index, plan)).verdict,
              HasSubstr("Fits: "));
  plan.time = 0.75 * plan.cost;
  EXPECT_THAT(llvm::cantFail(makeReportData(index, plan)).verdict,
              HasSubstr("25.00 % less time than running every node once"));
  plan.budgetBytes = 1;
  EXPECT_THAT(llvm::cantFail(makeReportData(index, plan)).verdict,
              HasSubstr("too many"));
  options.budgetBytes = 8;
  plan = llvm::cantFail(planStep(chain.builder.graph, options));
  const ReportData data = llvm::cantFail(makeReportData(index, plan));
  EXPECT_THAT(data.verdict, HasSubstr("Does not fit, which is proved"));
  EXPECT_TRUE(data.steps.empty());
}

TEST(ReportData, plan_that_breaks_a_rule) {
  Chain chain;
  const GraphIndex index(chain.builder.graph);
  Plan plan;
  plan.status = SolveStatus::Feasible;
  plan.steps = {PlanAction::compute(NodeId(1))};
  EXPECT_THAT(makeReportData(index, plan), FailsWith("plan_c2"));
}

} // namespace
