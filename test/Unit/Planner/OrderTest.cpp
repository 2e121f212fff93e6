//===- OrderTest.cpp - Which node runs first ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "RandomGraph.h"
#include "SmallGraph.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Schedule/Liveness.h"

using namespace memplan;

// Planners index the graph of the problem.
TEST(OrderCheck, order_i1_wants_a_valid_graph) {
  EXPECT_THAT(OrderProblem().check(),
              Violates("order_i1", "the problem has no graph"));
}

// A node left out is never run; one that is listed again is a recomputation,
// which is another problem.
TEST(OrderVerify, order_c1_wants_every_node_once) {
  SmallGraph g;
  g.op({g.op({}, 4)}, 4);
  const Graph &graph = g.graph;
  GraphIndex index(graph);
  OrderProblem problem{&index};
  EXPECT_THAT(problem.verify({{NodeId(0), NodeId(1)}, {}}), Succeeds());
  EXPECT_THAT(problem.verify({{NodeId(0)}, {}}),
              Violates("order_c1", "1 nodes of 2"));
  EXPECT_THAT(problem.verify({{NodeId(0), NodeId(0)}, {}}),
              Violates("order_c1", "duplicate"));
  EXPECT_THAT(problem.verify({{NodeId(0), NodeId(7)}, {}}),
              Violates("order_c1", "node 7 of 2"));
}

// A node that runs before what it reads is made reads bytes without a value.
TEST(OrderVerify, order_c2_wants_operands_first) {
  SmallGraph g;
  g.op({g.op({}, 4)}, 4);
  const Graph &graph = g.graph;
  GraphIndex index(graph);
  EXPECT_THAT(OrderProblem{&index}.verify({{NodeId(1), NodeId(0)}, {}}),
              Violates("order_c2"));
}

// `auto` is the default: it must stand in the table and answer.
TEST(OrderDoor, every_solver_gives_an_order) {
  SmallGraph g;
  g.op({g.op({}, 4)}, 4);
  const Graph &graph = g.graph;
  GraphIndex index(graph);
  ASSERT_EQ(orderSolvers().front().name, "auto");
  for (const OrderSolver &solver : orderSolvers())
    EXPECT_THAT(solve(OrderProblem{&index}, solver, {}), Succeeds())
        << solver.name;
  EXPECT_THAT(lookUpSolver("order", orderSolvers(), "random"),
              FailsWith("unknown order solver 'random'; there are 'auto', "
                        "'source', 'search', 'early-updates'"));
}

// Values that are made long before they are read would stay in memory although
// nothing asks for it.
TEST(OrderSearch, makes_values_where_they_take_least) {
  SmallGraph g;
  TensorId a = g.op({}, 8), b = g.op({}, 8), c = g.op({}, 8);
  TensorId x = g.op({a}, 1), y = g.op({b}, 1), z = g.op({c}, 1);
  g.op({x, y, z}, 1);
  const Graph &graph = g.graph;
  GraphIndex index(graph);
  llvm::Expected<OrderPlan> plan =
      solve(OrderProblem{&index}, solverNamed(orderSolvers(), "search"), {});
  ASSERT_THAT(plan, Succeeds());
  Schedule schedule{plan->order, {}};
  EXPECT_EQ(measureUnplanned(index).peakBytes, 25);
  EXPECT_EQ(measureSchedule(index, schedule, {}).peakBytes, 11);
}

// An order would break a version, a view or the place of a collective.
TEST(OrderSearch, keeps_the_rules_of_random_graphs) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Graph graph = makeRandomGraph(seed, 4 + int(seed % 20));
    GraphIndex index(graph);
    llvm::Expected<OrderPlan> plan =
        solve(OrderProblem{&index}, solverNamed(orderSolvers(), "search"), {});
    ASSERT_THAT(plan, Succeeds()) << "seed " << seed;
    EXPECT_LE(measureSchedule(index, {plan->order, {}}, {}).peakBytes,
              measureUnplanned(index).peakBytes)
        << "seed " << seed;
  }
}

// An update would overwrite what is still read, or keep its gradient alive for
// nothing.
TEST(EarlyUpdates, run_after_the_last_reader_of_the_old_version) {
  SmallGraph g;
  const TensorId w = g.caller(8), v = g.caller(8);
  const TensorId h = g.op({w}, 4);           // 0
  const TensorId gradientOfV = g.op({h}, 4); // 1
  const TensorId gradientOfW = g.op({h}, 4); // 2
  g.keep(g.op({w, h}, 4));                   // 3: the last to read w.
  g.keep(g.op({v}, 4));                      // 4: the last to read v.
  for (auto [gradient, parameter] :
       {std::pair(gradientOfV, v), std::pair(gradientOfW, w)}) { // 5, 6
    Node &update = g.graph.nodes.emplace_back();
    update.externalId = int64_t(g.graph.nodes.size()) + 100;
    update.inputs = {gradient, parameter};
    update.writes = {parameter};
    update.recompute = false;
  }
  GraphIndex index(g.graph);
  for (const char *name : {"early-updates"}) {
    llvm::Expected<OrderPlan> plan =
        solve(OrderProblem{&index}, solverNamed(orderSolvers(), name), {});
    ASSERT_THAT(plan, Succeeds());
    const std::vector<NodeId> expected{NodeId(0), NodeId(1), NodeId(2),
                                       NodeId(3), NodeId(6), NodeId(4),
                                       NodeId(5)};
    EXPECT_EQ(plan->order, expected) << name;
  }
}

// More bytes would be live than in source order.
TEST(EarlyUpdates, never_raise_the_peak) {
  int moved = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Graph graph = makeRandomGraph(seed, 20);
    GraphIndex index(graph);
    llvm::Expected<OrderPlan> plan = solve(
        OrderProblem{&index}, solverNamed(orderSolvers(), "early-updates"), {});
    ASSERT_TRUE(bool(plan)) << "seed " << seed << ": " << takeMessage(plan);
    moved += !std::is_sorted(plan->order.begin(), plan->order.end());
    EXPECT_LE(measureSchedule(index, {plan->order, {}}, {}).peakBytes,
              measureUnplanned(index).peakBytes)
        << "seed " << seed;
  }
  EXPECT_GT(moved, 5);
}
