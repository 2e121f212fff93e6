//===- Cooling.h - How strict random moves become in a cycle ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_COOLING_H
#define MEMPLAN_PLANNER_SEARCH_COOLING_H

#include "memplan/Planner/Search/Effort.h"
#include "memplan/Planner/Search/Tuning.h"
#include <algorithm>

namespace memplan {

/// The temperature falls, and the weight of the penalty rises, in steps: by a
/// factor of 1000 and of 30 in a cycle.
struct Cooling {
  double temperature = 0, weight = 0;

  /// `heat` scales the temperature, which begins at half of the mean cost of an
  /// op; `strictness` scales the weight.
  void begin(double heat, double strictness, int32_t numOps) {
    temperature = heat * searchTuning::firstTemperature / std::max(1, numOps);
    weight = searchTuning::firstWeight * strictness;
  }

  /// `length` moves; `tryMove` is false where it came to none.
  template <typename Move>
  void run(int64_t length, Effort &effort, Move tryMove) {
    constexpr int numLevels = searchTuning::levelsOfCycle;
    for (int level = 0; level < numLevels; ++level) {
      const int64_t until =
          effort.movesLeft() -
          (length * (level + 1) / numLevels - length * level / numLevels);
      for (int idle = 0; effort.movesLeft() > until && !effort.isSpent();)
        if (tryMove() || ++idle % searchTuning::triesOfMove == 0)
          effort.spend();
      temperature *= searchTuning::coolingOfLevel;
      weight *= searchTuning::weightingOfLevel;
    }
  }
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_COOLING_H
