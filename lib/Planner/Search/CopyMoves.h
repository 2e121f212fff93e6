//===- CopyMoves.h - Moves that change a plan with copies -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gap between two uses of a value may be closed by a recomputation or by a
// copy out and back. Copies are put where the last pass over the times hides
// them; those times are stale after moves that were taken back, which is good
// enough to choose places.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_COPYMOVES_H
#define MEMPLAN_LIB_PLANNER_SEARCH_COPYMOVES_H

#include "StepTimes.h"
#include "memplan/Planner/Search/Moves.h"
#include "memplan/Planner/Search/SearchRules.h"
#include <limits>

namespace memplan {

class CopyMoves : public Moves {
public:
  CopyMoves(const SearchStep &step, RunSequence &runs, StepTimes &times,
            Random &random, SearchRules rules)
      : Moves(step, runs, random, rules.mayReorder), rules(rules),
        times(times) {}

  SearchRules rules;
  /// Most bytes that the step itself leaves on the host, all together.
  double hostLimitBytes = std::numeric_limits<double>::infinity();

  bool canRecompute(int32_t value) const {
    return rules.mayRecompute && !step.runsOnce(step.producer(value));
  }
  bool canCopy(int32_t value) const {
    return rules.mayCopy && step.fetchOf(value) >= 0;
  }
  /// What closing a gap of the value by copies takes on both engines together.
  double copyTime(int32_t value) const;

  /// Frees a value that lies idle around the slot: by a recomputation or by
  /// copies.
  bool drop(int32_t slot, double mostCost) override;
  /// Copies the value, which lies idle around the slot, out and back; `factor`
  /// is how many times their time copies get, 0 for a random one.
  bool copyAway(int32_t slot, int32_t value, double factor);
  /// Another place for a copy.
  bool shiftCopy(int32_t copy);
  /// A recomputation becomes a fetch, or a fetch a recomputation.
  bool convert();
  /// Some fetch or evict, one that held up the stream as likely as not; -1 if
  /// there is none.
  int32_t pickCopy();
  /// Some recomputation or fetch, or -1.
  int32_t pickMade();
  /// The last run in slots [first, last] that has ended by `time`, else the
  /// first one; -1 if there is none.
  int32_t lastEndedBy(int32_t first, int32_t last, double time) const;

private:
  /// One run of both lists; -1 where there is none.
  int32_t pickOf(llvm::ArrayRef<int32_t> some, llvm::ArrayRef<int32_t> others);
  bool bringBack(int32_t value, int32_t from, int32_t before) override;
  bool mayFree(int32_t op) const override {
    return rules.mayCopy ? op != step.begin() : !step.runsOnce(op);
  }
  int32_t putFetch(int32_t value, int32_t after, int32_t user, double factor);
  int32_t putEvict(int32_t value, int32_t slot, double factor);
  int32_t put(int32_t op, int32_t before);
  int32_t firstUserFrom(int32_t value, int32_t slot) const;
  int32_t lastOtherUser(int32_t value, int32_t from, int32_t slot,
                        int32_t but) const;
  bool shiftFetch(int32_t fetch);
  bool shiftEvict(int32_t evict);
  bool toFetch(int32_t recomputed);
  bool toRecomputation(int32_t fetch);
  int32_t earliestWithin(int32_t value, int32_t low, int32_t from);
  int32_t latestWithin(int32_t value, int32_t from, int32_t high);
  bool isOnHost(int32_t value, int32_t slot) const;
  /// The run of an evict of the value, or -1.
  int32_t evictRun(int32_t value) const;
  double drawFactor();

  StepTimes &times;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_COPYMOVES_H
