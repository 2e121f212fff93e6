//===- Rectangle.h - A buffer as time and bytes -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_RECTANGLE_H
#define MEMPLAN_LIB_PLANNER_ARENA_RECTANGLE_H

#include <cstdint>

namespace memplan {

/// A buffer without gaps, free to go anywhere. Time is dense: points 0, 1, ...
/// at each of which some rectangle begins.
struct Rectangle {
  int32_t first = 0; ///< Live at points [first, last), which is not empty.
  int32_t last = 0;
  int64_t bytes = 0;     ///< Positive.
  int64_t alignment = 1; ///< Positive; of the offset.
  int64_t steps = 0;     ///< Steps that it lives; of points there may be fewer.
};

inline int64_t alignUp(int64_t offset, int64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_RECTANGLE_H
