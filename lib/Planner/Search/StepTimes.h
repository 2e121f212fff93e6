//===- StepTimes.h - When the runs and copies of a sequence end -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the sequence with three clocks: the stream that computes, the
// engine that copies to the host and the one that copies back.
//
//   evict   is issued right after the run that made what it reads, so that the
//           copy hides behind all other users; the wait that gives the bytes
//           back stands after the last user of those bytes, the evict's own
//           place in the sequence included
//   fetch   is issued where it stands; the wait stands before its first user
//
// The clocks are kept for every run of the sequence that was kept last. After
// edits, a pass begins where the first of them is, and ends where the clocks
// are what they were again, all of them or, while both engines idle, but for
// one shift; or as soon as the time is known to be too long.
//
// Times are whole numbers of the search's units, so that sums are exact.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_STEPTIMES_H
#define MEMPLAN_LIB_PLANNER_SEARCH_STEPTIMES_H

#include "memplan/Planner/Search/RunSequence.h"
#include <limits>

namespace memplan {

class StepTimes {
public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  StepTimes(const SearchStep &step, const RunSequence &runs)
      : step(step), runs(runs), linked(size_t(step.numValues())),
        linkedIn(size_t(step.numValues())) {}

  /// Keeps the sequence as it stands, which was begun anew. O(runs) and, for
  /// each copy, the users of its value.
  double restart();
  /// When the last run and the last copy end after the open edits; `never` if
  /// that is later than `mostTime`. O(runs after the first edit) and, for each
  /// copy of what the edits touch, the users of its value. To be followed by
  /// keep() once the edits are committed, or by drop() once they are undone.
  double measure(double mostTime = never);
  void keep();
  void drop();

  /// When the stream is done with the run, in the sequence kept last that had
  /// copies.
  double end(int32_t run) const {
    return size_t(run) < kept.size() ? kept[run].end : 0;
  }
  double start(int32_t run) const {
    return end(run) - step.variants(runs.op(run))[runs.variant(run)].cost;
  }
  /// For a run that no pass has seen.
  void guessEnd(int32_t run, double time);
  /// Copies for which the stream has to wait in the sequence kept last.
  const std::vector<int32_t> &stalls() const { return stalling; }

private:
  /// What happens at a run besides itself; lists go on in `links`.
  struct Mark {
    double cost = 0, copyTime = 0;
    bool isFetch = false;
    int32_t waitsBefore = -1; ///< Fetches that it is the first to read.
    int32_t evictsAfter = -1; ///< Evicts that read what it makes.
    int32_t waitsAfter = -1;  ///< Evicts whose bytes it is the last to read.
  };
  /// Places where a copy is issued (a fetch: by itself) and waited for, -1 if
  /// nowhere; the next ones there.
  struct Link {
    int32_t issuedAt = -1, waitedAt = -1;
    int32_t next = -1, nextWait = -1;
  };
  /// After a run and the waits behind it; `end` is before these waits.
  struct Clocks {
    double end = 0, now = 0, toHost = 0, toDevice = 0;
    double stall = 0; ///< Part of `now` in which the stream waited.
  };
  struct Ended {
    double kept = 0, tried = 0;
    uint64_t pass = 0; ///< In which `tried` was found.
  };

  void grow();
  void settle(int32_t run);
  void takeEdits();
  void relink(int32_t value);
  void link(int32_t copy);
  void unlink(int32_t copy);
  void remove(int32_t copy, int32_t &head, int32_t Link::*next);
  void affect(int32_t run);
  bool agrees(int32_t run, const Clocks &clocks) const;
  void keepStalls();
  double pass(double mostTime);
  void wait(int32_t head, int32_t run, Clocks &clocks);
  void issue(int32_t head, Clocks &clocks);

  const SearchStep &step;
  const RunSequence &runs;
  std::vector<Mark> marks;                  ///< By run.
  std::vector<Link> links;                  ///< By run, of copies.
  std::vector<Clocks> kept, tried;          ///< By run.
  std::vector<Ended> ended;                 ///< By run, of copies.
  std::vector<std::vector<int32_t>> linked; ///< By value: its copies.
  std::vector<uint64_t> linkedIn;           ///< By value: the last measure().
  std::vector<int32_t> stalling;            ///< In order.
  std::vector<int32_t> stalledAt;           ///< Where these are waited for.
  bool isStale = true; ///< There were no copies: no clocks are kept.

  // Of the last measure(), until keep() or drop().
  bool isOpen = false;
  std::vector<int32_t> values, edited;
  /// The first and the last run at which something is new.
  int32_t affected = -1, lastAffected = -1;
  int32_t agreed = -1; ///< Where the pass ended early.
  /// Copies on their way that end at another time than before.
  int32_t changed = 0;
  double shift = 0,
         shiftOfStall = 0; ///< Shift of all that comes after `agreed`.
  double triedTime = 0, keptTime = 0;
  uint64_t passes = 0;
  std::vector<int32_t> newStalls, newStalledAt;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_STEPTIMES_H
