//===- OrderRows.h - What plans in source order must hold -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_BOUNDS_ORDERROWS_H
#define MEMPLAN_PLANNER_BOUNDS_ORDERROWS_H

#include "memplan/Planner/Model/ContractedStep.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

/// A value between two consecutive uses in source order. At the first runs of
/// the ops strictly between it is live, or its producer runs again before
/// `end` does for the first time.
struct ValueGap {
  int32_t value;
  int32_t begin; ///< The producer or a user.
  int32_t end;   ///< The next user.
};

/// An input of a recomputation that no op reads any more.
struct DeadInput {
  int32_t value;
  int32_t parent; ///< Place in the list of what needs it; -1: the value itself.
  bool again;     ///< The producer may run again.
};

/// Memory at the first run of each op, in source order: what it touches itself,
/// and the gaps that span it.
class OrderRows {
public:
  explicit OrderRows(const ContractedStep &step);

  const ContractedStep &step() const { return *contracted; }
  /// Cost of one run of each op in its cheapest variant, and of what vanished.
  double leastCost() const { return least; }
  int32_t numRows() const { return contracted->numOps(); }
  /// Bytes at the first run of the op, at least. They are the resident ones,
  /// inputs, outputs and the least workspace, less all that outputs over inputs
  /// can save.
  int64_t ownBytes(int32_t op) const { return own[op]; }
  /// Bytes that outputs over inputs save at most at a run of the op after which
  /// the inputs (values) that `goes` names are freed. An output takes one
  /// storage, and a storage one output. Donated inputs go unless a later op
  /// touches them.
  int64_t savedBytes(int32_t op, llvm::function_ref<bool(int32_t)> goes) const;
  /// What one input that goes adds to that at most.
  int64_t savedOver(int32_t op, int32_t input) const;
  /// Gaps that span an op and in which the value can be recomputed.
  const std::vector<ValueGap> &gaps() const { return gapList; }
  /// Bytes of the gaps that span the op in which the value must stay (its
  /// producer runs once, or the value was written since).
  int64_t heldBytes(int32_t op) const { return held[op]; }
  /// Bytes of donated inputs that the op or a later one reads for the first
  /// time.
  int64_t donatedBytes(int32_t op) const { return donated[op]; }
  int64_t bytesAt(int32_t op) const { return own[op] + held[op] + donated[op]; }
  /// Values that every run of the op needs, ascending.
  const std::vector<int32_t> &inputs(int32_t op) const {
    return inputLists[op];
  }
  /// Ops that need the value, ascending.
  const std::vector<int32_t> &users(int32_t value) const {
    return userLists[value];
  }
  /// The value is the largest output of its producer, which pays for runs: one
  /// run may serve all outputs.
  bool paysFor(int32_t value) const { return pays[value]; }
  /// First op that overwrites the value, or -1.
  int32_t firstWriter(int32_t value) const;
  /// The last op that needs the value, or its producer.
  int32_t lastUser(int32_t value) const {
    return userLists[value].empty() ? contracted->values()[value].producer
                                    : userLists[value].back();
  }
  /// No plan runs the op twice.
  bool runsOnce(int32_t op) const;
  /// Dead inputs of a recomputation of the value after op `begin`, and theirs:
  /// parents first, each value once, `most` at most.
  std::vector<DeadInput> deadInputs(int32_t value, int32_t begin,
                                    int most) const;

private:
  void listInputs(int32_t op);
  void listOverlaps(int32_t op);
  void choosePayers();
  void countOwn(int32_t op);
  void listGaps(int32_t value);

  const ContractedStep *contracted;
  double least = 0;
  std::vector<std::vector<int32_t>> inputLists; ///< By op.
  /// By op: what may save bytes, by output, and likewise by storage.
  std::vector<std::vector<StepOverlap>> byOutput, bySource;
  std::vector<std::vector<int32_t>> userLists; ///< By value.
  std::vector<char> pays;                      ///< By value.
  std::vector<int64_t> own, held, donated;     ///< By op.
  std::vector<ValueGap> gapList;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_BOUNDS_ORDERROWS_H
