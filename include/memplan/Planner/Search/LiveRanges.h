//===- LiveRanges.h - Who reads what in an order of runs --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader reads what the latest run of the producer before it made; that lives
// until its last reader. So putting a run in or taking one out changes the live
// ranges of its inputs and outputs only, each by one addition to a range of the
// line of live bytes. Copies are runs as well: a fetch makes the value that
// later readers read, an evict is one of its readers.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_LIVERANGES_H
#define MEMPLAN_PLANNER_SEARCH_LIVERANGES_H

#include "memplan/Planner/Search/RunLine.h"

namespace memplan {

class LiveRanges : public RunLine {
public:
  using RunLine::RunLine;

  /// The last run that reads output `place` of the run; itself if none does.
  int32_t lastReader(int32_t run, int32_t place) const {
    return lastReaders[list[run].firstOutput + place];
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

protected:
  /// Finds who reads what in the runs laid out last, and the bytes at each.
  void findRanges();
  void insertRun(int32_t run, int32_t after);
  void removeRun(int32_t run);
  /// Of another workspace.
  void changeWay(int32_t run, int32_t way);

private:
  using Served = llvm::SmallVector<int32_t, 4>;
  bool isLeaving(int32_t value, int32_t run, int32_t slot) const;
  void settleReader(int32_t value, int32_t reader);
  void takeReaders(int32_t run, const Served &earlier);
  void returnReaders(int32_t run, int32_t slot);
  void extendInputs(int32_t run);
  void shrinkInputs(int32_t run, int32_t slot);
  void setLastReader(int32_t run, int32_t value, int32_t reader) {
    lastReaders[list[run].firstOutput + step.placeIn(list[run].op, value)] =
        reader;
  }
  double bytesThrough(int32_t run) const;
  double savingOf(int32_t run) const;
  void settleInPlace(int32_t run);
  void grow();

  std::vector<int32_t> lastReaders; ///< By output of runs.
  std::vector<double> savedBytes;   ///< By run: by outputs over inputs.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_LIVERANGES_H
