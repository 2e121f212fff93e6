//===- JointRamp.h - A first plan with copies -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_JOINTRAMP_H
#define MEMPLAN_LIB_PLANNER_SEARCH_JOINTRAMP_H

#include "SearchState.h"
#include "memplan/Planner/Search/Effort.h"
#include "memplan/Planner/Search/IdleStretch.h"

namespace memplan {

/// A price on bytes above the limit that rises from pass to pass, as in the
/// search without copies. A stretch in which a value lies idle costs a rerun
/// or, where that is less, a share of its copies' time and all of what the
/// stretch is too short to hide.
class JointRamp {
public:
  JointRamp(SearchState &state, Effort &effort)
      : state(state), effort(effort), stretches(state.step, state.runs) {}

  /// Until everything fits or nothing helps. `copyShare` is the share of a
  /// copy's time that counts; `noise` blurs prices.
  void run(double copyShare, double noise);
  /// Takes out reruns and fetches that the limit does not need, dearest first.
  void removeNeedless();

private:
  struct Price {
    double value = 0;
    bool byCopy = false;
  };
  void passOver(double price);
  void visit(int32_t run, int32_t value, double price);
  bool tryToClose(const IdleStretch &idle, int32_t value, bool byCopy,
                  double mostCost, double price);
  bool closeByCopy(const IdleStretch &idle, int32_t value);
  Price priceOf(const IdleStretch &idle, int32_t value, double relief,
                double price) const;
  void shiftCopies(double price);
  bool touchesLimit(int32_t copy) const;

  SearchState &state;
  Effort &effort;
  double copyShare = 0, noise = 0;
  double nextPrice = 0;
  std::vector<int32_t> order;
  std::vector<uint8_t> failures; ///< By value: copies that did not pay.
  IdleStretches stretches;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_JOINTRAMP_H
