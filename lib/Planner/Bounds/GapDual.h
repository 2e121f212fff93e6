//===- GapDual.h - What multipliers of bytes prove --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_GAPDUAL_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_GAPDUAL_H

#include "ExactCost.h"

namespace memplan {

/// The Lagrangian dual of memory at first runs (docs/Planner/Remat.md,
/// remat_b1). Multipliers w >= 0 of a byte at each row prove that plans cost at
/// least
///   sum of least costs + sum_k w_k (need_k - budget)
///     - sum over gaps of max(0, m W - c - sum_p H_p(W)),
/// W the multipliers that the gap spans; p are the dead inputs of the value,
/// those without a later user, and H_p(W) = min(share m_p W, share c_p + sum
/// over their own dead inputs q of H_q(W)).
class GapDual {
public:
  /// At most `treeSize` dead inputs are kept for each gap. Only the first rows
  /// have multipliers.
  GapDual(const OrderRows &rows, int64_t budgetBytes, int treeSize,
          int32_t numRows);
  GapDual(const OrderRows &rows, int64_t budgetBytes, int treeSize)
      : GapDual(rows, budgetBytes, treeSize, rows.numRows()) {}

  int32_t numRows() const { return weightedRows; }
  int64_t numItems() const {
    return int64_t(gaps.size()) + int64_t(dead.size());
  }

  /// The bound on the cost beyond one run of each op, and by row the bytes over
  /// budget, along which it rises. Counts which dead inputs pay.
  double evaluate(llvm::ArrayRef<double> multipliers,
                  std::vector<double> &excessBytes);
  /// The same in integers, the costs of one run of each op included: a bound
  /// whatever the multipliers.
  double prove(llvm::ArrayRef<double> multipliers) const;
  /// Shares each dead input among the gaps, and the cost of an op among its
  /// outputs, in proportion to how often they paid since the last call; what
  /// was known before counts a third.
  void shareByUse();

private:
  struct Gap {
    int32_t begin, end, value;
    int64_t bytes;
    double cost;
    int32_t part = 0; ///< Share of the cost, over all outputs <= wholeShare.
    int32_t deadBegin = 0, deadEnd = 0;
    double uses = 0, weight = 1;
  };
  /// A dead input of the gap's value, or of its parent.
  struct Dead {
    int32_t value;
    int32_t parent; ///< Place in the gap's tree; -1: the gap.
    int64_t bytes;
    double cost;
    bool again;        ///< The producer may run again.
    int32_t share = 0; ///< Share of the bytes; over all gaps <= wholeShare.
    int32_t part = 0; ///< Share of the cost; that of the value times the share.
    double uses = 0, weight = 1;
  };
  static constexpr int32_t wholeShare = 1 << 16;

  double costOf(int32_t value) const;
  void growTree(Gap &gap, int treeSize);
  void share();
  llvm::ArrayRef<Dead> treeOf(const Gap &gap) const {
    return llvm::ArrayRef<Dead>(dead).slice(
        size_t(gap.deadBegin), size_t(gap.deadEnd - gap.deadBegin));
  }
  template <typename Number, typename CostOf>
  Number savings(const Gap &gap, Number width, CostOf costOf,
                 std::vector<Number> &parts, std::vector<char> &kept) const;
  double keptBytes(const Gap &gap);

  const OrderRows *rows;
  int32_t weightedRows;
  std::vector<Gap> gaps;
  std::vector<Dead> dead;
  std::vector<int64_t> excess; ///< By row: bytes over budget, all gaps kept.
  int64_t allBytes = 0;
  std::vector<double> scratch, parts; ///< Scratch of evaluate().
  std::vector<char> kept;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_GAPDUAL_H
