//===- OrderSearch.h - Search for a good packing order ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_ORDERSEARCH_H
#define MEMPLAN_LIB_PLANNER_ARENA_ORDERSEARCH_H

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Support/Random.h"

namespace memplan {

/// Packs the buffers of one space in many orders, each buffer into the lowest
/// gap that holds it.
class OrderSearch {
public:
  /// `members`: the buffers of the space, by place in problem.buffers.
  OrderSearch(const ArenaProblem &problem, std::vector<int32_t> members,
              int64_t lowerBoundBytes);

  /// Tries the fixed orders, then moves in the best of them; `work` is how many
  /// pairs of buffers it may look at, and less for small problems. Ends at the
  /// lower bound.
  /// False where so many buffers live together that nothing was tried.
  bool run(int64_t work, const SolveLimits &limits);

  /// Height of the best packing, and its offsets in the order of `members`.
  int64_t heightBytes() const { return bestHeight; }
  const std::vector<int64_t> &offsets() const { return bestOffsets; }

private:
  struct Item {
    int64_t bytes, begin, end, alignment;
    int64_t most = 0; ///< Largest live bytes at any step of its life.
    std::optional<int64_t> fixed;
  };
  using Order = std::vector<int32_t>;

  bool findConflicts();
  void measureLoads();
  std::vector<Order> fixedOrders() const;
  bool place(const Order &order, size_t from, int64_t most);
  int64_t lowestGap(int32_t item);
  int64_t heightOf(const Order &order) const;
  void keepIfBest(int64_t height);
  bool propose(Order &order, size_t &from, int64_t height);
  void improve(Order order, int64_t work, const SolveLimits &limits);

  const ArenaProblem &problem;
  std::vector<int32_t> members;
  int64_t lowerBound;
  std::vector<Item> items;
  std::vector<std::vector<int32_t>> conflicts; ///< By item: live together.
  std::vector<int64_t> placed;                 ///< Offsets; -1: not placed.
  std::vector<int32_t> positions;              ///< By item: place in the order.
  std::vector<std::pair<int64_t, int64_t>> taken; ///< Scratch of lowestGap().
  int64_t spent = 0;
  Random random{1};
  int64_t bestHeight = 0;
  std::vector<int64_t> bestOffsets;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_ORDERSEARCH_H
