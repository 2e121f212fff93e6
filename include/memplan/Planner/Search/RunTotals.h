//===- RunTotals.h - Sums over the runs of a plan, and lists ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_RUNTOTALS_H
#define MEMPLAN_PLANNER_SEARCH_RUNTOTALS_H

#include "memplan/Planner/Search/SearchStep.h"

namespace memplan {

/// What the runs of a plan take together, and those of them that a plan can do
/// without.
class RunTotals {
public:
  explicit RunTotals(const SearchStep &step) : step(step) {}

  void clear();
  /// `isSource`: the plan has it anyway.
  void add(int32_t run, int32_t op, int32_t variant, bool isSource);
  void remove(int32_t run, int32_t op, int32_t variant);
  void changeVariant(int32_t op, int32_t before, int32_t now);

  double cost() const { return sumCost; }
  /// Time of all copies, in units of cost.
  double copyTime() const { return sumCopies; }
  /// Bytes of all copies on the host, whenever they live.
  double hostBytes() const { return sumHost; }
  /// In no useful order.
  const std::vector<int32_t> &recomputations() const {
    return lists[Recomputations];
  }
  const std::vector<int32_t> &fetches() const { return lists[Fetches]; }
  const std::vector<int32_t> &evicts() const { return lists[Evicts]; }
  bool isSource(int32_t run) const { return places[run].list == NoList; }

private:
  enum List : int32_t { Recomputations, Fetches, Evicts, NoList };
  /// Place of a run: the list that it is on, and where.
  struct Place {
    List list = NoList;
    int32_t at = -1;
  };
  void addSums(int32_t op, int32_t variant, double sign);

  const SearchStep &step;
  double sumCost = 0, sumCopies = 0, sumHost = 0;
  std::vector<int32_t> lists[NoList];
  std::vector<Place> places; ///< By run.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_RUNTOTALS_H
