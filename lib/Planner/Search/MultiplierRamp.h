//===- MultiplierRamp.h - A first plan by a rising penalty ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_MULTIPLIERRAMP_H
#define MEMPLAN_LIB_PLANNER_SEARCH_MULTIPLIERRAMP_H

#include "SearchState.h"
#include "memplan/Planner/Search/Effort.h"
#include "memplan/Planner/Search/IdleGap.h"

namespace memplan {

/// Bytes above the limit have a multiplier that rises from pass to pass. A pass
/// goes through all gaps in which a value lies idle across the limit, last run
/// first, and frees it there if that costs less than what it saves. A gap costs
/// a recomputation or, where that is less, a share of its copies' time and all
/// of what the gap is too short to hide. Multipliers rise by small steps: what
/// is cheap is taken first everywhere.
class MultiplierRamp {
public:
  MultiplierRamp(SearchState &state, Effort &effort)
      : state(state), effort(effort), mayCopy(state.step.hasCopies()),
        gaps(state.step, state.runs) {}

  /// Until everything fits or nothing helps. `copyShare` is the share of a
  /// copy's time that counts; `noise` perturbs multipliers, so that other plans
  /// come out.
  void run(double copyShare, double noise);
  /// Takes out what the limit does not need, the most expensive first, and
  /// chooses faster variants where they fit.
  void removeNeedless();

private:
  struct Multiplier {
    double value = 0;
    bool byCopy = false;
  };
  double stepOfMultiplier(int64_t spent, int idle, double fine) const;
  /// Tries that do not pay wait for the multiplier at which they may.
  bool mayWait() const;
  void passOver(double multiplier);
  bool visitVariant(int32_t run, double multiplier);
  void visit(int32_t run, int32_t value, double multiplier);
  bool closeByCopy(const IdleGap &idle, int32_t value, double multiplier);
  bool closeByRun(const IdleGap &idle, int32_t value, double relief,
                  double multiplier);
  int32_t overLimitNear(int32_t slot, int32_t first, int32_t last) const;
  bool copyOverLimit(const IdleGap &idle, int32_t value);
  bool decide(bool applies, double objective, double penalty,
              double multiplier);
  Multiplier multiplierOf(const IdleGap &idle, int32_t value,
                          double relief) const;
  void shiftCopies(double multiplier);
  bool shiftCopy(int32_t copy, double multiplier);
  bool touchesLimit(int32_t copy) const;
  bool keepIfNoWorse(double penalty);
  void chooseFasterVariants();

  SearchState &state;
  Effort &effort;
  const bool mayCopy;
  int64_t numKept = 0; ///< Edits that this pass has kept.
  double copyShare = 0, noise = 0;
  double nextMultiplier =
      0; ///< Least multiplier at which more would have been tried.
  std::vector<int32_t> order;
  /// After decide() was false: below that multiplier, the edits do not pay.
  double needed = 0;
  /// By value: multipliers at which what did not pay last time would have.
  std::vector<double> neededOfCopy, neededOfRun;
  IdleGaps gaps;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_MULTIPLIERRAMP_H
