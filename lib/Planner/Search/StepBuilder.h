//===- StepBuilder.h - From the contracted step to flat arrays --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_STEPBUILDER_H
#define MEMPLAN_LIB_PLANNER_SEARCH_STEPBUILDER_H

#include "memplan/Planner/Search/SearchStep.h"

namespace memplan {

/// Fills a step: values, ops in source order, the begin, copies.
class StepBuilder {
public:
  explicit StepBuilder(SearchStep &made) : made(made) {}

  /// Everything. Without rules there are no copies.
  void build(const ContractedStep &step, const CopyRules *rules);
  /// Copies of values that are those of another step, by number.
  void addCopiesOf(const SearchStep &step, llvm::ArrayRef<int32_t> originals);
  /// Once all users are known.
  void finish();

  std::vector<std::vector<int32_t>> usersOf; ///< By value.

private:
  void scale(const ContractedStep &step);
  void addValue(TensorId tensor, int64_t bytes, int32_t producer,
                llvm::ArrayRef<int32_t> users);
  void addVersions(const ContractedStep &step, TensorId tensor, int64_t bytes,
                   int32_t producer, llvm::ArrayRef<int32_t> users);
  void addHosted(const ContractedStep &step, TensorId tensor);
  void addCopies(const ContractedStep &step, const CopyRules &rules);
  void addCopy(double time, llvm::ArrayRef<int32_t> inputs,
               llvm::ArrayRef<int32_t> outputs);
  void addOnce(llvm::ArrayRef<int32_t> inputs, llvm::ArrayRef<int32_t> outputs);
  void addOp(const ContractedStep &step, int32_t op);
  std::vector<SearchStep::Pair> pairsOf(const ContractedStep &step,
                                        int32_t op) const;

  SearchStep &made;
  std::vector<std::vector<int32_t>> madeBy, readBy; ///< By op.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_STEPBUILDER_H
