//===- Ascent.cpp - Subgradient ascent ------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ascent.h"
#include "Tuning.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace memplan;

GapAscent::GapAscent(GapDual &dual, double target)
    : dual(dual), target(target), best(size_t(dual.numRows()), 0) {}

double GapAscent::evaluate() {
  const double value = dual.evaluate(multipliers, excess);
  if (value <= bound) {
    ++failures;
    return value;
  }
  if (value > bound * tuning::betterFactor + tuning::lessForSums * target)
    failures = 0;
  bound = value;
  best = multipliers;
  return value;
}

/// One step along the averaged direction; false where there is none.
bool GapAscent::step(double value) {
  double square = 0;
  for (size_t row = 0; row < multipliers.size(); ++row) {
    const bool blocked = multipliers[row] <= 0;
    const double here = blocked && excess[row] < 0 ? 0 : excess[row];
    direction[row] = tuning::keptDirection * direction[row] + here;
    if (blocked && direction[row] < 0)
      direction[row] = 0;
    square += direction[row] * direction[row];
  }
  if (square <= 0)
    return false;
  const double by =
      length * std::max(target - value, tuning::leastAim * target) / square;
  for (size_t row = 0; row < multipliers.size(); ++row)
    multipliers[row] = std::max(0.0, multipliers[row] + by * direction[row]);
  return true;
}

void GapAscent::run(int64_t steps) {
  multipliers = best;
  direction.assign(multipliers.size(), 0);
  length = 1;
  failures = 0;
  for (; steps > 0 && bound < target * (1 - tuning::closeOfGaps); --steps) {
    double value = evaluate();
    if (failures > tuning::failuresToShorten) {
      length *= tuning::shortened;
      failures = 0;
      multipliers = best;
      direction.assign(multipliers.size(), 0);
      value = dual.evaluate(multipliers, excess);
      if (length < tuning::leastLengthOfGaps)
        return;
    }
    if (!step(value))
      return;
  }
}

PeakAscent::PeakAscent(PeakDual &dual, double target, double meanCost,
                       int64_t budgetBytes)
    : dual(dual), target(target),
      lengthOfRow(tuning::firstLength * target /
                  double(std::max<int64_t>(budgetBytes, 1))),
      lengthOfNeed(tuning::firstLength * meanCost),
      bytes(double(std::max<int64_t>(budgetBytes, 1))) {}

/// Raises multipliers along the averaged rise over its root mean square.
void PeakAscent::step(std::vector<double> &multipliers,
                      const std::vector<double> &rise,
                      std::vector<Average> &averages, double scale,
                      double length, double smallest) {
  for (size_t i = 0; i < multipliers.size(); ++i) {
    const double here = rise[i] * scale;
    Average &average = averages[i];
    if (multipliers[i] <= 0 && here <= 0 && average.square == 0)
      continue;
    const double counted = multipliers[i] <= 0 && here < 0 ? 0 : here;
    average.rise = tuning::keptRise * average.rise + tuning::newRise * counted;
    average.square = tuning::keptSquare * average.square +
                     tuning::newSquare * counted * counted;
    multipliers[i] = std::max(
        0.0, multipliers[i] + length * average.rise /
                                  (std::sqrt(average.square) + smallest));
  }
}

PeakMultipliers PeakAscent::run(PeakMultipliers multipliers, int64_t steps,
                                double length,
                                llvm::function_ref<void()> seen) {
  PeakMultipliers rise, best = multipliers;
  std::vector<Average> ofRow(multipliers.ofRow.size()),
      ofNeed(multipliers.ofNeed.size());
  double riseLeft = 1, squareLeft = 1;
  double bound = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < steps; ++i) {
    const double value = dual.evaluate(multipliers, rise);
    if (seen)
      seen();
    if (value > bound) {
      bound = value;
      best = multipliers;
    }
    if (bound >= target * (1 - tuning::closeOfPeaks))
      break;
    const double left = 1 - double(i) / double(steps);
    const double fall = left * left * left * left + tuning::lastLength;
    // The averages begin at nothing.
    riseLeft *= tuning::keptRise;
    squareLeft *= tuning::keptSquare;
    const double begin = std::sqrt(1 - squareLeft) / (1 - riseLeft);
    step(multipliers.ofRow, rise.ofRow, ofRow, 1 / bytes,
         lengthOfRow * length * fall * begin, tuning::leastRootOfRow);
    step(multipliers.ofNeed, rise.ofNeed, ofNeed, 1,
         lengthOfNeed * length * fall * begin, tuning::leastRootOfNeed);
  }
  return best;
}
