//===- SubsetSum.h - What sizes can add up to -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_SUBSETSUM_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_SUBSETSUM_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace memplan {

/// A number, `capacity` at most, that no sum of some of the sizes exceeds
/// without exceeding `capacity`: their largest sum within it where that is
/// cheap to find, else a multiple of their common factor. Sizes and capacity
/// are >= 0. O(sizes * mostUnits / 64).
int64_t largestSumWithin(llvm::ArrayRef<int64_t> sizes, int64_t capacity,
                         int64_t mostUnits);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_SUBSETSUM_H
