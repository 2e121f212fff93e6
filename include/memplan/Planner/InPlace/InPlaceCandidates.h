//===- InPlaceCandidates.h - Pairs that a schedule allows -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_INPLACE_INPLACECANDIDATES_H
#define MEMPLAN_PLANNER_INPLACE_INPLACECANDIDATES_H

#include "memplan/Planner/InPlace/InPlaceProblem.h"

namespace memplan {

/// All pairs of a schedule that keep every rule but inplace_c2 and inplace_c5.
/// Those are matters of choice: sizes, and two pairs for one storage or output.
/// Found in one walk over the runs.
class InPlaceCandidates {
public:
  struct Candidate {
    int32_t run;
    InPlacePair pair;
    /// By place in liveRanges(): what the output begins and the input ends.
    int32_t output, input;
  };
  /// Which candidates are taken.
  using Taken = std::vector<bool>;

  explicit InPlaceCandidates(const InPlaceProblem &problem);

  /// In run order, and as their node lists them.
  const std::vector<Candidate> &all() const { return list; }
  /// Live ranges of the schedule with nothing in place.
  const std::vector<LiveRange> &liveRanges() const { return ranges; }

  /// Every pair whose output has the bytes of the input's base, the first
  /// listed of two that exclude each other.
  Taken takeEqual() const;
  /// Candidates that the choice holds.
  Taken takenIn(const InPlaceChoice &choice) const;
  /// Gives up what is too large for the storage that it would lie in, or
  /// excluded by a pair before it.
  void makeLegal(Taken &taken) const;
  /// Whether both are of one run, and for one output or one storage.
  bool excludeEachOther(size_t a, size_t b) const;
  InPlaceChoice choiceOf(const Taken &taken) const;

  /// Most bytes that are live at one run, scratch counted, and nothing of the
  /// caller's but donated inputs: what an arena needs at least. `taken` is
  /// legal. Linear.
  int64_t liveBytes(const Taken &taken) const;
  /// No choice at all has fewer live bytes: at each run, what is live with
  /// nothing in place less what its own pairs may save. Linear.
  int64_t leastLiveBytes() const;

private:
  void addRun(int32_t run, size_t first, size_t end);
  std::vector<int64_t> bytesApart() const;
  int64_t donatedBytes() const; ///< There before the first run.
  int64_t bytesOf(int32_t range) const { return ranges[range].bytes; }

  const GraphIndex *index;
  const Schedule *schedule;
  std::vector<LiveRange> ranges;
  std::vector<int32_t> latest; ///< By base: its live range while runs go by.
  std::vector<Candidate> list;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_INPLACE_INPLACECANDIDATES_H
