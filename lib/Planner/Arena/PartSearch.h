//===- PartSearch.h - Better and better packings of a part ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three methods lead from an order of the items to offsets: a dive, a dive of
// what the items were merged into, and first fit. An order is improved by
// blame: what ends above the target goes further to the front, and all are
// packed again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_PARTSEARCH_H
#define MEMPLAN_LIB_PLANNER_ARENA_PARTSEARCH_H

#include "ItemMerger.h"
#include "PartPacker.h"
#include "memplan/Support/Random.h"
#include <functional>

namespace memplan {

/// When a search ends, and whom it tells.
struct PartSearchLimits {
  int64_t targetBytes = 0; ///< A packing of this height is good enough.
  int64_t orders = 0;      ///< So many may be tried.
  /// Number of orders that may find nothing better than before; more once some
  /// were tried.
  int64_t patience = std::numeric_limits<int64_t>::max();
  int64_t work = 0;                ///< In units of PartPacker::work().
  std::function<bool()> isStopped; ///< Asked before each order, if set.
  std::function<void()> report;    ///< After each order, if set.
};

/// Packs one part, better and better. Deterministic.
class PartSearch {
public:
  explicit PartSearch(const PackPart &part) : part(part), packer(part) {}

  /// Dives by a few ranks, then merges, first fit and blame; of many items,
  /// dives by weights. The first dive is done even if the search is stopped.
  /// Ends at the target.
  void run(const PartSearchLimits &limits);

  /// Height of the best packing so far; 0 before the first.
  int64_t heightBytes() const { return bestHeight; }
  const std::vector<int64_t> &offsets() const { return bestOffsets; }
  int64_t orders() const { return tried; }
  int64_t work() const;

private:
  enum class Method { Dive, MergedDive, FirstFit };
  /// An order that is worth being improved.
  struct Start {
    Method method;
    int64_t height;
    std::vector<int32_t> order;
    std::vector<double> places; ///< By item; the order is by them.
  };

  bool isDone(const PartSearchLimits &limits) const;
  void merge();
  void startMerged(const PartSearchLimits &limits);
  OrderWeights nextWeights();
  void weigh(const PartSearchLimits &limits);
  int64_t pack(Method method, std::span<const int32_t> order);
  std::span<const Rectangle> itemsOf(Method method) const;
  const std::vector<int64_t> &offsetsOf(Method method) const;
  void start(Method method, std::string_view letters,
             const PartSearchLimits &limits);
  void blame(Start &start, int rounds, const PartSearchLimits &limits);
  void blameAll(int rounds, const PartSearchLimits &limits);

  const PackPart &part;
  PartPacker packer;
  std::optional<ItemMerger> merger;
  std::optional<RankedOrders> mergedRanked;
  std::optional<SkylineDive> mergedDive;
  std::vector<Start> starts;
  size_t weighed = 0;       ///< Orders by weights so far.
  OrderWeights bestWeights; ///< Weights of the lowest of them,
  int64_t bestWeighed = 0;  ///< and the height that they gave.
  Random random{1};
  int64_t tried = 0;
  int64_t triedAtBest = 0;
  int64_t bestHeight = 0;
  std::vector<int64_t> bestOffsets;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_PARTSEARCH_H
