//===- RowRefiner.h - Which rows a proof needs ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_ROWREFINER_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_ROWREFINER_H

#include "PeakSearch.h"
#include <map>

namespace memplan {

/// The rows of a model of peaks, which grow while its answers are cheaper than
/// the best plan: such an answer breaks memory at another row, or it is a
/// better plan.
class RowRefiner {
public:
  /// The cost of a sequence of ops that keeps the budget.
  using CostOfPlan =
      llvm::function_ref<std::optional<double>(llvm::ArrayRef<int32_t>)>;
  RowRefiner(const ContractedStep &step, int64_t budgetBytes, double bestKnown,
             CostOfPlan costOfPlan)
      : rows(step), budget(budgetBytes), best(bestKnown),
        costOfPlan(costOfPlan) {}

  /// Begins with the rows of the highest multipliers.
  void firstPeaks();
  /// The model with the rows so far, and multipliers to begin with.
  PeakModel model() const;
  PeakMultipliers multipliers(const PeakModel &model) const;
  void setMultipliers(const PeakMultipliers &multipliers);
  /// Takes an answer that is cheaper than cutoff(): adds a row or keeps the
  /// better plan; false where neither is possible.
  bool refine(const PeakModel &model, llvm::ArrayRef<Stay> stays);
  /// Adds the first run of that op; false if it is a row already.
  bool addRow(int32_t op) { return peaks.try_emplace(op, 0).second; }
  /// Keeps the plan if it keeps the budget and is cheaper than the best one.
  bool takePlan(llvm::ArrayRef<int32_t> sequence);
  /// What a plan must cost less than to be better by more than 1e-4. Costs that
  /// are whole numbers have nothing between them.
  double cutoff() const;
  double bestCost() const { return best; }
  /// The sequence of the best plan, if it was found here.
  const std::vector<int32_t> &betterPlan() const { return better; }

private:
  std::vector<int64_t> impliedBytes(const PeakModel &model,
                                    llvm::ArrayRef<Stay> stays) const;
  std::vector<int32_t> sequenceOf(const PeakModel &model,
                                  llvm::ArrayRef<Stay> stays) const;
  std::vector<int64_t> bytesAtFirstRuns(llvm::ArrayRef<int32_t> sequence) const;
  bool splitBlock(const PeakModel &model, llvm::ArrayRef<Stay> stays,
                  llvm::ArrayRef<int32_t> sequence);
  bool addPeak(llvm::ArrayRef<int64_t> bytes);

  const OrderRows rows;
  int64_t budget;
  double best;
  CostOfPlan costOfPlan;
  std::map<int32_t, double> peaks; ///< With multipliers.
  std::vector<int32_t> better;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_ROWREFINER_H
