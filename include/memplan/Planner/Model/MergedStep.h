//===- MergedStep.h - A step with fewer ops and values ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What proofs and integer programs work on: ops and values of which some
// cheapest plan decides together are one. "Merging" in docs/Planner/Remat.md
// has the rules and why they lose nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_MODEL_MERGEDSTEP_H
#define MEMPLAN_PLANNER_MODEL_MERGEDSTEP_H

#include "memplan/Planner/Model/ContractedStep.h"

namespace memplan {

/// A step in which the cheapest plan in fixed order costs what it costs in the
/// step that it was made from, at every budget. O(ops + uses of values).
class MergedStep {
public:
  explicit MergedStep(const ContractedStep &step);

  /// For bounds and searches in fixed order. Its expand() is not for use: ops
  /// are several nodes, see below.
  const ContractedStep &step() const { return merged; }
  /// Ops of the original step. Free values are recomputed before each user,
  /// or stay if `keepFree`: as cheap, with more bytes.
  std::vector<int32_t> expand(llvm::ArrayRef<int32_t> sequence,
                              bool keepFree) const;
  /// The sequence of ops of the original step in merged ones, which drops what
  /// these leave out.
  std::vector<int32_t> merge(llvm::ArrayRef<int32_t> sequence) const;

  /// How often each rule was used.
  int32_t numIdentical() const { return identical; }
  int32_t numFree() const { return frees; }
  int32_t numSeries() const { return series; }

private:
  struct Rules;

  ContractedStep merged;
  /// By merged op: ops of the original step, in order.
  std::vector<std::vector<int32_t>> parts;
  /// By merged op: ops without cost that run right before each run of it.
  std::vector<std::vector<int32_t>> before;
  int32_t identical = 0, frees = 0, series = 0;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_MODEL_MERGEDSTEP_H
