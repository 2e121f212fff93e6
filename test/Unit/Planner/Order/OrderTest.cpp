//===- OrderTest.cpp - Which node runs first ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
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
                        "'source', 'search', 'early-updates', 'late'"));
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
TEST(EarlyUpdates, run_after_the_last_user_of_the_old_version) {
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

static llvm::Expected<OrderPlan> planLate(const GraphIndex &index) {
  return solve(OrderProblem{&index}, solverNamed(orderSolvers(), "late"), {});
}

// What is kept from early on for a late user would be dropped and recomputed
// under a budget, with what it is made of.
TEST(LateRuns, wait_for_their_first_user) {
  SmallGraph g;
  const TensorId a = g.op({}, 8);       // 0
  const TensorId c = g.op({a}, 8);      // 1: read at the end only.
  const TensorId b = g.op({a}, 8);      // 2
  const TensorId d = g.op({b}, 8);      // 3
  g.keep(g.op({d, c}, 8));              // 4
  g.graph.nodes[3].workspaceBytes = 40; // The peak.
  GraphIndex index(g.graph);
  llvm::Expected<OrderPlan> plan = planLate(index);
  ASSERT_THAT(plan, Succeeds());
  const std::vector<NodeId> expected{NodeId(0), NodeId(2), NodeId(3), NodeId(1),
                                     NodeId(4)};
  EXPECT_EQ(plan->order, expected);
}

// What is made is smaller than what would have to wait for it.
TEST(LateRuns, do_not_keep_larger_operands) {
  SmallGraph g;
  const TensorId a = g.op({}, 8), c = g.op({a}, 4), b = g.op({a}, 8),
                 d = g.op({b}, 8);
  g.keep(g.op({d, c}, 8));
  g.graph.nodes[3].workspaceBytes = 40;
  GraphIndex index(g.graph);
  llvm::Expected<OrderPlan> plan = planLate(index);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_TRUE(std::is_sorted(plan->order.begin(), plan->order.end()));
}

static NodeId addUpdate(Graph &graph, TensorId gradient, TensorId parameter) {
  Node &update = graph.nodes.emplace_back();
  update.externalId = int64_t(graph.nodes.size()) + 100;
  update.inputs = {gradient, parameter};
  update.writes = {parameter};
  update.recompute = false;
  return NodeId(int32_t(graph.nodes.size()) - 1);
}

// The gradient of a large weight, made of little, lies beside all activations
// when it is made first.
TEST(LateRuns, put_large_gradients_off_with_their_updates) {
  SmallGraph g;
  const TensorId w = g.caller(40);
  const TensorId a = g.op({}, 30), b = g.op({a}, 30), loss = g.op({b, w}, 1);
  const TensorId gradient = g.op({loss}, 40); // 3
  const NodeId update = addUpdate(g.graph, gradient, w);
  const TensorId ofB = g.op({loss, b}, 10), ofA = g.op({ofB, a}, 10);
  g.keep(g.op({ofA}, 1));
  GraphIndex index(g.graph);
  llvm::Expected<OrderPlan> plan = planLate(index);
  ASSERT_THAT(plan, Succeeds());
  auto at = [&](NodeId node) {
    return std::find(plan->order.begin(), plan->order.end(), node) -
           plan->order.begin();
  };
  EXPECT_EQ(at(update), at(NodeId(3)) + 1);
  EXPECT_GT(at(NodeId(3)), at(*index.producer(ofA)));
  EXPECT_LT(measureSchedule(index, {plan->order, {}}, {}).peakBytes,
            measureUnplanned(index).peakBytes);
}

// An order would break a version, a view or the place of a collective.
TEST(LateRuns, keep_the_rules_of_random_graphs) {
  int moved = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Graph graph = makeRandomGraph(seed, 4 + int(seed % 30));
    GraphIndex index(graph);
    llvm::Expected<OrderPlan> plan = planLate(index);
    ASSERT_THAT(plan, Succeeds()) << "seed " << seed;
    moved += !std::is_sorted(plan->order.begin(), plan->order.end());
  }
  EXPECT_GT(moved, 50);
}

// An operand that waits beside what is there at the peak would raise it.
TEST(LateRuns, do_not_raise_the_peak) {
  SmallGraph g;
  const TensorId a = g.op({}, 8), c = g.op({a}, 8), b = g.op({a}, 8),
                 d = g.op({b}, 8);
  g.keep(g.op({d, c}, 8)); // The peak.
  GraphIndex index(g.graph);
  llvm::Expected<OrderPlan> plan = planLate(index);
  ASSERT_THAT(plan, Succeeds());
  EXPECT_TRUE(std::is_sorted(plan->order.begin(), plan->order.end()));
}

// By default late runs are taken only where they cost less and pack as well.
TEST(LateRuns, are_the_default_where_they_cost_less) {
  SmallGraph g;
  const TensorId a = g.op({}, 8), c = g.op({a}, 8), b = g.op({a}, 8),
                 d = g.op({b}, 8);
  g.keep(g.op({d, c}, 8));
  g.graph.nodes[3].workspaceBytes = 40;
  GraphIndex index(g.graph);
  for (bool costsLess : {false, true})
    for (bool packsWorse : {false, true}) {
      OrderProblem problem{&index};
      problem.costsLess = [&](auto &, auto &) { return costsLess; };
      problem.packedBytes = [&](const std::vector<NodeId> &order) {
        return packsWorse && !std::is_sorted(order.begin(), order.end()) ? 9
                                                                         : 8;
      };
      llvm::Expected<OrderPlan> plan =
          solve(problem, solverNamed(orderSolvers(), "auto"), {});
      ASSERT_THAT(plan, Succeeds());
      EXPECT_EQ(!std::is_sorted(plan->order.begin(), plan->order.end()),
                costsLess && !packsWorse);
    }
}
