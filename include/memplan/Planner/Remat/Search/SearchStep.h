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
// in any order: taking a move back restores every figure to the bit, on every
// machine.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_SEARCH_SEARCHSTEP_H
#define MEMPLAN_PLANNER_REMAT_SEARCH_SEARCHSTEP_H

#include "memplan/Planner/Remat/ContractedStep.h"

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

/// Ops of the contracted step, and a first one that makes the donated inputs.
/// Donated inputs are values like others: they end after their last reader.
class SearchStep {
public:
  struct Way {
    double cost = 0;
    double workspaceBytes = 0;
  };
  /// An output that takes the storage of an input which ends there.
  struct Pair {
    int32_t place; ///< Of the output among the op's outputs.
    int32_t value;
  };

  explicit SearchStep(const ContractedStep &step);

  /// Of ops, the end and the begin included.
  int32_t numOps() const { return static_cast<int32_t>(once.size()); }
  int32_t numValues() const { return static_cast<int32_t>(sizes.size()); }
  /// Reads the outputs of the step.
  int32_t end() const { return numOps() - 2; }
  /// Makes the donated inputs.
  int32_t begin() const { return numOps() - 1; }

  llvm::ArrayRef<int32_t> inputs(int32_t op) const { return inputLists[op]; }
  llvm::ArrayRef<int32_t> outputs(int32_t op) const { return outputLists[op]; }
  llvm::ArrayRef<int32_t> readers(int32_t value) const {
    return readerLists[value];
  }
  llvm::ArrayRef<Pair> pairs(int32_t op) const { return pairLists[op]; }
  /// Cost rises, workspace falls; one at least.
  llvm::ArrayRef<Way> ways(int32_t op) const { return wayLists[op]; }
  /// Ops all of whose runs come before, or after, all runs of this one.
  llvm::ArrayRef<int32_t> after(int32_t op) const { return afterLists[op]; }
  llvm::ArrayRef<int32_t> before(int32_t op) const { return beforeLists[op]; }
  bool runsOnce(int32_t op) const { return once[op]; }

  double bytes(int32_t value) const { return sizes[value]; }
  int32_t producer(int32_t value) const { return producers[value]; }
  /// Place of the value among its producer's outputs.
  int32_t place(int32_t value) const { return places[value]; }

  /// Every op run once in its cheapest way.
  double totalCost() const { return sumCost; }
  /// Bytes of values and workspaces that a budget of device bytes leaves.
  double limitFor(int64_t budgetBytes) const;
  bool hasWays() const { return severalWays; }

private:
  void scale(const ContractedStep &step);
  void addOp(const ContractedStep &step, int32_t op);
  void addBegin(const ContractedStep &step);
  std::vector<Pair> pairsOf(const ContractedStep &step, int32_t op) const;
  double roundUp(int64_t bytes) const;

  int shift = 0; ///< Bytes are counted in units of 2^shift.
  double costScale = 1;
  int64_t residentBytes = 0;
  double sumCost = 0;
  bool severalWays = false;
  FlatLists<int32_t> inputLists, outputLists, readerLists, afterLists,
      beforeLists;
  FlatLists<Pair> pairLists;
  FlatLists<Way> wayLists;
  std::vector<uint8_t> once;
  std::vector<double> sizes;
  std::vector<int32_t> producers, places;
  std::vector<int32_t> valueOfBase; ///< By tensor.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_SEARCH_SEARCHSTEP_H
