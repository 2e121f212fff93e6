//===- Tuning.h - The tuned numbers of in-place choices ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They decide which choices are packed; none that is worse is taken. Chosen on
// random steps of 5 to 10 nodes, of which a test knows the best choice
// (docs/Planner/InPlace.md); no record says which number owes what to them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_INPLACE_TUNING_H
#define MEMPLAN_LIB_PLANNER_INPLACE_TUNING_H

#include <cstddef>
#include <cstdint>

namespace memplan::tuning {

/// Walks over live ranges: so many for each packing, since most choices are
/// seen to be no better without one; but no more than a second of them.
constexpr int64_t walksOfPacking = 40, mostWalkedRanges = 5'000'000;
/// Pairs of which all choices are tried where packings allow: 2^15 of them.
constexpr size_t mostPairsForAll = 15;
/// The share of packings for pairs one by one, in quarters, and pairs that are
/// changed at once after that: chains have to be broken at several places.
constexpr int quartersOneByOne = 3;
constexpr int32_t mostFlips = 3;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_INPLACE_TUNING_H
