//===- Monotone.h - More budget never takes longer --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_MONOTONE_H
#define MEMPLAN_TEST_UNIT_PLANNER_MONOTONE_H

#include "ErrorMatchers.h"
#include "memplan/Planner/Step/LeastBudget.h"
#include "memplan/Support/Random.h"
#include <map>

namespace memplan {

/// Time for each budget, each planned for by itself, in random order.
inline void checkMonotone(const Graph &graph, PlanOptions options,
                          uint64_t seed) {
  const GraphIndex index(graph);
  llvm::Expected<std::optional<LeastBudget>> least =
      leastBudget(graph, options);
  ASSERT_THAT(least, Succeeds());
  ASSERT_TRUE(*least);
  const int64_t low = (*least)->bytes - 2;
  const int64_t high = measureUnplanned(index).peakBytes + 2;
  Random random(seed);
  std::map<int64_t, std::optional<double>> times;
  for (int i = 0; i < 20; ++i) {
    const int64_t range = std::max<int64_t>(1, high - low + 1);
    const int64_t budget = low + int64_t(random.next() >> 2) % range;
    if (budget <= 0)
      continue;
    options.budgetBytes = budget;
    llvm::Expected<Plan> plan = planStep(graph, options);
    ASSERT_THAT(plan, Succeeds());
    const bool planned = hasSteps(plan->status);
    EXPECT_EQ(planned, !plan->steps.empty()) << budget;
    EXPECT_EQ(planned, budget >= (*least)->bytes) << budget;
    times[budget] =
        planned ? std::optional<double>(plan->makespan()) : std::nullopt;
  }
  std::optional<double> before;
  for (auto [budget, time] : times) {
    if (before) {
      ASSERT_TRUE(time) << budget << " has no plan, but less has one";
      EXPECT_LE(*time, *before) << "more is slower at " << budget;
    }
    before = time;
  }
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_MONOTONE_H
