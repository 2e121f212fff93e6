//===- ClaimsTest.cpp - What plans say of themselves ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

namespace {

const TensorId x(0), w(1), a(2), b(3);

/// a = f(x, w); b = g(a), perhaps over a, in one of two variants.
struct Case {
  GraphBuilder builder;
  Plan plan;

  Case() {
    builder.tensor(4, TensorKind::Input);
    builder.tensor(8, TensorKind::Parameter);
    builder.tensor(16);
    builder.tensor(12, TensorKind::Output);
    builder.node({x, w}, {a}, 3);
    NodeId g = builder.node({a}, {b}, 2);
    builder[g].inPlace = {{b, a}};
    builder[g].workspaceBytes = 5;
    builder[g].variants = {{4, 1}};
    plan.status = SolveStatus::Feasible;
    plan.cost = 5;
    plan.peakBytes = 4 + 8 + 16 + 12 + 5;
    plan.boundSpace = "free-order";
    plan.proof = "exact";
    plan.steps = {PlanAction::compute(NodeId(0)),
                  PlanAction::compute(NodeId(1)), PlanAction::free({a})};
  }

  /// g in place and in its smaller variant needs x, w, a and 1.
  static constexpr int64_t least = 4 + 8 + 16 + 1;

  void makeInfeasible(int64_t bound) {
    plan.status = SolveStatus::Infeasible;
    plan.steps = {};
    plan.budgetBytes = 20;
    plan.boundBytes = bound;
    plan.minimumBudgetBytes = 45;
    plan.witnessNode = NodeId(1);
    plan.witnessTensors = {a};
  }

  llvm::Error verify() const {
    return verifyPlan(GraphIndex(builder.graph), plan);
  }

  template <typename Change> void expect(Change change, const char *text) {
    Plan good = plan;
    change(plan);
    EXPECT_THAT(verify(), FailsWith(text));
    plan = good;
  }
};

TEST(PlanVerify, plan_c18_bounds) {
  Case test;
  test.plan.bound = 4.5;
  EXPECT_THAT(test.verify(), Succeeds());
  test.expect([](Plan &p) { p.bound = 5.1; }, "bound 5.1 is above the cost 5");
  test.expect([](Plan &p) { p.bound = 1e300; }, "is above the cost 5");
  test.expect([](Plan &p) { p.bound = -1; }, "bound -1 is negative");
  test.expect([](Plan &p) { p.bound = std::nan(""); }, "bound nan");
  test.expect([](Plan &p) { p.bound = HUGE_VAL; }, "bound inf");
  test.expect([](Plan &p) { p.boundSpace = "moon"; },
              "there is no bound_space 'moon'");
  test.expect([](Plan &p) { p.proof = "trust me"; },
              "there is no proof 'trust me'");
  test.expect([](Plan &p) { p.proof = ""; }, "without bound_space and proof");
  test.expect([](Plan &p) { p.boundSpace = ""; },
              "without bound_space and proof");
  test.expect([](Plan &p) { p.budgetBytes = -5; }, "exceeds the budget of -5");
  test.expect([](Plan &p) { p.minimumBudgetBytes = -7; },
              "minimum_budget_bytes is not positive: -7");
  test.expect([](Plan &p) { p.boundBytes = 0; },
              "bound_bytes is not positive: 0");
  test.expect(
      [](Plan &p) {
        p.boundBytes = 8;
        p.minimumBudgetBytes = 7;
      },
      "bound_bytes 8 is above minimum_budget_bytes 7");
}

// A bound above the time, or of plans that nobody knows, would be believed.
TEST(PlanVerify, plan_c18_time_bounds) {
  Case test;
  test.plan.timeBound = 5;
  for (const char *space : {"run-once", "fixed-order", "free-order"}) {
    test.plan.timeBoundSpace = space;
    EXPECT_THAT(test.verify(), Succeeds());
  }
  test.expect([](Plan &p) { p.timeBound = 5.1; },
              "time_bound 5.1 is above the time 5");
  test.expect([](Plan &p) { p.timeBound = -1; }, "time_bound -1 is negative");
  test.expect([](Plan &p) { p.timeBound = std::nan(""); }, "time_bound nan");
  test.expect([](Plan &p) { p.timeBoundSpace = ""; },
              "without time_bound_space");
  test.expect([](Plan &p) { p.timeBoundSpace = "staged"; },
              "there is no time_bound_space 'staged'");
}

TEST(PlanVerify, plan_c18_optimal) {
  Case test;
  test.plan.status = SolveStatus::Optimal;
  test.expect([](Plan &) {}, "status is optimal, but the bound is missing");
  test.plan.bound = 4.9996;
  EXPECT_THAT(test.verify(), Succeeds());
  test.expect([](Plan &p) { p.bound = 4.999; },
              "status is optimal, but bound 4.999 is below the cost 5");
  test.expect([](Plan &p) { p.bound = 1e300; }, "is above the cost");
  test.expect(
      [](Plan &p) {
        p.bound = 5.01;
        p.boundSpace = "staged";
      },
      "is above the cost");
}

// A bound for staged plans says nothing of a plan that is none, but no staged
// plan costs more than a recomputation of everything in every stage.
TEST(PlanVerify, plan_c18_staged_bounds) {
  Case test;
  test.plan.boundSpace = "staged";
  test.plan.bound = 6;
  test.expect([](Plan &) {}, "bound 6 is above the cost 5");
  // f, f again, g: the second run of f belongs to the stage of g.
  test.plan.steps.insert(
      test.plan.steps.begin() + 1,
      {PlanAction::free({a}), PlanAction::compute(NodeId(0))});
  test.plan.cost = 8;
  test.expect([](Plan &p) { p.bound = 9; }, "bound 9 is above the cost 8");
  // Twice in one stage: not staged.
  test.plan.steps.insert(
      test.plan.steps.begin() + 1,
      {PlanAction::free({a}), PlanAction::compute(NodeId(0))});
  test.plan.cost = 11;
  test.plan.bound = 3 * 2 + 4;
  EXPECT_THAT(test.verify(), Succeeds());
  test.builder[NodeId(0)].cost = 1; // No staged plan costs more than 1 * 2 + 4.
  test.plan.cost = 5;
  test.plan.bound = 6;
  EXPECT_THAT(test.verify(), Succeeds());
  test.plan.bound = 6.1;
  EXPECT_THAT(test.verify(), FailsWith("bound 6.1 is above the cost 5"));
}

TEST(PlanVerify, plan_c19_infeasible) {
  Case test;
  test.makeInfeasible(Case::least);
  EXPECT_THAT(test.verify(), Succeeds());
  test.expect([](Plan &p) { p.boundBytes = Case::least + 1; },
              "bound_bytes is 30, but the witness needs only 29 bytes");
  test.expect([](Plan &p) { p.boundBytes = 20; },
              "bound_bytes 20 is within the budget 20");
  test.expect([](Plan &p) { p.boundBytes = std::nullopt; },
              "bound_bytes is missing");
  test.expect([](Plan &p) { p.budgetBytes = std::nullopt; },
              "infeasible without a budget");
  test.expect([](Plan &p) { p.minimumBudgetBytes = 28; },
              "bound_bytes 29 is above minimum_budget_bytes 28");
  test.expect([](Plan &p) { p.witnessNode = std::nullopt; },
              "names tensor 2, which the end of the step does not need");
  test.expect([](Plan &p) { p.witnessNode = NodeId(0); }, "needs only 28");
  test.expect([](Plan &p) { p.witnessNode = NodeId(7); },
              "a node that does not exist");
  test.expect([](Plan &p) { p.witnessTensors = {x}; },
              "names tensor 0, which node 1 does not need");
  test.expect([](Plan &p) { p.witnessTensors = {TensorId(-4)}; },
              "names a tensor that does not exist");
  test.expect(
      [](Plan &p) {
        p.witnessNode = std::nullopt;
        p.witnessTensors = {};
      },
      "there is no witness");
  test.expect([](Plan &p) { p.boundSpace = "moon"; }, "bound_space 'moon'");
  test.expect([](Plan &p) { p.proof = ""; }, "without bound_space and proof");
  test.expect([](Plan &p) { p.steps = {PlanAction::compute(NodeId(0))}; },
              "status infeasible with steps or arenas");
  // A solver's word has no witness that could be counted, nor has a search
  // through the plans in source order.
  test.plan.boundBytes = 21;
  test.plan.witnessNode = std::nullopt;
  test.plan.witnessTensors = {};
  for (auto [space, proof] :
       {std::pair("staged", "solver"), {"fixed-order", "exact"}}) {
    test.plan.proof = proof;
    test.plan.boundSpace = space;
    EXPECT_THAT(test.verify(), Succeeds());
  }
}

TEST(PlanVerify, plan_c19_end_of_the_step) {
  Case test;
  test.makeInfeasible(4 + 8 + 12);
  test.plan.witnessNode = std::nullopt;
  test.plan.witnessTensors = {b};
  EXPECT_THAT(test.verify(), Succeeds());
  test.plan.boundBytes = 25;
  EXPECT_THAT(test.verify(), FailsWith("the witness needs only 24 bytes"));
}

TEST(PlanVerify, plan_c19_no_plan) {
  Case test;
  test.makeInfeasible(30);
  test.plan.status = SolveStatus::NoPlan;
  EXPECT_THAT(test.verify(), Succeeds());
  test.plan.minimumBudgetBytes = -7;
  EXPECT_THAT(test.verify(), FailsWith("not positive: -7"));
  test.plan.minimumBudgetBytes = 45;
  test.plan.arenas.emplace_back();
  EXPECT_THAT(test.verify(), FailsWith("status no_plan with steps or arenas"));
}

// The witness must count what the best plan could do: outputs over inputs, also
// where the input lies in a larger storage, one output an input.
TEST(PlanVerify, plan_c19_least_bytes_of_a_witness) {
  GraphBuilder builder;
  TensorId big = builder.tensor(100), small = builder.tensor(10),
           p = builder.tensor(30), q = builder.tensor(40);
  builder.node({}, {big});
  NodeId shrink = builder.node({big}, {small});
  builder[shrink].inPlace = {{small, big}};
  NodeId grow = builder.node({small}, {p, q});
  builder[grow].inPlace = {{p, small}, {q, small}};
  ASSERT_THAT(builder.graph.check(), Succeeds());
  Plan plan;
  plan.status = SolveStatus::Infeasible;
  plan.boundSpace = "free-order";
  plan.proof = "exact";
  plan.budgetBytes = 1;
  plan.witnessNode = grow;
  plan.witnessTensors = {small, p};
  // p or q lies over small, in the storage of big: 10 bytes are saved once.
  plan.boundBytes = 10 + 30 + 40 - 10;
  EXPECT_THAT(verifyPlan(GraphIndex(builder.graph), plan), Succeeds());
  ++*plan.boundBytes;
  EXPECT_THAT(verifyPlan(GraphIndex(builder.graph), plan),
              FailsWith("needs only 70 bytes"));
  // Where small cannot lie in a larger storage, nothing goes over it.
  builder[shrink].inPlace = {};
  plan.boundBytes = 10 + 30 + 40;
  EXPECT_THAT(verifyPlan(GraphIndex(builder.graph), plan), Succeeds());
}

} // namespace
