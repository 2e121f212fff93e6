//===- MaxFlowTest.cpp - Flows and cuts against all cuts ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/MaxFlow.h"
#include "memplan/Support/Random.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <tuple>

using namespace memplan;

namespace {

// A network of a few vertices has few cuts: the least of them is the flow.
TEST(MaxFlow, is_the_least_cut_of_all) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    MaxFlow flow;
    const int32_t vertices = 3 + random.below(6);
    while (flow.addVertex() + 1 < vertices)
      ;
    std::vector<std::tuple<int32_t, int32_t, int64_t>> arcs;
    for (int i = 0; i < 3 * vertices; ++i) {
      const int32_t from = random.below(vertices), to = random.below(vertices);
      arcs.emplace_back(from, to, random.below(9));
      flow.connect(from, to, std::get<2>(arcs.back()));
    }
    int64_t least = MaxFlow::unlimited;
    for (uint32_t side = 0; side < 1U << vertices; ++side) {
      if (!(side & 1) || (side & 2)) // The source is on it, the sink is not.
        continue;
      int64_t units = 0;
      for (const auto &[from, to, capacity] : arcs)
        if ((side >> from & 1) && !(side >> to & 1))
          units += capacity;
      least = std::min(least, units);
    }
    EXPECT_EQ(flow.run(), least);
    int64_t cut = 0;
    for (const auto &[from, to, capacity] : arcs)
      if (flow.isReached(from) && !flow.isReached(to))
        cut += capacity;
    EXPECT_EQ(cut, least);
    EXPECT_FALSE(flow.isReached(MaxFlow::sink));
  }
}

// A limit on work gives up and returns no flow that is too small; without work
// there is nothing to give up.
TEST(MaxFlow, gives_up_beyond_its_limit_only) {
  for (int64_t mostVisits : {0, 5, 1000}) {
    MaxFlow flow;
    const int32_t middle = flow.addVertex();
    flow.connect(MaxFlow::source, middle, 3);
    flow.connect(middle, MaxFlow::sink, 2);
    EXPECT_EQ(flow.runWithin(mostVisits),
              mostVisits < 1000 ? std::nullopt : std::optional<int64_t>(2));
  }
  EXPECT_EQ(MaxFlow().runWithin(0), 0);
}

} // namespace
