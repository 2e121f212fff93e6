//===- DescribeStatus.h - What a plan claims, in words ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_DESCRIBESTATUS_H
#define MEMPLAN_PLAN_DESCRIBESTATUS_H

#include "memplan/Plan/Plan.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>

namespace memplan {

/// `status` as statusName() has it: "optimal in stages", "infeasible in any
/// order", "feasible". What is proved holds in a space of schedules only, which
/// every tool names by this function.
inline std::string describeStatus(llvm::StringRef status,
                                  llvm::StringRef boundSpace) {
  std::string text = status.str();
  if (status != statusName(SolveStatus::Optimal) &&
      status != statusName(SolveStatus::Infeasible))
    return text;
  if (boundSpace == "staged")
    return text + " in stages";
  if (boundSpace == "fixed-order")
    return text + " in this order";
  if (boundSpace == "free-order")
    return text + " in any order";
  return boundSpace.empty() ? text : text + " (" + boundSpace.str() + ")";
}

/// Percent by which `cost` is above `once`, for `digits` behind the point: what
/// they show as zero has no sign. 0 where the step costs nothing.
inline double overheadPercent(double cost, double once, int digits = 2) {
  const double percent = once > 0 ? 100 * (cost / once - 1) : 0;
  return std::round(percent * std::pow(10.0, digits)) == 0 ? 0.0 : percent;
}

/// The plans that a bound on the time speaks of.
inline std::string describeTimeSpace(llvm::StringRef space) {
  if (space == "run-once")
    return "plan on one stream without recomputations in this order";
  return space == "free-order" ? "plan on one stream"
                               : "plan on one stream in this order";
}

} // namespace memplan

#endif // MEMPLAN_PLAN_DESCRIBESTATUS_H
