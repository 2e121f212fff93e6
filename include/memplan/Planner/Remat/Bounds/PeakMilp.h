//===- PeakMilp.h - Peaks as an integer program -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_BOUNDS_PEAKMILP_H
#define MEMPLAN_PLANNER_REMAT_BOUNDS_PEAKMILP_H

#include "memplan/Planner/Remat/Bounds/PeakDual.h"
#include "memplan/Solver/MilpModel.h"

namespace memplan {

/// A PeakModel as an integer program: S, which values stay across the rows, and
/// R, which ops run again in which block. Every plan in fixed order has a point
/// in it. Liveness is in S alone, so that there is no FREE and no U.
class PeakMilp {
public:
  explicit PeakMilp(const PeakModel &model);

  const MilpModel &program() const { return milp; }
  /// An objective value in the graph's cost unit, one run of each op included.
  double cost(double objective) const;
  /// The program without integrality.
  MilpModel relaxation() const;
  /// Prices from dual values by row of the program, whatever they are worth:
  /// PeakDual::prove() makes a bound of any.
  PeakPrices pricesOf(llvm::ArrayRef<double> rowDuals) const;
  /// Fixes what is decided.
  void fix(llvm::ArrayRef<Stay> decisions);
  /// S by place, rounded.
  std::vector<Stay> staysAt(llvm::ArrayRef<double> point) const;
  /// The point of a sequence of ops in source order of first runs.
  std::vector<double> pointOf(llvm::ArrayRef<int32_t> sequence) const;
  /// A program with more terms than this is not worth a solver's while.
  static int64_t estimateTerms(const PeakModel &model);

private:
  void addColumns();
  void addLiveness(const PeakModel::Value &value);
  void addRuns();
  void addMemory();
  int32_t runColumn(int32_t op, int32_t block) const {
    return runs[size_t(op) * size_t(model->numPeaks() + 1) + size_t(block)];
  }

  const PeakModel *model;
  MilpModel milp;
  double byteScale = 1, costScale = 1;
  std::vector<int32_t> stays; ///< By place; -1 where nothing stays.
  std::vector<int32_t> runs;  ///< By op and block; -1 where it does not run.
  std::vector<std::vector<int32_t>> ways; ///< By row: variants but the first.
  std::vector<int32_t> memoryRows;        ///< By peak.
  std::vector<int32_t> needRows;          ///< By need of the model.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_BOUNDS_PEAKMILP_H
