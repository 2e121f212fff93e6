//===- BranchOrder.h - Who goes first among equals --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_EXACT_BRANCHORDER_H
#define MEMPLAN_LIB_PLANNER_ARENA_EXACT_BRANCHORDER_H

#include "PartialPacking.h"
#include "memplan/Support/Random.h"

namespace memplan {

/// The rank of items that could go to one offset. It decides nothing but which
/// packing a search finds first, and how soon: by how often an item ended a
/// branch, by load, by life with random factors.
class BranchOrder {
public:
  explicit BranchOrder(const ScaledPart &part);

  /// For the search of that number, from 0 on.
  void startSearch(int64_t number);
  template <typename Unit>
  void sort(std::span<int32_t> items, const PartialPacking<Unit> &packing);

private:
  struct Key {
    double blame, load, life; ///< The least goes first.
  };

  const ScaledPart &part;
  std::vector<double> noise; ///< By item.
  std::vector<Key> keys;
  Random random{1};
};

/// Length of the search of that number, from 0 on, in units of the first: Luby,
/// Sinclair and Zuckerman, 1993: 1 1 2 1 1 2 4 ...
int64_t lubyLength(int64_t number);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_EXACT_BRANCHORDER_H
