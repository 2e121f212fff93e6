//===- GraphTest.cpp - Structural checks and derived facts ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include <limits>

using namespace memplan;

namespace {

/// w parameter; a = f(w); v = view of a; b = g(v) perhaps over v; node 3 writes
/// w.
GraphBuilder makeGood() {
  GraphBuilder builder;
  TensorId w = builder.tensor(8, TensorKind::Parameter), a = builder.tensor(8),
           v = builder.view(a), b = builder.tensor(8, TensorKind::Output);
  builder.node({w}, {a});
  builder.node({a}, {v}, 0);
  NodeId last = builder.node({v}, {b});
  builder[last].inPlace = {{b, v}};
  NodeId update = builder.node({w, b}, {});
  builder[update].writes = {w};
  return builder;
}

const TensorId w(0), a(1), v(2), b(3);
const NodeId makeA(0), makeV(1), makeB(2), update(3);

/// The good graph after a change must fail with the text.
template <typename Change> void expectRefused(Change change, const char *text) {
  GraphBuilder builder = makeGood();
  ASSERT_THAT(builder.graph.check(), Succeeds());
  change(builder);
  EXPECT_THAT(builder.graph.check(), FailsWith(text));
}

TEST(GraphCheck, graph_i1_ids_and_numbers) {
  expectRefused([](GraphBuilder &g) { g[makeB].inputs = {TensorId(9)}; },
                "node 2 names a tensor that does not exist");
  expectRefused([](GraphBuilder &g) { g[makeB].outputs = {TensorId()}; },
                "node 2 names a tensor that does not exist");
  expectRefused([](GraphBuilder &g) { g[v].viewOf = TensorId(-5); },
                "tensor 2 is a view of no tensor");
  expectRefused([](GraphBuilder &g) { g[a].externalId = 3; },
                "graph_i1: duplicate tensor id 3");
  expectRefused([](GraphBuilder &g) { g[makeA].externalId = 1; },
                "duplicate node id 1");
  expectRefused([](GraphBuilder &g) { g[a].bytes = -1; },
                "tensor 1 has negative bytes: -1");
  expectRefused([](GraphBuilder &g) { g[makeA].cost = -2; },
                "node 0 has a cost that is negative");
  expectRefused(
      [](GraphBuilder &g) {
        g[makeA].cost = std::numeric_limits<double>::quiet_NaN();
      },
      "not finite");
  expectRefused([](GraphBuilder &g) { g[makeA].variants = {{1, -7}}; },
                "negative workspace_bytes: -7");
  expectRefused([](GraphBuilder &g) { g.graph.fixedBytes = -1; },
                "fixed_bytes is negative");
  expectRefused([](GraphBuilder &g) { g.graph.bandwidth = Bandwidth{0, 1}; },
                "bandwidth must be positive");
  expectRefused(
      [](GraphBuilder &g) {
        g.graph.bandwidth = Bandwidth{1, std::nullopt, -0.5};
      },
      "latency must not be negative: -0.5");
  expectRefused([](GraphBuilder &g) { g.graph.hostBudgetBytes = -4; },
                "host_budget_bytes is negative");
  expectRefused([](GraphBuilder &g) { g[makeA].flops = -4; }, "negative flops");
}

TEST(GraphCheck, graph_i2_producers) {
  expectRefused([](GraphBuilder &g) { g[makeB].outputs = {b, a}; },
                "tensor 1 has two producers, node 0 and node 2");
  expectRefused([](GraphBuilder &g) { g[makeA].outputs = {a, a}; },
                "two producers");
  expectRefused([](GraphBuilder &g) { g[w].kind = TensorKind::Activation; },
                "tensor 0 has no producer and is neither an input nor a "
                "parameter nor a state");
  expectRefused([](GraphBuilder &g) { g[a].kind = TensorKind::State; },
                "tensor 1 belongs to the caller, but is made by node 0");
}

TEST(GraphCheck, graph_i3_order) {
  expectRefused([](GraphBuilder &g) { g[makeA].inputs = {b}; },
                "node 0 reads tensor 3, which node 2 makes later");
  expectRefused([](GraphBuilder &g) { g[makeA].inputs = {a}; },
                "node 0 reads tensor 1, which it makes itself");
}

TEST(GraphCheck, graph_i4_views) {
  expectRefused([](GraphBuilder &g) { g[a].viewOf = v; }, "form a cycle");
  expectRefused([](GraphBuilder &g) { g[v].viewOf = v; }, "form a cycle");
  expectRefused([](GraphBuilder &g) { g[v].viewOf = b; },
                "tensor 2 is a view of tensor 3, which is made later");
}

TEST(GraphCheck, graph_i5_in_place) {
  expectRefused([](GraphBuilder &g) { g[makeB].inPlace = {{a, v}}; },
                "names tensor 1, which is not an output");
  expectRefused([](GraphBuilder &g) { g[makeB].inPlace = {{b, w}}; },
                "names tensor 0, which is not an input");
  expectRefused([](GraphBuilder &g) { g[makeV].inPlace = {{v, a}}; },
                "names tensor 2, which is a view");
  expectRefused([](GraphBuilder &g) { g[makeB].inPlace = {{TensorId(77), v}}; },
                "does not exist");
}

TEST(GraphCheck, graph_i6_writes) {
  expectRefused([](GraphBuilder &g) { g[makeA].writes = {b}; },
                "node 0 writes tensor 3 before it exists");
  expectRefused([](GraphBuilder &g) { g[makeA].writes = {a}; },
                "node 0 writes tensor 1 before it exists");
  expectRefused([](GraphBuilder &g) { g[update].writes = {w, w}; },
                "writes tensor 0 twice");
  expectRefused([](GraphBuilder &g) { g[w].kind = TensorKind::Input; },
                "which is not donated");
}

TEST(GraphCheck, graph_i7_total) {
  expectRefused(
      [](GraphBuilder &g) { g[a].bytes = std::numeric_limits<int64_t>::max(); },
      "add up to more than");
  expectRefused(
      [](GraphBuilder &g) {
        g[a].bytes = g[b].bytes = int64_t(1) << 60;
        g[makeA].workspaceBytes = 1;
      },
      "add up to more than");
}

// Each cost is a number, but their sum is infinite: that is the input's fault
// and must not come out as a plan that fails its check.
TEST(GraphCheck, graph_i8_total_cost) {
  expectRefused(
      [](GraphBuilder &g) {
        g[makeA].cost = 1e308;
        g[makeB].cost = 1.5e308;
      },
      "costs add up to inf microseconds, which is more than 1e+100; the "
      "largest is 1.5e+308, of node 2");
  expectRefused(
      [](GraphBuilder &g) {
        g[makeB].variants.push_back({.cost = 1e101, .workspaceBytes = 0});
      },
      "the largest is 1e+101, of node 2");
}

// A chain of views as long as the graph must not cost a stack frame each.
TEST(GraphCheck, LongChainsOfViews) {
  GraphBuilder builder;
  TensorId at = builder.tensor(4, TensorKind::Input);
  for (int i = 0; i < 200000; ++i) {
    TensorId next = builder.view(at);
    builder.node({at}, {next}, 0);
    at = next;
  }
  ASSERT_THAT(builder.graph.check(), Succeeds());
  GraphIndex index(builder.graph);
  EXPECT_EQ(index.base(at), TensorId(0));
  EXPECT_EQ(index.aliasSet(TensorId(0)).size(), 200001u);
}

TEST(GraphIndex, DerivedFacts) {
  GraphBuilder builder = makeGood();
  GraphIndex index(builder.graph);
  EXPECT_EQ(index.producer(w), std::nullopt);
  EXPECT_EQ(index.producer(v), makeV);
  EXPECT_EQ(index.readers(w), (std::vector<NodeId>{makeA, update}));
  EXPECT_EQ(index.base(v), a);
  EXPECT_EQ(index.aliasSet(a), (std::vector<TensorId>{a, v}));
  EXPECT_EQ(index.versionBefore(makeA, w), 0);
  EXPECT_EQ(index.versionBefore(update, w), 0);
  EXPECT_EQ(index.usedBases(makeB), (llvm::ArrayRef<TensorId>{a}));
  EXPECT_EQ(index.madeBases(makeV).size(), 0u);
  EXPECT_TRUE(index.isKept(b));
  EXPECT_FALSE(index.isKept(w)); // The caller's
  EXPECT_TRUE(index.staysToTheEnd(w));
  EXPECT_EQ(builder.graph.persistentBytes(), 8);
  EXPECT_EQ(describe(builder.graph, a), "tensor 1");
  builder[a].name = "act";
  EXPECT_EQ(describe(builder.graph, a), "tensor 1 'act'");
}

} // namespace
