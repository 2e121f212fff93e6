//===- Thresholds.h - When a step is small, and sums are equal --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_THRESHOLDS_H
#define MEMPLAN_PLANNER_THRESHOLDS_H

#include <cstddef>
#include <cstdint>

namespace memplan {

/// Up to so many nodes, exhaustive methods end within a second: branch and
/// bound, sets of live values, several searches by themselves. Chosen on the
/// random steps of benchmarks/data (25 to 100 nodes) and the small networks.
constexpr int32_t smallStep = 200;
/// From so many nodes on, what takes a while for each budget is left out, and
/// repetition of layers pays. Chosen on the steps of PyTorch in
/// benchmarks/data, which have 300 to 1,500 nodes.
constexpr int32_t largeStep = 1000;
/// From so many nodes on, what makes several plans beside the search is left
/// out. One takes half a second to make, and as long to pack. Chosen on
/// generated transformers of 8,068 and 132,512 nodes.
constexpr int32_t largestStep = 20'000;

/// Pairs of storages that meet on no queue and are listed as conflicts. With as
/// many, packing a step of eight thousand nodes takes ten seconds.
constexpr size_t mostUnorderedPairs = 400'000;

/// Whether a sum of costs is at most `least`. Sums of the same costs in other
/// orders differ by less than a billionth.
inline bool isAtMost(double sum, double least) {
  return sum <= least * (1 + 1e-9);
}

/// Whether a bound contradicts a plan of that cost. Solvers of integer programs
/// keep rows to within a millionth.
inline bool contradicts(double bound, double cost) {
  return bound > cost * (1 + 1e-6) + 1e-9;
}

} // namespace memplan

#endif // MEMPLAN_PLANNER_THRESHOLDS_H
