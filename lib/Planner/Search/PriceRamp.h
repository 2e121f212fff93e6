//===- PriceRamp.h - A first plan by a rising price of memory ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_PRICERAMP_H
#define MEMPLAN_LIB_PLANNER_SEARCH_PRICERAMP_H

#include "memplan/Planner/Search/Effort.h"
#include "memplan/Planner/Search/IdleStretch.h"
#include "memplan/Planner/Search/Moves.h"

namespace memplan {

/// Bytes above the limit have a price that rises from pass to pass. A pass goes
/// through all stretches in which a value lies idle across the limit, last run
/// first, and frees it there if that costs less than what it saves. Prices rise
/// by small steps: what is cheap is taken first everywhere.
class PriceRamp {
public:
  PriceRamp(const SearchStep &step, RunSequence &runs, Moves &moves,
            Random &random, Effort &effort)
      : step(step), runs(runs), moves(moves), random(random), effort(effort),
        stretches(step, runs) {}

  /// Until everything fits or nothing helps. `noise` blurs prices, so that
  /// other plans come out.
  void run(double noise);
  /// Takes out reruns that the limit does not need, dearest first.
  void removeNeedless();

private:
  void passOver(double price, double noise);
  bool visitWay(int32_t run, double price);
  void visit(int32_t run, int32_t value, double price, double noise);
  bool decide(double cost, double penalty, double price);

  const SearchStep &step;
  RunSequence &runs;
  Moves &moves;
  Random &random;
  Effort &effort;
  double nextPrice = 0; ///< Least price at which more would have been tried.
  std::vector<int32_t> order;
  IdleStretches stretches;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_PRICERAMP_H
