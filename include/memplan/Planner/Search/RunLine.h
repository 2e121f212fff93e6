//===- RunLine.h - Runs in order, in slots of a line ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There are four slots a run at first; where none is free, neighbours move
// aside, and where that takes long, all runs are spread anew.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_RUNLINE_H
#define MEMPLAN_PLANNER_SEARCH_RUNLINE_H

#include "memplan/Planner/Search/BytesLine.h"
#include "memplan/Planner/Search/SearchStep.h"

namespace memplan {

/// A run of a plan, apart from any search.
struct PlannedRun {
  int32_t op = 0;
  int32_t variant = 0;
  friend bool operator==(const PlannedRun &, const PlannedRun &) = default;
};

/// The order of runs, and where each stands on the line of live bytes. Runs are
/// numbers that stay the same while the run is in the order.
class RunLine {
public:
  explicit RunLine(const SearchStep &step) : step(step) {}

  int32_t first() const { return beginRun; } ///< Makes the donated inputs.
  int32_t last() const { return endRun; }
  int32_t next(int32_t run) const { return list[run].next; }
  int32_t previous(int32_t run) const { return list[run].previous; }
  int32_t op(int32_t run) const { return list[run].op; }
  int32_t variant(int32_t run) const { return list[run].variant; }
  int32_t slot(int32_t run) const { return list[run].slot; }
  bool isIn(int32_t run) const { return list[run].slot >= 0; }
  size_t size() const { return count; }
  /// All numbers of runs are below.
  size_t numNumbers() const { return list.size(); }
  /// In order.
  const std::vector<int32_t> &runsOf(int32_t op) const { return runLists[op]; }
  const BytesLine &line() const { return bytes; }
  void forgetArea() { bytes.forgetArea(); }
  std::vector<PlannedRun> plan() const;

protected:
  struct Run {
    int32_t op = -1;
    int32_t slot = -1; ///< -1: not in the order.
    int32_t previous = -1, next = -1;
    int32_t firstOutput = 0; ///< Where what is known of its outputs begins.
    int32_t variant = 0;
  };

  /// The runs of a plan between the begin and the end, spread over a line of
  /// slots that have no bytes yet.
  void layOutRuns(llvm::ArrayRef<PlannedRun> plan, double limitBytes);
  int32_t newRun(int32_t op, int32_t variant);
  void freeRun(int32_t run) { freeLists[op(run)].push_back(run); }
  /// A free slot right after the run; other runs may move for it.
  int32_t freeSlotAfter(int32_t run);
  /// Puts the run into the order; its slot is free. True if it is the first of
  /// its op and there are others.
  bool link(int32_t run, int32_t after, int32_t slot);
  /// True if it was the first of its op and there are others.
  bool unlink(int32_t run);
  double workspace(int32_t run) const {
    return step.variants(list[run].op)[list[run].variant].workspaceBytes;
  }

  const SearchStep &step;
  BytesLine bytes;
  std::vector<Run> list;
  int32_t numOutputs = 0; ///< Outputs of all runs that have a number.

private:
  int32_t append(PlannedRun planned, int32_t latest);
  bool shiftAside(int32_t left, int32_t right);
  void respread(int32_t slots, int32_t slotsPerBlock);

  std::vector<std::vector<int32_t>> runLists, freeLists; ///< By op.
  int32_t beginRun = 0, endRun = 0;
  size_t count = 0;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_RUNLINE_H
