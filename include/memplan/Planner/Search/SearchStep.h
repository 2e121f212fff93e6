//===- SearchStep.h - The contracted step in flat arrays --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the search reads millions of times, in arrays without pointers. Bytes
// and costs are whole numbers held in doubles, so that sums of them are exact
// in any order. Taking a move back restores every figure to the bit, on every
// machine.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_SEARCHSTEP_H
#define MEMPLAN_PLANNER_SEARCH_SEARCHSTEP_H

#include "memplan/Planner/Model/ContractedStep.h"
#include "memplan/Planner/Model/StepRepeat.h"

namespace memplan {

/// Lists of lists, one after the other.
template <typename T> class FlatLists {
public:
  llvm::ArrayRef<T> operator[](int32_t list) const {
    return llvm::ArrayRef<T>(items.data() + ends[list],
                             items.data() + ends[list + 1]);
  }
  void add(llvm::ArrayRef<T> list) {
    items.insert(items.end(), list.begin(), list.end());
    ends.push_back(static_cast<uint32_t>(items.size()));
  }

private:
  std::vector<T> items;
  std::vector<uint32_t> ends{0};
};

/// In what a search counts: bytes and costs are whole numbers, held in doubles.
/// Below 2^53 these add exactly; the penalty adds up to some thousand of them.
struct SearchUnits {
  int shift = 0; ///< Bytes are counted in units of 2^shift.
  double unitsPerCost = 1;
  int64_t residentBytes = 0; ///< Device bytes that every plan takes.

  double roundUp(int64_t bytes) const {
    return double((bytes + (int64_t(1) << shift) - 1) >> shift);
  }
  double roundDown(int64_t bytes) const { return double(bytes >> shift); }
  /// Bytes of values and workspaces that a budget of device bytes leaves.
  double limitFor(int64_t budgetBytes) const;
  /// What so many device bytes over the budget are in these units, 1 at least;
  /// of bytes below it, not positive.
  double excessOf(int64_t bytesOver, int64_t budgetBytes) const;
};

/// What copies to the host and back take, and what else may leave the device.
struct CopyRules {
  Bandwidth bandwidth;
  /// Base tensors of the caller that live on the host between steps: they are
  /// fetched before use, and evicted after their last write.
  std::vector<TensorId> hosted = {};
};

/// Ops of the contracted step, and a first one that makes the donated inputs.
/// Donated inputs are values like others: they end after their last user.
///
/// With copies, every value that may be copied has two more ops. One reads it
/// and leaves a copy on the host, and one makes it from that copy. What is
/// written is a value in every version, each made in place of the one before by
/// the op that writes.
class SearchStep {
public:
  struct Variant {
    double cost = 0;
    double workspaceBytes = 0;
  };
  /// An output that takes the storage of an input which ends there.
  struct Pair {
    int32_t place; ///< Number of the output among the op's outputs.
    int32_t value;
  };

  using Repeat = StepRepeat;

  explicit SearchStep(const ContractedStep &step);
  SearchStep(const ContractedStep &step, const CopyRules &rules);
  /// The step with some turns only. What the remaining ops read of others, they
  /// read of the turn that comes next to them now. Reads by ops outside all
  /// turns of others than the last one are left out. What only the first turn
  /// reads of the ops before it is not made again where one turn is left.
  SearchStep without(const Repeat &repeat) const;

  /// Number of ops, with the end, the begin and the copies.
  int32_t numOps() const { return static_cast<int32_t>(once.size()); }
  int32_t numValues() const { return static_cast<int32_t>(sizes.size()); }
  /// Reads the outputs of the step.
  int32_t end() const { return beginOp - 1; }
  /// Makes the donated inputs.
  int32_t begin() const { return beginOp; }

  // Copies, whose ops come after the begin.
  bool hasCopies() const { return numOps() > beginOp + 1; }
  bool isCopy(int32_t op) const { return op > beginOp; }
  bool isFetch(int32_t op) const {
    return isCopy(op) && !outputLists[op].empty();
  }
  bool isEvict(int32_t op) const {
    return isCopy(op) && outputLists[op].empty();
  }
  /// The op that makes the value from its copy on the host; -1: may not leave.
  int32_t fetchOf(int32_t value) const { return fetchOps[value]; }
  /// The op that copies it to the host; -1: may not leave, or is live anyway.
  int32_t evictOf(int32_t value) const { return evictOps[value]; }
  int32_t copiedValue(int32_t op) const {
    return isFetch(op) ? outputs(op).front() : inputs(op).front();
  }
  /// In units of cost.
  double copyTime(int32_t op) const { return copyTimes[op - beginOp - 1]; }
  /// No node makes it: the host has it when the step begins.
  bool isHosted(int32_t value) const {
    return producers[value] == fetchOps[value];
  }
  /// The host must have it when the step ends.
  bool mustLeave(int32_t value) const { return leaves[value]; }
  /// The base tensor of which this is a version.
  TensorId tensor(int32_t value) const { return tensors[value]; }
  /// The version of a tensor that the op reads, or that it makes.
  int32_t valueRead(int32_t op, TensorId base) const;
  int32_t valueMade(int32_t op, TensorId base) const;

  llvm::ArrayRef<int32_t> inputs(int32_t op) const { return inputLists[op]; }
  llvm::ArrayRef<int32_t> outputs(int32_t op) const { return outputLists[op]; }
  llvm::ArrayRef<int32_t> users(int32_t value) const {
    return userLists[value];
  }
  llvm::ArrayRef<Pair> pairs(int32_t op) const { return pairLists[op]; }
  /// Cost rises, workspace falls; one at least.
  llvm::ArrayRef<Variant> variants(int32_t op) const {
    return variantLists[op];
  }
  /// Ops all of whose runs come before, or after, all runs of this one.
  llvm::ArrayRef<int32_t> after(int32_t op) const { return afterLists[op]; }
  llvm::ArrayRef<int32_t> before(int32_t op) const { return beforeLists[op]; }
  bool runsOnce(int32_t op) const { return once[op]; }

  double bytes(int32_t value) const { return sizes[value]; }
  int32_t producer(int32_t value) const { return producers[value]; }
  /// Place of the value among its producer's outputs.
  int32_t place(int32_t value) const { return places[value]; }
  /// Place of the value among the outputs of an op that makes it.
  int32_t placeIn(int32_t op, int32_t value) const {
    return isCopy(op) ? 0 : places[value];
  }

  /// Every op run once in its cheapest variant.
  double totalCost() const { return sumCost; }
  bool hasVariants() const { return severalVariants; }
  const SearchUnits &units() const { return unitsOfStep; }

private:
  friend class StepBuilder;
  SearchStep() = default;

  int32_t beginOp = 0;
  SearchUnits unitsOfStep;
  double sumCost = 0;
  bool severalVariants = false;
  FlatLists<int32_t> inputLists, outputLists, userLists, afterLists,
      beforeLists;
  FlatLists<Pair> pairLists;
  FlatLists<Variant> variantLists;
  std::vector<uint8_t> once;
  std::vector<double> sizes;
  std::vector<int32_t> producers, places;
  std::vector<TensorId> tensors;
  std::vector<int32_t> fetchOps, evictOps;
  std::vector<uint8_t> leaves;
  std::vector<double> copyTimes; ///< By copy.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_SEARCHSTEP_H
