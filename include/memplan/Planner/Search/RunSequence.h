//===- RunSequence.h - A plan as a sequence of runs, and edits --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is the sequence of its runs and nothing else. A reader reads what the
// latest run of the producer before it made; that lives until its last reader.
// So every sequence in which producers come first is a plan, and putting a run
// in or taking one out changes the live ranges of its inputs and outputs only,
// each by one addition to a range of the line of live bytes. Taking an edit
// back is the inverse edit. Copies are runs as well: a fetch makes the value
// that later readers read, an evict is one of its readers.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_RUNSEQUENCE_H
#define MEMPLAN_PLANNER_SEARCH_RUNSEQUENCE_H

#include "memplan/Planner/Search/BytesLine.h"
#include "memplan/Planner/Search/SearchStep.h"

namespace memplan {

/// A run of a plan, apart from any search.
struct PlannedRun {
  int32_t op = 0;
  int32_t way = 0;
  friend bool operator==(const PlannedRun &, const PlannedRun &) = default;
};

class RunSequence {
public:
  /// `freeOrder`: first runs may be moved too.
  RunSequence(const SearchStep &step, bool freeOrder)
      : step(step), freeOrder(freeOrder) {}

  /// Starts from a plan, whose first runs keep all rules of the step.
  void reset(llvm::ArrayRef<PlannedRun> plan, double limitBytes);
  /// From the next reset() on, only copies are taken out or put in.
  void keepRuns() { keepsRuns = true; }
  /// Every op once, in source order and its cheapest way, with the copies of
  /// what lives on the host.
  static std::vector<PlannedRun> sourceOrder(const SearchStep &step);
  std::vector<PlannedRun> plan() const;

  // Runs are numbers that stay the same while the run is in the sequence.
  int32_t first() const { return beginRun; } ///< Makes the donated inputs.
  int32_t last() const { return endRun; }
  int32_t next(int32_t run) const { return list[run].next; }
  int32_t previous(int32_t run) const { return list[run].previous; }
  int32_t op(int32_t run) const { return list[run].op; }
  int32_t way(int32_t run) const { return list[run].way; }
  int32_t slot(int32_t run) const { return list[run].slot; }
  bool isIn(int32_t run) const { return list[run].slot >= 0; }
  /// Made since begin().
  bool isNew(int32_t run) const { return list[run].stamp == stamp; }
  bool isSource(int32_t run) const { return list[run].isSource; }
  size_t size() const { return count; }
  /// All numbers of runs are below.
  size_t numNumbers() const { return list.size(); }
  /// Runs that reset() did not find first of their op, in no useful order.
  const std::vector<int32_t> &reruns() const { return lists[Reruns]; }
  /// Likewise, all of them.
  const std::vector<int32_t> &fetches() const { return lists[Fetches]; }
  const std::vector<int32_t> &evicts() const { return lists[Evicts]; }
  /// In order.
  const std::vector<int32_t> &runsOf(int32_t op) const { return runLists[op]; }

  /// The last run that reads output `place` of the run; itself if none does.
  int32_t lastReader(int32_t run, int32_t place) const {
    return lastReaders[list[run].lastReaders + place];
  }
  /// The same for a value that it makes.
  int32_t lastReaderOf(int32_t run, int32_t value) const {
    return lastReader(run, step.placeIn(list[run].op, value));
  }
  /// The run whose output a reader of `value` in that slot finds, or -1.
  int32_t serving(int32_t value, int32_t slot) const;
  /// Last run after `run` and before `slot` that reads `value`; `run` if none.
  int32_t lastReaderBefore(int32_t value, int32_t run, int32_t slot) const;
  /// First run after `slot` that reads `value`, or -1.
  int32_t firstReaderAfter(int32_t value, int32_t slot) const;
  /// Nobody reads what the run makes, and it makes something.
  bool isUnread(int32_t run) const;
  /// Taking the run out leaves a plan.
  bool isRemovable(int32_t run) const;
  /// A run of the op in that slot keeps the rules besides its inputs.
  bool isAllowedAt(int32_t op, int32_t slot) const;

  const BytesLine &line() const { return bytes; }
  double cost() const { return sumCost; }
  /// Of all copies, in units of cost.
  double copyTime() const { return sumCopies; }
  /// Of all copies on the host, whenever they are there.
  double hostBytes() const { return sumHost; }
  /// Of bytes above the limit; 0 if there are none.
  double penalty() const {
    return bytes.excessBytes() * excessWeight +
           bytes.blocksOver() * blockWeight;
  }
  bool fits() const { return bytes.blocksOver() == 0; }
  /// What a byte of excess in one block adds to the penalty.
  double weightOfByte() const { return excessWeight; }
  double weightOfBlock() const { return blockWeight; }

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
  /// The runs at edits: what was put in or changed and is there still, and what
  /// follows the places of what was taken out.
  template <typename Function>
  void forEachPlaceEdited(Function function) const {
    for (const Edit &edit : log)
      function(isIn(edit.run) ? edit.run : next(lastBefore(edit.run)));
  }
  /// Puts a run of the op before another one; all its inputs must be served.
  int32_t insert(int32_t op, int32_t way, int32_t before);
  /// Takes out a removable run and then every run that only served it.
  void erase(int32_t run);
  /// Takes out what was put in since begin() and serves nobody, and what that
  /// put out of use.
  void sweep();
  /// erase(), if the run is unread, removable and not new.
  void prune(int32_t run);
  void setWay(int32_t run, int32_t way);

private:
  struct Run {
    int32_t op = -1;
    int32_t slot = -1; ///< -1: not in the sequence.
    int32_t previous = -1, next = -1;
    int32_t lastReaders = 0; ///< Where its outputs' last readers begin.
    int32_t way = 0;
    int32_t place = -1;    ///< In the list that it is on.
    bool isSource = false; ///< First of its op when the sequence began.
    uint32_t stamp = 0;
    double savedBytes = 0; ///< By outputs over inputs.
  };
  enum class EditKind : uint8_t { Insert, Remove, SetWay };
  struct Edit {
    EditKind kind;
    int32_t run;
    int32_t detail; ///< Run before it, or the way before.
  };

  enum List { Reruns, Fetches, Evicts, NoList };
  int32_t lastBefore(int32_t run) const;
  List listOf(int32_t run) const;
  void addCopy(int32_t run, double sign);
  void enlist(int32_t run);
  void delist(int32_t run);
  bool isRemovableCopy(int32_t run) const;
  void eraseNeedlessEvict(int32_t value);
  bool isLeaving(int32_t value, int32_t run, int32_t slot) const;
  void settleReader(int32_t value, int32_t reader);
  using Served = llvm::SmallVector<int32_t, 4>;
  int32_t newRun(int32_t op, int32_t way);
  void freeRun(int32_t run);
  void link(int32_t run, int32_t after);
  void insertRun(int32_t run, int32_t after);
  void removeRun(int32_t run);
  void takeReaders(int32_t run, const Served &earlier);
  void returnReaders(int32_t run, int32_t slot);
  void extendInputs(int32_t run);
  void shrinkInputs(int32_t run, int32_t slot);
  void changeWay(int32_t run, int32_t way);
  void setLastReader(int32_t run, int32_t value, int32_t reader) {
    lastReaders[list[run].lastReaders + step.placeIn(list[run].op, value)] =
        reader;
  }
  double workspace(int32_t run) const {
    return step.ways(list[run].op)[list[run].way].workspaceBytes;
  }
  double cost(int32_t run) const {
    return step.ways(list[run].op)[list[run].way].cost;
  }
  double bytesThrough(int32_t run) const;
  double savingOf(int32_t run) const;
  void settleInPlace(int32_t run);
  int32_t freeSlotAfter(int32_t run);
  bool shiftAside(int32_t left, int32_t right);
  void respread(int32_t slots, int32_t slotsPerBlock);
  void layOut();
  void setWeights();

  const SearchStep &step;
  bool freeOrder;
  bool keepsRuns = false;
  BytesLine bytes;
  double excessWeight = 0, blockWeight = 0;
  double sumCost = 0, sumCopies = 0, sumHost = 0;
  std::vector<Run> list;
  std::vector<int32_t> lastReaders;
  std::vector<std::vector<int32_t>> runLists, freeLists; ///< By op.
  std::vector<int32_t> lists[NoList];
  int32_t beginRun = 0, endRun = 0;
  size_t count = 0;
  uint32_t stamp = 0;
  std::vector<Edit> log;
  std::vector<int32_t> removed;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_RUNSEQUENCE_H
