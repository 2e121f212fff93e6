//===- RepeatMultipliers.h - Multipliers of some turns for all --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a step of equal turns (micro-batches) good multipliers repeat. They are
// looked for where the first turns are, and copied to the others: any
// multipliers are good, as what comes of them is a bound in any case.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_REPEATMULTIPLIERS_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_REPEATMULTIPLIERS_H

#include "PeakDual.h"
#include "memplan/Planner/Model/StepRepeat.h"

namespace memplan {

/// The ops up to the end of some turn stand for all: one behind them is like
/// the one so many periods before that lies in their last turn.
struct RepeatWindow {
  /// Turns that a value may outlive: what an op made before a row, the next
  /// turn's row sees too if something that was made of it lives on.
  static constexpr int32_t horizon = 2;

  int32_t end;    ///< First op behind; all ops where nothing repeats.
  int32_t period; ///< 0: nothing repeats.
  int32_t turns;  ///< Turns that follow.

  int32_t shiftOf(int32_t op) const {
    return op < end ? 0 : ((op - end) / period + 1) * period;
  }
};

/// The window of what repeats, if it has many turns, or all of the step.
RepeatWindow findWindow(const ContractedStep &step,
                        const std::optional<StepRepeat> &repeat);

/// Rows of the window and what is like them in the turns that follow, and in
/// the one behind those: it ends in another way, but memory is short there too.
std::vector<int32_t> repeatPeaks(const RepeatWindow &window,
                                 const std::vector<int32_t> &peaks,
                                 int32_t numRows);

/// Multipliers for the model of all turns from those for the window's.
PeakMultipliers repeatMultipliers(const RepeatWindow &window,
                                  const PeakModel &part,
                                  const PeakMultipliers &multipliers,
                                  const PeakModel &whole);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_REPEATMULTIPLIERS_H
