//===- FreeOrderProgram.h - Order and recomputation as one MILP -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checkmate fixes the order of first runs; its section 4.3 says that a solver
// may choose it and that this is slow. Here a position is a variable: X[t,i]
// says that op i is the t-th run. One run a position leaves nothing to order
// within it, so that liveness is in S alone: no FREE, no U.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_FREEORDERPROGRAM_H
#define MEMPLAN_PLANNER_REMAT_FREEORDERPROGRAM_H

#include "memplan/Planner/Remat/RunSavings.h"

namespace memplan {

/// X, S and what runs save as columns of a model.
class FreeOrderProgram {
public:
  /// `limitBytes` bounds the bytes of the step's values and donated inputs. The
  /// model has a point for every plan of at most `positions` runs that
  /// verifyPlan() accepts, that copies nothing and runs nothing in vain.
  /// ContractedStep::leftOut() says what it lacks. As in Checkmate's model,
  /// storages larger than what lies in them count less than they take. So do
  /// donated inputs kept longer than needed.
  FreeOrderProgram(const ContractedStep &step, int64_t limitBytes,
                   int32_t positions);

  /// Terms of the model, estimated without building it.
  static int64_t estimateTerms(const ContractedStep &step, int32_t positions);

  const MilpModel &model() const { return milp; }
  /// The point of a sequence of ops, or empty if it breaks the model.
  std::vector<double> pointOf(llvm::ArrayRef<int32_t> sequence) const;
  /// The ops that run at a point, rounded, in their order.
  std::vector<int32_t> sequenceAt(llvm::ArrayRef<double> point) const;
  /// An objective value in the graph's cost unit.
  double cost(double objective) const {
    return objective / scales.ofCost + step.costOutside();
  }

private:
  int32_t run(int32_t position, int32_t op) const {
    return runColumn[at(position, op, step.numOps())];
  }
  int32_t keep(int32_t position, int32_t value) const {
    return keepColumn[at(position, value, step.numValues())];
  }
  int32_t held(int32_t position, int32_t input) const {
    return heldColumn[at(position, input, int32_t(step.donated().size()))];
  }
  static size_t at(int32_t position, int32_t column, int32_t columns) {
    return size_t(position) * size_t(columns) + size_t(column);
  }
  std::vector<MilpTerm> runsBefore(int32_t position, int32_t op) const;
  bool isDonated(const StepOverlap &overlap, int32_t &input) const;
  int32_t stays(int32_t position, const StepOverlap &overlap) const;
  int64_t bytesOfRun(int32_t op) const;

  void findWindows();
  void addColumns();
  void addRuns();
  void addOrder();
  void addLiveness(int32_t position);
  void addDonated(int32_t position);
  void addMemory(int32_t position);
  void addInPlace(int32_t position, int32_t op, std::vector<MilpTerm> &bytes);
  void takeSavings(int32_t position, int32_t op, double live,
                   std::vector<double> &point) const;

  const ContractedStep &step;
  int32_t positions;
  RowScales scales;
  std::vector<int32_t> earliest, latest; ///< By op: its positions.
  MilpModel milp;
  std::vector<int32_t> runColumn, keepColumn, heldColumn; ///< -1: always 0.
  std::vector<RunSavings> savings; ///< By position and op.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_FREEORDERPROGRAM_H
