//===- PeakMilp.h - Peaks as an integer program -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_PEAKMILP_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_PEAKMILP_H

#include "SegmentCuts.h"
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
  /// A difference of costs as one of objective values.
  double scaled(double cost) const { return cost * costScale; }
  /// The program without integrality.
  MilpModel relaxation() const;
  /// Multipliers from dual values by row of the program, whatever they are
  /// worth: PeakDual::prove() makes a bound of any.
  PeakMultipliers multipliersOf(llvm::ArrayRef<double> rowDuals) const;
  /// Fixes what is decided.
  void fix(llvm::ArrayRef<Stay> decisions);
  /// A row that every plan obeys. Both ends of the cut are rows of the model
  /// (or the ends of the step); others may lie between them.
  void addCut(const SegmentCut &cut);
  /// The point does not obey the cut.
  bool isBroken(const SegmentCut &cut, llvm::ArrayRef<double> point) const;
  /// Rows for memory at runs again within a block. They take many terms, and
  /// most blocks never break memory there.
  void addRecomputations(int32_t block);
  /// S by place, rounded.
  std::vector<Stay> staysAt(llvm::ArrayRef<double> point) const;
  /// By block: ops that run again, of R.
  std::vector<std::vector<int32_t>> runsAt(llvm::ArrayRef<double> point) const;
  /// The point of a sequence of ops in source order of first runs.
  std::vector<double> pointOf(llvm::ArrayRef<int32_t> sequence) const;

private:
  enum class AtEnd { Never, IfItStays, Always };
  /// A value in a block: its S at the end or -1, the R of its producer or -1.
  struct Present {
    int32_t value, stay, run;
    AtEnd atEnd;
  };
  /// A column: the value is live in the whole block, since it is live at its
  /// end, or read by its last run again, and not made in it.
  struct Through {
    int32_t column;
    Present value;
    std::vector<int32_t> lasts; ///< Columns of last runs that read it.
  };
  /// Columns: which op is the last one to run again in a block of one op.
  struct LastRun {
    int32_t block;
    std::vector<std::pair<int32_t, int32_t>> ops;
  };

  void addColumns();
  void addLiveness(const PeakModel::Value &value);
  void addRuns();
  void addMemory();
  void addCosts(int32_t block, std::vector<MilpTerm> &terms);
  /// A value and the column by which it is live (-1: always).
  struct Beside {
    int32_t value, column;
  };
  std::vector<Present> presentAt(int32_t block) const;
  LastRun addLastRun(int32_t block, llvm::ArrayRef<Present> present);
  void addThroughs(int32_t block, llvm::ArrayRef<Present> present,
                   const LastRun &lastRun);
  void addRecomputation(int32_t block, int32_t op, int32_t column,
                        llvm::ArrayRef<Beside> beside);
  int32_t lastOp(int32_t block) const {
    return block < model->numPeaks() ? model->peaks[block]
                                     : model->rows->numRows() - 1;
  }
  int32_t runColumn(int32_t op, int32_t block) const {
    return runs[size_t(op) * size_t(model->numPeaks() + 1) + size_t(block)];
  }

  const PeakModel *model;
  MilpModel milp;
  double byteScale = 1, costScale = 1;
  std::vector<int32_t> stays; ///< By place; -1 where nothing stays.
  std::vector<int32_t> runs;  ///< By op and block; -1 where it does not run.
  std::vector<std::vector<int32_t>>
      variants; ///< By row: variants but the first.
  /// By block: what it costs beyond its R, or -1.
  std::vector<int32_t> extras;
  std::vector<Through> throughs;
  std::vector<LastRun> lastRuns;
  std::vector<int32_t> memoryRows;   ///< By peak.
  std::vector<int32_t> livenessRows; ///< By place, or -1.
  std::vector<int32_t> needRows;     ///< By need of the model.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_PEAKMILP_H
