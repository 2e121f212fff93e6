//===- RunSequence.h - A plan as a sequence of runs, and edits --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is the sequence of its runs and nothing else. Live ranges follow from
// it, so that every sequence in which producers come first is a plan. Taking an
// edit back is the inverse edit.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_RUNSEQUENCE_H
#define MEMPLAN_PLANNER_SEARCH_RUNSEQUENCE_H

#include "memplan/Planner/Search/LiveRanges.h"
#include "memplan/Planner/Search/RunTotals.h"
#include "memplan/Planner/Search/Tuning.h"

namespace memplan {

class RunSequence : public LiveRanges {
public:
  /// `freeOrder`: first runs may be moved too.
  RunSequence(const SearchStep &step, bool freeOrder)
      : LiveRanges(step), freeOrder(freeOrder), totals(step) {}

  /// Starts from a plan, whose first runs keep all rules of the step.
  void reset(llvm::ArrayRef<PlannedRun> plan, double limitBytes);
  /// From the next reset() on, only copies are taken out or put in.
  void keepRuns() { keepsRuns = true; }
  /// Every op once, in source order and its cheapest variant, with the copies
  /// of what lives on the host.
  static std::vector<PlannedRun> sourceOrder(const SearchStep &step);

  /// Put in since begin().
  bool isNew(int32_t run) const { return stamps[run] == stamp; }
  /// First of its op when the sequence began.
  bool isSource(int32_t run) const { return totals.isSource(run); }
  /// Runs that reset() did not find first of their op, in no useful order.
  const std::vector<int32_t> &recomputations() const {
    return totals.recomputations();
  }
  /// All fetches.
  const std::vector<int32_t> &fetches() const { return totals.fetches(); }
  const std::vector<int32_t> &evicts() const { return totals.evicts(); }
  double cost() const { return totals.cost(); }
  /// Time of all copies, in units of cost.
  double copyTime() const { return totals.copyTime(); }
  /// Bytes of all copies on the host, whenever they live.
  double hostBytes() const { return totals.hostBytes(); }

  /// Taking the run out leaves a plan.
  bool isRemovable(int32_t run) const;
  /// A run of the op in that slot keeps the rules besides its inputs.
  bool isAllowedAt(int32_t op, int32_t slot) const;

  /// Penalty of bytes above the limit; 0 if there are none.
  double penalty() const {
    return line().excessBytes() * weightOfByte() +
           line().blocksOver() * weightOfBlock();
  }
  bool fits() const { return line().blocksOver() == 0; }
  /// What a byte of excess in one block adds to the penalty.
  double weightOfByte() const;
  /// What a block over the limit adds: the share of a run.
  double weightOfBlock() const;

  // Edits between begin() and commit() or undo().
  void begin();
  void commit();
  void undo();
  bool hasEdits() const { return !log.empty(); }
  bool hasRemovals() const { return !removed.empty(); }
  /// Every run that was put in, taken out or changed, at least once.
  template <typename Function> void forEachEdited(Function function) const {
    for (const Edit &edit : log)
      function(edit.run);
  }
  /// The runs at edits: what was put in or changed and occurs still, and what
  /// follows the places of what was taken out.
  template <typename Function>
  void forEachPlaceEdited(Function function) const {
    for (const Edit &edit : log)
      function(isIn(edit.run) ? edit.run : next(lastBefore(edit.run)));
  }
  /// Puts a run of the op before another one; all its inputs must be served.
  int32_t insert(int32_t op, int32_t variant, int32_t before);
  /// Takes out a removable run and then every run that only served it.
  void erase(int32_t run);
  /// Takes out what was put in since begin() and serves nothing, and what that
  /// put out of use.
  void sweep();
  /// erase(), if the run is unread, removable and not new.
  void prune(int32_t run);
  void setVariant(int32_t run, int32_t variant);

private:
  enum class EditKind : uint8_t { Insert, Remove, SetVariant };
  struct Edit {
    EditKind kind;
    int32_t run;
    int32_t detail; ///< Run before it, or the variant before.
  };

  int32_t lastBefore(int32_t run) const;
  bool isRemovableCopy(int32_t run) const;
  void eraseNeedlessEvict(int32_t value);
  void putIn(int32_t run, int32_t after, bool isSource);
  void takeOut(int32_t run);
  void changeVariant(int32_t run, int32_t variant);
  /// Excess is weighed by the share of blocks, so that a finer line does not
  /// make it more expensive.
  double shareOfBlock() const {
    return std::min(1.0, searchTuning::blocksOfPenalty / line().numBlocks());
  }

  bool freeOrder;
  bool keepsRuns = false;
  RunTotals totals;
  uint32_t stamp = 0;
  std::vector<uint32_t> stamps; ///< By run: of the begin() that put it in.
  std::vector<Edit> log;
  std::vector<int32_t> removed;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_RUNSEQUENCE_H
