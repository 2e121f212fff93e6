//===- Packing.h - Plans whose arena fits -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_PACKING_H
#define MEMPLAN_PLANNER_SEARCH_PACKING_H

#include "memplan/Planner/Search/RunSequence.h"
#include <functional>
#include <limits>
#include <optional>

namespace memplan {

/// A plan with what it costs in units of the step.
struct CostedPlan {
  std::vector<PlannedRun> runs;
  double cost = 0;
};

/// Placements that a search of so many moves lets a plan have that it wants to
/// keep. 0: the step is too large for that.
int64_t placementsFor(int64_t moves, int64_t ops);

/// Packs what the search finds, and says how many live bytes it may look for
/// next. These are as many as the budget until a plan packs badly. Then they
/// lie between those of plans that kept the budget and of plans that did not.
/// Where these are close, it tries the budget again: other plans of nearly
/// equal cost pack otherwise.
///
/// Nearly all plans whose live bytes keep the budget can be packed within it,
/// with enough work. So what packs badly at first waits while the search goes
/// on, and only the cheapest are packed with more work, now and then.
class Packing {
public:
  /// Bytes by which a plan exceeds the budget once packed, in the units of the
  /// step. Not positive if it keeps the budget: less what it leaves. Empty:
  /// live bytes are what counts.
  using Excess = std::function<double(const std::vector<PlannedRun> &)>;

  /// `repacked` is the same with more work; empty: there is nothing better.
  Packing(double limitBytes, Excess excess, Excess repacked = {})
      : full(limitBytes), live(limitBytes), excess(std::move(excess)),
        repacked(std::move(repacked)) {}

  /// Where packing takes longer than searching: begins with so many live bytes.
  /// After each packing, the limit leaves the room that this one has taken.
  void stayBelow(double liveBytes) {
    live = std::min(live, liveBytes);
    isSettled = true;
  }
  bool staysBelow() const { return isSettled; }
  /// Whether plans within the live bytes may exceed the budget.
  bool mayRefuse() const { return bool(excess); }
  /// Live bytes to search with.
  double limit() const { return live; }
  /// The cheapest plan that keeps the budget when packed.
  const std::optional<CostedPlan> &accepted() const { return cheapest; }
  /// The plan that exceeds the budget least when packed, while none keeps it.
  const std::optional<CostedPlan> &closest() const { return nearest; }
  /// Above this, plans are of no use.
  double costLimit() const {
    return cheapest ? cheapest->cost : std::numeric_limits<double>::infinity();
  }
  /// A plan whose live bytes keep limit(). False if it packs badly.
  bool offer(const CostedPlan &plan, double peakBytes);
  /// Another plan of the same limit, in place of one that packed badly. True if
  /// it keeps the budget; the limit stays.
  bool offerInstead(const CostedPlan &plan);
  /// Packs what waits with more work, the cheapest first, until one keeps the
  /// budget. Where none does, the limit falls.
  void insist();

private:
  struct Waiting {
    CostedPlan plan;
    double peakBytes, excess;
  };
  /// Whether more work would hardly make it fit.
  bool isHopeless(const CostedPlan &plan, double over) const;
  void accept(const CostedPlan &plan);
  void refuse(const CostedPlan &plan, double peakBytes, double over);
  void lower(double peakBytes, double by);
  void raise();

  double full, live;
  Excess excess, repacked;
  /// At the full limit, each cheaper than the one before.
  std::vector<Waiting> waiting;
  std::optional<CostedPlan> cheapest, nearest;
  double leastExcess = 0;
  bool isSettled = false; ///< By stayBelow().
  std::optional<double> fits, exceeds;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_PACKING_H
