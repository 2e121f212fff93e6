//===- RunSavings.h - What a run in a program can save ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_RUNSAVINGS_H
#define MEMPLAN_PLANNER_REMAT_RUNSAVINGS_H

#include "memplan/Planner/Model/ContractedStep.h"
#include "memplan/Solver/MilpModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

/// What rows and objective of a program are multiplied by. Common factors come
/// out of bytes, and what remains too large for the solver's tolerances is
/// scaled, costs likewise.
struct RowScales {
  RowScales(const ContractedStep &step, bool hasDonated, int64_t limitBytes);

  double bytes(int64_t count) const { return double(count) * ofByte; }

  double ofByte = 1, ofCost = 1;
  /// The limit in rows. Where bytes are whole units, so is the limit: one
  /// between two of them is the lower.
  double limit = 0;
};

/// Columns of an integer program for one run: outputs over inputs, and variants
/// that cost more than the cheapest and need less workspace. Neither is in the
/// paper.
struct RunSavings {
  struct Pair {
    int32_t column;
    const StepOverlap *overlap;
  };
  struct Variant {
    int32_t column;
    int64_t savedBytes; ///< Bytes less than the workspace of the cheapest one.
  };
  std::vector<Pair> pairs;
  std::vector<Variant> variants;

  /// A pair, whose bytes leave the peak `bytes` only.
  int32_t addPair(const StepOverlap &overlap, const RowScales &scales,
                  MilpModel &milp, std::vector<MilpTerm> &bytes);
  /// One output over an input, where the column of `mayTake` allows it, and one
  /// input for an output, where the run does.
  void addPairRows(int32_t run,
                   llvm::function_ref<int32_t(const StepOverlap &)> mayTake,
                   MilpModel &milp) const;
  /// One variant at most, in place of the cheapest.
  void addVariants(const StepOp &op, int32_t run, const RowScales &scales,
                   MilpModel &milp, std::vector<MilpTerm> &bytes);
  /// Sets the columns of a run that takes `bytes`, scaled, without savings. The
  /// pairs that are possible come first, in the order of the list. Then comes
  /// the cheapest variant that keeps the limit.
  void take(llvm::function_ref<bool(const StepOverlap &)> isPossible,
            double bytes, double limit, const RowScales &scales,
            std::vector<double> &point) const;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_RUNSAVINGS_H
