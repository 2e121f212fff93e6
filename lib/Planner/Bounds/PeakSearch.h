//===- PeakSearch.h - Branch and bound over what stays ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_PEAKSEARCH_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_PEAKSEARCH_H

#include "Ascent.h"
#include <atomic>

namespace memplan {

/// The least runs that follow from what stays at each row, as ops by block, and
/// their cost beyond one run of each op. Nothing where a value is missing that
/// cannot be recomputed.
struct PeakRuns {
  std::vector<std::vector<int32_t>> inBlock; ///< Descending.
  double cost = 0;
};
std::optional<PeakRuns> leastRuns(const PeakModel &model,
                                  llvm::ArrayRef<Stay> stays);

/// Looks for what may stay at the rows of a model such that memory holds there
/// and the cost is below a cutoff. Depth first; each node raises multipliers
/// from its parent's, decides what the bound leaves no choice for, and branches
/// on the most doubtful place.
class PeakSearch {
public:
  enum class Outcome {
    Proved, ///< There is none.
    Found,
    Stopped, ///< The effort is spent, or `stop` set.
  };
  /// `effort` is a number of visits of places and needs; what is left is kept
  /// up to date.
  PeakSearch(const PeakModel &model, double cutoff, int64_t &effort,
             const std::atomic<bool> *stop = nullptr);

  Outcome run(PeakMultipliers start);
  /// Found: by place, all decided.
  const std::vector<Stay> &found() const { return solution; }
  /// Good multipliers for all plans.
  const PeakMultipliers &rootMultipliers() const { return root; }
  int64_t nodes() const { return count; }

private:
  Outcome visit(std::vector<Stay> decisions, PeakMultipliers multipliers,
                bool isRoot);
  Outcome leaf(std::vector<Stay> decisions);
  bool propagate(std::vector<Stay> &decisions);
  bool tryPoint(llvm::ArrayRef<Stay> decisions);
  bool isWithinBudget(llvm::ArrayRef<Stay> stays) const;
  std::optional<size_t> choosePlace(std::vector<Stay> &decisions,
                                    const PeakMultipliers &multipliers);

  const PeakModel &model;
  double cutoff, leastCost = 0;
  int64_t &effort;
  const std::atomic<bool> *stop;
  PeakDual dual;
  PeakAscent ascent;
  PeakMultipliers root;
  std::vector<double> mean; ///< By place: how often it stayed.
  std::vector<Stay> solution;
  int64_t count = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_PEAKSEARCH_H
