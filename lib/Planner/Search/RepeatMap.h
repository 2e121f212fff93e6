//===- RepeatMap.h - A step and the same with fewer turns -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_REPEATMAP_H
#define MEMPLAN_LIB_PLANNER_SEARCH_REPEATMAP_H

#include "memplan/Planner/Search/SearchStep.h"

namespace memplan {

/// Which op and value of a step is which in step.without(repeat), its part.
/// Copies have no place here: they follow their values.
class RepeatMap {
public:
  RepeatMap(const SearchStep &step, const SearchStep::Repeat &repeat);

  int32_t turns() const { return repeat.turns; }
  int32_t keptTurns() const { return repeat.keptFirst + repeat.keptLast; }
  /// -1: outside all turns.
  int32_t turnOf(int32_t op) const;
  bool isLeftOut(int32_t op) const { return isLeftOutTurn(turnOf(op)); }
  /// The op in another turn. Out of the turns there is none: -1.
  int32_t opInTurn(int32_t op, int32_t turn) const;
  /// A value in another turn; what no turn makes is the same in all of them.
  int32_t valueInTurn(int32_t value, int32_t turn) const;

  /// Number in the part of an op that is not left out.
  int32_t partOp(int32_t op) const;
  int32_t originalOp(int32_t partOp) const;
  /// By value of the part.
  llvm::ArrayRef<int32_t> originals() const { return originalValues; }
  /// Turns of the part are numbered from 0.
  int32_t partTurn(int32_t turn) const {
    return turn < repeat.keptFirst ? turn : turn - leftOutTurns();
  }

  /// In the part, what `op` reads in place of these. Each once.
  std::vector<int32_t> partValues(int32_t op,
                                  llvm::ArrayRef<int32_t> values) const;
  std::vector<int32_t> partOps(int32_t op, llvm::ArrayRef<int32_t> ops) const;
  /// -1: nothing.
  int32_t partValue(int32_t op, int32_t value) const;
  /// Read by the first turn only, in place of what others read of the turn
  /// before, while no other turn is left.
  bool isReadByFirstTurnOnly(int32_t op) const { return isCarried[op]; }

private:
  int32_t leftOutTurns() const { return repeat.turns - keptTurns(); }
  bool isLeftOutTurn(int32_t turn) const {
    return turn >= repeat.keptFirst && turn < repeat.turns - repeat.keptLast;
  }
  bool isForward(int32_t op) const {
    return op >= repeat.begin &&
           op < repeat.begin + repeat.period * repeat.turns;
  }
  int32_t standIn(int32_t op, int32_t other) const;

  const SearchStep &step;
  const SearchStep::Repeat repeat;
  int32_t forwardCut, backwardCut;   ///< First ops that are left out.
  int32_t forwardLeft, backwardLeft; ///< How many.
  std::vector<int32_t> partOfValue;  ///< -1: left out.
  std::vector<int32_t> originalValues;
  std::vector<bool> isCarried; ///< By op.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_REPEATMAP_H
