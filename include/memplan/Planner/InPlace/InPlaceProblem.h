//===- InPlaceProblem.h - Outputs that overwrite inputs ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_INPLACE_INPLACEPROBLEM_H
#define MEMPLAN_PLANNER_INPLACE_INPLACEPROBLEM_H

#include "memplan/Graph/Liveness.h"

namespace memplan {

/// Single-consumer fusion: an output takes the storage of an input whose residence ends at that run.
///
/// Solution constraints, tested by verify():
///   inplace_c1  the pair is listed by the node
///   inplace_c2  equal bytes
///   inplace_c3  the run is the last reader of the input's whole view family in that residence
///   inplace_c4  the input's storage belongs to the step, or is a donated input nobody reads again
///   inplace_c5  at most one output per input storage, one input per output; a discarded output never takes one
struct InPlaceProblem {
  const GraphIndex *index = nullptr;
  const Schedule *schedule = nullptr;

  llvm::Error verify(const InPlaceChoice &choice) const;
};

/// Takes every legal pair, in run order, first listed pair first. Linear in the runs. Verified by planners that return
/// it.
InPlaceChoice chooseInPlace(const InPlaceProblem &problem);

} // namespace memplan

#endif // MEMPLAN_PLANNER_INPLACE_INPLACEPROBLEM_H
