//===- RetentionTest.cpp - What is kept between stages --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "memplan/Planner/Remat/StageGraph.h"
#include <gtest/gtest.h>

using namespace memplan;

namespace {

/// The same by one flag a stage.
struct Flags {
  std::vector<bool> kept;

  int32_t lastKept(int32_t stage) const {
    while (stage >= 0 && !kept[stage])
      --stage;
    return stage;
  }
  int32_t segmentBegin(int32_t stage) const {
    while (stage > 0 && kept[stage - 1])
      --stage;
    return stage;
  }
};

// Segments that touch, overlap or are cut in two would lose stages, or keep
// stages that were cleared.
TEST(Retention, segments_are_those_of_flags_by_stage) {
  int64_t answers = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const int32_t stages = 1 + int32_t(dice.roll(90));
    Retention retention(stages, 2);
    Flags flags[2] = {{std::vector<bool>(stages)}, {std::vector<bool>(stages)}};
    for (int edit = 0; edit < 40; ++edit) {
      const auto value = int32_t(dice.roll(2));
      const auto first = int32_t(dice.roll(stages));
      // One edit in twenty ends before it begins: nothing is set then.
      const auto last =
          std::min(stages - 1, first - 1 + int32_t(dice.roll(20)));
      const bool on = dice.chance(60);
      retention.set(value, first, last, on);
      for (int32_t stage = first; stage <= last; ++stage)
        flags[value].kept[stage] = on;
      for (int32_t stage = 0; stage < stages; ++stage, ++answers) {
        ASSERT_EQ(retention.kept(value, stage), flags[value].kept[stage]);
        ASSERT_EQ(retention.lastKept(value, stage),
                  flags[value].lastKept(stage));
        if (flags[value].kept[stage])
          ASSERT_EQ(retention.segmentBegin(value, stage),
                    flags[value].segmentBegin(stage));
      }
    }
  }
  EXPECT_GT(answers, 100'000);
}

} // namespace
