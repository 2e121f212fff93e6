//===- TimeCut.cpp - A bound on time by one least cut ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeCut.h"
#include "CutFlow.h"
#include "Tuning.h"
#include "memplan/Graph/CopyTime.h"
#include "memplan/Support/MaxFlow.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

namespace {
class CutBound {
public:
  CutBound(const TimeBoundProblem &problem, int32_t op)
      : problem(problem), rows(*problem.rows), op(op) {
    for (int32_t before = 0; before < op; ++before)
      costBefore += costOf(before);
    room = double(problem.budgetBytes) + double(problem.hostableBytes) -
           double(rows.ownBytes(op)) - double(rows.donatedBytes(op));
    unitsOfCost =
        rows.leastCost() > 0 ? tuning::unitsOfCut / rows.leastCost() : 1;
  }

  double run(int flows);

private:
  double costOf(int32_t of) const {
    return rows.step().ops()[of].variants.front().cost;
  }
  double bytesOf(int32_t value) const {
    return double(rows.step().values()[value].bytes);
  }
  double copyOut(int32_t value) const {
    return copyTime(problem.bandwidth, CopyDirection::DeviceToHost,
                    rows.step().values()[value].bytes);
  }
  /// Rounded down, so that no cut is too large.
  int64_t unitsOf(double cost) const {
    return int64_t(std::min(cost * unitsOfCost, tuning::mostUnitsOfCut));
  }
  double boundAt(double costOfByte, double share, double &slope) const;

  const TimeBoundProblem &problem;
  const OrderRows &rows;
  const int32_t op;
  double costBefore = 0, room = 0, unitsOfCost = 0;
};
} // namespace

/// `slope`: what the bound gains where multiplier and share rise together.
double CutBound::boundAt(double costOfByte, double share, double &slope) const {
  auto byCopy = [&](int32_t value) {
    return share * copyOut(value) < costOfByte * bytesOf(value);
  };
  auto keep = [&](int32_t value) {
    return unitsOf(
        std::min(share * copyOut(value), costOfByte * bytesOf(value)));
  };
  auto recompute = [&](int32_t producer) {
    return problem.mayRecompute ? unitsOf(costOf(producer))
                                : MaxFlow::unlimited;
  };
  CutFlow flow(rows, op, keep, recompute);
  const double cut = double(flow.run()) / unitsOfCost;
  double bytes = 0, copied = 0;
  for (int32_t value : flow.kept())
    if (byCopy(value))
      copied += copyOut(value);
    else
      bytes += bytesOf(value);
  slope = costOfByte * (bytes - room) + share * (copied - costBefore);
  const double bound =
      rows.leastCost() - share * costBefore - costOfByte * room + cut;
  return bound - tuning::lessForSums *
                     (rows.leastCost() + std::abs(costOfByte * room) + cut);
}

/// The bound is concave in multiplier and share, which rise together: copying
/// is of use where it is no more expensive than a kept byte. The slope says
/// where to go on.
double CutBound::run(int flows) {
  double bytes = 0, out = 0;
  for (const StepValue &value : rows.step().values())
    if (value.producer < op) {
      bytes += double(value.bytes);
      out +=
          copyTime(problem.bandwidth, CopyDirection::DeviceToHost, value.bytes);
    }
  double best = 0, low = 0, high = 1;
  if (!(room > 0) || !(out > 0) || !(bytes > 0))
    return best; // Nothing to choose.
  for (int i = 0; i < flows; ++i) {
    const double share = low + (high - low) / 2;
    double slope = 0;
    best = std::max(best, boundAt(share * out / bytes, share, slope));
    (slope > 0 ? low : high) = share;
  }
  return best;
}

double memplan::boundTimeAt(const TimeBoundProblem &problem, int32_t op,
                            int flows) {
  return problem.mayCopy ? CutBound(problem, op).run(flows) : 0;
}
