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
#include <functional>

namespace memplan {

/// When a search ends, and whom it tells of its best height.
struct SearchLimits {
  /// Pairs of buffers that it may look at; less for small problems.
  int64_t work = 0;
  /// If set, how many orders it may try instead.
  std::optional<int64_t> moves;
  std::function<bool()> isStopped;
  std::function<void(int64_t heightBytes)> report; ///< Now and then.
};

/// Packs the buffers of one space in many orders, each buffer into the lowest
/// gap that holds it.
class OrderSearch {
public:
  /// `members`: the buffers of the space, by place in problem.buffers.
  OrderSearch(const ArenaProblem &problem, std::vector<int32_t> members,
              int64_t lowerBoundBytes);

  /// Tries the fixed orders, even if it is stopped, then moves in the best of
  /// them. Ends at the lower bound.
  /// False where so many buffers live together that nothing was tried.
  bool run(const SearchLimits &limits);

  /// Orders that were tried, besides the fixed ones.
  int64_t moves() const { return moved; }

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
  int64_t addFurtherConflicts();
  /// The lowest from `offset` on at which the item may begin.
  int64_t nextOffset(int32_t item, int64_t offset) const;
  void measureLoads();
  std::vector<Order> fixedOrders() const;
  bool place(const Order &order, size_t from, int64_t most);
  int64_t lowestGap(int32_t item);
  int64_t heightOf(const Order &order) const;
  void keepIfBest(int64_t height);
  bool propose(Order &order, size_t &from, int64_t height);
  /// Ends after that much work and that many moves.
  void improve(Order order, int64_t work, int64_t moves,
               const SearchLimits &limits);
  int64_t workFor(int64_t most) const;
  bool isInterrupted(const SearchLimits &limits);

  const ArenaProblem &problem;
  std::vector<int32_t> members;
  int64_t lowerBound;
  std::optional<int64_t> allocationBytes; ///< No item crosses a multiple.
  std::vector<Item> items;
  std::vector<std::vector<int32_t>> conflicts; ///< By item: live together.
  std::vector<int64_t> placed;                 ///< Offsets; -1: not placed.
  std::vector<int32_t> positions;              ///< By item: place in the order.
  std::vector<std::pair<int64_t, int64_t>> taken; ///< Scratch of lowestGap().
  int64_t spent = 0;
  int64_t moved = 0;
  int64_t nextCheck = 0; ///< Of `spent`, to look whether it is stopped.
  Random random{1};
  int64_t bestHeight = 0;
  std::vector<int64_t> bestOffsets;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_ORDERSEARCH_H
