//===- LiveSetTest.cpp - Small steps for the search over live sets --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "LiveSetSearch.h"
#include "PlanOracle.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace memplan;

namespace {

/// That the search finds the cheapest plan in fixed order, guided by a model
/// with those rows or not at all.
void expectCheapest(const Graph &graph, int64_t budget,
                    std::vector<int32_t> peaks) {
  const GraphIndex index(graph);
  const ContractedStep step(index, /*inPlace=*/true);
  const OrderRows rows(step);
  const std::optional<PlanOracle::Answer> best =
      PlanOracle(index, OracleSpace::FixedOrder).cheapest(budget);
  ASSERT_TRUE(best);
  EXPECT_FALSE(isImpossible(step, budget));
  const PeakModel model(rows, budget, std::move(peaks));
  const PeakMultipliers multipliers{
      std::vector<double>(model.peaks.size(), 0.01),
      std::vector<double>(model.needs.size(), 0)};
  for (const LiveSetBound &bound :
       {LiveSetBound(), LiveSetBound(model, multipliers)}) {
    const LiveSetAnswer answer =
        searchLiveSets(rows, budget, INFINITY, bound, 10'000);
    ASSERT_EQ(answer.outcome, LiveSetAnswer::Outcome::Cheapest);
    EXPECT_DOUBLE_EQ(answer.cost, best->cost);
  }
}

// Both inputs would be counted as the place of the one output, and a plan found
// that needs more than the budget.
TEST(LiveSetSearch, an_output_takes_the_place_of_one_input) {
  GraphBuilder builder;
  const TensorId kept = builder.tensor(24), a = builder.tensor(16),
                 b = builder.tensor(16), c = builder.tensor(16);
  builder.node({}, {kept}, /*cost=*/7);
  builder.node({}, {a, b}, /*cost=*/3);
  const NodeId sum = builder.node({a, b}, {c}, /*cost=*/5);
  builder[sum].inPlace = {{c, a}, {c, b}};
  builder[sum].workspaceBytes = 16;
  builder.node({kept}, {}, /*cost=*/1);
  for (int64_t budget : {64, 72})
    expectCheapest(builder.graph, budget, {2});
}

// One input that goes beside another one that has to stay.
TEST(LiveSetSearch, drops_the_input_that_gives_its_place) {
  GraphBuilder builder;
  const TensorId a = builder.tensor(16), b = builder.tensor(16),
                 c = builder.tensor(16), d = builder.tensor(24);
  builder.node({}, {a}, /*cost=*/2);
  builder.node({}, {b}, /*cost=*/3);
  const NodeId sum = builder.node({a, b}, {c}, /*cost=*/5);
  builder[sum].inPlace = {{c, a}, {c, b}};
  builder.node({a, b, c}, {d}, /*cost=*/1);
  for (int64_t budget : {72, 80})
    expectCheapest(builder.graph, budget, {2});
  builder[sum].workspaceBytes = 24;
  for (int64_t budget : {72, 80})
    expectCheapest(builder.graph, budget, {2});
}

// A step would be called impossible since one donated input only gave its
// place.
TEST(LiveSetSearch, each_output_takes_the_place_of_a_donated_input) {
  GraphBuilder builder;
  std::vector<TensorId> donated, made;
  for (int i = 0; i < 3; ++i) {
    donated.push_back(builder.tensor(16, TensorKind::Input));
    builder[donated.back()].donated = true;
    made.push_back(builder.tensor(16));
  }
  const NodeId update = builder.node(donated, made);
  for (int i = 0; i < 3; ++i)
    builder[update].inPlace.push_back({made[i], donated[i]});
  builder.node(made, {});
  expectCheapest(builder.graph, 48, {0});
}

// What takes no bytes is in no set: it would count as freed, to be paid for
// again or, where that cannot be, as the end of all plans.
TEST(LiveSetSearch, what_takes_no_bytes_never_goes) {
  for (bool again : {false, true}) {
    GraphBuilder builder;
    const TensorId token = builder.tensor(0), a = builder.tensor(8),
                   b = builder.tensor(8);
    builder[builder.node({}, {token}, /*cost=*/4)].recompute = again;
    builder.node({token}, {a}, /*cost=*/2);
    builder.node({token, a}, {b}, /*cost=*/1);
    builder.node({b}, {}, /*cost=*/1);
    expectCheapest(builder.graph, 16, {2});
  }
}

} // namespace
