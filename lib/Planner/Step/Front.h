//===- Front.h - Packed plans that no other one beats -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_FRONT_H
#define MEMPLAN_LIB_PLANNER_STEP_FRONT_H

#include "Pack.h"
#include <map>

namespace memplan {

/// Plans by device bytes, each cheaper than every smaller one.
class Front {
public:
  /// Keeps the plan unless one in hand is no larger and no dearer; drops those
  /// that it beats.
  void add(PackedStep plan);
  /// Null if none is so small.
  const PackedStep *cheapestWithin(int64_t deviceBytes) const;
  /// Null if there is none.
  const PackedStep *smallest() const {
    return plans.empty() ? nullptr : &plans.begin()->second;
  }
  const std::map<int64_t, PackedStep> &all() const { return plans; }

private:
  std::map<int64_t, PackedStep> plans;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_FRONT_H
