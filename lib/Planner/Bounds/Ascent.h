//===- Ascent.h - Subgradient ascent ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_ASCENT_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_ASCENT_H

#include "GapDual.h"
#include "PeakDual.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

/// Steps of Polyak's length towards `target`, the cost beyond one run of each
/// op that is known to do, along an averaged direction; back to the best
/// multipliers and shorter steps when they stop to help.
class GapAscent {
public:
  GapAscent(GapDual &dual, double target);

  /// Takes that many steps, unless their length is spent.
  void run(int64_t steps);
  const std::vector<double> &bestMultipliers() const { return best; }

private:
  double evaluate();
  bool step(double value);

  GapDual &dual;
  double target, bound = 0, length = 1;
  std::vector<double> best, multipliers, excess, direction;
  int failures = 0;
};

/// Steps scaled by the average size of each component's rise (Kingma and Ba,
/// "Adam", ICLR 2015), falling in length: multipliers of bytes and of needs
/// live on scales of their own.
class PeakAscent {
public:
  /// `meanCost` is that of an op.
  PeakAscent(PeakDual &dual, double target, double meanCost,
             int64_t budgetBytes);

  /// The best multipliers on the way. The first steps are `length` times as
  /// long as from nothing. `seen`, if given, is called after each evaluation.
  PeakMultipliers run(PeakMultipliers multipliers, int64_t steps,
                      double length = 1,
                      llvm::function_ref<void()> seen = nullptr);

private:
  /// Averages of the rise and of its square.
  struct Average {
    double rise = 0, square = 0;
  };
  static void step(std::vector<double> &multipliers,
                   const std::vector<double> &rise,
                   std::vector<Average> &averages, double scale, double length,
                   double smallest);

  PeakDual &dual;
  double target, lengthOfRow, lengthOfNeed;
  double bytes;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_ASCENT_H
