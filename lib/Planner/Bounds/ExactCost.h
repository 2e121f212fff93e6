//===- ExactCost.h - Costs as integers --------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds are evaluated in integers of 128 bits: a cost becomes a whole number
// of units, rounded down, and multipliers of bytes are whole numbers of units,
// so that sums and products are exact.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_EXACTCOST_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_EXACTCOST_H

#include "memplan/Planner/Bounds/OrderRows.h"

namespace memplan {

__extension__ using Int128 = __int128;

/// The unit: a power of two such that all costs together are about 2^80 of it.
class ExactCost {
public:
  explicit ExactCost(double totalCost);

  /// Units, rounded down. Values that are no number, negative or huge count as
  /// 0, 0 and 2^96.
  Int128 floor(double cost) const;
  /// Not above the exact value.
  double toDouble(Int128 units) const;

private:
  int exponent = 0; ///< The unit is 2^exponent.
};

/// Multipliers of a byte at each row in units, so small that no sum of
/// multipliers times bytes leaves 2^96. Any multipliers are good, as what comes
/// of them is a bound in any case.
std::vector<Int128> exactMultipliers(const ExactCost &unit,
                                     llvm::ArrayRef<double> multipliers,
                                     int64_t allBytes);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_EXACTCOST_H
