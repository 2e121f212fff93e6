//===- TimeCutTest.cpp - A bound on time by one least cut -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeCut.h"
#include "../SmallGraph.h"
#include <gtest/gtest.h>

using namespace memplan;

namespace {

/// Eight ops of cost 10 make 100 bytes each, which eight of cost 10 read in
/// reverse order; one of cost 1 stands between them.
class TimeCut : public testing::Test {
protected:
  TimeCut() {
    std::vector<TensorId> values;
    for (int i = 0; i < 8; ++i) {
      values.push_back(small.op({}, 100));
      small.graph.nodes.back().cost = 10;
    }
    TensorId last = small.op({}, 0);
    small.graph.nodes.back().cost = 1;
    for (int i = 7; i >= 0; --i) {
      last = small.op({last, values[size_t(i)]}, 0);
      small.graph.nodes.back().cost = 10;
    }
    small.keep(last);
  }

  /// The best of all rows, with room for four of the values.
  double bound(double rate, bool mayRecompute) {
    const GraphIndex index(small.graph);
    const ContractedStep contracted(index, /*inPlace=*/true);
    const OrderRows rows(contracted);
    TimeBoundProblem problem;
    problem.rows = &rows;
    problem.budgetBytes = 400;
    problem.bandwidth = Bandwidth{1000, rate, 0};
    problem.mayRecompute = mayRecompute;
    double best = 0;
    for (int32_t op = 0; op < rows.numRows(); ++op)
      best = std::max(best, boundTimeAt(problem, op, 30));
    return best;
  }

  SmallGraph small;
};

// While the eighth value is made, three of the seven others have room. Of the
// four that have not, the link takes 1.75 in 70 units, and 2.25 are recomputed.
TEST_F(TimeCut, counts_what_the_link_leaves_to_recompute) {
  const double found = bound(2.5, /*mayRecompute=*/true);
  EXPECT_LE(found, 161 + 22.5);
  EXPECT_GT(found, 161 + 22.4);
}

// The eighth op waits for 400 bytes on the link, and 91 units follow.
TEST_F(TimeCut, waits_for_the_link_where_nothing_is_recomputed) {
  const double found = bound(2.5, /*mayRecompute=*/false);
  EXPECT_LE(found, 160 + 91);
  EXPECT_GT(found, 160 + 90.9);
}

TEST_F(TimeCut, is_the_computation_alone_where_copies_hide) {
  const double found = bound(1000, /*mayRecompute=*/true);
  EXPECT_LE(found, 161);
  EXPECT_GT(found, 160.9);
}

} // namespace
