//===- TimeDual.h - Bounds on time by Lagrange multipliers ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time is cut into segments where certain ops begin for the first time. For any
// shares x + y + z = 1, a segment lasts at least x times what it computes, y
// times what it copies to the host and z times what it copies back. Memory at
// the first run of an op has a multiplier w. A value that is away somewhere in
// a gap between two uses
//
//   was copied out between its making and the first row where it is away, or a
//   recomputation is paid as well, and comes back between the last such row and
//   its next user, by a fetch, or is recomputed in there, which needs its
//   inputs: each of those that nothing reads any more is live meanwhile, made
//   again, or fetched.
//
//   time >= sum x C + sum w (bytes - budget) - sum over gaps of the most that
//           leaving saves at these multipliers
//
// for any w >= 0. A copy out is paid once for all gaps of a value, an input
// once for all gaps that need it: they share it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_TIMEDUAL_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_TIMEDUAL_H

#include "Tuning.h"
#include "memplan/Planner/Bounds/TimeBound.h"
#include <array>

namespace memplan {

enum Clock { Computing, ToHost, ToDevice };

struct TimeMultipliers {
  std::vector<double> ofRow;
  std::vector<std::array<double, 3>> ofSegment; ///< By clock; they sum to 1.
};

class TimeDual {
public:
  static constexpr int mostSegments = tuning::mostSegments;

  TimeDual(const TimeBoundProblem &problem, int segments, int treeSize);

  int32_t numRows() const { return static_cast<int32_t>(excess.size()); }
  TimeMultipliers firstMultipliers() const;
  /// A bound for any multipliers; `rise` is where it rises.
  double evaluate(const TimeMultipliers &multipliers, TimeMultipliers &rise);
  /// Shares inputs by how often their gaps were left.
  void shareByUse();

private:
  struct Dead {
    int32_t value, parent;
    double bytes, cost, fetch; ///< Shares of those of the value.
    double uses = 0;
  };
  struct Gap {
    int32_t value, begin, end;
    int32_t firstSegment = 0, lastSegment = 0;
    int32_t deadBegin = 0, deadEnd = 0;
    bool mayRecompute = false;
    double bytes = 0, cost = 0, fetch = 0;
    double evict = 0; ///< The gap's share of the copy out.
  };
  /// By segment of a gap, from its first: the least multiplier from there to
  /// its last, and where that is.
  struct Cheapest {
    double multiplier[mostSegments];
    int32_t at[mostSegments];
  };
  /// The best way to leave a gap.
  struct Leaving {
    double saved = 0;
    bool byCopy = false;
    int32_t segment = 0; ///< Segment of the last row where the value is away.
    double bytes =
        0; ///< Bytes that are freed, less inputs that are live meanwhile.
    double computed = 0, fetched = 0;
    int32_t firstRow = 0;     ///< Where it is away.
    int32_t evictSegment = 0; ///< By copy.
    bool recomputeToo = false;
  };

  void addGaps(const TimeBoundProblem &problem, int treeSize);
  void growTree(Gap &gap, const TimeBoundProblem &problem, int treeSize);
  double costOf(int32_t value) const;
  double fetchOf(int32_t value) const;
  void cut(const TimeBoundProblem &problem, int segments);
  int32_t segmentOf(int32_t row) const { return segments[row]; }
  Cheapest cheapest(const Gap &gap, const TimeMultipliers &multipliers,
                    Clock clock) const;
  double widthTo(const Gap &gap, int32_t segment) const;
  void leaveByRecomputing(const Gap &gap, const Cheapest &compute,
                          const Cheapest &fetch, Leaving &best);
  double payInputs(const Gap &gap, double width, double compute, double fetch,
                   Leaving &choice);
  void leaveByCopy(const Gap &gap, const TimeMultipliers &multipliers,
                   const Cheapest &compute, const Cheapest &fetch,
                   Leaving &best) const;
  void charge(const Gap &gap, const Leaving &choice, const Cheapest &compute,
              const Cheapest &fetch, TimeMultipliers &rise);

  const OrderRows &rows;
  Bandwidth bandwidth;
  double least = 0, outside = 0;
  std::vector<double> excess;    ///< By row: bytes with all gaps filled, less
                                 ///< the budget.
  std::vector<double> magnitude; ///< By row, for rounding.
  std::vector<int32_t> cuts;     ///< First rows of segments, and the end.
  std::vector<int32_t> segments; ///< By row.
  std::vector<double> computed;  ///< By segment.
  std::vector<Gap> gaps;
  std::vector<Dead> dead;
  std::vector<double> before; ///< By row: sum of multipliers of rows before it.
  std::vector<double> parts, partBytes, partComputed, partFetched;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_TIMEDUAL_H
