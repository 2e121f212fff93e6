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
//           copy hides behind all other readers; the wait that gives the bytes
//           back stands after the last reader of those bytes, the evict's own
//           place in the sequence included
//   fetch   is issued where it stands; the wait stands before its first reader
//
// Times are whole numbers of the search's units, so that sums are exact.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_JOINT_STEPTIMES_H
#define MEMPLAN_LIB_PLANNER_JOINT_STEPTIMES_H

#include "memplan/Planner/Remat/Search/RunSequence.h"

namespace memplan {

class StepTimes {
public:
  StepTimes(const SearchStep &step, const RunSequence &runs)
      : step(step), runs(runs) {}

  /// When the last run and the last copy have ended. O(runs) and, for each
  /// copy, the readers of its value.
  double measure();
  /// As if all copies took no time: good enough for choosing places.
  void measureWithoutCopies();

  /// When the stream is done with the run, in the last pass that saw it.
  double end(int32_t run) const {
    return size_t(run) < marks.size() ? marks[run].end : 0;
  }
  double start(int32_t run) const {
    return end(run) - step.ways(runs.op(run))[runs.way(run)].cost;
  }
  /// For a run that no pass has seen.
  void guessEnd(int32_t run, double time);
  /// Copies for which the stream had to wait in the last pass.
  const std::vector<int32_t> &stalls() const { return stalling; }

private:
  /// What happens at a run besides itself; lists go on in `links`.
  struct Mark {
    double end = 0;
    double copyEnd = 0; ///< Of a copy.
    uint32_t pass = 0;
    int32_t waitsBefore = -1; ///< Fetches that it is the first to read.
    int32_t evictsAfter = -1; ///< Evicts that read what it makes.
    int32_t waitsAfter = -1;  ///< Evicts whose bytes it is the last to read.
  };
  struct Link {
    int32_t next = -1, nextWait = -1;
  };
  Mark &mark(int32_t run);
  void grow();
  void linkCopies();
  void linkEvict(int32_t evict);
  void waitFor(int32_t copy);

  const SearchStep &step;
  const RunSequence &runs;
  std::vector<Mark> marks; ///< By run.
  std::vector<Link> links; ///< By run, of copies.
  uint32_t pass = 0;
  double now = 0; ///< Of the stream.
  std::vector<int32_t> stalling;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_JOINT_STEPTIMES_H
