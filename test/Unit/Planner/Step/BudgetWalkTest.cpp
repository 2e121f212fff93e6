//===- BudgetWalkTest.cpp - Plans on the way to a budget ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetWalk.h"
#include "ErrorMatchers.h"
#include "RandomGraph.h"

using namespace memplan;

namespace {

struct Fake {
  struct Timed {
    double time = 0;
    double makespan() const { return time; }
  } plan;
  int64_t deviceBytes = 0;
};

using Walk = BudgetWalk<Fake>;

constexpr int64_t lowest = 100, highest = 420;

/// Finds nothing, something slow or something fast, far below its bytes or at
/// them: the same at the same place, from the same plans.
Walk makeWalk(uint64_t seed, int *searches = nullptr) {
  return Walk(lowest, highest, 6, [=](const Walk::Place &place) {
    if (searches)
      ++*searches;
    Dice dice(seed * 1000 + uint64_t(place.bytes * 10 + place.depth));
    std::vector<Fake> found;
    const bool fails = place.depth > 0 && dice.roll(3) == 0;
    const int64_t bytes = place.bytes - dice.roll(2) * dice.roll(60);
    const double start = place.below ? place.below->plan.time : 1000;
    if (!fails)
      found.push_back({{std::min(start, double(100 + dice.roll(500)))}, bytes});
    return found;
  });
}

const Fake *planFor(Walk &walk, int64_t budget, FrontOf<Fake> &plans) {
  llvm::Expected<FrontOf<Fake>> met = walk.walkTo(budget);
  if (!met) {
    ADD_FAILURE() << llvm::toString(met.takeError());
    return nullptr;
  }
  plans = std::move(*met);
  return plans.fastestWithin(budget);
}

// Who gives more memory would wait longer, however badly searches go.
TEST(BudgetWalk, more_budget_gets_nothing_slower_and_keeps_a_plan) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    double least = std::numeric_limits<double>::infinity();
    for (int64_t budget = 80; budget <= 430; ++budget) {
      Walk alone = makeWalk(seed);
      FrontOf<Fake> plans;
      const Fake *best = planFor(alone, budget, plans);
      const double time =
          best ? best->plan.time : std::numeric_limits<double>::infinity();
      EXPECT_LE(time, least) << "budget " << budget;
      least = time;
    }
  }
}

// --min-budget would name a budget that does not work.
TEST(BudgetWalk, every_budget_from_the_least_on_has_a_plan) {
  int refused = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Walk down = makeWalk(seed);
    FrontOf<Fake> plans;
    EXPECT_EQ(planFor(down, 0, plans), nullptr);
    ASSERT_NE(plans.smallest(), nullptr);
    const int64_t bytes = plans.smallest()->deviceBytes;
    for (int64_t budget = bytes - 5; budget <= bytes + 60; ++budget) {
      Walk alone = makeWalk(seed);
      FrontOf<Fake> met;
      const bool hasPlan = planFor(alone, budget, met) != nullptr;
      EXPECT_EQ(hasPlan, budget >= bytes) << "budget " << budget;
      refused += !hasPlan;
    }
  }
  EXPECT_EQ(refused, 5 * 100);
}

// A curve of many points would take as long as so many plans.
TEST(BudgetWalk, walks_share_what_they_have_in_common) {
  int together = 0, apart = 0;
  Walk one = makeWalk(7, &together);
  for (int64_t budget = lowest; budget < highest; budget += 4) {
    Walk alone = makeWalk(7, &apart);
    FrontOf<Fake> a, b;
    const Fake *shared = planFor(one, budget, a);
    const Fake *single = planFor(alone, budget, b);
    ASSERT_EQ(shared == nullptr, single == nullptr);
    if (shared)
      EXPECT_EQ(shared->plan.time, single->plan.time);
  }
  EXPECT_LT(2 * together, apart);
}

} // namespace
