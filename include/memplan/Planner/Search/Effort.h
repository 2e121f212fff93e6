//===- Effort.h - How much work is left -------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_EFFORT_H
#define MEMPLAN_PLANNER_SEARCH_EFFORT_H

#include "memplan/Planner/Problem.h"

namespace memplan {

/// Moves that the search may still try. What is searched depends on this count
/// alone; clock and interrupt only cut it short.
class Effort {
public:
  Effort(const SolveLimits &limits, int64_t moves)
      : limits(limits), all(moves), left(moves), clock(limits) {}
  ~Effort() {
    if (limits.triedMoves)
      *limits.triedMoves += all - left;
  }
  Effort(const Effort &) = delete;
  Effort &operator=(const Effort &) = delete;

  void spend() { --left; }
  int64_t movesLeft() const { return left; }
  /// What a ramp may take, if there is a limit to that.
  std::optional<int64_t> rampMoves() const {
    return limits.rampMoves > 0 ? std::optional(limits.rampMoves)
                                : std::nullopt;
  }
  bool isSpent() { return left <= 0 || isCut(); }
  /// Asks the clock now and then, since that takes longer than a move.
  bool isCut() {
    if (!cut && (++asked & 63) == 0)
      cut = clock.isStopped();
    return cut;
  }
  const std::atomic<bool> *stop() const { return limits.stop; }
  double seconds() const { return clock.seconds(); }
  /// Nothing more once the caller has stopped the search.
  void report(const Progress &progress) const {
    if (limits.progress && !(limits.stop && limits.stop->load()))
      limits.progress(progress);
  }

private:
  const SolveLimits &limits;
  const int64_t all;
  int64_t left;
  SolveClock clock;
  uint32_t asked = 0;
  bool cut = false;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_EFFORT_H
