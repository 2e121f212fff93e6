//===- ParetoFront.h - Packed plans that no other one beats -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PARETOFRONT_H
#define MEMPLAN_LIB_PLANNER_STEP_PARETOFRONT_H

#include "Pack.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include <map>

namespace memplan {

/// Plans by device bytes, each faster than every smaller one.
template <typename Packed> class FrontOf {
public:
  /// Keeps the plan unless one in hand is no larger and no slower; drops those
  /// that it beats.
  void add(Packed plan) {
    const int64_t bytes = plan.deviceBytes;
    const double time = plan.plan.makespan();
    const Packed *rival = fastestWithin(bytes);
    if (rival && rival->plan.makespan() <= time)
      return;
    auto next = plans.lower_bound(bytes);
    while (next != plans.end() && next->second.plan.makespan() >= time)
      next = plans.erase(next);
    plans.emplace_hint(next, bytes, std::move(plan));
  }
  template <typename Other> void add(const FrontOf<Other> &others) {
    for (const auto &[bytes, plan] : others.all())
      add(plan);
  }
  /// Null if none is so small.
  const Packed *fastestWithin(int64_t deviceBytes) const {
    auto above = plans.upper_bound(deviceBytes);
    return above == plans.begin() ? nullptr : &std::prev(above)->second;
  }
  /// Null if there is none.
  const Packed *smallest() const {
    return plans.empty() ? nullptr : &plans.begin()->second;
  }
  const std::map<int64_t, Packed> &all() const { return plans; }

private:
  std::map<int64_t, Packed> plans;
};

using ParetoFront = FrontOf<PackedPlan>;

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PARETOFRONT_H
