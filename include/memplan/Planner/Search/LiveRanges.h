//===- LiveRanges.h - Who reads what in an order of runs --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user reads what the latest run of the producer before it made; that lives
// until its last user. So putting a run in or taking one out changes the live
// ranges of its inputs and outputs only. Each is changed by one addition to a
// range of the line of live bytes. Copies are runs as well: a fetch makes the
// value that later users read, an evict is one of its users.
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
  int32_t lastUser(int32_t run, int32_t place) const {
    return lastUsers[list[run].firstOutput + place];
  }
  /// The same for a value that it makes.
  int32_t lastUserOf(int32_t run, int32_t value) const {
    return lastUser(run, step.placeIn(list[run].op, value));
  }
  /// The run whose output a user of `value` in that slot finds, or -1.
  int32_t serving(int32_t value, int32_t slot) const;
  /// Last run after `run` and before `slot` that reads `value`; `run` if none.
  int32_t lastUserBefore(int32_t value, int32_t run, int32_t slot) const;
  /// First run after `slot` that reads `value`, or -1.
  int32_t firstUserAfter(int32_t value, int32_t slot) const;
  /// Nothing reads what the run makes, and it makes something.
  bool isUnread(int32_t run) const;

protected:
  /// Finds who reads what in the runs laid out last, and the bytes at each.
  void findRanges();
  void insertRun(int32_t run, int32_t after);
  void removeRun(int32_t run);
  /// Counts the workspace of another variant.
  void changeVariant(int32_t run, int32_t variant);

private:
  using Served = llvm::SmallVector<int32_t, 4>;
  bool isLeaving(int32_t value, int32_t run, int32_t slot) const;
  void settleUser(int32_t value, int32_t user);
  void takeUsers(int32_t run, const Served &earlier);
  void returnUsers(int32_t run, int32_t slot);
  void extendInputs(int32_t run);
  void shrinkInputs(int32_t run, int32_t slot);
  void setLastUser(int32_t run, int32_t value, int32_t user) {
    lastUsers[list[run].firstOutput + step.placeIn(list[run].op, value)] = user;
  }
  double bytesThrough(int32_t run) const;
  double savingOf(int32_t run) const;
  void settleInPlace(int32_t run);
  void grow();

  std::vector<int32_t> lastUsers; ///< By output of runs.
  std::vector<double> savedBytes; ///< By run: by outputs over inputs.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_LIVERANGES_H
