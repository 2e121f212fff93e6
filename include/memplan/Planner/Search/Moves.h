//===- Moves.h - Moves that change a plan -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_MOVES_H
#define MEMPLAN_PLANNER_SEARCH_MOVES_H

#include "memplan/Planner/Search/RunSequence.h"
#include "memplan/Support/Random.h"

namespace memplan {

/// Edits of a sequence that keep it a plan. Callers open them with begin() and
/// decide on commit() or undo(). A move returns false where it does not apply;
/// what it has edited by then must be undone.
class Moves {
public:
  Moves(const SearchStep &step, RunSequence &runs, Random &random,
        bool freeOrder)
      : step(step), runs(runs), random(random), freeOrder(freeOrder) {}

  /// What happens to inputs of a recomputation that are not live where it runs.
  enum class FreedInputs {
    ByBytes, ///< Recomputed if keeping them would break the limit, else kept.
    Keep,
    Recompute
  };
  /// Runs the op again right before another run; the new run, or -1. Gives up
  /// where the ops recomputed for it cost more than `mostCost`; those whose
  /// earlier recomputation may become needless are not counted.
  int32_t
  recompute(int32_t op, int32_t before, FreedInputs freed, double mostCost,
            double costOfByte = std::numeric_limits<double>::infinity());

  /// Frees a value that lies idle around the slot, and recomputes it later.
  /// Refuses early where that costs more than `mostCost`.
  virtual bool drop(int32_t slot, double mostCost);
  /// Takes a recomputation out, and what only served it.
  bool retain(int32_t run);
  /// Another place for a run, between its inputs and its first user.
  bool shift(int32_t run);
  /// Retains what a run makes, then drops others where that hurts most.
  bool swap(int32_t run, double mostCost);
  /// Another variant for a run whose node has several.
  bool changeVariant(int32_t run);

  /// A slot where bytes exceed the limit, else one where they come close; -1 if
  /// none is found.
  int32_t pickHotSlot();
  /// Some recomputation, or -1.
  int32_t pickRecomputation();
  /// Some run that shift() may move, or -1.
  int32_t pickShifted();
  /// Some run in slots [first, last], or -1.
  int32_t pickRun(int32_t first, int32_t last);

protected:
  int32_t recomputeWithin(int32_t op, int32_t before, FreedInputs freed,
                          int depth);
  /// drop() of a value that lies idle around the slot.
  bool dropByRecomputing(int32_t slot, int32_t value, double mostCost);
  /// Another way to have a freed input of a recomputation: not recomputed.
  /// False where there is none.
  virtual bool bringBack(int32_t, int32_t, int32_t) { return false; }
  /// Whether what the op makes may be freed before its last user.
  virtual bool mayFree(int32_t op) const { return !step.runsOnce(op); }
  bool isFreed(int32_t value, int32_t from, int32_t slot) const;
  bool breaksLimit(int32_t value, int32_t from, int32_t slot) const;
  bool findIdle(int32_t slot, int32_t &run, int32_t &value);
  void recomputeIdleInputs(int32_t run, int32_t slot);
  void fitVariant(int32_t run);
  int32_t worstSlotNear(int32_t slot);
  bool pickPlace(int32_t run, int32_t &before);
  int32_t move(int32_t run, int32_t before);
  int32_t onlyUser(int32_t run) const;
  bool shiftChain(int32_t run);
  /// Between 0 and `most`, small ones as likely as all large ones together.
  int32_t pickDistance(int32_t most);

  const SearchStep &step;
  RunSequence &runs;
  Random &random;
  bool freeOrder;
  int allowance = 0;     ///< Runs that the move may still put in ...
  double costLeft = 0;   ///< ... and what they may cost.
  double costOfByte = 0; ///< What a byte of a kept input costs.
  std::vector<int32_t> pending;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_MOVES_H
