//===- Improve.h - Local improvement of what is kept ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_REMAT_IMPROVE_H
#define MEMPLAN_LIB_PLANNER_REMAT_IMPROVE_H

#include "StageSearch.h"
#include "memplan/Planner/Problem.h"
#include "memplan/Support/Random.h"

namespace memplan {

/// Annealing over retentions: drops, retains and moves recomputation, paying
/// for time and for bytes over the limit.
class Improver {
public:
  Improver(const StageGraph &graph, int64_t limitBytes,
           const SolveLimits &limits);

  /// Drops what saves most excess bytes for its cost at the highest stage until
  /// all stages fit or nothing helps.
  /// Runs to its end even when stopped: without it there is no plan.
  void dropGreedily();
  /// Anneals for that many moves in cycles of rising length; keeps the best
  /// retention that fits.
  void anneal(int64_t moves);
  /// Starts from a retention.
  void start(const Retention &from);

  /// Retention of least cost seen that fits the limit, if any.
  const std::optional<Retention> &best() const { return bestRetention; }
  double bestCost() const { return costOfBest; }
  /// The one with the least excess seen while none fits.
  const std::optional<Retention> &closest() const { return closestRetention; }
  bool stopped() const { return clock.isStopped(); }

private:
  void annealCycle(int64_t moves, double heat);
  bool tryMove();
  bool tryDrop();
  bool tryDropGroup(int32_t value, int32_t stage);
  bool tryRetain();
  int32_t pickStage();
  int32_t pickKept(int32_t stage);
  void note();
  double energy() const;

  const StageGraph &graph;
  StageSearch search;
  const SolveLimits &limits;
  SolveClock clock;
  Random random{1};
  double costUnit, byteUnit;
  double weight = 1;              ///< Weight of excess bytes against cost.
  std::vector<int32_t> droppable; ///< Values of weight that may be recomputed.
  std::vector<int32_t> over;      ///< Stages over the limit a while ago.
  std::optional<Retention> bestRetention, closestRetention;
  double costOfBest = 0;
  int64_t excessOfClosest = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_REMAT_IMPROVE_H
