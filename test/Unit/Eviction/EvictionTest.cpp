//===- EvictionTest.cpp - Scores and components ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Eviction/EvictedGraph.h"

#include "gtest/gtest.h"

#include <set>

using namespace memplan::eviction;

/// If this fails, a component is counted twice, or recomputing one of its
/// tensors leaves its cost in it.
TEST(EvictedGraph, components_are_counted_once_and_lose_what_returns) {
  EvictedGraph graph;
  const int32_t x = graph.add(0, {});
  const int32_t a = graph.add(2, {{x}});
  const int32_t b = graph.add(4, {{a}});
  const int32_t c = graph.add(1, {{b}});
  graph.evict(a);
  graph.evict(c);
  EXPECT_EQ(graph.cost(b, Neighbours::Components), 7);
  EXPECT_EQ(graph.componentCost(a), 2);
  EXPECT_EQ(graph.componentCost(c), 1);
  graph.evict(b);
  EXPECT_EQ(graph.componentCost(a), 7);
  graph.restore(b);
  EXPECT_EQ(graph.componentCost(a), 3) << "the approximation of the source";
  EXPECT_EQ(graph.componentCost(c), 3);
  EXPECT_EQ(graph.cost(b, Neighbours::Components), 7) << "one component, once";
  graph.rebuildComponents();
  EXPECT_EQ(graph.componentCost(a), 2);
  EXPECT_EQ(graph.componentCost(c), 1);
}

/// If this fails, a neighbourhood reaches through resident tensors, counts one
/// tensor twice, or forgets one side.
TEST(EvictedGraph, walks_reach_evicted_tensors_once) {
  EvictedGraph graph;
  // A diamond a -> b, c -> d, with e behind d.
  const int32_t a = graph.add(1, {});
  const int32_t b = graph.add(2, {{a}});
  const int32_t c = graph.add(4, {{a, a}});
  const int32_t d = graph.add(8, {{b, c}});
  const int32_t e = graph.add(16, {{d}});
  for (int32_t tensor : {a, b, c})
    graph.evict(tensor);
  EXPECT_EQ(graph.cost(d, Neighbours::Own), 8);
  EXPECT_EQ(graph.cost(d, Neighbours::Ancestors), 15);
  EXPECT_EQ(graph.cost(d, Neighbours::Exact), 15);
  EXPECT_EQ(graph.cost(e, Neighbours::Exact), 16) << "d is resident";
  graph.evict(e);
  EXPECT_EQ(graph.cost(d, Neighbours::Ancestors), 15);
  EXPECT_EQ(graph.cost(d, Neighbours::Exact), 31);
  EXPECT_EQ(graph.cost(b, Neighbours::Exact), 3)
      << "an evicted tensor counts itself once";
  graph.remove(a);
  EXPECT_EQ(graph.cost(d, Neighbours::Exact), 30);
  EXPECT_EQ(graph.add(1, {{d}}), a) << "numbers are used again";
}

/// If this fails, a score is not that of the source.
TEST(Heuristics, scores_are_those_of_the_sources) {
  auto score = [](const char *name, Facts facts, Exponents exponents = {}) {
    return findHeuristic(name)->score(facts, exponents);
  };
  EXPECT_EQ(score("h_dtr", {2, 4, 8}), 1.0 / 16);
  EXPECT_EQ(score("local", {4, 2, 4}), 1.0 / 2);
  EXPECT_EQ(score("msps", {2, 4, 8}), 1.0 / 2);
  EXPECT_LT(score("lru", {9, 9, 8}), score("lru", {1, 1, 7}));
  EXPECT_LT(score("size", {9, 9, 1}), score("size", {1, 8, 7}));
  // Beside a hole of 9 MiB, and without one.
  constexpr int64_t mib = 1024 * 1024;
  EXPECT_NEAR(score("megengine", {300e6, 25 * mib, 2, 9 * mib}), 4.4096e6, 50);
  EXPECT_NEAR(score("megengine", {300e6, 25 * mib, 2}), 5.9970e6, 50);
  EXPECT_NEAR(score("megengine", {300e6, 25 * mib, 2, 0, 1000}) / 5.9970e6,
              1.1052, 1e-4);
  Exponents flat;
  flat.staleness = 0;
  EXPECT_EQ(score("megengine", {5, mib, 2}, flat),
            score("megengine", {5, mib, 7}, flat));
  EXPECT_EQ(findHeuristic("random"), nullptr);
  EXPECT_EQ(heuristicNames(), "h_dtr, e_star, local, msps, lru, size, "
                              "megengine");
}

/// If this fails, sampling looks at too many, or some tensor is never looked
/// at.
TEST(Heuristics, samples_are_few_and_reach_everyone) {
  Sampler sampler(7);
  std::set<size_t> reached;
  size_t looks = 0, rounds = 200;
  for (size_t round = 0; round < rounds; ++round)
    sampler.sample(100, [&](size_t i) {
      ASSERT_LT(i, 100u);
      reached.insert(i);
      ++looks;
    });
  EXPECT_EQ(reached.size(), 100u);
  EXPECT_NEAR(double(looks) / double(rounds), 18, 2);
  sampler.sample(1, [&](size_t i) { EXPECT_EQ(i, 0u); });
  sampler.sample(0, [&](size_t) { FAIL(); });
}
