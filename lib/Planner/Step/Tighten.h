//===- Tighten.h - Small changes that pack better ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two schedules of equal cost and equal live bytes may differ by percents once
// they are packed. So a schedule whose arena sticks out is not planned again
// for fewer bytes at first, but changed where its highest buffers are: its
// in-place pairs are weighed, and then a recomputation moves within the room
// that its operands and users leave it, or a pair is given up with it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_TIGHTEN_H
#define MEMPLAN_LIB_PLANNER_STEP_TIGHTEN_H

#include "Pack.h"

namespace memplan {

/// Packs a plan of the same cost.
using PackPlan = std::function<llvm::Expected<PackedPlan>(RematPlan)>;

/// Device bytes that no choice of in-place pairs and no offsets go below, for
/// the schedule of that step.
int64_t leastDeviceBytes(const GraphIndex &index, bool inPlace,
                         const PackedPlan &packed);

/// Changes a packed schedule until it takes `targetBytes` device bytes or less,
/// at most `tries` times. The cost stays, live bytes never rise above the
/// larger of the target and what they were, and the step returned takes no more
/// device bytes than the one given. Deterministic.
llvm::Expected<PackedPlan> tighten(const GraphIndex &index, bool inPlace,
                                   PackedPlan packed, int64_t targetBytes,
                                   int tries, const PackPlan &pack);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_TIGHTEN_H
