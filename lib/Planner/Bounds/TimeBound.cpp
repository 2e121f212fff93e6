//===- TimeBound.cpp - No plan with copies takes less time ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeCut.h"
#include "TimeDual.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ValueCut.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <functional>

using namespace memplan;

namespace {
/// Polyak steps along an averaged direction, from the best multipliers again
/// where they fail for long.
class TimeAscent {
public:
  TimeAscent(TimeDual &dual, double target, double leastTime,
             double budgetBytes)
      : dual(dual), target(target),
        span(std::max(target - leastTime, tuning::lessForShares)),
        scale(leastTime / std::max(budgetBytes, 1.0)),
        multipliers(dual.firstMultipliers()), best(multipliers) {}

  double run(int64_t steps);

private:
  void forget();
  bool step(double value);
  void project(std::array<double, 3> &shares) const;

  TimeDual &dual;
  double target, span, scale;
  TimeMultipliers multipliers, best, rise, direction;
  double bound = 0, length = 1;
  int failures = 0;
};
} // namespace

void TimeAscent::forget() {
  direction.ofRow.assign(multipliers.ofRow.size(), 0);
  direction.ofSegment.assign(multipliers.ofSegment.size(), {0, 0, 0});
}

/// To the nearest shares that sum to 1, or a little less.
void TimeAscent::project(std::array<double, 3> &shares) const {
  std::array<double, 3> sorted = shares;
  llvm::sort(sorted, std::greater<>());
  double sum = 0, shift = 0;
  for (int i = 0; i < 3; ++i) {
    sum += sorted[i];
    if (sorted[i] - (sum - 1) / (i + 1) > 0)
      shift = (sum - 1) / (i + 1);
  }
  sum = 0;
  for (double &share : shares) {
    share = std::max(0.0, share - shift);
    sum += share;
  }
  for (double &share : shares)
    share /= std::max(1.0, sum * (1 + 1e-15));
}

bool TimeAscent::step(double value) {
  double square = 0;
  for (size_t row = 0; row < multipliers.ofRow.size(); ++row) {
    const bool blocked = multipliers.ofRow[row] <= 0;
    double here = rise.ofRow[row] * scale;
    here = blocked && here < 0 ? 0 : here;
    double &along = direction.ofRow[row];
    along = tuning::keptDirection * along + here;
    if (blocked && along < 0)
      along = 0;
    square += along * along;
  }
  for (size_t j = 0; j < multipliers.ofSegment.size(); ++j) {
    const auto &its = rise.ofSegment[j];
    const double mean = (its[0] + its[1] + its[2]) / 3;
    for (int clock = 0; clock < 3; ++clock) {
      double &along = direction.ofSegment[j][clock];
      along = tuning::keptDirection * along + its[clock] - mean;
      square += along * along;
    }
  }
  if (!(square > 0))
    return false;
  const double by =
      length * std::max(target - value, tuning::leastAim * span) / square;
  for (size_t row = 0; row < multipliers.ofRow.size(); ++row)
    multipliers.ofRow[row] = std::max(
        0.0, multipliers.ofRow[row] + by * direction.ofRow[row] * scale);
  for (size_t j = 0; j < multipliers.ofSegment.size(); ++j) {
    for (int clock = 0; clock < 3; ++clock)
      multipliers.ofSegment[j][clock] += by * direction.ofSegment[j][clock];
    project(multipliers.ofSegment[j]);
  }
  return true;
}

double TimeAscent::run(int64_t steps) {
  multipliers = best;
  length = 1;
  failures = 0;
  forget();
  for (; steps > 0 && bound < target - tuning::closeOfTime * span; --steps) {
    double value = dual.evaluate(multipliers, rise);
    if (value > bound) {
      if (value > bound + tuning::betterBy * span)
        failures = 0;
      bound = value;
      best = multipliers;
    } else {
      ++failures;
    }
    if (failures > tuning::failuresToShorten) {
      length *= tuning::shortened;
      failures = 0;
      multipliers = best;
      forget();
      value = dual.evaluate(multipliers, rise);
      if (length < tuning::leastLengthOfTime)
        break;
    }
    if (!step(value))
      break;
  }
  return bound;
}

double memplan::boundTime(const TimeBoundProblem &problem, int64_t steps) {
  const double least = problem.rows->leastCost();
  double bound = least * (1 - tuning::lessForSums);
  if (!(problem.knownTime > bound))
    return std::min(bound, problem.knownTime);
  const bool isLarge = problem.rows->numRows() > largeStep;
  for (int32_t op :
       highRows(*problem.rows, isLarge ? 1 : tuning::rowsOfTimeCuts))
    bound = std::max(bound, boundTimeAt(problem, op, tuning::flowsOfTimeCut));
  for (tuning::TimeShape shape : tuning::timeShapes) {
    if ((!problem.mayRecompute && shape.treeSize > 0) ||
        (!problem.mayCopy && shape.segments > 2))
      continue;
    TimeDual dual(problem, shape.segments, shape.treeSize);
    TimeAscent ascent(dual, problem.knownTime, least,
                      double(problem.budgetBytes));
    bound = std::max(bound, ascent.run(steps / tuning::partsOfTimeSteps));
    if (shape.treeSize == 0)
      continue;
    // Inputs belong to those gaps that are left.
    dual.shareByUse();
    TimeAscent again(dual, problem.knownTime, least,
                     double(problem.budgetBytes));
    bound = std::max(bound, again.run(steps / tuning::partsOfTimeSteps));
  }
  return bound;
}
