//===- InPlaceProblem.h - Outputs that overwrite inputs ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_INPLACE_INPLACEPROBLEM_H
#define MEMPLAN_PLANNER_INPLACE_INPLACEPROBLEM_H

#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// Single-consumer fusion: an output takes the storage of an input whose
/// live range ends at that run.
///
/// Solution constraints, tested by verify():
/// - inplace_c1: one list of pairs per run, and its node lists each pair
/// - inplace_c2: the output has no more bytes than the storage that the input
///   lies in
/// - inplace_c3: the run is the last to touch the input's whole alias set in
///   that live range, and makes no view of it
/// - inplace_c4: the input's storage belongs to the step and is not an output
///   of it, or is a donated input that nothing touches again
/// - inplace_c5: at most one output per input storage, one input per output; an
///   output that is discarded or a view never takes one
/// - inplace_c6: the run reads the input's alias set through that one operand
///   and does not write it. So no kernel meets its own output under another
///   operand
struct InPlaceProblem {
  const GraphIndex *index = nullptr;
  const Schedule *schedule = nullptr;

  /// Shares no code with chooseInPlace(). O(runs * arity * log runs).
  llvm::Error verify(const InPlaceChoice &choice) const;
};

/// Takes every legal pair whose output has the bytes of the input's base, in
/// run order, first listed pair first. A smaller output would hold a larger
/// storage. Not always least once packed: see WeighInPlace.h. Linear in the
/// runs. Verified by planners that return it. Assumes a schedule that passes
/// verifySchedule().
InPlaceChoice chooseInPlace(const InPlaceProblem &problem);

} // namespace memplan

#endif // MEMPLAN_PLANNER_INPLACE_INPLACEPROBLEM_H
