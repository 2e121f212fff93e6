//===- GraphTest.cpp - Structural checks and derived facts ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include <algorithm>
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

/// A whole of 24 bytes: node 0 takes it for its piece, node 1 writes the other,
/// node 2 sees both as one.
GraphBuilder makeWhole() {
  GraphBuilder builder;
  TensorId x = builder.tensor(8, TensorKind::Input), whole = builder.tensor(24),
           first = builder.view(whole), second = builder.view(whole),
           both = builder.view(whole),
           end = builder.tensor(8, TensorKind::Output);
  builder[builder.node({x}, {whole, first})].recompute = false;
  builder[builder.node({x}, {second})].recompute = false;
  builder.node({first, second}, {both}, 0);
  builder.node({both}, {end});
  builder[first].partOf = PartOf{0, 8, 1, 0, true};
  builder[second].partOf = PartOf{8, 16, 1, 0, true};
  builder[both].partOf = PartOf{0, 24, 1, 0};
  return builder;
}
const TensorId whole(1), firstPart(2), secondPart(3);

template <typename Change>
void expectPartRefused(Change change, const char *text) {
  GraphBuilder builder = makeWhole();
  ASSERT_THAT(builder.graph.check(), Succeeds());
  change(builder);
  EXPECT_THAT(builder.graph.check(), FailsWith(text));
}

// A piece that reached beyond its whole would be written over a neighbour in
// the arena.
TEST(GraphCheck, graph_i9_parts_lie_inside) {
  expectPartRefused([](GraphBuilder &g) { g[secondPart].partOf->offset = 9; },
                    "graph_i9: tensor 3 (1 rows of 16 bytes, stride 0, from "
                    "byte 9 on) ends beyond the 24 bytes of tensor 1");
  expectPartRefused([](GraphBuilder &g) { g[secondPart].partOf->offset = -1; },
                    "from byte -1 on; there must be a row");
  expectPartRefused([](GraphBuilder &g) { g[firstPart].partOf->rowBytes = 0; },
                    "takes 1 rows of 0 bytes");
  expectPartRefused([](GraphBuilder &g) { g[firstPart].partOf->stride = 8; },
                    "rows of 8 bytes with a stride of 8");
  expectPartRefused(
      [](GraphBuilder &g) { g[firstPart].partOf = PartOf{0, 8, 2, 4}; },
      "rows of 8 bytes with a stride of 4");
  expectPartRefused(
      [](GraphBuilder &g) {
        g[firstPart].partOf = PartOf{0, 1, int64_t(1) << 40, int64_t(1) << 40};
      },
      "ends beyond the 24 bytes");
  expectPartRefused(
      [](GraphBuilder &g) { g[whole].partOf = PartOf{0, 8, 1, 0}; },
      "graph_i9: tensor 1 has a part_of, but no view_of");
}

// Two pieces over each other, or one that a recomputation writes while the
// whole is read, would give the whole other bytes.
TEST(GraphCheck, graph_i10_parts_are_written_apart_and_once) {
  expectPartRefused([](GraphBuilder &g) { g[secondPart].partOf->offset = 7; },
                    "graph_i10: tensor 2 and tensor 3 are written over each "
                    "other");
  expectPartRefused([](GraphBuilder &g) { g[makeV].recompute = true; },
                    "graph_i10: node 1 writes tensor 3, a part of tensor 1, "
                    "but may be recomputed");
  expectPartRefused(
      [](GraphBuilder &g) {
        g[firstPart].partOf = PartOf{0, 4, 2, 12, true};
        g[secondPart].partOf = PartOf{4, 2, 2, 8, true};
      },
      "with strides of 12 and 8 bytes");
}

// Rows that lie between each other share no byte, whatever the distance; the
// oracle marks bytes.
TEST(GraphCheck, RowsBetweenRows) {
  int apart = 0, over = 0;
  for (int64_t offset = 0; offset < 12; ++offset)
    for (int64_t bytes = 1; bytes <= 4; ++bytes)
      for (int64_t rows : {1, 2, 3}) {
        PartOf a{0, 3, 3, 8, true},
            b{offset, bytes, rows, rows == 1 ? 0 : 8, true};
        if (b.end() > 24)
          continue;
        std::vector<int> marks(24, 0);
        for (const PartOf &part : {a, b})
          for (int64_t row = 0; row < part.rows; ++row)
            for (int64_t i = 0; i < part.rowBytes; ++i)
              ++marks[part.offset + row * part.stride + i];
        bool shares = *std::max_element(marks.begin(), marks.end()) > 1;
        (shares ? over : apart) += 1;
        for (bool swapped : {false, true}) {
          GraphBuilder builder = makeWhole();
          builder[firstPart].partOf = swapped ? b : a;
          builder[secondPart].partOf = swapped ? a : b;
          llvm::Error error = builder.graph.check();
          EXPECT_EQ(bool(error), shares)
              << offset << ' ' << bytes << ' ' << rows;
          llvm::consumeError(std::move(error));
        }
      }
  EXPECT_GT(apart, 10);
  EXPECT_GT(over, 10);
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
  EXPECT_EQ(index.users(w), (std::vector<NodeId>{makeA, update}));
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
