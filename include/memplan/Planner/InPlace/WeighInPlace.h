//===- WeighInPlace.h - Pairs by what they do to the arena ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_INPLACE_WEIGHINPLACE_H
#define MEMPLAN_PLANNER_INPLACE_WEIGHINPLACE_H

#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

/// What a choice comes to once it is packed.
struct WeighedArena {
  int64_t bytes = 0;
  /// Runs beside which the highest buffers begin, end or lie. Pairs elsewhere
  /// are left alone.
  std::vector<int32_t> highRuns;
};
using WeighArena =
    llvm::function_ref<llvm::Expected<WeighedArena>(const InPlaceChoice &)>;

struct WeighedChoice {
  InPlaceChoice choice;
  int64_t bytes = 0;
  int packings = 0; ///< How often `weigh` was asked.
};

/// Looks for a choice whose arena takes `enoughBytes` or less, from `start`,
/// which takes `arena.bytes`. It gives pairs up, takes those whose output is
/// smaller than its storage, and lets another of two candidates have a storage
/// or an output. All choices are tried where they are few. Asks `weigh` at most
/// `mostPackings` times, and only where live bytes alone do not rule a choice
/// out. Never worse than `start`, nor, if it packs at all, than no pairs.
/// Deterministic. O(mostPackings) packings and at most 40 times as many walks
/// over the live ranges, fewer where these are many.
llvm::Expected<WeighedChoice> weighInPlace(const InPlaceProblem &problem,
                                           const InPlaceChoice &start,
                                           WeighedArena arena,
                                           int64_t enoughBytes,
                                           int mostPackings, WeighArena weigh);

} // namespace memplan

#endif // MEMPLAN_PLANNER_INPLACE_WEIGHINPLACE_H
